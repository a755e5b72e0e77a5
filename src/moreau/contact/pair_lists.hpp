// Pairs found by several threads, each into a list of its own, and their order by bodies.
#pragma once

#include <cstdint>
#include <vector>

#include "moreau/geometry/lattice.hpp"

namespace moreau::inline contact {

struct CandidatePair {
  std::int32_t a, b;
};

class PairLists {
 public:
  explicit PairLists(bool with_images) : with_images_(with_images) {}

  // Lists for so many more pieces of work; returns the number of the first.
  std::size_t more(std::size_t pieces) {
    const std::size_t first = list_.size();
    list_.resize(first + pieces);
    return first;
  }
  void add(std::size_t piece, std::int32_t a, std::int32_t b, Image image = 0) {
    std::vector<CandidatePair>& pairs = list_[piece].pairs;
    if (pairs.size() == pairs.capacity() && pairs.size() >= large_list) check_growth(2 * pairs.size());
    pairs.push_back({a, b});
    if (with_images_) list_[piece].images.push_back(image);
  }

  // Partners of each of the n bodies a, increasing, equal ones by image: partner[row[a]] ... partner[row[a + 1] - 1], and
  // likewise the images where they are kept.
  void order(std::size_t n, std::vector<std::uint32_t>& row, std::vector<std::int32_t>& partner, std::vector<Image>& image) const;

 private:
  static constexpr std::size_t large_list = 1 << 20;
  void check_growth(std::size_t to) const;  // MemoryShortage
  struct List {
    std::vector<CandidatePair> pairs;
    std::vector<Image> images;
  };
  bool with_images_;
  std::vector<List> list_;
};

}  // namespace moreau::inline contact

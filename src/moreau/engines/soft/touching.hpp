// Which candidates of the neighbour search touch, and where each stood in the contact table before: contacts have the order of
// the candidates, so that as long as their list lasts, counting finds the row; after that it is looked up by identity. In a
// packing that changes little most steps find the contacts of the step before and say so, or most chunks of bodies do.
#pragma once

#include <vector>

#include "moreau/contact/detect.hpp"
#include "moreau/engines/soft/body_line.hpp"

namespace moreau::soft {

// What decides whether candidates touch.
template <int D>
struct Candidates {
  const BodyLine<D>* bodies;
  const std::int32_t *a, *b;  // by candidate
  const Vec<D>* shift;        // of the image of b, by candidate; null without a periodic cell
};

// near[k] = 1 where the two bodies touch or overlap, else 0; walls are not looked at. Of candidates [begin, end).
void judge_touching(const Candidates<2>& in, std::size_t begin, std::size_t end, std::uint8_t* near);
void judge_touching(const Candidates<3>& in, std::size_t begin, std::size_t end, std::uint8_t* near);

template <int D>
class Touching {
 public:
  // `renewed`: the candidates are new, or the table is not the one that the last call led to.
  void find(const Neighbours<D>& neighbours, bool renewed, const Surroundings<D>& around, const std::vector<Vec<D>>& image_shift,
            const std::vector<BodyLine<D>>& lines, const ContactTable<D>& previous);

  std::vector<FoundContact> found;       // in the order of the contact table
  std::vector<std::uint32_t> row;        // contacts of body a: found[row[a]] ... found[row[a + 1] - 1]
  std::vector<Image> image;              // of b; empty without a periodic cell
  std::vector<std::uint32_t> candidate;  // of each contact
  bool changed = true;                   // some contact is new or gone since the call before
  std::size_t recalled = 0;              // contacts that were there before

  std::size_t bytes() const {
    const auto size = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
    return size(found) + size(row) + size(image) + size(candidate) + size(first_) + size(place_) + size(near_) + size(at_wall_) +
           size(near_before_) + size(found_before_) + size(candidate_before_) + size(image_before_);
  }

 private:
  void renew(const Neighbours<D>& neighbours, const ContactTable<D>& previous, std::size_t bodies);

  std::vector<std::int32_t> first_;      // body a of every candidate
  std::vector<std::int32_t> place_;      // of candidates that are new: row of the table, -1: not there
  std::vector<std::uint32_t> at_wall_;   // candidates with walls
  std::vector<std::size_t> wall_chunk_;  // of every chunk of bodies, its first among them
  std::vector<std::uint8_t> near_, near_before_;
  std::vector<std::size_t> offset_, offset_before_;  // first contact of every chunk of bodies
  std::vector<FoundContact> found_before_;
  std::vector<std::uint32_t> candidate_before_;
  std::vector<Image> image_before_;
  bool identity_ = false;  // every contact is recalled from its own row
};

}  // namespace moreau::soft

// Which points of a list are within reach of a given one: the inner loop of the neighbour search, eight at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "moreau/geometry/vec.hpp"

namespace moreau::inline contact {

// Meets another when their distance is at most the sum of the reaches.
template <int D>
struct ReachingPoint {
  Vec<D> at;
  double reach;
};

// Component by component, with room to read and write some beyond the last.
template <int D>
struct PointColumns {
  std::vector<double> at[D], reach;
  std::vector<std::uint32_t> number;

  void make_room(std::size_t n);
  void set(std::size_t k, const ReachingPoint<D>& p, std::uint32_t name) {
    for (int d = 0; d < D; ++d) at[d][k] = p.at[d];
    reach[k] = p.reach, number[k] = name;
  }
  ReachingPoint<D> operator[](std::size_t k) const {
    ReachingPoint<D> p;
    for (int d = 0; d < D; ++d) p.at[d] = at[d][k];
    p.reach = reach[k];
    return p;
  }
};

struct Stretch {
  std::uint32_t begin, end;
};

// Copies stretches one behind the other and returns how many points that are.
std::size_t copy_stretches(const PointColumns<2>& from, const Stretch* stretch, int stretches, PointColumns<2>& to);
std::size_t copy_stretches(const PointColumns<3>& from, const Stretch* stretch, int stretches, PointColumns<3>& to);

// Which of the places begin <= k < end, 64 at most, meet `p`: bit k - begin of each.
std::uint64_t meeting_points(const PointColumns<2>& points, const ReachingPoint<2>& p, std::size_t begin, std::size_t end);
std::uint64_t meeting_points(const PointColumns<3>& points, const ReachingPoint<3>& p, std::size_t begin, std::size_t end);

}  // namespace moreau::inline contact

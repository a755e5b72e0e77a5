// Points of like reach in the order of the cells of a grid: layer by layer, row by row, along the row. Nothing is stored for
// empty cells, so that a few points far away cost nothing.
//
// A cell is as wide as the largest distance at which two points meet; along a row it is cut into slices. The points that may meet
// a given one lie in its own row and the rows beside it, one stretch of the order in each, and these stretches move on as one
// goes through the points in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "moreau/base/radix_sort.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau {

// Meets another when their distance is at most the sum of the reaches.
template <int D>
struct ReachingPoint {
  Vec<D> at;
  double reach;
};

// Points by number. Several may belong to one body and share its reach.
template <int D>
struct ReachingPoints {
  const std::vector<Vec<D>>& at;
  const std::vector<std::int32_t>& body;  // empty: each point is the body of its number
  const std::vector<double>& reach;       // of each body
  std::size_t body_of(std::size_t point) const { return body.empty() ? point : static_cast<std::size_t>(body[point]); }
};

template <int D>
class SortedCells {
 public:
  // The points with these numbers, whose reaches are at most `largest`.
  void place(const ReachingPoints<D>& points, const std::vector<std::uint32_t>& numbers, double largest);

  std::size_t size() const { return point_.size(); }
  const ReachingPoint<D>& operator[](std::size_t k) const { return point_[k]; }
  std::uint32_t number(std::size_t k) const { return order_[k].number; }
  double largest() const { return largest_; }

  // meet(k, l) for every pair of places k < l with begin <= k < end whose points meet.
  template <class Meet>
  void each_pair(std::size_t begin, std::size_t end, Meet&& meet) const;

  // meet(l) for every place l whose point meets `p`, of any reach. Needs index_rows().
  template <class Meet>
  void each_near(const ReachingPoint<D>& p, Meet&& meet) const;
  void index_rows();

  // How many rows each_near looks at, at most, for a point of this reach.
  double rows_near(double reach) const;

 private:
  // Cells farther than `most` from the middle fall together with the last; 2 most and some room fit into the bits of a
  // coordinate.
  static constexpr int bits = D == 2 ? 28 : 20;
  static constexpr double most = static_cast<double>((std::int64_t{1} << (bits - 1)) - 16);
  static constexpr std::int64_t slices = 8;
  static constexpr double wider = 1.0 + 1e-6;  // than need be, for rounding
  static constexpr int forward_rows = D == 2 ? 1 : 4;

  static constexpr double cut(int d) { return d == 0 ? static_cast<double>(slices) : 1.0; }
  std::int64_t coordinate(double x, int d) const {
    const double c = (x - middle_[d]) * per_length_ * cut(d) + most * cut(d);
    return static_cast<std::int64_t>(c > 0.0 ? std::min(c, 2.0 * most * cut(d)) : 0.0) - first_[d];
  }
  std::uint64_t key_of(const Vec<D>& x) const {
    std::uint64_t key = 0;
    for (int d = 0; d < D; ++d) key += static_cast<std::uint64_t>(coordinate(x[d], d)) << shift_[d];
    return key;
  }
  void choose_cells(const ReachingPoints<D>& points, const std::vector<std::uint32_t>& numbers);
  std::size_t first_from(std::uint64_t key, std::size_t begin, std::size_t end) const {
    const auto before = [](const Keyed& k, std::uint64_t v) { return k.key < v; };
    const auto at = [&](std::size_t k) { return order_.begin() + static_cast<std::ptrdiff_t>(k); };
    return static_cast<std::size_t>(std::lower_bound(at(begin), at(end), key, before) - order_.begin());
  }
  template <class Meet>
  void each_meeting(const ReachingPoint<D>& p, std::size_t begin, std::size_t end, Meet&& meet) const;

  double largest_ = 0.0, per_length_ = 0.0;
  Vec<D> middle_{};
  std::int64_t first_[D] = {}, extent_[D] = {};  // of the coordinates, with room for a neighbour on each side
  int shift_[D] = {}, key_bits_ = 0;             // where each coordinate stands in a key: the first lowest
  std::vector<Keyed> order_;                     // and one more behind all others
  std::vector<ReachingPoint<D>> point_;
  std::vector<Keyed>
      row_;  // those that are not empty: their key without the first coordinate, and where they begin; one more behind
};

template <int D>
template <class Meet>
void SortedCells<D>::each_meeting(const ReachingPoint<D>& p, std::size_t begin, std::size_t end, Meet&& meet) const {
  constexpr std::size_t block = 64;
  std::uint32_t near[block];
  while (begin < end) {
    const std::size_t stop = std::min(end, begin + block);
    std::size_t count = 0;
    for (; begin < stop; ++begin) {
      const ReachingPoint<D>& q = point_[begin];
      const Vec<D> apart = p.at - q.at;
      const double limit = p.reach + q.reach;
      near[count] = static_cast<std::uint32_t>(begin);
      count += dot(apart, apart) <= limit * limit;  // no branch to guess
    }
    for (std::size_t i = 0; i < count; ++i) meet(static_cast<std::size_t>(near[i]));
  }
}

template <int D>
template <class Meet>
void SortedCells<D>::each_pair(std::size_t begin, std::size_t end, Meet&& meet) const {
  // From a point to the middles of the rows that follow its own, in keys: +1 in y, and -1, 0, +1 in y with +1 in z.
  std::uint64_t ahead[forward_rows];
  ahead[0] = std::uint64_t{1} << shift_[1];
  if constexpr (D == 3)
    for (int y = -1; y <= 1; ++y) ahead[y + 2] = (std::uint64_t{1} << shift_[2]) + static_cast<std::uint64_t>(y) * ahead[0];
  std::size_t low[forward_rows], high[forward_rows], own = begin;
  for (int r = 0; r < forward_rows; ++r) low[r] = high[r] = first_from(order_[begin].key + ahead[r] - slices, begin, size());
  for (std::size_t k = begin; k < end; ++k) {
    const std::uint64_t key = order_[k].key;
    const ReachingPoint<D>& p = point_[k];
    const auto met = [&](std::size_t l) { meet(k, l); };
    while (order_[own].key <= key + slices) ++own;
    each_meeting(p, k + 1, own, met);
    for (int r = 0; r < forward_rows; ++r) {
      while (order_[low[r]].key < key + ahead[r] - slices) ++low[r];
      while (order_[high[r]].key <= key + ahead[r] + slices) ++high[r];
      each_meeting(p, low[r], high[r], met);
    }
  }
}

template <int D>
template <class Meet>
void SortedCells<D>::each_near(const ReachingPoint<D>& p, Meet&& meet) const {
  const double reach = wider * (p.reach + largest_);
  std::uint64_t low[D], high[D];
  for (int d = 0; d < D; ++d) {
    const std::int64_t from = coordinate(p.at[d] - reach, d), to = coordinate(p.at[d] + reach, d);
    if (to < 0 || from >= extent_[d]) return;
    low[d] = static_cast<std::uint64_t>(std::max<std::int64_t>(from, 0));
    high[d] = static_cast<std::uint64_t>(std::min(to, extent_[d] - 1));
  }
  const int layer = D == 3 ? shift_[D - 1] - shift_[1] : 0;  // where the last coordinate stands in the key of a row
  const std::uint64_t last = D == 3 ? (high[D - 1] << layer) + high[1] : high[1];
  const auto next_row = [&](std::size_t r, std::uint64_t key) {
    const auto before = [](const Keyed& k, std::uint64_t v) { return k.key < v; };
    return static_cast<std::size_t>(std::lower_bound(row_.begin() + static_cast<std::ptrdiff_t>(r), row_.end() - 1, key, before) -
                                    row_.begin());
  };
  for (std::size_t r = next_row(0, D == 3 ? (low[D - 1] << layer) + low[1] : low[1]); row_[r].key <= last;) {
    if constexpr (D == 3) {  // a row outside the box: on to the next inside
      const std::uint64_t z = row_[r].key >> layer, y = row_[r].key - (z << layer);
      if (y < low[1] || y > high[1]) {
        r = next_row(r, ((y < low[1] ? z : z + 1) << layer) + low[1]);
        continue;
      }
    }
    const std::uint64_t row_key = row_[r].key << shift_[1];
    const std::size_t end = row_[r + 1].number, begin = first_from(row_key + low[0], row_[r].number, end);
    std::size_t stop = begin;
    while (stop < end && order_[stop].key <= row_key + high[0]) ++stop;
    each_meeting(p, begin, stop, meet);
    ++r;
  }
}

}  // namespace moreau

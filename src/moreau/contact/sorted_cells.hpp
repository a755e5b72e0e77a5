// Points of like reach in the order of the cells of a grid: layer by layer, row by row, along the row. Nothing is stored for
// empty cells, so that a few points far away cost nothing.
//
// A cell is as wide as the largest distance at which two points meet. The points that may meet those of a cell lie in its own row
// and the rows beside it, in up to three cells of each that follow one another; these move on as one goes through the cells in
// order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "moreau/base/radix_sort.hpp"
#include "moreau/contact/meeting_points.hpp"

namespace moreau::inline contact {

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
  // The points with these numbers, at least one, whose reaches are at most `largest`.
  SortedCells(const ReachingPoints<D>& points, const std::vector<std::uint32_t>& numbers, double largest);

  // Those of the points of `other`, all of smaller reach, that may meet one of these, in the cells that these have.
  SortedCells sorted_alike(const SortedCells& other) const;

  std::size_t size() const { return size_; }    // in points
  std::size_t cells() const { return cells_; }  // that are not empty
  ReachingPoint<D> point(std::size_t k) const { return point_[k]; }
  std::uint32_t number(std::size_t k) const { return point_.number[k]; }
  double largest() const { return largest_; }

  // meet(p, q) with the numbers of every two points that meet, the first in one of the cells begin <= c < end and the other in it
  // or in a later one.
  template <class Meet>
  void each_pair(std::size_t begin, std::size_t end, Meet&& meet) const;
  // The same between these and the points of `other`, which were sorted alike.
  template <class Meet>
  void each_pair_between(const SortedCells& other, std::size_t begin, std::size_t end, Meet&& meet) const;

  // meet(q) with the number of every point that meets `p`, of any reach. Needs index_rows().
  template <class Meet>
  void each_near(const ReachingPoint<D>& p, Meet&& meet) const;
  void index_rows();

  // How many rows each_near looks at, at most, for a point of this reach.
  double rows_near(double reach) const;

 private:
  // Cells farther than `most` from the middle fall together with the last; 2 most and some room fit into the bits of a
  // coordinate.
  static constexpr int bits = D == 2 ? 30 : 20;
  static constexpr double most = static_cast<double>((std::int64_t{1} << (bits - 1)) - 8);
  static constexpr double wider = 1.0 + 1e-6;  // than need be, for rounding
  static constexpr std::int64_t room = 2;      // cells left free on each side: for one that touches these, and one beside it
  static constexpr int rows_around = D == 2 ? 3 : 9, rows_ahead = D == 2 ? 1 : 4;

  struct Cell {
    std::uint64_t key;
    std::uint32_t begin;  // of its points
  };

  std::int64_t coordinate(double x, int d) const {
    const double c = (x - middle_[d]) * per_length_ + most;
    return static_cast<std::int64_t>(c > 0.0 ? std::min(c, 2.0 * most) : 0.0) - first_[d];
  }
  std::uint64_t key_of(const Vec<D>& x) const {
    std::uint64_t key = 0;
    for (int d = 0; d < D; ++d) key += static_cast<std::uint64_t>(coordinate(x[d], d)) << shift_[d];
    return key;
  }
  SortedCells() = default;
  void choose_cells(const ReachingPoints<D>& points, const std::vector<std::uint32_t>& numbers);
  template <class Set>
  void fill(std::vector<Keyed>& order, Set&& set);
  static std::size_t first_from(const std::vector<Cell>& list, std::size_t begin, std::size_t end, std::uint64_t key) {
    const auto before = [](const Cell& c, std::uint64_t v) { return c.key < v; };
    const auto at = [&](std::size_t k) { return list.begin() + static_cast<std::ptrdiff_t>(k); };
    return static_cast<std::size_t>(std::lower_bound(at(begin), at(end), key, before) - list.begin());
  }
  template <class Meet>
  static void each_meeting(const PointColumns<D>& points, const ReachingPoint<D>& p, std::size_t begin, std::size_t end,
                           Meet&& meet) {
    for (; begin < end; begin += 64)
      for (std::uint64_t met = meeting_points(points, p, begin, std::min(end, begin + 64)); met != 0; met &= met - 1)
        meet(points.number[begin + static_cast<std::size_t>(std::countr_zero(met))]);
  }

  // Where, in some rows beside a cell, the three cells nearest to it are, as the cell moves on.
  template <int rows>
  class RowsBeside {
   public:
    // Of the rows around a cell, in order, those from number `first` on; `key`: of the first cell.
    RowsBeside(const SortedCells& in, int first, std::uint64_t key) : cell_(in.cell_) {
      for (int r = 0; r < rows; ++r) {
        const int y = (first + r) % 3 - 1, z = D == 3 ? (first + r) / 3 - 1 : 0;
        away_[r] = (static_cast<std::uint64_t>(y) << in.shift_[1]) + (static_cast<std::uint64_t>(z) << in.shift_[D - 1]);
        low_[r] = first_from(cell_, 0, in.cells_, key + away_[r] - 1);
      }
    }
    // The points in them; returns how many. A cell occurs once in the list, so that three at most are near.
    std::size_t move_on(std::uint64_t key, Stretch* stretch) {
      std::size_t count = 0;
      for (int r = 0; r < rows; ++r) {
        const std::uint64_t last = key + away_[r] + 1;
        std::size_t low = low_[r];
        while (cell_[low].key < last - 2) ++low;
        const std::size_t high = low + (cell_[low].key <= last) + (cell_[low + 1].key <= last) + (cell_[low + 2].key <= last);
        stretch[r] = {cell_[low].begin, cell_[high].begin};
        count += stretch[r].end - stretch[r].begin;
        low_[r] = low;
      }
      return count;
    }

   private:
    const std::vector<Cell>& cell_;
    std::uint64_t away_[rows];
    std::size_t low_[rows];
  };

  double largest_ = 0.0, per_length_ = 0.0;
  Vec<D> middle_{};
  std::int64_t first_[D] = {}, extent_[D] = {};  // of the coordinates, with room for a neighbour on each side
  int shift_[D] = {}, key_bits_ = 0;             // where each coordinate stands in a key: the first lowest
  std::size_t size_ = 0, cells_ = 0;
  PointColumns<D> point_;
  std::vector<Cell> cell_;  // and some more behind all others
  std::vector<Cell> row_;   // that are not empty: their key without the first coordinate, their first cell; one more behind
};

template <int D>
template <class Meet>
void SortedCells<D>::each_pair(std::size_t begin, std::size_t end, Meet&& meet) const {
  RowsBeside<rows_ahead> rows(*this, rows_around - rows_ahead, cell_[begin].key);
  Stretch stretch[rows_ahead + 1];  // the first: its own cell and the next
  PointColumns<D> near;
  for (std::size_t c = begin; c < end; ++c) {
    const std::size_t own = cell_[c + 1].begin - cell_[c].begin;
    stretch[0] = {cell_[c].begin, cell_[c + 1 + (cell_[c + 1].key == cell_[c].key + 1)].begin};
    const std::size_t count = rows.move_on(cell_[c].key, stretch + 1) + stretch[0].end - stretch[0].begin;
    near.make_room(count);
    copy_stretches(point_, stretch, rows_ahead + 1, near);
    for (std::size_t k = 0; k < own; ++k)
      each_meeting(near, near[k], k + 1, count, [&](std::uint32_t q) { meet(near.number[k], q); });
  }
}

template <int D>
template <class Meet>
void SortedCells<D>::each_pair_between(const SortedCells& other, std::size_t begin, std::size_t end, Meet&& meet) const {
  RowsBeside<rows_around> rows(other, 0, cell_[begin].key);
  Stretch stretch[rows_around];
  PointColumns<D> near;
  for (std::size_t c = begin; c < end; ++c) {
    const std::size_t count = rows.move_on(cell_[c].key, stretch);
    if (count == 0) continue;
    near.make_room(count);
    copy_stretches(other.point_, stretch, rows_around, near);
    for (std::size_t k = cell_[c].begin; k < cell_[c + 1].begin; ++k)
      each_meeting(near, point_[k], 0, count, [&](std::uint32_t q) { meet(point_.number[k], q); });
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
  const auto row_at = [&](std::uint64_t y, std::uint64_t z) { return D == 3 ? (z << layer) + y : y; };
  const std::uint64_t last = row_at(high[1], high[D - 1]);
  const std::size_t rows = row_.size() - 1;
  for (std::size_t r = first_from(row_, 0, rows, row_at(low[1], low[D - 1])); row_[r].key <= last;) {
    if constexpr (D == 3) {  // a row outside the box: on to the next inside
      const std::uint64_t z = row_[r].key >> layer, y = row_[r].key - (z << layer);
      if (y < low[1] || y > high[1]) {
        r = first_from(row_, r, rows, row_at(low[1], y < low[1] ? z : z + 1));
        continue;
      }
    }
    const std::uint64_t key = row_[r].key << shift_[1];
    const std::size_t begin = first_from(cell_, row_[r].begin, row_[r + 1].begin, key + low[0]);
    std::size_t end = begin;
    while (cell_[end].key <= key + high[0]) ++end;
    each_meeting(point_, p, cell_[begin].begin, cell_[end].begin, meet);
    ++r;
  }
}

}  // namespace moreau::inline contact

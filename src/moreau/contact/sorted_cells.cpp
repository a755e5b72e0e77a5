#include "moreau/contact/sorted_cells.hpp"

#include <bit>
#include <cmath>

#include "moreau/base/parallel.hpp"

namespace moreau {

namespace {
constexpr std::size_t point_chunk = 2048;
constexpr std::size_t sampled = 255;  // points, for the middle
constexpr std::uint64_t behind_all = ~std::uint64_t{0};

template <int D>
struct Box {
  Vec<D> low, high;
  Box() {
    for (int d = 0; d < D; ++d) low[d] = HUGE_VAL, high[d] = -HUGE_VAL;
  }
  void hold(const Vec<D>& x) {
    for (int d = 0; d < D; ++d) low[d] = std::min(low[d], x[d]), high[d] = std::max(high[d], x[d]);
  }
  Box& operator+=(const Box& o) { return hold(o.low), hold(o.high), *this; }
};

// The median of some of the points: unlike their mean it stays with most of them, however far a few have gone.
template <int D>
Vec<D> middle_of(const ReachingPoints<D>& points, const std::vector<std::uint32_t>& numbers) {
  const std::size_t count = std::min(numbers.size(), sampled), every = numbers.size() / count;
  std::vector<double> x(count);
  Vec<D> middle;
  for (int d = 0; d < D; ++d) {
    for (std::size_t k = 0; k < count; ++k) x[k] = points.at[numbers[k * every]][d];
    std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count / 2), x.end());
    middle[d] = x[count / 2];
  }
  return middle;
}
}  // namespace

template <int D>
void SortedCells<D>::choose_cells(const ReachingPoints<D>& points, const std::vector<std::uint32_t>& numbers) {
  const auto box = reduce_chunks<Box<D>>(numbers.size(), point_chunk, [&](std::size_t begin, std::size_t end) {
    Box<D> part;
    for (std::size_t k = begin; k < end; ++k) part.hold(points.at[numbers[k]]);
    return part;
  });
  middle_ = middle_of(points, numbers);
  per_length_ = 1.0 / (2.0 * wider * largest_);
  key_bits_ = 0;
  for (int d = 0; d < D; ++d) {
    const std::int64_t room = d == 0 ? slices : 1;
    first_[d] = 0;
    const std::int64_t low = coordinate(box.low[d], d), high = coordinate(box.high[d], d);
    first_[d] = low - room;
    extent_[d] = high - low + 1 + 2 * room;
    shift_[d] = key_bits_;
    key_bits_ += std::bit_width(static_cast<std::uint64_t>(extent_[d]));
  }
}

template <int D>
void SortedCells<D>::place(const ReachingPoints<D>& points, const std::vector<std::uint32_t>& numbers, double largest) {
  const std::size_t n = numbers.size();
  largest_ = largest;
  point_.clear(), order_.clear(), row_.clear();
  if (n > 0) {
    choose_cells(points, numbers);
    order_.resize(n);
    for_chunks(n, point_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) order_[k] = {key_of(points.at[numbers[k]]), numbers[k]};
    });
    sort_by_key(order_, key_bits_);
    point_.resize(n);
    for_chunks(n, point_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k)
        point_[k] = {points.at[order_[k].number], points.reach[points.body_of(order_[k].number)]};
    });
  }
  order_.push_back({behind_all, 0});
}

template <int D>
void SortedCells<D>::index_rows() {
  if (!row_.empty()) return;
  for (std::size_t k = 0; k < size(); ++k) {
    const std::uint64_t row = order_[k].key >> shift_[1];
    if (row_.empty() || row != row_.back().key) row_.push_back({row, static_cast<std::uint32_t>(k)});
  }
  row_.push_back({behind_all, static_cast<std::uint32_t>(size())});
}

template <int D>
double SortedCells<D>::rows_near(double reach) const {
  double rows = 1.0;
  for (int d = 1; d < D; ++d) rows *= std::min(2.0 * (reach + largest_) * per_length_ + 1.0, static_cast<double>(extent_[d]));
  return rows;
}

template class SortedCells<2>;
template class SortedCells<3>;

}  // namespace moreau

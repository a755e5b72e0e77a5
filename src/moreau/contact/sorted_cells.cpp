#include "moreau/contact/sorted_cells.hpp"

#include <cmath>

#include "moreau/base/parallel.hpp"

namespace moreau::inline contact {

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
    first_[d] = 0;
    const std::int64_t low = coordinate(box.low[d], d), high = coordinate(box.high[d], d);
    first_[d] = low - room;
    extent_[d] = high - low + 1 + 2 * room;
    shift_[d] = key_bits_;
    key_bits_ += std::bit_width(static_cast<std::uint64_t>(extent_[d]));
  }
}

template <int D>
SortedCells<D>::SortedCells(const ReachingPoints<D>& points, const std::vector<std::uint32_t>& numbers, double largest)
    : largest_(largest) {
  choose_cells(points, numbers);
  std::vector<Keyed> order(numbers.size());
  for_chunks(numbers.size(), point_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) order[k] = {key_of(points.at[numbers[k]]), numbers[k]};
  });
  fill(order, [&](std::size_t k, std::uint32_t number) {
    point_.set(k, {points.at[number], points.reach[points.body_of(number)]}, number);
  });
}

template <int D>
SortedCells<D> SortedCells<D>::sorted_alike(const SortedCells& other) const {
  SortedCells alike;
  alike.largest_ = other.largest_, alike.per_length_ = per_length_, alike.middle_ = middle_, alike.key_bits_ = key_bits_;
  std::copy(first_, first_ + D, alike.first_), std::copy(extent_, extent_ + D, alike.extent_);
  std::copy(shift_, shift_ + D, alike.shift_);
  std::vector<Keyed> order;
  for (std::size_t k = 0; k < other.size(); ++k) {
    const Vec<D> x = other.point_[k].at;
    bool beside = true;  // these, or among them
    for (int d = 0; d < D; ++d) {
      const std::int64_t c = coordinate(x[d], d);
      beside &= c >= room - 1 && c <= extent_[d] - room;
    }
    if (beside) order.push_back({key_of(x), static_cast<std::uint32_t>(k)});
  }
  alike.fill(order, [&](std::size_t k, std::uint32_t place) { alike.point_.set(k, other.point_[place], other.number(place)); });
  return alike;
}

// `set(k, number)` puts the point of that number in the order to the place k.
template <int D>
template <class Set>
void SortedCells<D>::fill(std::vector<Keyed>& order, Set&& set) {
  size_ = order.size();
  sort_by_key(order, key_bits_);
  for (std::size_t k = 0; k < size_; ++k)
    if (k == 0 || order[k].key != order[k - 1].key) cell_.push_back({order[k].key, static_cast<std::uint32_t>(k)});
  cells_ = cell_.size();
  for (int k = 0; k < 4; ++k) cell_.push_back({behind_all, static_cast<std::uint32_t>(size_)});
  point_.make_room(size_);
  for_chunks(size_, point_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) set(k, order[k].number);
  });
}

template <int D>
void SortedCells<D>::index_rows() {
  if (!row_.empty()) return;
  for (std::size_t c = 0; c < cells_; ++c) {
    const std::uint64_t row = cell_[c].key >> shift_[1];
    if (row_.empty() || row != row_.back().key) row_.push_back({row, static_cast<std::uint32_t>(c)});
  }
  row_.push_back({behind_all, static_cast<std::uint32_t>(cells_)});
}

template <int D>
double SortedCells<D>::rows_near(double reach) const {
  double rows = 1.0;
  for (int d = 1; d < D; ++d) rows *= std::min(2.0 * (reach + largest_) * per_length_ + 1.0, static_cast<double>(extent_[d]));
  return rows;
}

template class SortedCells<2>;
template class SortedCells<3>;

}  // namespace moreau::inline contact

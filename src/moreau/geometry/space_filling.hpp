// Order of points along a space-filling curve (Morton): neighbours in space come near each other in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "moreau/geometry/vec.hpp"

namespace moreau::inline geometry {

// The box that holds the points, as far as they are finite. A sum of two holds both.
template <int D>
struct CurveBounds {
  Vec<D> low, high;
  CurveBounds& operator+=(const CurveBounds& o) {
    for (int d = 0; d < D; ++d) low[d] = std::min(low[d], o.low[d]), high[d] = std::max(high[d], o.high[d]);
    return *this;
  }
};
template <int D>
CurveBounds<D> curve_bounds(const std::vector<Vec<D>>& position) {
  CurveBounds<D> bounds;
  for (int d = 0; d < D; ++d) bounds.low[d] = HUGE_VAL, bounds.high[d] = -HUGE_VAL;
  for (const Vec<D>& x : position)
    if (is_finite(x)) bounds += {x, x};
  return bounds;
}

// Places along the curve through the box.
template <int D>
std::vector<std::uint64_t> curve_keys(const std::vector<Vec<D>>& position, const CurveBounds<D>& bounds) {
  constexpr int bits = D == 2 ? 31 : 21;  // per axis, 62 or 63 in all
  double extent = 0.0;
  for (int d = 0; d < D; ++d) extent = std::max(extent, bounds.high[d] - bounds.low[d]);
  const double scale = extent > 0.0 ? static_cast<double>((std::uint64_t{1} << bits) - 1) / extent : 0.0;
  std::vector<std::uint64_t> key(position.size(), 0);
  for (std::size_t i = 0; i < position.size(); ++i) {
    if (!is_finite(position[i])) continue;
    std::uint64_t cell[D];
    for (int d = 0; d < D; ++d) cell[d] = static_cast<std::uint64_t>((position[i][d] - bounds.low[d]) * scale);
    for (int b = bits - 1; b >= 0; --b)
      for (int d = 0; d < D; ++d) key[i] = (key[i] << 1) | ((cell[d] >> b) & 1);
  }
  return key;
}

// Equal keys by index.
inline std::vector<std::int32_t> order_along(const std::vector<std::uint64_t>& key) {
  std::vector<std::int32_t> order(key.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    const std::uint64_t ka = key[static_cast<std::size_t>(a)], kb = key[static_cast<std::size_t>(b)];
    return ka != kb ? ka < kb : a < b;
  });
  return order;
}

// Indices of the points along the curve; the result depends on the positions alone.
template <int D>
std::vector<std::int32_t> morton_order(const std::vector<Vec<D>>& position) {
  return order_along(curve_keys(position, curve_bounds(position)));
}

}  // namespace moreau::inline geometry

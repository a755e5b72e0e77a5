// At most eight of many contact points, chosen to span the patch, the same ones from step to step.
#pragma once

#include <algorithm>
#include <span>

#include "moreau/geometry/manifold.hpp"

namespace moreau::inline geometry {

// The first in the list (ordered by name) of those with at least this share of the largest value: points of a regular patch are
// equal up to their trembling, and must be chosen by name.
inline constexpr double equal_share = 0.91;

template <class Value>
const ManifoldPoint<3>& first_of_largest(std::span<const ManifoldPoint<3>> all, Value value) {
  double largest = 0.0;
  for (const auto& p : all) largest = std::max(largest, value(p));
  for (const auto& p : all)
    if (value(p) >= equal_share * largest) return p;
  return all[0];
}

// A point far from the middle, then again and again one far from all chosen before. The deepest takes the place of its neighbour
// if it was not chosen. (Names change when the parts change places, and with them the choice among equals.)
inline void select_corners(std::span<const ManifoldPoint<3>> all, Manifold<3>& manifold) {
  manifold.count = static_cast<int>(std::min(all.size(), static_cast<std::size_t>(Manifold<3>::capacity)));
  ManifoldPoint<3>* const chosen = manifold.point;
  if (all.size() <= static_cast<std::size_t>(Manifold<3>::capacity)) {
    std::copy(all.begin(), all.end(), chosen);
    return;
  }
  Vec<3> middle{};
  for (const auto& p : all) middle += (1.0 / static_cast<double>(all.size())) * p.point;
  chosen[0] = first_of_largest(all, [&](const auto& p) { return norm(p.point - middle); });
  for (int count = 1; count < manifold.count; ++count)
    chosen[count] = first_of_largest(all, [&](const auto& p) {
      double nearest = HUGE_VAL;
      for (int i = 0; i < count; ++i) nearest = std::min(nearest, norm(p.point - chosen[i].point));
      return nearest;
    });
  const auto deeper = [](const auto& p, const auto& q) { return p.gap < q.gap; };
  const ManifoldPoint<3>& deepest = *std::min_element(all.begin(), all.end(), deeper);
  const double extent = norm(chosen[1].point - chosen[0].point);
  if (deepest.gap < std::min_element(chosen, chosen + manifold.count, deeper)->gap - 1e-9 * extent)
    *std::min_element(chosen, chosen + manifold.count, [&](const auto& p, const auto& q) {
      return norm(p.point - deepest.point) < norm(q.point - deepest.point);
    }) = deepest;
  std::sort(chosen, chosen + manifold.count, [](const auto& p, const auto& q) { return p.feature < q.feature; });
}

}  // namespace moreau::inline geometry

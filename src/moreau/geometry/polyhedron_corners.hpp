// At most eight of many contact points, chosen to span the patch, the same ones from step to step.
#pragma once

#include <algorithm>
#include <span>

#include "moreau/geometry/manifold.hpp"
#include "moreau/geometry/polyhedron_relative.hpp"

namespace moreau::inline geometry {

// The first in the list (ordered by name) of those with at least this share of the largest value: points of a regular patch are
// equal up to their trembling, and must be chosen by name.
inline constexpr double equal_share = 0.91;

template <class Value>
MOREAU_BOTH inline const ManifoldPoint<3>& first_of_largest(std::span<const ManifoldPoint<3>> all, Value value) {
  double largest = 0.0;
  for (const auto& p : all) largest = std::max(largest, value(p));
  for (const auto& p : all)
    if (value(p) >= equal_share * largest) return p;
  return all[0];
}

template <class Point, class Before>
MOREAU_BOTH inline Point* first_of_least(Point* first, Point* last, Before before) {
  Point* least = first;
  for (; first != last; ++first)
    if (before(*first, *least)) least = first;
  return least;
}

// A point far from the middle, then again and again one far from all chosen before. The deepest takes the place of its neighbour
// if it was not chosen. (Names change when the parts change places, and with them the choice among equals.)
MOREAU_BOTH inline void select_corners(std::span<const ManifoldPoint<3>> all, Manifold<3>& manifold) {
  constexpr std::size_t most = Manifold<3>::capacity;
  manifold.count = static_cast<int>(all.size() < most ? all.size() : most);
  ManifoldPoint<3>* const chosen = manifold.point;
  if (all.size() <= most) {
    for (std::size_t i = 0; i < all.size(); ++i) chosen[i] = all[i];
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
  const ManifoldPoint<3>& deepest = *first_of_least(all.data(), all.data() + all.size(), deeper);
  const double extent = norm(chosen[1].point - chosen[0].point);
  if (deepest.gap < first_of_least(chosen, chosen + manifold.count, deeper)->gap - 1e-9 * extent)
    *first_of_least(chosen, chosen + manifold.count, [&](const auto& p, const auto& q) {
      return norm(p.point - deepest.point) < norm(q.point - deepest.point);
    }) = deepest;
  sort_few(chosen, manifold.count, [](const auto& p, const auto& q) { return p.feature < q.feature; });
}

}  // namespace moreau::inline geometry

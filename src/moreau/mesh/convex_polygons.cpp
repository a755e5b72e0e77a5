#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Partition_traits_2.h>
#include <CGAL/partition_2.h>

#include <algorithm>
#include <list>
#include <map>

#include "moreau/mesh/convex_parts.hpp"

namespace moreau::mesh {

// At most four times as many as need be (Hertel and Mehlhorn 1983).
std::vector<std::vector<Vec<2>>> convex_parts(const std::vector<Vec<2>>& outline) {
  using Traits = CGAL::Partition_traits_2<CGAL::Exact_predicates_inexact_constructions_kernel>;
  Traits::Polygon_2 polygon;
  for (const Vec<2>& p : outline)
    if (polygon.is_empty() || &p != &outline.back() || !(p == outline.front())) polygon.push_back({p[0], p[1]});
  if (!polygon.is_simple()) return {};
  if (polygon.is_clockwise_oriented()) polygon.reverse_orientation();
  std::list<Traits::Polygon_2> pieces;
  CGAL::approx_convex_partition_2(polygon.vertices_begin(), polygon.vertices_end(), std::back_inserter(pieces));
  std::vector<std::vector<Vec<2>>> parts;
  for (const auto& piece : pieces) {
    parts.emplace_back();
    for (auto v = piece.vertices_begin(); v != piece.vertices_end(); ++v) parts.back().push_back({{v->x(), v->y()}});
  }
  return parts;
}

}  // namespace moreau::mesh

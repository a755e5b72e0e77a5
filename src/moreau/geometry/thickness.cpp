#include "moreau/geometry/thickness.hpp"

#include <algorithm>
#include <cmath>

namespace moreau::inline geometry {

namespace {

double across(const ConvexPart<2>& part) {
  const std::size_t n = part.vertices.size();
  double least = n < 3 ? 0.0 : HUGE_VAL;
  for (std::size_t i = 0; n >= 3 && i < n; ++i) {
    const Vec<2> edge = part.vertices[(i + 1) % n] - part.vertices[i];
    const Vec<2> inwards = normalized(Vec<2>{{-edge[1], edge[0]}});
    double extent = 0.0;
    for (const Vec<2>& v : part.vertices) extent = std::max(extent, dot(inwards, v - part.vertices[i]));
    least = std::min(least, extent);
  }
  return least;
}

double across(const ConvexPart<3>& part) {
  double least = part.topology.faces.empty() ? 0.0 : HUGE_VAL;
  for (const PolyhedronFace& face : part.topology.faces) {
    double extent = 0.0;
    for (const Vec<3>& v : part.vertices) extent = std::max(extent, face.offset - dot(face.normal, v));
    least = std::min(least, extent);
  }
  return least;
}

}  // namespace

template <int D>
double thickness(const Shape<D>& shape) {
  double least = HUGE_VAL;
  for (const ConvexPart<D>& part : shape.parts) least = std::min(least, across(part) + 2.0 * part.radius);
  return least;
}

template double thickness(const Shape<2>&);
template double thickness(const Shape<3>&);

}  // namespace moreau::inline geometry

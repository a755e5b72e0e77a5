// The point of a face of a mesh that is nearest to a given one, and on which feature of the face it lies.
#pragma once

#include "moreau/geometry/mesh.hpp"

namespace moreau::inline geometry {

// On the face itself, on its edge k, or at its vertex k.
enum class FacePlace : std::uint8_t { inside, edge, vertex };

template <int D>
struct NearestOnFace {
  Vec<D> point;
  FacePlace place;
  int k = 0;
};

inline NearestOnFace<2> nearest_on_face(const Mesh<2>& mesh, std::size_t face, const Vec<2>& from) {
  const auto& [i, j] = mesh.faces[face];
  const Vec<2>&a = mesh.vertices[static_cast<std::size_t>(i)], &b = mesh.vertices[static_cast<std::size_t>(j)];
  const Vec<2> along = b - a;
  const double s = dot(from - a, along), length = dot(along, along);
  if (s <= 0.0) return {a, FacePlace::vertex, 0};
  if (s >= length) return {b, FacePlace::vertex, 1};
  return {a + (s / length) * along, FacePlace::inside, 0};
}

// By the region of Voronoi in which the point lies (Ericson, Real-Time Collision Detection, 2005, section 5.1.5).
inline NearestOnFace<3> nearest_on_face(const Mesh<3>& mesh, std::size_t face, const Vec<3>& from) {
  const auto& [i, j, k] = mesh.faces[face];
  const Vec<3>&a = mesh.vertices[static_cast<std::size_t>(i)], &b = mesh.vertices[static_cast<std::size_t>(j)],
        &c = mesh.vertices[static_cast<std::size_t>(k)];
  const Vec<3> ab = b - a, ac = c - a, ap = from - a;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0.0 && d2 <= 0.0) return {a, FacePlace::vertex, 0};
  const Vec<3> bp = from - b;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0.0 && d4 <= d3) return {b, FacePlace::vertex, 1};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return {a + (d1 / (d1 - d3)) * ab, FacePlace::edge, 0};
  const Vec<3> cp = from - c;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0.0 && d5 <= d6) return {c, FacePlace::vertex, 2};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return {a + (d2 / (d2 - d6)) * ac, FacePlace::edge, 2};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0)
    return {b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b), FacePlace::edge, 1};
  const double whole = 1.0 / (va + vb + vc);
  return {a + (vb * whole) * ab + (vc * whole) * ac, FacePlace::inside, 0};
}

}  // namespace moreau::inline geometry

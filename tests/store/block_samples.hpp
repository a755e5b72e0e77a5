// Shapes made by hand, for tests of what is stored and drawn: boxes, capsules, balls, and clusters of them.
#pragma once

#include <numbers>

#include "moreau/bodies/bodies.hpp"

namespace moreau::samples {

template <int D>
ConvexPart<D> with_reach(ConvexPart<D> part) {
  for (const Vec<D>& v : part.vertices) part.reach = std::max(part.reach, norm(v - part.centre) + part.radius);
  return part;
}

inline ConvexPart<2> box_part(const Vec<2>& half, const Vec<2>& centre = {}, double radius = 0.0) {
  ConvexPart<2> part;
  for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
    part.vertices.push_back(centre + Vec<2>{{x * half[0], y * half[1]}});
  part.radius = radius, part.centre = centre;
  return with_reach(part);
}

// Vertex number = 1 (x > 0) + 2 (y > 0) + 4 (z > 0).
inline ConvexPart<3> box_part(const Vec<3>& half, const Vec<3>& centre = {}, double radius = 0.0) {
  ConvexPart<3> part;
  for (int v = 0; v < 8; ++v)
    part.vertices.push_back(centre +
                            Vec<3>{{v & 1 ? half[0] : -half[0], v & 2 ? half[1] : -half[1], v & 4 ? half[2] : -half[2]}});
  // Faces -x, +x, -y, +y, -z, +z.
  const std::int32_t corners[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (int f = 0; f < 6; ++f) {
    PolyhedronFace face{{corners[f], corners[f] + 4}, {}, 0.0};
    face.normal[f / 2] = f % 2 ? 1.0 : -1.0;
    face.offset = dot(face.normal, part.vertices[static_cast<std::size_t>(corners[f][0])]);
    part.topology.faces.push_back(face);
  }
  for (std::int32_t v = 0; v < 8; ++v)
    for (int k = 0; k < 3; ++k)
      if (!(v >> k & 1)) {  // along axis k; its faces are those of the two other axes
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        part.topology.edges.push_back({{v, v | 1 << k}, {2 * i + (v >> i & 1), 2 * j + (v >> j & 1)}});
      }
  part.radius = radius, part.centre = centre;
  return with_reach(part);
}

template <int D>
ConvexPart<D> capsule(const Vec<D>& end, const Vec<D>& other_end, double radius) {
  ConvexPart<D> part;
  part.vertices = {end, other_end};
  part.radius = radius, part.centre = 0.5 * (end + other_end);
  return with_reach(part);
}

template <int D>
ConvexPart<D> ball(const Vec<D>& centre, double radius) {
  ConvexPart<D> part;
  part.vertices = {centre};
  part.radius = part.reach = radius, part.centre = centre;
  return part;
}

// Parts that do not overlap; volume and gyration are of no account for pictures but for the size of a body.
template <int D>
Shape<D> shape_of(std::vector<ConvexPart<D>> parts, double volume) {
  Shape<D> shape;
  for (const ConvexPart<D>& part : parts) shape.reach = std::max(shape.reach, norm(part.centre) + part.reach);
  shape.parts = std::move(parts);
  shape.volume = volume;
  for (double& g : shape.gyration.c) g = 0.4 * shape.reach * shape.reach;
  return shape;
}

template <int D>
Shape<D> box_shape(const Vec<D>& half) {
  double volume = 1.0;
  for (int d = 0; d < D; ++d) volume *= 2.0 * half[d];
  return shape_of<D>({box_part(half)}, volume);
}

}  // namespace moreau::samples

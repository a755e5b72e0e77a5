// The feature of a convex part (vertex, edge or face) that faces a direction, as a polygon of one, two or more corners.
#pragma once

#include <algorithm>

#include "moreau/base/elementary.hpp"
#include "moreau/geometry/polyhedron_relative.hpp"

namespace moreau::inline geometry {

// Faces and edges up to this angle [rad] off the tangent plane count as lying in it: bodies that rock slightly keep the whole
// patch.
inline constexpr double patch_angle = 0.1;

template <int capacity>
struct FacingFeature {
  std::int32_t id = 0;            // of the vertex, edge or face
  int count = 0;                  // of corners: 1 vertex, 2 edge, 3 and more face
  std::int32_t vertex[capacity];  // of the part
  Vec<3> corner[capacity];        // in the common frame; a face counter-clockwise seen against the direction given
  Vec<3> normal{};                // of a face, in the common frame
};

namespace facing {

struct Choice {
  std::int32_t id = -1;
  int at_height = 0;
  double tilt = HUGE_VAL;  // smaller is better

  MOREAU_BOTH void offer(std::int32_t candidate, int corners, double candidate_tilt) {
    if (corners == 0 || corners < at_height || (corners == at_height && !(candidate_tilt < tilt))) return;
    id = candidate, at_height = corners, tilt = candidate_tilt;
  }
};

template <class Part>
MOREAU_BOTH inline Choice facing_face(const Part& part, const Vec<3>& direction, const Heights<Part>& height, double least_height) {
  Choice best;
  const double least_cosine = cosine(patch_angle);
  for (std::size_t f = 0; f < part.topology.faces.size(); ++f) {
    const auto& face = part.topology.faces[f];
    const double cosine = dot(face.normal, direction);
    if (cosine < least_cosine) continue;
    int corners = 0;
    for (const std::int32_t v : face.vertices) corners += height[v] >= least_height;
    best.offer(static_cast<std::int32_t>(f), corners, -cosine);
  }
  return best;
}

template <class Part>
MOREAU_BOTH inline Choice facing_edge(const Part& part, const Heights<Part>& height, double least_height) {
  Choice best;
  const double most_sine = sine(patch_angle);
  const auto offer = [&](std::int32_t e, std::int32_t tail, std::int32_t head) {
    const double low = height[tail], high = height[head];
    if (std::max(low, high) < least_height) return;
    const double sine = std::abs(high - low) / norm(vertex_of(part, head) - vertex_of(part, tail));
    if (sine <= most_sine) best.offer(e, (low >= least_height) + (high >= least_height), sine);
  };
  for (std::size_t e = 0; e < part.topology.edges.size(); ++e)
    offer(static_cast<std::int32_t>(e), part.topology.edges[e].vertices[0], part.topology.edges[e].vertices[1]);
  if (!has_faces(part) && part.vertices.size() == 2) offer(0, 0, 1);
  return best;
}

}  // namespace facing

// `direction` is a unit vector in the frame of the part, `to_common` takes its points to the frame of both. Among the faces
// within `patch_angle` of the direction that reach the support height (within `tolerance`), the one with most corners there, then
// the best aligned; failing faces, the same among edges.
template <class Part>
MOREAU_CALLED void find_facing(const Part& part, const Vec<3>& direction, const RelativePose& to_common, double tolerance,
                             FacingFeature<PartRoom<Part>::face_corners>& feature) {
  using namespace facing;
  feature.count = 0;
  const auto add = [&](std::int32_t v) {
    feature.vertex[feature.count] = v;
    feature.corner[feature.count++] = to_common.place(vertex_of(part, v));
  };
  const Heights height(part, direction);
  const double least_height = height.highest() - tolerance;
  if (const Choice face = facing_face(part, direction, height, least_height); face.id >= 0) {
    const auto& f = part.topology.faces[static_cast<std::size_t>(face.id)];
    feature.id = face.id;
    feature.normal = to_common.turn(f.normal);
    for (const std::int32_t v : f.vertices) add(v);
    return;
  }
  if (const Choice edge = facing_edge(part, height, least_height); edge.id >= 0) {
    feature.id = edge.id;
    const bool bare = part.topology.edges.empty();
    add(bare ? 0 : part.topology.edges[static_cast<std::size_t>(edge.id)].vertices[0]);
    add(bare ? 1 : part.topology.edges[static_cast<std::size_t>(edge.id)].vertices[1]);
    return;
  }
  feature.id = support(part, direction).vertex;
  add(feature.id);
}

}  // namespace moreau::inline geometry

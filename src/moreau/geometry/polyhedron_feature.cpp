#include "moreau/geometry/polyhedron_feature.hpp"

#include <algorithm>

#include "moreau/base/elementary.hpp"

namespace moreau::inline geometry {
namespace {

struct Choice {
  std::int32_t id = -1;
  int at_height = 0;
  double tilt = HUGE_VAL;  // smaller is better

  void offer(std::int32_t candidate, int corners, double candidate_tilt) {
    if (corners == 0 || corners < at_height || (corners == at_height && !(candidate_tilt < tilt))) return;
    id = candidate, at_height = corners, tilt = candidate_tilt;
  }
};

Choice facing_face(const ConvexPart<3>& part, const Vec<3>& direction, const Heights& height, double least_height) {
  Choice best;
  const double least_cosine = cosine(patch_angle);
  for (std::size_t f = 0; f < part.topology.faces.size(); ++f) {
    const PolyhedronFace& face = part.topology.faces[f];
    const double cosine = dot(face.normal, direction);
    if (cosine < least_cosine) continue;
    int corners = 0;
    for (const std::int32_t v : face.vertices) corners += height[v] >= least_height;
    best.offer(static_cast<std::int32_t>(f), corners, -cosine);
  }
  return best;
}

Choice facing_edge(const ConvexPart<3>& part, const Heights& height, double least_height) {
  Choice best;
  const double most_sine = sine(patch_angle);
  const auto offer = [&](std::int32_t e, std::int32_t tail, std::int32_t head) {
    const double low = height[tail], high = height[head];
    if (std::max(low, high) < least_height) return;
    const double sine = std::abs(high - low) /
                        norm(part.vertices[static_cast<std::size_t>(head)] - part.vertices[static_cast<std::size_t>(tail)]);
    if (sine <= most_sine) best.offer(e, (low >= least_height) + (high >= least_height), sine);
  };
  for (std::size_t e = 0; e < part.topology.edges.size(); ++e)
    offer(static_cast<std::int32_t>(e), part.topology.edges[e].vertices[0], part.topology.edges[e].vertices[1]);
  if (!has_faces(part) && part.vertices.size() == 2) offer(0, 0, 1);
  return best;
}

}  // namespace

void find_facing(const ConvexPart<3>& part, const Vec<3>& direction, const RelativePose& to_common, double tolerance,
                 FacingFeature& feature) {
  feature.count = 0;
  const auto add = [&](std::int32_t v) {
    feature.vertex[feature.count] = v;
    feature.corner[feature.count++] = to_common.place(part.vertices[static_cast<std::size_t>(v)]);
  };
  const Heights height(part, direction);
  const double least_height = height.highest() - tolerance;
  if (const Choice face = facing_face(part, direction, height, least_height); face.id >= 0) {
    const PolyhedronFace& f = part.topology.faces[static_cast<std::size_t>(face.id)];
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

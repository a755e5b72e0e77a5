// Axes along which the cores of two convex parts in space may be parted: normals of faces, and common normals of two edges.
#pragma once

#include <algorithm>

#include "moreau/geometry/polyhedron_relative.hpp"

namespace moreau::inline geometry {

struct FaceAxis {
  std::int32_t face = -1;
  std::int32_t vertex = -1;       // of the other part, the lowest over the face
  double separation = -HUGE_VAL;  // negative: the depth along this normal
  double alignment = -HUGE_VAL;   // of the normal with the line of centres; decides between equals
};

struct EdgeAxis {
  std::int32_t edge_a = -1, edge_b = -1;
  Vec<3> direction{};  // unit, from a to b
  double separation = -HUGE_VAL;
  Vec<3> on_a{}, on_b{};  // nearest points of the two lines, in the frame of a
  bool crosses = false;   // both points lie within the edges
};

namespace axes {

// An edge in the frame of a, and a box around the piece of it that may touch the other part.
struct Edge {
  std::int32_t id;
  Vec<3> tail, along;
  Vec<3> low, high;
};

// Keeps of the edge what is not higher than `bound`; `height` is that of its tail, `rise` leads to its head.
MOREAU_INLINE Edge clipped_edge(std::int32_t id, const Vec<3>& tail, const Vec<3>& along, double height, double rise,
                                double bound, double grown) {
  double from = 0.0, to = 1.0;
  const double last = height + rise;
  if (height > bound) from = (bound - height) / rise;
  if (last > bound) to = (bound - height) / rise;
  const Vec<3> p = tail + from * along, q = tail + to * along;
  Edge edge{id, tail, along, {}, {}};
  for (int i = 0; i < 3; ++i) edge.low[i] = std::min(p[i], q[i]) - grown, edge.high[i] = std::max(p[i], q[i]) + grown;
  return edge;
}

MOREAU_INLINE bool boxes_meet(const Edge& a, const Edge& b) {
  bool meet = true;
  for (int i = 0; i < 3; ++i) meet &= (a.low[i] <= b.high[i]) & (b.low[i] <= a.high[i]);
  return meet;
}

// Edges of b that come below `highest` along the direction.
template <class Part>
MOREAU_BOTH inline void list_edges_near(const Part& b, const RelativePose& b_to_a, const Vec<3>& along, double highest, double grown,
                                 ListOf<Edge, Part>& list) {
  const Heights height(b, b_to_a.turn_back(along));
  const double bound = highest - dot(along, b_to_a.shift);
  const auto add = [&](std::int32_t e, std::int32_t tail, std::int32_t head) {
    if (std::min(height[tail], height[head]) > bound) return;
    list.push_back(clipped_edge(e, b_to_a.place(vertex_of(b, tail)), b_to_a.turn(vertex_of(b, head) - vertex_of(b, tail)),
                                height[tail], height[head] - height[tail], bound, grown));
  };
  for (std::size_t e = 0; e < b.topology.edges.size(); ++e)
    add(static_cast<std::int32_t>(e), b.topology.edges[e].vertices[0], b.topology.edges[e].vertices[1]);
  if (!has_faces(b) && b.vertices.size() == 2) add(0, 0, 1);
}

template <class Part>
MOREAU_BOTH inline const Vec<3>& face_normal(const Part& part, std::int32_t edge, std::size_t side) {
  return part.topology.faces[static_cast<std::size_t>(part.topology.edges[static_cast<std::size_t>(edge)].faces[side])].normal;
}

// Do the arcs left-right of a and -left -right of b cross on the unit sphere? Then the two edges are a face of the difference. A
// bare segment has the whole circle across it for an arc.
template <class Part>
MOREAU_BOTH inline bool arcs_cross(const Part& part_a, const Edge& a, const Part& part_b, const Edge& b, const RelativePose& b_to_a) {
  const double a_left = dot(face_normal(part_a, a.id, 0), b.along), a_right = dot(face_normal(part_a, a.id, 1), b.along);
  if (a_left * a_right >= 0.0) return false;
  if (!has_faces(part_b)) return true;
  const Vec<3> seen = b_to_a.turn_back(a.along);
  const double b_left = dot(face_normal(part_b, b.id, 0), seen), b_right = dot(face_normal(part_b, b.id, 1), seen);
  return b_left * b_right < 0.0 && b_left * a_right < 0.0;
}

// Nearest points of the two lines, or ends of the edges where they lie beyond; needs edges that are not parallel. By the common
// normal, not by 1 - cos^2: edges at an angle of 1e-8 still cross somewhere.
MOREAU_BOTH inline void place_on_lines(const Edge& a, const Edge& b, EdgeAxis& axis) {
  const Vec<3> between = b.tail - a.tail, normal = cross(a.along, b.along);
  const double squared = dot(normal, normal);
  const double s = dot(cross(between, b.along), normal) / squared, t = dot(cross(between, a.along), normal) / squared;
  axis.on_a = a.tail + std::clamp(s, 0.0, 1.0) * a.along;
  axis.on_b = b.tail + std::clamp(t, 0.0, 1.0) * b.along;
  axis.crosses = s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0;
}

}  // namespace axes

// Does the second axis beat the first? Separations within the tolerance are equal; then the one along the line of centres, then
// the first.
MOREAU_BOTH inline bool beats(double separation, double alignment, double than_separation, double than_alignment, double tolerance) {
  if (separation > than_separation + tolerance) return true;
  return separation >= than_separation - tolerance && alignment > than_alignment + 1e-6;
}

// The face of p over which all of q lies highest. Stops at the first face over `limit`. `witness` is some vertex of q, best one
// that is near p: a face cannot do better than the height of the witness over it, which spares most faces.
template <class Part>
MOREAU_CALLED FaceAxis best_face(const Part& p, const Part& q, const RelativePose& q_to_p, std::int32_t witness, double limit,
                               double tolerance) {
  const auto& faces = p.topology.faces;
  FaceAxis best;
  if (faces.empty()) return best;
  Vec<3> bound = q_to_p.place(vertex_of(q, witness));
  const Vec<3> line = q_to_p.place(q.centre) - p.centre;
  const double length = norm(line);
  const double scale = length > 0.0 ? 1.0 / length : 0.0;
  const auto try_face = [&](std::int32_t f) {
    const auto& face = faces[static_cast<std::size_t>(f)];
    const Support lowest = support(q, -q_to_p.turn_back(face.normal));
    const double separation = dot(face.normal, q_to_p.place(vertex_of(q, lowest.vertex))) - face.offset;
    const double alignment = scale * dot(face.normal, line);
    if (beats(separation, alignment, best.separation, best.alignment, tolerance))
      best = {f, lowest.vertex, separation, alignment};
  };
  std::int32_t promising = 0;
  double highest = -HUGE_VAL;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const double height = dot(faces[f].normal, bound) - faces[f].offset;
    if (height > highest) highest = height, promising = static_cast<std::int32_t>(f);
  }
  try_face(promising);
  const Vec<3> second = q_to_p.place(vertex_of(q, best.vertex));
  for (std::size_t f = 0; f < faces.size() && !(best.separation > limit); ++f) {
    const double least = best.separation - tolerance + faces[f].offset;
    if (static_cast<std::int32_t>(f) == promising || dot(faces[f].normal, bound) < least || dot(faces[f].normal, second) < least)
      continue;
    try_face(static_cast<std::int32_t>(f));
  }
  return best;
}

// The common normal of two edges along which the cores overlap least, among those pairs of edges that make a face of the
// Minkowski difference (their arcs on the Gauss map cross). Given a face normal `along` (unit, from a to b, support height `top`
// of a) with depth below `depth`, only edges near the overlap can do better; the others are passed over. b may be a single
// segment.
//
// Edges that overlap by less than `depth`, touching at pa and pb with |pa - pb| < depth, satisfy along . pa <= top and
// along . pb >= top - depth; hence along . pa > top - 2 depth and along . pb < top + depth.
template <class Part>
MOREAU_CALLED EdgeAxis best_edges(const Part& a, const Part& b, const RelativePose& b_to_a, const Vec<3>& along, double top, double depth) {
  EdgeAxis best;
  ListOf<axes::Edge, Part> near;
  axes::list_edges_near(b, b_to_a, along, top + depth, depth, near);
  if (near.empty()) return best;
  const Heights depth_of(a, -along);
  const double bound = 2.0 * depth - top;
  const axes::Edge* best_b = nullptr;
  axes::Edge best_a;
  for (std::size_t e = 0; e < a.topology.edges.size(); ++e) {
    const auto& ends = a.topology.edges[e].vertices;
    if (std::min(depth_of[ends[0]], depth_of[ends[1]]) > bound) continue;
    const Vec<3>& tail = vertex_of(a, ends[0]);
    const axes::Edge ea = axes::clipped_edge(static_cast<std::int32_t>(e), tail, vertex_of(a, ends[1]) - tail, depth_of[ends[0]],
                                 depth_of[ends[1]] - depth_of[ends[0]], bound, 0.0);
    for (const axes::Edge& eb : near) {
      if (!axes::boxes_meet(ea, eb) || !axes::arcs_cross(a, ea, b, eb, b_to_a)) continue;
      Vec<3> normal = cross(ea.along, eb.along);
      const double sine_squared = dot(normal, normal) / (dot(ea.along, ea.along) * dot(eb.along, eb.along));
      if (!(sine_squared > 1e-24)) continue;  // parallel: along a face normal as well
      normal = normalized(normal);
      if (dot(normal, axes::face_normal(a, ea.id, 0)) + dot(normal, axes::face_normal(a, ea.id, 1)) < 0.0) normal = -normal;
      double separation = dot(normal, eb.tail - ea.tail);
      if (sine_squared < 1e-10 && separation > best.separation)  // rounding has turned the normal: what it parts in fact
        separation =
            dot(normal, b_to_a.place(vertex_of(b, support(b, -b_to_a.turn_back(normal)).vertex))) - support(a, normal).height;
      if (!(separation > best.separation)) continue;
      best_a = ea;
      best_b = &eb;
      best.separation = separation;
      best.direction = normal;
    }
  }
  if (!best_b) return best;
  best.edge_a = best_a.id;
  best.edge_b = best_b->id;
  axes::place_on_lines(best_a, *best_b, best);
  return best;
}

}  // namespace moreau::inline geometry

#include "moreau/geometry/polyhedron_axes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace moreau {
namespace {

const Vec<3>& vertex(const ConvexPart<3>& part, std::int32_t i) { return part.vertices[static_cast<std::size_t>(i)]; }

// An edge in the frame of a, with the normals of its faces such that left x right points along the edge. `whole` stands for a
// bare segment, whose normals are all those across it.
struct Edge {
  std::int32_t id;
  Vec<3> tail, along, left, right;
  bool whole;
};

Edge edge_of(const ConvexPart<3>& part, std::int32_t e) {
  const PolyhedronEdge& edge = part.topology.edges[static_cast<std::size_t>(e)];
  const Vec<3> tail = vertex(part, edge.vertices[0]);
  return {e,
          tail,
          vertex(part, edge.vertices[1]) - tail,
          part.topology.faces[static_cast<std::size_t>(edge.faces[0])].normal,
          part.topology.faces[static_cast<std::size_t>(edge.faces[1])].normal,
          false};
}

// Edges of b in reach of the overlap, in the frame of a. The list keeps its memory from call to call.
const std::vector<Edge>& edges_near(const ConvexPart<3>& b, const RelativePose& b_to_a, const Vec<3>& along, double highest) {
  thread_local std::vector<Edge> list;
  list.clear();
  if (!has_faces(b)) {
    const Vec<3> tail = b_to_a.place(b.vertices[0]);
    if (b.vertices.size() == 2) list.push_back({0, tail, b_to_a.place(b.vertices[1]) - tail, {}, {}, true});
    return list;
  }
  const Vec<3> inward = b_to_a.turn_back(along);
  const double shifted = highest - dot(along, b_to_a.shift);
  for (std::size_t e = 0; e < b.topology.edges.size(); ++e) {
    const auto& ends = b.topology.edges[e].vertices;
    if (std::min(dot(inward, vertex(b, ends[0])), dot(inward, vertex(b, ends[1]))) > shifted) continue;
    Edge edge = edge_of(b, static_cast<std::int32_t>(e));
    edge.tail = b_to_a.place(edge.tail);
    edge.along = b_to_a.turn(edge.along);
    edge.left = b_to_a.turn(edge.left);
    edge.right = b_to_a.turn(edge.right);
    list.push_back(edge);
  }
  return list;
}

// Do the arcs left-right of a and -left -right of b cross on the unit sphere? Then the two edges are a face of the difference.
MOREAU_INLINE bool arcs_cross(const Edge& a, const Edge& b) {
  const double a_left = dot(a.left, b.along), a_right = dot(a.right, b.along);
  if (a_left * a_right >= 0.0) return false;
  if (b.whole) return true;
  const double b_left = dot(b.left, a.along), b_right = dot(b.right, a.along);
  return b_left * b_right < 0.0 && b_left * a_right < 0.0;
}

// Nearest points of the two lines; needs edges that are not parallel.
void touch(const Edge& a, const Edge& b, EdgeAxis& axis) {
  const Vec<3> between = b.tail - a.tail;
  const double aa = dot(a.along, a.along), bb = dot(b.along, b.along), ab = dot(a.along, b.along);
  const double da = dot(a.along, between), db = dot(b.along, between), determinant = aa * bb - ab * ab;
  const double s = (da * bb - db * ab) / determinant, t = (da * ab - db * aa) / determinant;
  axis.on_a = a.tail + s * a.along;
  axis.on_b = b.tail + t * b.along;
  axis.crosses = s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0;
}

}  // namespace

FaceAxis best_face(const ConvexPart<3>& p, const ConvexPart<3>& q, const RelativePose& q_to_p, std::int32_t witness, double limit,
                   double tolerance) {
  const std::vector<PolyhedronFace>& faces = p.topology.faces;
  FaceAxis best;
  if (faces.empty()) return best;
  Vec<3> bound = q_to_p.place(vertex(q, witness));
  const Vec<3> line = q_to_p.place(q.centre) - p.centre;
  const double length = norm(line);
  const double scale = length > 0.0 ? 1.0 / length : 0.0;
  const auto try_face = [&](std::int32_t f) {
    const PolyhedronFace& face = faces[static_cast<std::size_t>(f)];
    const Support lowest = support(q, -q_to_p.turn_back(face.normal));
    const double separation = dot(face.normal, q_to_p.place(vertex(q, lowest.vertex))) - face.offset;
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
  const Vec<3> second = q_to_p.place(vertex(q, best.vertex));
  for (std::size_t f = 0; f < faces.size() && !(best.separation > limit); ++f) {
    const double least = best.separation - tolerance + faces[f].offset;
    if (static_cast<std::int32_t>(f) == promising || dot(faces[f].normal, bound) < least || dot(faces[f].normal, second) < least)
      continue;
    try_face(static_cast<std::int32_t>(f));
  }
  return best;
}

// Edges that overlap by less than `depth`, touching at pa and pb with |pa - pb| < depth, satisfy along . pa <= top and
// along . pb >= top - depth; hence along . pa > top - 2 depth and along . pb < top + depth.
EdgeAxis best_edges(const ConvexPart<3>& a, const ConvexPart<3>& b, const RelativePose& b_to_a, const Vec<3>& along, double top,
                    double depth) {
  EdgeAxis best;
  const std::vector<Edge>& near = edges_near(b, b_to_a, along, top + depth);
  if (near.empty()) return best;
  const Edge *best_a = nullptr, *best_b = nullptr;
  Edge kept;
  for (std::size_t e = 0; e < a.topology.edges.size(); ++e) {
    const auto& ends = a.topology.edges[e].vertices;
    if (std::max(dot(along, vertex(a, ends[0])), dot(along, vertex(a, ends[1]))) < top - 2.0 * depth) continue;
    const Edge ea = edge_of(a, static_cast<std::int32_t>(e));
    for (const Edge& eb : near) {
      if (!arcs_cross(ea, eb)) continue;
      Vec<3> normal = cross(ea.along, eb.along);
      const double sine = dot(normal, normal), parallel = 1e-12 * dot(ea.along, ea.along) * dot(eb.along, eb.along);
      if (sine <= parallel) continue;  // along a face normal as well
      normal *= 1.0 / std::sqrt(sine);
      if (dot(normal, ea.left) + dot(normal, ea.right) < 0.0) normal = -normal;
      const double separation = dot(normal, eb.tail - ea.tail);
      if (!(separation > best.separation)) continue;
      kept = ea;
      best_a = &kept, best_b = &eb;
      best.separation = separation;
      best.direction = normal;
    }
  }
  if (!best_a) return best;
  best.edge_a = best_a->id;
  best.edge_b = best_b->id;
  touch(*best_a, *best_b, best);
  return best;
}

}  // namespace moreau

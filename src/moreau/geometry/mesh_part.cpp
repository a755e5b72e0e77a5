#include "moreau/geometry/mesh_part.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/geometry/nearest_on_face.hpp"

namespace moreau::inline geometry {
namespace {

constexpr double rounding = 1e-9;
// An overlap is one of a part and a face if it is less than these; what lies deeper behind a face came round it.
constexpr double deepest_of_height = 0.5, deepest_of_reach = 0.1;

std::size_t at(std::int32_t k) { return static_cast<std::size_t>(k); }

// A part among the faces near it, in the frame of the mesh.
template <int D>
struct Meeting {
  const Mesh<D>& mesh;
  std::span<const std::int32_t> faces;
  const ConvexPart<D>& part;
  const Pose<D>& pose;
  double limit;                 // of distances from the core, the part without its rounding
  std::vector<Vec<D>> corners;  // of the core
  Vec<D> middle{};              // of the core: says on which side of a face the part is
  std::vector<PartTouch<D>>& touches;

  double size() const { return part.reach; }
  double deepest(double height) const { return std::min(deepest_of_height * height, deepest_of_reach * size()); }
  void add(const Vec<D>& on_core, const Vec<D>& normal, double distance, std::uint64_t name) {
    const double gap = distance - part.radius;
    touches.push_back({on_core - (part.radius + 0.5 * gap) * normal, normal, gap, name});
  }
};

// One corner and the faces under it.
template <int D>
struct Under {
  std::int32_t face;
  Vec<D> normal;
  double height;
};

template <int D>
bool lies_behind(const Meeting<D>& m, std::int32_t face, const Under<D>& plane) {
  const Vec<D>& point = m.mesh.vertices[at(m.mesh.faces[at(plane.face)][0])];
  for (const std::int32_t v : m.mesh.faces[at(face)])
    if (dot(m.mesh.vertices[at(v)] - point, plane.normal) > rounding * m.size()) return false;
  return true;
}

// Corners on faces. Of two faces under a corner the farther counts only if it rises above the plane of the nearer.
template <int D>
void corners_on_faces(Meeting<D>& m) {
  std::vector<Under<D>> under;
  for (std::size_t c = 0; c < m.corners.size(); ++c) {
    const Vec<D>& x = m.corners[c];
    under.clear();
    for (const std::int32_t f : m.faces) {
      const Vec<D>& point = m.mesh.vertices[at(m.mesh.faces[at(f)][0])];
      const double side = dot(m.middle - point, m.mesh.normal[at(f)]);
      const Vec<D> normal = side < 0.0 ? -m.mesh.normal[at(f)] : m.mesh.normal[at(f)];
      const double height = dot(x - point, normal);
      if (height > m.limit || height < -m.deepest(std::abs(side))) continue;
      const Vec<D> foot = x - height * normal;
      const NearestOnFace<D> nearest = nearest_on_face(m.mesh, at(f), foot);
      if (nearest.place != FacePlace::inside && norm(nearest.point - foot) > rounding * m.size()) continue;
      under.push_back({f, normal, height});
    }
    std::sort(under.begin(), under.end(), [](const Under<D>& s, const Under<D>& t) {
      const double p = std::abs(s.height), q = std::abs(t.height);
      return p < q || (p == q && s.face < t.face);
    });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < under.size(); ++i) {
      const bool hidden =
          std::any_of(under.begin(), under.begin() + static_cast<std::ptrdiff_t>(kept), [&](const Under<D>& nearer) {
            return m.mesh.patch[at(nearer.face)] == m.mesh.patch[at(under[i].face)] || lies_behind(m, under[i].face, nearer);
          });
      if (!hidden) under[kept++] = under[i];
    }
    for (std::size_t i = 0; i < kept; ++i)
      m.add(x, under[i].normal, under[i].height, touch_name(TouchKind::corner_on_patch, c, m.mesh.patch[at(under[i].face)]));
  }
}

// Rounded corners are balls; those of one corner are nothing else.
template <int D>
void rounded_corners(Meeting<D>& m, bool with_patches) {
  if (!(m.part.radius > 0.0)) return;
  thread_local std::vector<MeshTouch<D>> found;
  for (std::size_t c = 0; c < m.corners.size(); ++c) {
    found.clear();
    ball_touches(m.mesh, m.faces, m.corners[c], m.limit, found);
    for (const MeshTouch<D>& t : found)
      if (with_patches || t.feature != MeshFeature::patch)
        m.add(m.corners[c], t.normal, t.distance, touch_name(static_cast<TouchKind>(t.feature), c, t.index));
  }
}

// The vertices of the faces that can be felt.
template <int D>
std::vector<std::int32_t> sharp_vertices(const Meeting<D>& m) {
  std::vector<std::int32_t> vertices;
  for (const std::int32_t f : m.faces)
    for (const std::int32_t v : m.mesh.faces[at(f)])
      if (m.mesh.sharp_vertex[at(v)]) vertices.push_back(v);
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

// A side of the part in its own frame.
template <int D>
struct Side {
  Vec<D> normal, point;
};
std::vector<Side<2>> sides_of(const ConvexPart<2>& part) {
  std::vector<Side<2>> sides;
  const std::size_t n = part.vertices.size();
  for (std::size_t i = 0; i < n && n > 1; ++i) {
    const Vec<2> along = part.vertices[(i + 1) % n] - part.vertices[i];
    sides.push_back({(1.0 / norm(along)) * Vec<2>{{along[1], -along[0]}}, part.vertices[i]});
  }
  return sides;
}
std::vector<Side<3>> sides_of(const ConvexPart<3>& part) {
  std::vector<Side<3>> sides;
  for (const PolyhedronFace& face : part.topology.faces) sides.push_back({face.normal, part.vertices[at(face.vertices[0])]});
  return sides;
}

bool covers(const ConvexPart<2>& part, std::size_t side, const Vec<2>& foot, double slack) {
  const Vec<2>&a = part.vertices[side], &b = part.vertices[(side + 1) % part.vertices.size()];
  const Vec<2> along = b - a;
  const double s = dot(foot - a, along), length = norm(along);
  return s >= -slack * length && s <= (length + slack) * length;
}
bool covers(const ConvexPart<3>& part, std::size_t side, const Vec<3>& foot, double slack) {
  const PolyhedronFace& face = part.topology.faces[side];
  for (std::size_t k = 0; k < face.vertices.size(); ++k) {
    const Vec<3>&a = part.vertices[at(face.vertices[k])], &b = part.vertices[at(face.vertices[(k + 1) % face.vertices.size()])];
    if (dot(cross(face.normal, b - a), foot - a) < -slack * norm(b - a)) return false;
  }
  return true;
}

// Corners of the mesh on the sides of the part: the side least deep on which the mesh can stand.
template <int D>
void sides_on_vertices(Meeting<D>& m, std::span<const std::int32_t> vertices) {
  const std::vector<Side<D>> sides = sides_of(m.part);
  for (const std::int32_t v : vertices) {
    const Vec<D> y = transposed_times(m.pose.rotation, m.mesh.vertices[at(v)] - m.pose.position);
    std::size_t best = sides.size();
    double highest = -m.deepest(HUGE_VAL);
    bool outside = false;
    for (std::size_t s = 0; s < sides.size() && !outside; ++s) {
      const double height = dot(y - sides[s].point, sides[s].normal);
      outside = height > m.limit;
      if (height < highest || !supports_at_vertex(m.mesh, v, -m.pose.turn(sides[s].normal))) continue;
      if (!covers(m.part, s, y - height * sides[s].normal, rounding * m.size())) continue;
      best = s, highest = height;
    }
    if (outside || best == sides.size()) continue;
    const Vec<D> normal = -m.pose.turn(sides[best].normal);
    m.add(m.mesh.vertices[at(v)] + highest * normal, normal, highest, touch_name(TouchKind::face_on_vertex, best, v));
  }
}

// An edge of the part, and the directions in which its faces leave it, in the frame of the mesh.
struct CoreEdge {
  Vec<3> from, to, inward[2];
  int faces = 0;
};

std::vector<CoreEdge> edges_of(const Meeting<3>& m) {
  std::vector<CoreEdge> edges;
  if (m.corners.size() == 2) edges.push_back({m.corners[0], m.corners[1], {}, 0});
  for (const PolyhedronEdge& e : m.part.topology.edges) {
    CoreEdge edge{m.corners[at(e.vertices[0])], m.corners[at(e.vertices[1])], {}, 2};
    const Vec<3> along = normalized(edge.to - edge.from);
    for (std::size_t k = 0; k < 2; ++k) {
      const Vec<3> n = m.pose.turn(m.part.topology.faces[at(e.faces[k])].normal);
      edge.inward[k] = k == 0 ? cross(n, along) : cross(along, n);
    }
    edges.push_back(edge);
  }
  return edges;
}

// Rounded edges on corners of the mesh.
void edges_on_vertices(Meeting<3>& m, std::span<const CoreEdge> edges, std::span<const std::int32_t> vertices) {
  if (!(m.part.radius > 0.0)) return;
  for (const std::int32_t v : vertices)
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const Vec<3>& w = m.mesh.vertices[at(v)];
      const Vec<3> along = edges[e].to - edges[e].from;
      const double s = dot(w - edges[e].from, along) / dot(along, along);
      if (!(s > 0.0 && s < 1.0)) continue;
      const Vec<3> on_edge = edges[e].from + s * along, away = on_edge - w;
      const double distance = norm(away);
      if (!(distance > 0.0 && distance <= m.limit)) continue;
      bool nearest = supports_at_vertex(m.mesh, v, away);
      for (int k = 0; k < edges[e].faces; ++k) nearest = nearest && dot(away, edges[e].inward[k]) >= -rounding * distance;
      if (nearest) m.add(on_edge, (1.0 / distance) * away, distance, touch_name(TouchKind::edge_on_vertex, e, v));
    }
}

// Edges that cross.
void edges_on_edges(Meeting<3>& m, std::span<const CoreEdge> edges) {
  std::vector<std::int32_t> of_mesh;
  for (const std::int32_t f : m.faces)
    for (const std::int32_t e : m.mesh.face_edges[at(f)])
      if (m.mesh.edge_patch[at(e)] < 0) of_mesh.push_back(e);
  std::sort(of_mesh.begin(), of_mesh.end());
  of_mesh.erase(std::unique(of_mesh.begin(), of_mesh.end()), of_mesh.end());
  for (const std::int32_t e : of_mesh) {
    const Vec<3>&q = m.mesh.vertices[at(m.mesh.edges[at(e)][0])], w = m.mesh.vertices[at(m.mesh.edges[at(e)][1])] - q;
    for (std::size_t k = 0; k < edges.size(); ++k) {
      const Vec<3> u = edges[k].to - edges[k].from, across = cross(u, w), apart = q - edges[k].from;
      const double square = dot(across, across);
      if (square <= 1e-12 * dot(u, u) * dot(w, w)) continue;
      const double s = dot(cross(apart, w), across) / square, t = dot(cross(apart, u), across) / square;
      if (!(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0)) continue;
      Vec<3> normal = (1.0 / std::sqrt(square)) * across;
      const double side = dot(m.middle - q, normal);
      if (side < 0.0) normal = -normal;
      const double height = -dot(apart, normal);
      if (height > m.limit || height < -m.deepest(std::abs(side)) || !supports_at_edge(m.mesh, e, normal)) continue;
      bool above = true;
      for (int f = 0; f < edges[k].faces; ++f) above = above && dot(normal, edges[k].inward[f]) >= -rounding;
      if (above) m.add(edges[k].from + s * u, normal, height, touch_name(TouchKind::edge_on_edge, k, e));
    }
  }
}

}  // namespace

template <int D>
void part_touches(const Mesh<D>& mesh, std::span<const std::int32_t> faces, const ConvexPart<D>& part, const Pose<D>& pose,
                  double margin, std::vector<PartTouch<D>>& touches) {
  const std::size_t first = touches.size();
  Meeting<D> m{mesh, faces, part, pose, part.radius + margin, {}, {}, touches};
  for (const Vec<D>& v : part.vertices) {
    m.corners.push_back(pose.place(v));
    m.middle += (1.0 / static_cast<double>(part.vertices.size())) * m.corners.back();
  }
  const bool ball = m.corners.size() == 1;
  if (!ball) corners_on_faces(m);
  rounded_corners(m, ball);
  if (!ball) {
    const std::vector<std::int32_t> vertices = sharp_vertices(m);
    sides_on_vertices(m, vertices);
    if constexpr (D == 3) {
      const std::vector<CoreEdge> edges = edges_of(m);
      edges_on_vertices(m, edges, vertices);
      edges_on_edges(m, edges);
    }
  }
  std::sort(touches.begin() + static_cast<std::ptrdiff_t>(first), touches.end(),
            [](const PartTouch<D>& s, const PartTouch<D>& t) { return s.name < t.name; });
}

template void part_touches(const Mesh<2>&, std::span<const std::int32_t>, const ConvexPart<2>&, const Pose<2>&, double,
                           std::vector<PartTouch<2>>&);
template void part_touches(const Mesh<3>&, std::span<const std::int32_t>, const ConvexPart<3>&, const Pose<3>&, double,
                           std::vector<PartTouch<3>>&);

}  // namespace moreau::inline geometry

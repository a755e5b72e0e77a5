#include "moreau/geometry/mesh_ball.hpp"

#include <algorithm>

#include "moreau/geometry/nearest_on_face.hpp"

namespace moreau::inline geometry {
namespace {

constexpr double rounding = 1e-9;      // of directions
constexpr double standing_out = 1e-6;  // of a foot above a tangent plane, in distances of the centre

std::size_t at(std::int32_t k) { return static_cast<std::size_t>(k); }

// The feature of the nearest point of a face; false where it is an edge or vertex that belongs to a nearer face.
template <int D>
bool classify(const Mesh<D>& mesh, std::size_t face, const NearestOnFace<D>& nearest, const Vec<D>& away, MeshTouch<D>& touch) {
  touch.feature = MeshFeature::patch, touch.index = mesh.patch[face];
  if (nearest.place == FacePlace::vertex) {
    const std::int32_t v = mesh.faces[face][at(nearest.k)];
    if (!supports_at_vertex(mesh, v, away)) return false;
    if (mesh.vertex_patch[at(v)] < 0) touch.feature = MeshFeature::vertex, touch.index = v;
  }
  if constexpr (D == 3)
    if (nearest.place == FacePlace::edge) {
      const std::int32_t e = mesh.face_edges[face][at(nearest.k)];
      if (!supports_at_edge(mesh, e, away)) return false;
      if (mesh.edge_patch[at(e)] < 0) touch.feature = MeshFeature::edge, touch.index = e;
    }
  return true;
}

template <int D>
bool before(const MeshTouch<D>& s, const MeshTouch<D>& t) {
  return s.feature < t.feature || (s.feature == t.feature && s.index < t.index);
}
template <int D>
bool nearer(const MeshTouch<D>& s, const MeshTouch<D>& t) {
  return s.distance < t.distance || (s.distance == t.distance && before(s, t));
}

}  // namespace

bool supports_at_edge(const Mesh<3>& mesh, std::int32_t edge, const Vec<3>& normal) {
  const double limit = rounding * norm(normal);
  for (const std::int32_t side : mesh.edge_faces.of(at(edge)))
    if (dot(normal, mesh.inward[at(side / 3)][at(side % 3)]) > limit) return false;
  return true;
}

template <int D>
bool supports_at_vertex(const Mesh<D>& mesh, std::int32_t vertex, const Vec<D>& normal) {
  const double limit = rounding * norm(normal);
  for (const std::int32_t other : mesh.around.of(at(vertex))) {
    const Vec<D> along = mesh.vertices[at(other)] - mesh.vertices[at(vertex)];
    if (dot(normal, along) > limit * norm(along)) return false;
  }
  return true;
}

template <int D>
void ball_touches(const Mesh<D>& mesh, std::span<const std::int32_t> faces, const Vec<D>& centre, double reach,
                  std::vector<MeshTouch<D>>& touches) {
  const std::size_t first = touches.size();
  for (const std::int32_t f : faces) {
    const std::size_t face = at(f);
    const double height = dot(centre - mesh.vertices[at(mesh.faces[face][0])], mesh.normal[face]);
    if (std::abs(height) > reach) continue;
    const NearestOnFace<D> nearest = nearest_on_face(mesh, face, centre);
    const Vec<D> away = centre - nearest.point;
    const double square = dot(away, away);
    if (square > reach * reach) continue;
    MeshTouch<D> touch;
    if (!classify(mesh, face, nearest, away, touch)) continue;
    if (touch.feature == MeshFeature::patch) {  // the plane is known better than the difference of two points
      touch.normal = height < 0.0 ? -mesh.normal[face] : mesh.normal[face];
      touch.distance = std::abs(height);
    } else {
      touch.distance = std::sqrt(square);
      touch.normal = touch.distance > 0.0 ? (1.0 / touch.distance) * away : mesh.normal[face];
    }
    touch.foot = nearest.point;
    // A patch, edge or vertex is met through several faces.
    const auto same = std::find_if(touches.begin() + static_cast<std::ptrdiff_t>(first), touches.end(),
                                   [&](const auto& t) { return t.feature == touch.feature && t.index == touch.index; });
    if (same == touches.end())
      touches.push_back(touch);
    else if (touch.distance < same->distance)
      *same = touch;
  }
  const auto begin = touches.begin() + static_cast<std::ptrdiff_t>(first);
  if (touches.end() - begin > 1) {
    std::sort(begin, touches.end(), nearer<D>);
    auto kept = begin + 1;
    for (auto t = begin + 1; t != touches.end(); ++t) {
      const bool hidden = std::any_of(
          begin, kept, [&](const MeshTouch<D>& s) { return dot(t->foot - s.foot, s.normal) <= standing_out * s.distance; });
      if (!hidden) *kept++ = *t;
    }
    touches.erase(kept, touches.end());
    std::sort(begin, touches.end(), before<D>);
  }
}

#define MOREAU_INSTANTIATE(D)                                                    \
  template bool supports_at_vertex(const Mesh<D>&, std::int32_t, const Vec<D>&); \
  template void ball_touches(const Mesh<D>&, std::span<const std::int32_t>, const Vec<D>&, double, std::vector<MeshTouch<D>>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline geometry

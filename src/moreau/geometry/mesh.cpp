#include "moreau/geometry/mesh.hpp"

#include <algorithm>
#include <numeric>

namespace moreau::inline geometry {
namespace {

// Lists from pairs (list, item), in order, each item once.
Lists lists_of(std::size_t count, std::vector<std::array<std::int32_t, 2>> pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  Lists lists;
  lists.first.assign(count + 1, 0);
  for (const auto& [list, item] : pairs) ++lists.first[static_cast<std::size_t>(list) + 1], lists.item.push_back(item);
  for (std::size_t k = 0; k < count; ++k) lists.first[k + 1] += lists.first[k];
  return lists;
}

// The least of a set of numbers that were joined.
class Sets {
 public:
  explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::int32_t of(std::int32_t k) {
    std::int32_t& up = parent_[static_cast<std::size_t>(k)];
    while (up != parent_[static_cast<std::size_t>(up)]) up = parent_[static_cast<std::size_t>(up)];
    return up;
  }
  void join(std::int32_t a, std::int32_t b) {
    a = of(a), b = of(b);
    parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  }

 private:
  std::vector<std::int32_t> parent_;
};

std::size_t at(std::int32_t k) { return static_cast<std::size_t>(k); }

// By division: a normal along an axis has a component that is exactly 1.
template <int D>
Vec<D> unit(Vec<D> v) {
  const double length = norm(v);
  for (int d = 0; d < D; ++d) v[d] /= length;
  return v;
}

void normals_of(Mesh<2>& mesh) {
  for (const auto& [a, b] : mesh.faces) {
    const Vec<2> along = mesh.vertices[at(b)] - mesh.vertices[at(a)];
    mesh.normal.push_back(unit(Vec<2>{{-along[1], along[0]}}));
  }
}
void normals_of(Mesh<3>& mesh) {
  for (const auto& [a, b, c] : mesh.faces) {
    const Vec<3> n = cross(mesh.vertices[at(b)] - mesh.vertices[at(a)], mesh.vertices[at(c)] - mesh.vertices[at(a)]);
    mesh.normal.push_back(unit(n));
  }
}

// In the plane the joints of faces are vertices.
void joints_of(Mesh<2>& mesh) {
  std::vector<std::array<std::int32_t, 2>> near, faces;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f)
    for (int k = 0; k < 2; ++k) {
      near.push_back({mesh.faces[f][at(k)], mesh.faces[f][at(1 - k)]});
      faces.push_back({mesh.faces[f][at(k)], static_cast<std::int32_t>(f)});
    }
  mesh.around = lists_of(mesh.vertices.size(), near);
  const Lists of_vertex = lists_of(mesh.vertices.size(), faces);
  Sets sets(mesh.faces.size());
  mesh.sharp_vertex.assign(mesh.vertices.size(), 1);
  const auto is_flat = [&](std::size_t v) {
    const auto near_v = mesh.around.of(v);
    if (near_v.size() != 2) return false;
    Vec<2> s = mesh.vertices[at(near_v[0])] - mesh.vertices[v], t = mesh.vertices[at(near_v[1])] - mesh.vertices[v];
    return dot(s, t) < 0.0 && std::abs(s[0] * t[1] - s[1] * t[0]) <= flat_angle * norm(s) * norm(t);
  };
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (is_flat(v)) mesh.sharp_vertex[v] = 0, sets.join(of_vertex.of(v)[0], of_vertex.of(v)[1]);
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) mesh.patch.push_back(sets.of(static_cast<std::int32_t>(f)));
  mesh.vertex_patch.assign(mesh.vertices.size(), -1);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (!mesh.sharp_vertex[v]) mesh.vertex_patch[v] = mesh.patch[at(of_vertex.of(v)[0])];
}

void edges_of(Mesh<3>& mesh) {
  std::vector<std::array<std::int32_t, 3>> sides;  // lower vertex, higher vertex, 3 face + k
  for (std::size_t f = 0; f < mesh.faces.size(); ++f)
    for (std::int32_t k = 0; k < 3; ++k) {
      const std::int32_t v = mesh.faces[f][at(k)], w = mesh.faces[f][at((k + 1) % 3)];
      sides.push_back({std::min(v, w), std::max(v, w), 3 * static_cast<std::int32_t>(f) + k});
    }
  std::sort(sides.begin(), sides.end());
  mesh.face_edges.resize(mesh.faces.size());
  std::vector<std::array<std::int32_t, 2>> faces, near;
  for (const auto& [v, w, side] : sides) {
    if (mesh.edges.empty() || mesh.edges.back() != std::array{v, w}) {
      mesh.edges.push_back({v, w});
      near.push_back({v, w}), near.push_back({w, v});
    }
    const auto edge = static_cast<std::int32_t>(mesh.edges.size()) - 1;
    mesh.face_edges[at(side / 3)][at(side % 3)] = edge;
    faces.push_back({edge, side});
  }
  mesh.edge_faces = lists_of(mesh.edges.size(), faces);
  mesh.around = lists_of(mesh.vertices.size(), near);
}

void joints_of(Mesh<3>& mesh) {
  edges_of(mesh);
  mesh.inward.resize(mesh.faces.size());
  for (std::size_t f = 0; f < mesh.faces.size(); ++f)
    for (int k = 0; k < 3; ++k) {
      const Vec<3> along = mesh.vertices[at(mesh.faces[f][at((k + 1) % 3)])] - mesh.vertices[at(mesh.faces[f][at(k)])];
      mesh.inward[f][at(k)] = (1.0 / norm(along)) * cross(mesh.normal[f], along);
    }
  Sets sets(mesh.faces.size());
  std::vector<std::uint8_t> flat(mesh.edges.size(), 0);
  mesh.sharp_vertex.assign(mesh.vertices.size(), 0);
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    const auto sides = mesh.edge_faces.of(e);
    if (sides.size() == 2) {
      const std::int32_t f = sides[0] / 3, g = sides[1] / 3;
      flat[e] = norm(cross(mesh.normal[at(f)], mesh.normal[at(g)])) <= flat_angle &&
                dot(mesh.inward[at(f)][at(sides[0] % 3)], mesh.inward[at(g)][at(sides[1] % 3)]) < 0.0;
      if (flat[e]) sets.join(f, g);
    }
  }
  // A vertex is felt where edges that are felt end or bend; a crease that goes straight on is felt by itself.
  std::vector<std::array<std::int32_t, 2>> felt;
  for (std::size_t e = 0; e < mesh.edges.size(); ++e)
    if (!flat[e]) felt.push_back({mesh.edges[e][0], mesh.edges[e][1]}), felt.push_back({mesh.edges[e][1], mesh.edges[e][0]});
  const Lists creases = lists_of(mesh.vertices.size(), felt);
  const auto goes_on = [&](std::size_t v) {
    const auto ends = creases.of(v);
    if (ends.size() != 2) return false;
    const Vec<3> s = mesh.vertices[at(ends[0])] - mesh.vertices[v], t = mesh.vertices[at(ends[1])] - mesh.vertices[v];
    return dot(s, t) < 0.0 && norm(cross(s, t)) <= flat_angle * norm(s) * norm(t);
  };
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) mesh.sharp_vertex[v] = !creases.of(v).empty() && !goes_on(v);
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) mesh.patch.push_back(sets.of(static_cast<std::int32_t>(f)));
  mesh.edge_patch.assign(mesh.edges.size(), -1);
  mesh.vertex_patch.assign(mesh.vertices.size(), -1);
  for (std::size_t e = 0; e < mesh.edges.size(); ++e)
    if (flat[e]) mesh.edge_patch[e] = mesh.patch[at(mesh.edge_faces.of(e)[0] / 3)];
  for (std::size_t f = 0; f < mesh.faces.size(); ++f)
    for (const std::int32_t v : mesh.faces[f])
      if (creases.of(at(v)).empty()) mesh.vertex_patch[at(v)] = mesh.patch[f];
}

}  // namespace

template <int D>
void connect(Mesh<D>& mesh) {
  normals_of(mesh);
  joints_of(mesh);
  mesh.reach = 0.0;
  for (const Vec<D>& v : mesh.vertices) mesh.reach = std::max(mesh.reach, norm(v));
}

template <int D>
MeshBorders borders_of(const Mesh<D>& mesh) {
  MeshBorders borders;
  const auto count = [&](std::size_t faces) { borders.open += faces == 1, borders.branching += faces > 2; };
  if constexpr (D == 3) {
    for (std::size_t e = 0; e < mesh.edges.size(); ++e) count(mesh.edge_faces.of(e).size());
  } else {
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) count(mesh.around.of(v).size());
  }
  return borders;
}

template void connect(Mesh<2>&);
template void connect(Mesh<3>&);
template MeshBorders borders_of(const Mesh<2>&);
template MeshBorders borders_of(const Mesh<3>&);

}  // namespace moreau::inline geometry

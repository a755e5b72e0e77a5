#include "moreau/mesh/closed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "moreau/geometry/mesh_inside.hpp"
#include "moreau/geometry/mesh_mass.hpp"
#include "moreau/mesh/mesh_error.hpp"

namespace moreau::mesh {
namespace {

std::size_t at(std::int32_t k) { return static_cast<std::size_t>(k); }

std::string coordinates(const Vec<3>& x) { return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", x[0], x[1], x[2]); }

// Whether the edge k of the face goes from its lower vertex to its higher.
bool upwards(const Mesh<3>& mesh, std::int32_t side) {
  const MeshFace<3>& face = mesh.faces[at(side / 3)];
  return face[at(side % 3)] < face[at((side % 3 + 1) % 3)];
}

// One closed surface of a mesh, its normals outwards, with no other vertices than its own.
struct Piece {
  Mesh<3> mesh;
  std::vector<std::int32_t> members;  // faces of the whole mesh
  Vec<3> low{{HUGE_VAL, HUGE_VAL, HUGE_VAL}}, high{{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

  bool is_within_box_of(const Piece& other) const {
    for (int d = 0; d < 3; ++d)
      if (!(low[d] >= other.low[d] && high[d] <= other.high[d])) return false;
    return true;
  }
};

// `number`: room for a number of every vertex of the whole mesh, all -1 before and after.
Piece piece_of(const Mesh<3>& mesh, std::vector<std::int32_t> members, std::vector<std::int32_t>& number) {
  Piece piece;
  for (const std::int32_t f : members) {
    MeshFace<3> face = mesh.faces[at(f)];
    for (std::int32_t& v : face) {
      if (number[at(v)] < 0) {
        number[at(v)] = static_cast<std::int32_t>(piece.mesh.vertices.size());
        const Vec<3>& x = piece.mesh.vertices.emplace_back(mesh.vertices[at(v)]);
        for (int d = 0; d < 3; ++d) piece.low[d] = std::min(piece.low[d], x[d]), piece.high[d] = std::max(piece.high[d], x[d]);
      }
      v = number[at(v)];
    }
    piece.mesh.faces.push_back(face);
  }
  for (const std::int32_t f : members)
    for (const std::int32_t v : mesh.faces[at(f)]) number[at(v)] = -1;
  piece.members = std::move(members);
  return piece;
}

// Whether all of a surface lies within another, as far as its corners and the middles of its triangles tell. Surfaces that pass
// through each other do not.
bool encloses(const MeshInside<3>& outer, const Mesh<3>& inner) {
  const auto middle = [&](const MeshFace<3>& f) {
    return (1.0 / 3.0) * (inner.vertices[at(f[0])] + inner.vertices[at(f[1])] + inner.vertices[at(f[2])]);
  };
  return std::ranges::all_of(inner.faces, [&](const MeshFace<3>& f) { return outer.holds(middle(f)); }) &&
         std::ranges::all_of(inner.vertices, [&](const Vec<3>& x) { return outer.holds(x); });
}

// Of every surface whether it is a cavity: it lies within an odd number of others.
std::vector<bool> cavities_of(const std::vector<Piece>& pieces) {
  std::vector<std::size_t> within(pieces.size(), 0);
  for (std::size_t outer = 0; outer < pieces.size(); ++outer) {
    std::optional<MeshInside<3>> inside;  // made where it is needed: bodies that lie side by side have none
    for (std::size_t inner = 0; inner < pieces.size(); ++inner) {
      if (inner == outer || !pieces[inner].is_within_box_of(pieces[outer])) continue;
      if (!inside) inside.emplace(pieces[outer].mesh);
      within[inner] += encloses(*inside, pieces[inner].mesh);
    }
  }
  std::vector<bool> cavity;
  for (const std::size_t n : within) cavity.push_back(n % 2 == 1);
  return cavity;
}

}  // namespace

std::size_t orient_outwards(Mesh<3>& mesh) {
  Mesh<3> connected;
  connected.vertices = mesh.vertices, connected.faces = mesh.faces;
  connect(connected);
  for (std::size_t e = 0; e < connected.edges.size(); ++e) {
    const auto sides = connected.edge_faces.of(e);
    if (sides.size() == 2) continue;
    const Vec<3> middle = 0.5 * (mesh.vertices[at(connected.edges[e][0])] + mesh.vertices[at(connected.edges[e][1])]);
    throw MeshError(sides.size() == 1 ? fmt::format("has a hole: no triangle joins triangle {} at the edge around {}",
                                                    sides[0] / 3 + 1, coordinates(middle))
                                      : fmt::format("has an edge of {} triangles, {} among them, around {}", sides.size(),
                                                    sides[0] / 3 + 1, coordinates(middle)));
  }
  // Two triangles agree if they go along their common edge in opposite directions.
  const auto turn_round = [](MeshFace<3>& face) { std::swap(face[1], face[2]); };
  std::vector<Piece> pieces;
  std::vector<std::int32_t> number(mesh.vertices.size(), -1);
  std::vector<std::int8_t> turn(mesh.faces.size(), 0);  // 1: as it is, -1: the other way round
  for (std::size_t first = 0; first < mesh.faces.size(); ++first) {
    if (turn[first] != 0) continue;
    std::vector<std::int32_t> waiting{static_cast<std::int32_t>(first)}, members;
    turn[first] = 1;
    while (!waiting.empty()) {
      const std::int32_t f = waiting.back();
      waiting.pop_back(), members.push_back(f);
      for (std::int32_t k = 0; k < 3; ++k) {
        const auto sides = connected.edge_faces.of(at(connected.face_edges[at(f)][at(k)]));
        const std::int32_t own = 3 * f + k, other = sides[0] == own ? sides[1] : sides[0], g = other / 3;
        const auto wanted =
            static_cast<std::int8_t>(upwards(connected, own) != upwards(connected, other) ? turn[at(f)] : -turn[at(f)]);
        if (turn[at(g)] == 0) turn[at(g)] = wanted, waiting.push_back(g);
        if (turn[at(g)] != wanted)
          throw MeshError(fmt::format("has no inside: triangles {} and {} cannot face the same way", f + 1, g + 1));
      }
    }
    for (const std::int32_t f : members)
      if (turn[at(f)] < 0) turn_round(mesh.faces[at(f)]);
    pieces.push_back(piece_of(mesh, std::move(members), number));
    const double volume = moments_of(pieces.back().mesh).volume;
    if (!(std::abs(volume) > 0.0)) throw MeshError(fmt::format("encloses no volume around triangle {}", first + 1));
    if (volume < 0.0)
      for (const std::int32_t f : pieces.back().members) turn_round(mesh.faces[at(f)]);
  }
  const std::vector<bool> cavity = cavities_of(pieces);
  for (std::size_t k = 0; k < pieces.size(); ++k)
    if (cavity[k])
      for (const std::int32_t f : pieces[k].members) turn_round(mesh.faces[at(f)]);
  return static_cast<std::size_t>(std::ranges::count(cavity, true));
}

}  // namespace moreau::mesh

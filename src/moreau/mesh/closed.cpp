#include "moreau/mesh/closed.hpp"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

void orient_outwards(Mesh<3>& mesh) {
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
    Mesh<3> piece;
    piece.vertices = mesh.vertices;
    for (const std::int32_t f : members) {
      if (turn[at(f)] < 0) std::swap(mesh.faces[at(f)][1], mesh.faces[at(f)][2]);
      piece.faces.push_back(mesh.faces[at(f)]);
    }
    const double volume = moments_of(piece).volume;
    if (!(std::abs(volume) > 0.0)) throw MeshError(fmt::format("encloses no volume around triangle {}", first + 1));
    if (volume < 0.0)
      for (const std::int32_t f : members) std::swap(mesh.faces[at(f)][1], mesh.faces[at(f)][2]);
  }
}

}  // namespace moreau::mesh

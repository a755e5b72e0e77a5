#include "moreau/mesh/fill_holes.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/triangulate_hole.h>
#include <fmt/format.h>

#include <map>

#include "moreau/mesh/mesh_error.hpp"

namespace moreau::mesh {
namespace {

std::size_t at(std::int32_t k) { return static_cast<std::size_t>(k); }

constexpr std::size_t longest_border = 2000;  // edges; the least area takes time with the cube of their number

double area(const Mesh<3>& mesh, const MeshFace<3>& face) {
  const Vec<3>&a = mesh.vertices[at(face[0])], &b = mesh.vertices[at(face[1])], &c = mesh.vertices[at(face[2])];
  return 0.5 * norm(cross(b - a, c - a));
}

// The two neighbours along the border of each of its vertices. Triangles of a file may face either way, so that a border has no
// direction.
using Border = std::map<std::int32_t, std::vector<std::int32_t>>;

Border border_of(const Mesh<3>& mesh) {
  Mesh<3> connected;
  connected.vertices = mesh.vertices, connected.faces = mesh.faces;
  connect(connected);
  Border border;
  for (std::size_t e = 0; e < connected.edges.size(); ++e) {
    const auto sides = connected.edge_faces.of(e);
    if (sides.size() > 2)
      throw MeshError(fmt::format("has an edge of {} triangles, {} among them", sides.size(), sides[0] / 3 + 1));
    if (sides.size() == 2) continue;
    const auto [a, b] = connected.edges[e];
    border[a].push_back(b), border[b].push_back(a);
  }
  for (const auto& [vertex, next] : border)
    if (next.size() != 2) {
      const Vec<3>& x = mesh.vertices[at(vertex)];
      throw MeshError(fmt::format("has holes that meet at the corner [{:.6g}, {:.6g}, {:.6g}], so that none can be followed",
                                  x[0], x[1], x[2]));
    }
  return border;
}

// The border through `first`, from vertex to vertex; its vertices leave `border`.
std::vector<std::int32_t> taken_round(Border& border, std::int32_t first) {
  std::vector<std::int32_t> round{first};
  std::int32_t before = first, here = border.at(first)[0];
  while (here != first) {
    round.push_back(here);
    const std::vector<std::int32_t>& next = border.at(here);
    const std::int32_t after = next[0] == before ? next[1] : next[0];
    before = here, here = after;
  }
  for (const std::int32_t v : round) border.erase(v);
  return round;
}

}  // namespace

FilledHoles fill_holes(Mesh<3>& mesh) {
  using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
  FilledHoles filled;
  double given = 0.0, added = 0.0;
  for (const MeshFace<3>& face : mesh.faces) given += area(mesh, face);
  Border border = border_of(mesh);
  while (!border.empty()) {
    const std::vector<std::int32_t> round = taken_round(border, border.begin()->first);
    if (round.size() > longest_border)
      throw MeshError(
          fmt::format("has a hole with a border of {} edges, of which at most {} are filled", round.size(), longest_border));
    std::vector<Kernel::Point_3> points;
    for (const std::int32_t v : round)
      points.emplace_back(mesh.vertices[at(v)][0], mesh.vertices[at(v)][1], mesh.vertices[at(v)][2]);
    std::vector<CGAL::Triple<int, int, int>> patch;
    CGAL::Polygon_mesh_processing::triangulate_hole_polyline(points, std::back_inserter(patch));
    if (patch.size() + 2 != round.size())
      throw MeshError(fmt::format("has a hole of {} edges that triangles between its corners cannot fill", round.size()));
    for (const auto& triangle : patch) {
      mesh.faces.push_back({round[at(triangle.first)], round[at(triangle.second)], round[at(triangle.third)]});
      added += area(mesh, mesh.faces.back());
    }
    ++filled.holes, filled.triangles += patch.size();
  }
  filled.share = added / (given + added);
  return filled;
}

}  // namespace moreau::mesh

// Wear of meshes as pictures and tables see it.
#pragma once

#include "moreau/dynamics/frame.hpp"

namespace moreau::inline dynamics {

inline double area_of_face(const Mesh<2>& mesh, std::size_t face) {
  const auto& [i, j] = mesh.faces[face];
  return norm(mesh.vertices[static_cast<std::size_t>(j)] - mesh.vertices[static_cast<std::size_t>(i)]);
}
inline double area_of_face(const Mesh<3>& mesh, std::size_t face) {
  const auto& [i, j, k] = mesh.faces[face];
  const Vec<3>& a = mesh.vertices[static_cast<std::size_t>(i)];
  return 0.5 * norm(cross(mesh.vertices[static_cast<std::size_t>(j)] - a, mesh.vertices[static_cast<std::size_t>(k)] - a));
}

// Work of friction per unit area on every face of wall w; empty if it does not wear.
template <int D>
std::vector<double> wear_per_area(const Frame<D>& frame, std::size_t w) {
  std::vector<double> wear;
  const std::vector<std::size_t> first = first_worn_faces<D>(frame.walls);
  if (frame.wear.size() != first.back()) return wear;
  for (std::size_t f = first[w]; f < first[w + 1]; ++f)
    wear.push_back(frame.wear[f] / area_of_face(frame.walls[w].geometry.mesh->mesh, f - first[w]));
  return wear;
}

}  // namespace moreau::inline dynamics

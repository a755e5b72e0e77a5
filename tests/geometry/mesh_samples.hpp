// Small meshes for tests.
#pragma once

#include <cmath>

#include "moreau/geometry/wall.hpp"

namespace moreau::sample {

// A sheet of cells x cells squares of two triangles each, over [0, size]^2, at height(x, y), its inner corners shaken along the sheet.
template <class Height>
Mesh<3> sheet(int cells, double size, double shaken, Height&& height) {
  Mesh<3> mesh;
  const auto corner = [&](int i, int j) { return static_cast<std::int32_t>(j * (cells + 1) + i); };
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) {
      const bool inner = i > 0 && j > 0 && i < cells && j < cells;
      const double shake = inner ? shaken * size / cells : 0.0;
      const double x = size * i / cells + shake * std::sin(12.9898 * i + 78.233 * j), y = size * j / cells + shake * std::sin(39.346 * i + 11.135 * j);
      mesh.vertices.push_back({{x, y, height(x, y)}});
    }
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const std::int32_t a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1), d = corner(i, j + 1);
      if ((i + j) % 2 == 0)
        mesh.faces.push_back({a, b, c}), mesh.faces.push_back({a, c, d});
      else
        mesh.faces.push_back({a, b, d}), mesh.faces.push_back({b, c, d});
    }
  connect(mesh);
  return mesh;
}

// A box of twelve triangles about the origin.
inline Mesh<3> box_mesh(const Vec<3>& half) {
  Mesh<3> mesh;
  for (int k = 0; k < 8; ++k)
    mesh.vertices.push_back({{k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1], k & 4 ? half[2] : -half[2]}});
  mesh.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  connect(mesh);
  return mesh;
}

template <int D>
WallGeometry<D> mesh_geometry(Mesh<D> mesh, const Vec<D>& point = {}) {
  WallGeometry<D> wall;
  wall.shape = WallShape::mesh, wall.point = point, wall.radius = mesh.reach;
  wall.mesh = std::make_shared<const MeshSurface<D>>(std::move(mesh));
  return wall;
}

}  // namespace moreau::sample

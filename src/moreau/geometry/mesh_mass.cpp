#include "moreau/geometry/mesh_mass.hpp"

namespace moreau::inline geometry {

// The tetrahedra between a point of the mesh and its triangles; the integrals of 1, x and x x^T over a tetrahedron with a corner
// at the origin are V, V (a + b + c) / 4 and V / 20 (s s^T + a a^T + b b^T + c c^T) with s = a + b + c.
Moments moments_of(const Mesh<3>& mesh) {
  const Vec<3> origin = mesh.vertices.empty() ? Vec<3>{} : mesh.vertices[0];
  Moments sum;
  for (const auto& [i, j, k] : mesh.faces) {
    const Vec<3> a = mesh.vertices[static_cast<std::size_t>(i)] - origin, b = mesh.vertices[static_cast<std::size_t>(j)] - origin,
                 c = mesh.vertices[static_cast<std::size_t>(k)] - origin, s = a + b + c;
    const double volume = dot(a, cross(b, c)) / 6.0;
    sum.volume += volume;
    sum.first += (0.25 * volume) * s;
    for (const Vec<3>& v : {s, a, b, c}) add_product(sum.second, volume / 20.0, v, v);
  }
  return moved(sum, origin);
}

}  // namespace moreau::inline geometry

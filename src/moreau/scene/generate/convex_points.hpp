// Points whose convex hull is a regular polygon, a regular solid, or a random convex body.
#pragma once

#include <string>
#include <vector>

#include "moreau/geometry/random_rotation.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::inline scene {

// About the origin, inscribed in the circle of this radius, the lowest side horizontal.
std::vector<Vec<2>> regular_polygon(int sides, double radius);

// tetrahedron, cube, octahedron, dodecahedron, icosahedron: inscribed in the sphere of this radius about the origin.
const std::vector<std::string>& regular_solids();
std::vector<Vec<3>> regular_solid(std::size_t which, double radius);

// Points on the unit circle or sphere, none much nearer to another than on average, then stretched by `aspect` along each axis.
// Arithmetic and square roots only, hence the same on every machine.
template <int D>
std::vector<Vec<D>> random_convex_points(std::size_t count, const Vec<D>& aspect, RandomStream& random);

}  // namespace moreau::inline scene

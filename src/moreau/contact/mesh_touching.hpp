// The contact points of one body and one mesh.
#pragma once

#include "moreau/bodies/bodies.hpp"
#include "moreau/contact/touching_points.hpp"
#include "moreau/geometry/mesh_part.hpp"

namespace moreau::inline contact {

// Adds those with gap <= margin, by part and name; `faces` are all that may be so near.
template <int D>
void add_mesh_points(const Bodies<D>& bodies, std::size_t a, const Pose<D>& body, const Mesh<D>& mesh, const Pose<D>& wall,
                     std::span<const std::int32_t> faces, double margin, std::vector<TouchingPoint<D>>& points);

}  // namespace moreau::inline contact

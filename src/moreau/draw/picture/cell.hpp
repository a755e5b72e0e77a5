// The border of a periodic cell in a picture of the plane.
#pragma once

#include <vector>

#include "moreau/draw/picture/camera.hpp"
#include "moreau/geometry/lattice.hpp"

namespace moreau::inline draw {

// Of the cell into which a picture folds the bodies; none where the sample is not periodic in every direction.
std::vector<Vec<3>> cell_corners(const Lattice<2>& lattice);

// A thin line all round, or the two sides through which bodies pass. Nothing in space.
void draw_cell(Canvas& canvas, const Camera& camera, const Lattice<2>& lattice, double letter);
inline void draw_cell(Canvas&, const Camera&, const Lattice<3>&, double) {}

}  // namespace moreau::inline draw

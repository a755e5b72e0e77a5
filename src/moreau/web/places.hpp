// Positions in eight bytes each: the number of a cell of a cubic grid, and where in it, in 65536ths of its side.
//
// The side is that of a few bodies, so that the rounding is small against a body however far another one has flown; it is doubled
// until the cells that are not empty can be numbered. Error: at most side / 131072 in each coordinate, 0.00025 of a mean radius
// as a rule. The fourth number is free in the plane (z is 0 there); it carries the angle of a disc.
#pragma once

#include <cstdint>
#include <vector>

#include "moreau/geometry/vec.hpp"
#include "moreau/web/parcel.hpp"

namespace moreau::web {

struct Places {
  double side = 1.0;                  // of a cell [length]; a power of two times the side asked for
  std::vector<double> corner;         // three numbers per cell that is not empty: its lowest corner
  std::vector<std::uint16_t> places;  // four numbers per position: cell, x, y, z
};

// `size` is a length of the bodies: cells are 32 times as large, or more. Positions must be finite.
Places places_of(const std::vector<Vec<3>>& positions, double size);

// Arrays NAME, NAME_cells and NAME_side.
void add_places(Parcel& parcel, const std::string& name, const Places& places);

}  // namespace moreau::web

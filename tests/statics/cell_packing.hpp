// Discs in a periodic cell that answers to stresses, for the tests.
#pragma once

#include "statics/packing.hpp"

namespace moreau::statics {

// side^2 discs in a cell that answers to stresses of 1 along both axes and none across.
inline Packing<2> packing_in_cell(int side, std::uint64_t seed, bool sheared) {
  Packing<2> p;
  RandomStream random(seed);
  Cell<2>& cell = p.model.cell;
  cell.start.vectors = {{{{double(side), 0.0}}, {{0.0, double(side)}}}};
  cell.start.periodic[0] = cell.start.periodic[1] = cell.deforms = true;
  cell.mass = 1.0;
  for (const int d : {0, 1}) cell.component[d][d].stress = true, cell.component[d][d].target.mean = 1.0;
  cell.component[0][1].stress = sheared;
  p.state.cell.vectors = p.state.cell.phase_vectors = cell.start.vectors;
  for (int k = 0; k < side * side; ++k) {
    const double radius = 0.25 + 0.25 * random.uniform(), room = (1.0 - 2.0 * radius) * 0.49;
    p.state.bodies.append(homogeneous_ball<2>(
        Vec<2>{{k % side + 0.5 + random.uniform(-room, room), k / side + 0.5 + random.uniform(-room, room)}}, radius, 1.0));
  }
  return p;
}

}  // namespace moreau::statics

// Discs and balls in cells that are periodic in all or in some directions, for the tests.
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

// side^D bodies in a cell of constant size that is periodic in all directions but the last, between two walls that press with the
// stress 1.
template <int D>
Packing<D> packing_between_walls(int side, std::uint64_t seed) {
  Packing<D> p = pressed_packing<D>(side, seed, false);
  p.model.walls.erase(p.model.walls.begin(), p.model.walls.end() - 2);
  p.model.pistons.erase(p.model.pistons.begin(), p.model.pistons.end() - 1);
  Piston<D>& piston = p.model.pistons[0];
  piston.walls[0].wall = 0, piston.walls[1].wall = 1;
  piston.between.clear(), piston.area = std::pow(side, D - 1);
  p.state.pistons.resize(1);
  for (int d = 0; d < D; ++d) p.model.cell.start.periodic[d] = d + 1 < D, p.model.cell.start.vectors.row[d][d] = double(side);
  p.state.cell.vectors = p.state.cell.phase_vectors = p.model.cell.start.vectors;
  return p;
}

}  // namespace moreau::statics

// The periodic cell: fixed, or deforming with a velocity gradient L whose components are given a rate or a stress each.
//
// The vectors of the cell move with dV/dt = L V. A component under stress control obeys
//   M dL_pq/dt = volume (sigma_pq - asked),      sigma_pq = - sum f_p l_q / volume over contacts (compression counts positive),
// with f the force on the first body and l the vector to it from the second. Whenever L changes, by rate or by stress, all bodies
// get the change of the affine velocity field: the cell deforms its content evenly instead of pushing at its borders.
#pragma once

#include <cstdint>

#include "moreau/drive/signal.hpp"
#include "moreau/geometry/lattice.hpp"

namespace moreau::inline drive {

struct CellComponent {
  bool stress = false;  // the signal is a stress; else it is a rate
  Signal target;        // over the time since the phase began
};

template <int D>
struct Cell {
  Lattice<D> start;               // as it is at the beginning of the run
  bool deforms = false;           // some component is not simply zero
  CellComponent component[D][D];  // of L; those below the diagonal stay zero: the cell does not turn
  double mass = 0.0;              // M [mass length^2]
};

template <int D>
struct CellState {
  Matrix<D> vectors{};
  Matrix<D> rate{};           // d vectors / dt
  Matrix<D> phase_vectors{};  // when the phase began: strains are counted from there
};

}  // namespace moreau::inline drive

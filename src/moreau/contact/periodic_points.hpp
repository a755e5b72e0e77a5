// The bodies of a periodic space as points of ordinary space: each body once inside the cell, and copies of those near its faces.
#pragma once

#include <vector>

#include "moreau/geometry/lattice.hpp"

namespace moreau::inline contact {

// Smallest distance between a body and its own image, less a little: between opposite faces of the cell with reduced vectors,
// along its periodic directions. Not a number, or 0, for a cell that has collapsed.
template <int D>
double least_width(const Lattice<D>& lattice);

template <int D>
struct PeriodicPoints {
  // `reach`: how far each body looks for others. After: the first points are the bodies, in order, folded into the cell; whatever
  // lies within reach of a body there is among the points.
  void place(const Lattice<D>& lattice, const std::vector<Vec<D>>& position, const std::vector<double>& reach);

  // How many points that will be, roughly.
  static double count(const Lattice<D>& lattice, const std::vector<double>& reach);

  std::vector<Vec<D>> position;
  std::vector<std::int32_t> body;  // of each point
  // Image of the body of point p as seen from body a, in the coordinates that the bodies have.
  Image image(std::size_t a, std::size_t p) const;

 private:
  struct Numbers {
    std::int64_t k[D];
  };
  std::vector<Numbers> number_;   // cells by which each point was moved, in the reduced basis
  std::int64_t reduction_[D][D];  // Z: reduced basis = vectors * Z
};

}  // namespace moreau::inline contact

// Ground motion from a record of accelerations: linear between the points of the record, hence velocity and displacement are
// polynomials of degree 2 and 3 between them, integrated without error of discretisation.
#pragma once

#include <vector>

#include "moreau/drive/motion.hpp"

namespace moreau {

// At rest, without displacement, up to the first time; after the last one the acceleration is zero and the velocity stays.
// `times` increase; there are as many accelerations, along the unit vector `direction`.
template <int D>
inline Motion<D> accelerogram(std::vector<double> times, const std::vector<double>& accelerations, const Vec<D>& direction) {
  Motion<D> m;
  m.kind = MotionKind::accelerogram;
  m.times = std::move(times);
  for (const double a : accelerations) m.accelerations.push_back(a * direction);
  m.velocities.push_back({});
  m.positions.push_back({});
  for (std::size_t i = 1; i < m.times.size(); ++i) {
    const Piece<D> piece = piece_of(m, i - 1);
    m.velocities.push_back(piece.velocity(m.times[i] - m.times[i - 1]));
    m.positions.push_back(piece.displacement(m.times[i] - m.times[i - 1]));
  }
  return m;
}

}  // namespace moreau

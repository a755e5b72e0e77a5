// Ground motion from a record of accelerations: linear between the points of the record, hence velocity and displacement are
// polynomials of degree 2 and 3 between them, integrated without error of discretisation.
#pragma once

#include <vector>

#include "moreau/drive/motion.hpp"

namespace moreau::inline drive {

// At rest, without displacement, up to the first time; after the last one the acceleration is zero and the velocity stays.
// `times` increase; there are as many accelerations.
template <int D>
inline Motion<D> accelerogram(std::vector<double> times, std::vector<Vec<D>> accelerations) {
  Motion<D> m;
  m.kind = MotionKind::accelerogram;
  m.times = std::move(times);
  m.accelerations = std::move(accelerations);
  m.velocities.push_back({});
  m.positions.push_back({});
  for (std::size_t i = 1; i < m.times.size(); ++i) {
    const Piece<D> piece = piece_of(m, i - 1);
    m.velocities.push_back(piece.velocity(m.times[i] - m.times[i - 1]));
    m.positions.push_back(piece.displacement(m.times[i] - m.times[i - 1]));
  }
  return m;
}

// Along the unit vector `direction`.
template <int D>
inline Motion<D> accelerogram(std::vector<double> times, const std::vector<double>& accelerations, const Vec<D>& direction) {
  std::vector<Vec<D>> along;
  for (const double a : accelerations) along.push_back(a * direction);
  return accelerogram<D>(std::move(times), std::move(along));
}

}  // namespace moreau::inline drive

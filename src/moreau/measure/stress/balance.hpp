// How far from equilibrium every body is (Combe 2001, eq. 2.1 and sec. 5.2.3).
//
// Of a body that carries forces: |sum of its contact forces and its weight| / largest contact force on it, and the same with
// moments about its centre over largest contact force x radius. A body with weight that nothing carries is out of balance by all
// of it: 1. Where weights are below the threshold of contacts that carry, a body without contacts is a rattler, and in balance.
#pragma once

#include "moreau/measure/packing/sample.hpp"

namespace moreau::measure {

struct Balance {
  std::size_t loaded = 0;            // bodies that carry forces
  std::size_t unsupported = 0;       // bodies that carry none although they have weight: they fall
  double force_residual = 0.0;       // largest of all of both
  double moment_residual = 0.0;      // same
  double mean_force_residual = 0.0;  // over both
  std::size_t monovalent = 0;        // bodies held by a single contact
  double kinetic_energy = 0.0;       // mean over the free bodies
  double greatest_energy = 0.0;      // of any free body
};

// Contacts carry when their normal force exceeds `threshold` times the mean.
template <int D>
Balance balance(const Sample<D>& sample, double threshold = 1e-6);

}  // namespace moreau::measure

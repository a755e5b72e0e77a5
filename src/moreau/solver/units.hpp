// Units in which an iterate keeps its numbers: powers of two, so that going from one to another is exact. In single precision
// they keep squares of impulses and velocities away from the ends of its range.
#pragma once

namespace moreau::inline solver {

struct Units {
  double velocity = 1.0, mass = 1.0;
  double impulse() const { return mass * velocity; }
};

}  // namespace moreau::inline solver

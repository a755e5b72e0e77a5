// When the solver stops, and what it does when it cannot.
#pragma once

namespace moreau {

enum class OnSweepLimit { warn, stop };

struct SolverSettings {
  // Stop when rms over contacts of the law residual (a velocity, see certificate.hpp) <= tolerance * velocity scale.
  double tolerance = 1e-3;  // range (0, 1)
  // ... and when the momentum still owed to the bodies, estimated from the last sweeps, is at most this fraction of the
  // momentum that the contacts exchange with the bodies.
  double unbalanced_tolerance = 5e-2;  // range (0, 1)
  int max_sweeps = 1000;               // >= 1
  double relaxation = 1.0;             // over-relaxation factor omega in (0, 2): each correction is multiplied by it
  bool momentum = true;  // sweeps carry on in the direction of the last step (gauss_seidel.cpp); false: plain sweeps
  // Sweeps with momentum are made in single precision where that is faster; the last one, and every judgement, in double.
  bool mixed_precision = true;
  OnSweepLimit on_limit = OnSweepLimit::warn;
};

}  // namespace moreau

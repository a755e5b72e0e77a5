// When the solver stops, and what it does when it cannot.
#pragma once

namespace moreau::inline solver {

enum class OnSweepLimit { warn, stop };
// Of several ranks (partners.hpp): in the order of one process, with its bits; or with one exchange per sweep, to the same tolerance.
enum class RankSweeps { exact, fast };

struct SolverSettings {
  // Sweeps stop when rms over contacts of the law residual (a velocity, see certificate.hpp) <= tolerance * velocity scale.
  double tolerance = 5e-3;  // range (0, 1)
  // ... and when the momentum still owed to the bodies, estimated from the last sweeps, is at most this fraction of the velocity
  // scale times the root of the mass (kinetic norm).
  double unbalanced_tolerance = 5e-2;  // range (0, 1)
  int max_sweeps = 4000;               // >= 1
  double relaxation = 1.0;             // over-relaxation factor omega in (0, 2): each correction is multiplied by it
  bool extrapolation = true;  // sweeps carry on in the direction of the last step (gauss_seidel.cpp); false: plain sweeps
  // Sweeps with extrapolation are made in single precision where that is faster; the last one, and every judgement, in double.
  bool mixed_precision = true;
  // Errors are estimated, and steps that sweeps leave too far from the solution finished by a factorisation (completion.hpp).
  bool finish = true;
  OnSweepLimit on_limit = OnSweepLimit::warn;
  RankSweeps ranks = RankSweeps::exact;
};

// What the solver is told of one step.
struct SolverTask {
  double reference_velocity = 0.0;  // what forces bring to a body in the step: h |g|, or what pistons and the cell press with
  bool look = true;                 // at the error of the end, also where sweeps are expected to do well
  bool finish_large = true;         // finish parts of many contacts too; not for a while after that has failed
};

}  // namespace moreau::inline solver

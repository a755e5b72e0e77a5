// The end of a step: is the iterate good enough, and if not, what finishes it?
//
// Part by part (contacts that feel one another): a part whose largest law residual is below `negligible` needs no look; else its
// error is estimated (error_estimate.hpp), and where a body may be wrong by more than `body_error`, the part is finished
// (finishing.hpp), or left to further sweeps where these are cheaper.
#pragma once

#include "moreau/solver/step_system.hpp"
#include "moreau/solver/structures.hpp"

namespace moreau::inline solver {

// In units of the velocity that forces and contacts bring in the step (certificate.hpp).
inline constexpr double negligible_residual = 1e-7;  // of the law, that needs no look: below 1e-3 whatever the mass ratio
inline constexpr double finished_residual = 1e-8;    // at which the finishing solver stops
inline constexpr double nearly_settled = 1e-4;       // up to which a structure is settled before it is swept
// Of a residual into an error, at most: one over the least singular value, for mass ratios to 1e8 and stacks of hundreds.
inline constexpr double worst_amplification = 1e4;
inline constexpr double good_body_error = 1e-3;  // estimated with caution, of the worst body, with which a step is good

struct CompletionTask {
  double velocity_scale = 0.0;     // [velocity]
  double tolerance = 1.0;          // of the law residual, asked for by the scene: the finishing solver goes well below it
  double sweep_nanoseconds = 15;   // of one relaxation
  bool sweeps_left = true;         // further sweeps may be asked for
  bool finish = true;              // else errors are only estimated
  bool finish_large = true;        // parts of more than few_contacts contacts
  bool to_tolerance = false;       // the tolerance is enough: packings, which have many statuses to find
  bool structures_only = false;    // parts that are structures (structures.hpp); the others stay as they are
  double settling_residual = 0.0;  // [velocity] positive: the structure is only settled, to this residual (below)
};

struct Completion {
  double error = 0.0;       // kinetic norm of the estimated error of the velocities, over the scale and the root of the mass
  double body_error = 0.0;  // of the worst body, over the scale
  double part_error = 0.0;  // of the worst part, the kinetic norm over the scale and the root of its own mass
  bool good = true;         // no body is wrong by more than it may be
  std::int32_t worst_body = -1;
  int sweeps_wanted = 0;  // cheaper than finishing; the impulses are as they were
  int factorisations = 0;
  bool failed = false;  // a large part was not brought to its end
  bool settled = false;
};

// Settling: a structure that begins from the impulses of the step before, nearly right, is brought to the end by a few
// factorisations where these are cheap, without a sweep; settled if every part has come there, else what was gained is kept. A
// sweep adds to the impulses a little of what the residual asks for, under a heavy body much too little. Where gaps are fed back
// (predictive rule) such steps are an integrating controller, d3x/dt3 = -k (dx/dt + x), whose oscillations grow from step to
// step.
template <int D>
Completion complete(StepSystem<D>& system, const CompletionTask& task);

}  // namespace moreau::inline solver

// Carries a scene to its end: steps, series, frames, checkpoints. The same for a new run and a resumed one.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "moreau/scene/scene.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau::inline runner {

struct Progress {
  double fraction = 0.0;      // of the simulated time to run
  std::optional<double> eta;  // seconds of computing left, unknown at first
  bool eta_of_phase = false;  // it is that of the present phase: nobody knows how long the phases after it last
  StepReport report;          // of the last step
  double steps_per_second = 0.0;
  std::uint64_t unconverged_steps = 0;
  std::string phase;  // its name; empty for a scene without phases
};

enum class Outcome {
  finished,        // reached the scene's duration, or the time asked for
  interrupted,     // by the user; a checkpoint is written
  sweep_limit,     // a step did not converge and the scene says to stop
  not_finite,      // a NaN or infinity appeared
  warned,          // there was a warning, and the run is strict; a checkpoint is written
  cell_collapsed,  // the periodic cell became narrower than two of the largest bodies
  endless,         // the phase can never end; a checkpoint is written
};

struct RunResult {
  Outcome outcome = Outcome::finished;
  std::string reason;  // one sentence when the run did not finish
  bool given_up = false;  // interrupted within a step, which is not made
  StepReport last;
  RunTotals totals;
  std::uint64_t frames = 0;
  std::string state_hash;
};

struct RunControls {
  std::optional<double> until;  // stop at this simulated time instead of the scene's duration
  int threads = 1;
  std::vector<std::uint64_t> dump_steps;            // steps whose contact problem is written to the folder
  bool strict = false;                              // stop at the first warning, and at a step that did not converge
  bool dump_global = false;                         // as M, H, f, w instead of W, q
  std::function<void(const Progress&)> progress;    // called after every step; cheap calls only
  std::function<void(const std::string&)> warning;  // one sentence
  const std::atomic<bool>* interrupt = nullptr;     // set from a signal handler
};

// `from` continues a run; without it the run starts from the scene. Writes everything but the summary into `folder`.
template <int D>
RunResult run_scene(const Scene<D>& scene, RunFolder& folder, const std::optional<Checkpoint<D>>& from,
                    const RunControls& controls);

}  // namespace moreau::inline runner

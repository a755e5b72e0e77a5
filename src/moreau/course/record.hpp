// What a course knows of itself besides its state: kept in checkpoints, so that a resumed run says what an uninterrupted one
// says.
#pragma once

#include <cstdint>

#include "moreau/dynamics/energy_watch.hpp"
#include "moreau/dynamics/report.hpp"
#include "moreau/dynamics/warning.hpp"
#include "moreau/measure/running_mean.hpp"

namespace moreau::inline course {

// Totals since the beginning, across resumes: what a summary tells beyond the last step.
struct RunTotals {
  std::uint64_t steps = 0;  // made by this run: those of the run it has begun from (--from) are not its own
  double computing_seconds = 0.0;
  std::uint64_t sweeps = 0;
  std::uint64_t relaxations = 0;        // contacts x sweeps, summed
  std::uint64_t factorisations = 0;     // of the finishing solver
  std::uint64_t unconverged_steps = 0;  // steps that ended at the sweep limit
  std::uint64_t unbounded_steps = 0;    // steps whose impulses grew without bound
  double worst_residual = 0.0;          // largest relative residual of any step
  double worst_unbalanced = 0.0;
  double worst_error = -1.0;  // largest estimated error of any step that was looked at, over its velocity scale; negative: none
  double worst_body_error = -1.0;  // same, of any body
  double worst_penetration = 0.0;  // largest max_penetration of any step
  std::size_t max_contacts = 0;
  double max_speed = 0.0;
  std::uint64_t card_steps = 0;        // made on a graphics card
  std::uint64_t card_swept_steps = 0;  // of which a card made the sweeps only
  std::uint64_t fast_steps = 0;  // made by several ranks with fast sweeps (solver.ranks): their bits depend on how many there were
};

void add(RunTotals& totals, const StepReport& report);

struct CourseRecord {
  StepReport report;  // of the last step
  RunTotals totals;
  Warnings warnings;  // said so far
  EnergyWatch energy_watch;
  std::uint64_t frames = 0;                    // taken so far
  double next_frame = 0.0;                     // simulated time of the next frame
  double next_series = 0.0;                    // and of the next row of the series
  std::vector<measure::RunningMean> averages;  // of the entries [[measure]] that average, in their order
};

}  // namespace moreau::inline course

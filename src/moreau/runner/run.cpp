#include "moreau/runner/run.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "moreau/runner/sampled_measures.hpp"

namespace moreau {

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void add(RunTotals& totals, const StepReport& r) {
  const Certificate& c = r.certificate;
  totals.sweeps += static_cast<std::uint64_t>(c.sweeps);
  totals.relaxations += static_cast<std::uint64_t>(c.sweeps) * r.contacts;
  totals.unconverged_steps += c.converged ? 0 : 1;
  totals.unbounded_steps += c.unbounded ? 1 : 0;
  totals.worst_residual = std::max(totals.worst_residual, c.relative_residual());
  totals.worst_unbalanced = std::max(totals.worst_unbalanced, c.unbalanced);
  totals.worst_penetration = std::max(totals.worst_penetration, r.max_penetration);
  totals.max_contacts = std::max(totals.max_contacts, r.contacts);
  totals.max_speed = std::max(totals.max_speed, r.max_speed);
}

std::string unconverged_sentence(const StepReport& r) {
  const Certificate& c = r.certificate;
  return fmt::format("step {} (t = {:.6g}) did not converge in {} sweeps: relative residual {:.2e}, unbalanced momentum {:.2e}{}",
                     r.step, r.time, c.sweeps, c.relative_residual(), c.unbalanced,
                     c.unbounded ? "; the impulses grow from sweep to sweep: the problem seems to have no bounded solution" : "");
}

}  // namespace

template <int D>
Frame<D> make_frame(const Simulation<D>& simulation) {
  Frame<D> frame;
  const State<D>& state = simulation.state();
  frame.time = state.time;
  frame.step = state.step;
  frame.parameters = state.bodies.parameters;
  frame.state = state.bodies.state;
  frame.shapes = state.bodies.shapes;
  frame.contacts = simulation.contact_records();
  frame.walls = simulation.model().walls;
  frame.wall_shift = wall_shifts(simulation.model(), state);
  frame.lattice = lattice_of(simulation.model(), state);
  return frame;
}

template <int D>
RunResult run_scene(const Scene<D>& scene, RunFolder& folder, const std::optional<Checkpoint<D>>& from,
                    const RunControls& controls) {
  // Without its own arena the loop would run with as many threads as the machine has.
  oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(controls.threads));
  oneapi::tbb::task_arena arena(controls.threads);

  Simulation<D> simulation =
      from ? Simulation<D>(scene.model, from->state) : Simulation<D>(scene.model, scene.bodies, scene.seed);
  Checkpoint<D> now;
  if (from) now = *from;
  const double h = scene.model.time_step;
  const double end = controls.until ? std::min(*controls.until, scene.duration) : scene.duration;
  const double begin = simulation.state().time;
  const auto reached = [&](double t) { return simulation.state().time >= t - 0.5 * h; };

  const Clock::time_point start = Clock::now();
  const double computed_before = now.totals.computing_seconds;
  Clock::time_point last_checkpoint = start;
  const auto checkpoint = [&] {
    now.state = simulation.state();
    now.totals.computing_seconds = computed_before + seconds_since(start);
    folder.write_checkpoint(now);
    last_checkpoint = Clock::now();
  };
  const auto frame = [&] { folder.write_frame(now.frames, make_frame(simulation)), ++now.frames; };

  if (!from) {
    now.report.bodies = simulation.state().bodies.size();
    now.report.energy = simulation.state().energy;
    frame();
    now.next_frame = scene.output.frame_interval > 0.0 ? scene.output.frame_interval : HUGE_VAL;
    checkpoint();  // a kill before the first regular checkpoint still leaves a run that can be resumed
  }

  RunResult result;
  std::uint64_t warned = 0;
  const auto warn = [&](const std::string& sentence) {
    folder.log(sentence);
    if (controls.warning && warned < 5) controls.warning(sentence);
    if (controls.warning && ++warned == 5) controls.warning("further warnings of this kind go to log.txt only");
  };

  while (!reached(end)) {
    if (controls.interrupt && controls.interrupt->load()) {
      result.outcome = Outcome::interrupted;
      result.reason = fmt::format("interrupted at t = {:.6g} (step {})", simulation.state().time, simulation.state().step);
      break;
    }
    arena.execute([&] { now.report = simulation.step(); });
    const StepReport& report = now.report;
    add(now.totals, report);
    if (!report.finite) {
      result.outcome = Outcome::not_finite;
      result.reason =
          fmt::format("a velocity became infinite or not a number in step {} (t = {:.6g}); the last good checkpoint is kept",
                      report.step, report.time);
      break;
    }
    if (reached(now.next_series)) {
      folder.append_series(report);
      now.next_series += scene.output.series_interval > 0.0 ? scene.output.series_interval : h;
    }
    sample_measures(scene, simulation, folder);
    // The end of the scene has its frame even between two intervals. Taken here, before any checkpoint of this step, so that no
    // kill can leave a finished checkpoint without it.
    if (const bool due = reached(now.next_frame); due || reached(scene.duration)) {
      frame();
      if (due) now.next_frame += scene.output.frame_interval;
    }
    if (!report.certificate.converged) {
      warn(unconverged_sentence(report));
      if (scene.model.solver.on_limit == OnSweepLimit::stop) {
        result.outcome = Outcome::sweep_limit;
        result.reason = unconverged_sentence(report) + "; the scene says to stop (solver.on_limit)";
        break;
      }
    }
    if (seconds_since(last_checkpoint) >= scene.output.checkpoint_interval) checkpoint();
    if (controls.progress) {
      Progress p;
      p.fraction = reached(end) ? 1.0 : std::clamp((simulation.state().time - begin) / (end - begin), 0.0, 1.0);
      const double elapsed = seconds_since(start);
      if (p.fraction > 0.0 && elapsed > 0.5) p.eta = elapsed * (1.0 - p.fraction) / p.fraction;
      p.report = report;
      p.steps_per_second = elapsed > 0.0 ? (simulation.state().time - begin) / h / elapsed : 0.0;
      p.unconverged_steps = now.totals.unconverged_steps;
      controls.progress(p);
    }
  }

  if (result.outcome != Outcome::not_finite) checkpoint();
  result.last = now.report;
  result.totals = now.totals;
  result.totals.computing_seconds = computed_before + seconds_since(start);
  result.frames = now.frames;
  result.state_hash = state_hash(simulation.state());
  if (!result.reason.empty()) folder.log(result.reason);
  return result;
}

template Frame<2> make_frame(const Simulation<2>&);
template Frame<3> make_frame(const Simulation<3>&);
template RunResult run_scene(const Scene<2>&, RunFolder&, const std::optional<Checkpoint<2>>&, const RunControls&);
template RunResult run_scene(const Scene<3>&, RunFolder&, const std::optional<Checkpoint<3>>&, const RunControls&);

}  // namespace moreau

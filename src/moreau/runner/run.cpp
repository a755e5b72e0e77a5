#include "moreau/runner/run.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "moreau/base/memory.hpp"
#include "moreau/fclib/step_file.hpp"
#include "moreau/runner/confined_step.hpp"
#include "moreau/runner/phase_course.hpp"
#include "moreau/runner/rescue.hpp"
#include "moreau/runner/sampled_measures.hpp"
#include "moreau/runner/step_watch.hpp"
#include "moreau/store/run_names.hpp"

namespace moreau {

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr int most_examined = 20;  // steps of a run whose confinement is looked into

void add(RunTotals& totals, const StepReport& r) {
  const Certificate& c = r.certificate;
  totals.sweeps += static_cast<std::uint64_t>(c.sweeps);
  totals.relaxations += static_cast<std::uint64_t>(c.sweeps) * r.contacts;
  totals.unconverged_steps += c.converged ? 0 : 1;
  totals.unbounded_steps += c.unbounded ? 1 : 0;
  totals.worst_residual = std::max(totals.worst_residual, c.relative_residual());
  totals.worst_unbalanced = std::max(totals.worst_unbalanced, c.unbalanced);
  totals.factorisations += static_cast<std::uint64_t>(c.factorisations);
  totals.worst_error = std::max(totals.worst_error, c.error);
  totals.worst_body_error = std::max(totals.worst_body_error, c.body_error);
  totals.worst_penetration = std::max(totals.worst_penetration, r.max_penetration);
  totals.max_contacts = std::max(totals.max_contacts, r.contacts);
  totals.max_speed = std::max(totals.max_speed, r.max_speed);
}

// Which body the error is largest at, and where it is.
template <int D>
std::string worst_place(const State<D>& state, const Certificate& c) {
  if (c.worst_body < 0 || static_cast<std::size_t>(c.worst_body) >= state.bodies.size()) return {};
  std::string place;
  for (int d = 0; d < D; ++d)
    place += fmt::format("{}{:.4g}", d > 0 ? ", " : "", state.bodies.state.position[static_cast<std::size_t>(c.worst_body)][d]);
  return fmt::format("; estimated error {:.1e} of what the step brings, largest ({:.1e}) at body {} at ({})", c.error, c.body_error,
                     c.worst_body, place);
}

template <int D>
std::string unconverged_sentence(const StepReport& r, const State<D>& state) {
  const Certificate& c = r.certificate;
  return fmt::format("step {} (t = {:.6g}) did not converge in {} sweeps: relative residual {:.2e}, unbalanced momentum {:.2e}{}{}",
                     r.step, r.time, c.sweeps, c.relative_residual(), c.unbalanced, worst_place(state, c),
                     c.unbounded ? "; the impulses grow from sweep to sweep: the problem seems to have no bounded solution" : "");
}

// How much of the way is done: by time where the end is known, a phase without a limit counting as much as the mean of the
// others.
template <int D>
class ProgressMeter {
 public:
  ProgressMeter(const Scene<D>& scene, const State<D>& state, std::optional<double> until) : until_(until) {
    double known = 0.0, count = 0.0;
    for (const Phase<D>& phase : scene.phases)
      if (std::isfinite(phase.duration)) known += phase.duration, count += 1.0;
    for (const Phase<D>& phase : scene.phases) {
      weight_.push_back(std::isfinite(phase.duration) ? phase.duration : count > 0.0 ? known / count : 1.0);
      limited_.push_back(std::isfinite(phase.duration));
      total_ += weight_.back();
    }
    begin_ = done(state), begin_time_ = state.time;
  }
  double fraction(const State<D>& state) const {
    double f = (done(state) - begin_) / std::max(total_ - begin_, 1e-300);
    if (until_) f = std::max(f, (state.time - begin_time_) / (*until_ - begin_time_));
    return std::clamp(f, 0.0, 1.0);
  }

 private:
  double done(const State<D>& state) const {
    double sum = 0.0;
    for (std::uint64_t p = 0; p < state.phase; ++p) sum += weight_[p];
    return limited_[state.phase] ? sum + std::min(state.time - state.phase_start, weight_[state.phase]) : sum;
  }
  std::optional<double> until_;
  std::vector<double> weight_;
  std::vector<bool> limited_;
  double total_ = 0.0, begin_ = 0.0, begin_time_ = 0.0;
};

// A failure leaves in `rescue` what the run can go on from.
template <int D>
RunResult carry_scene(const Scene<D>& scene, RunFolder& folder, const std::optional<Checkpoint<D>>& from,
                      const RunControls& controls, Rescue<D>& rescue);

}  // namespace

template <int D>
Frame<D> make_frame(const Simulation<D>& simulation) {
  Frame<D> frame;
  const State<D>& state = simulation.state();
  frame.time = state.time;
  frame.step = state.step;
  frame.phase = state.phase;
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
  Rescue<D> rescue;
  const auto write_what_is_whole = [&] {
    try {
      if (rescue.any()) folder.write_checkpoint(rescue.kept());
    } catch (const StoreError&) {  // the first failure is the one to tell, and the checkpoint before is still there
    } catch (const std::bad_alloc&) {
    }
  };
  try {
    RunResult result = carry_scene(scene, folder, from, controls, rescue);
    if (result.outcome != Outcome::not_finite) return result;
    rescue.catch_up(scene, controls.threads);
    folder.write_checkpoint(rescue.kept());
    const Checkpoint<D>& end = rescue.kept();
    result.reason += fmt::format("; the state before, of step {} (t = {:.6g}), is kept", end.state.step, end.state.time);
    result.last = end.report, result.totals = end.totals, result.frames = end.frames, result.state_hash = state_hash(end.state);
    folder.log(result.reason);
    return result;
  } catch (const StoreError&) {
    try {
      rescue.catch_up(scene, controls.threads);
    } catch (const std::bad_alloc&) {
    }
    write_what_is_whole();
    throw;
  } catch (const std::bad_alloc& error) {  // what the simulation held is free again
    write_what_is_whole();
    throw std::runtime_error(memory_sentence(error));
  }
}

namespace {

template <int D>
RunResult carry_scene(const Scene<D>& scene, RunFolder& folder, const std::optional<Checkpoint<D>>& from,
                      const RunControls& controls, Rescue<D>& rescue) {
  // Without its own arena the loop would run with as many threads as the machine has.
  oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(controls.threads));
  oneapi::tbb::task_arena arena(controls.threads);

  Simulation<D> simulation = from ? Simulation<D>(scene.phases[from->state.phase].model, from->state)
                                  : Simulation<D>(scene.phases[0].model, scene.bodies, scene.seed);
  Course now;
  if (from) now = course_of(*from);
  const auto phase = [&]() -> const Phase<D>& { return scene.phases[simulation.state().phase]; };
  const auto reached = [&](double t) { return simulation.state().time >= t - 0.5 * phase().model.time_step; };
  ProgressMeter meter(scene, simulation.state(), controls.until);

  const Clock::time_point start = Clock::now();
  const double computed_before = now.totals.computing_seconds;
  Clock::time_point last_checkpoint = start;
  std::optional<MeasureSampler<D>> sampler;
  const auto references = [&] { return sampler ? sampler->references() : from ? from->references : std::vector<Frame<D>>{}; };
  const auto checkpoint = [&] {
    now.totals.computing_seconds = computed_before + seconds_since(start);
    rescue.keep(simulation, now, references());
    folder.write_checkpoint(rescue.kept());
    last_checkpoint = Clock::now();
  };
  const auto frame = [&] { folder.write_frame(now.frames, make_frame(simulation)), ++now.frames; };

  if (!from) {
    now.report.bodies = simulation.state().bodies.size();
    now.report.energy = simulation.state().energy;
    now.warnings = scene.warnings;
    for (const Warning& warning : now.warnings.all()) folder.log("warning: " + sentence_of(warning));
    frame();
    now.next_frame = phase().output.frame_interval > 0.0 ? phase().output.frame_interval : HUGE_VAL;
    checkpoint();  // a kill before the first regular checkpoint still leaves a run that can be resumed
  }

  ContactNames names;
  for (const Wall<D>& wall : scene.model.walls) names.walls.push_back(wall.name);
  std::string confinement;  // of the last step, if its impulses grew without bound
  int examined = 0;
  simulation.inspect([&](const Simulation<D>& s, const Certificate& certificate) {
    confinement.clear();
    const std::uint64_t step = s.state().step + 1;
    if (std::ranges::count(controls.dump_steps, step) > 0)
      fclib::write_step(folder.path() / problem_file_of(step), s.step_problem(), names.walls,
                        controls.dump_global ? fclib::Form::global : fclib::Form::local);
    if (certificate.converged || !certificate.unbounded || !no_step_problem(s.model()).empty()) return;
    if (++examined > most_examined) return;
    const StepProblem problem = s.step_problem();
    names.bodies = problem.bodies;
    confinement = confinement_sentence(problem, names);
  });
  sampler.emplace(scene, folder, references());

  RunResult result;
  std::uint64_t warned = 0, steps = 0;
  const auto warn = [&](const std::string& sentence) {
    folder.log(sentence);
    if (controls.warning && warned < 5) controls.warning(sentence);
    if (controls.warning && ++warned == 5) controls.warning("further warnings of this kind go to log.txt only");
  };

  StepWatch<D> watch(scene, now.energy_watch);
  const auto note = [&](const Warning& warning) {
    const bool first = now.warnings.add(warning);
    if (controls.strict && result.outcome == Outcome::finished) {
      result.outcome = Outcome::warned;
      result.reason = sentence_of(warning) + "; the run is --strict";  // goes to the log in the end
    } else if (first) {
      folder.log("warning: " + sentence_of(warning));
    }
  };

  // A new phase may end as soon as it begins: a resumed run finds its phase over or not as the uninterrupted one does.
  bool over = false;
  const auto go_on = [&] {
    for (std::string why; !(why = why_over(scene, simulation, now.report)).empty();) {
      const std::string& name = phase().name;
      if (!name.empty())
        folder.log(fmt::format("phase '{}' ended at t = {:.6g} (step {}): {}", name, simulation.state().time,
                               simulation.state().step, why));
      if (const auto warning = condition_missed(scene, simulation, now.report)) note(*warning);
      if ((over = simulation.state().phase + 1 == scene.phases.size())) return;
      begin_phase(scene, simulation.state().phase + 1, simulation);
      now.next_frame = phase().output.frame_interval > 0.0 ? simulation.state().time + phase().output.frame_interval : HUGE_VAL;
      now.next_series = simulation.state().time;
    }
  };
  go_on();

  while (!over && result.outcome == Outcome::finished && !(controls.until && reached(*controls.until))) {
    if (controls.interrupt && controls.interrupt->load()) {
      result.outcome = Outcome::interrupted;
      result.reason = fmt::format("interrupted at t = {:.6g} (step {})", simulation.state().time, simulation.state().step);
      break;
    }
    rescue.keep_if_due(simulation, now, sampler->references());
    rescue.note(simulation, now);
    arena.execute([&] { now.report = simulation.step(); });
    const StepReport& report = now.report;
    if (!report.cell_holds) {
      result.outcome = Outcome::not_finite;
      result.reason = fmt::format("the periodic cell became narrower than two of the largest bodies in step {} (t = {:.6g})",
                                  report.step + 1, report.time);
      break;
    }
    add(now.totals, report);
    if (!report.finite) {
      result.outcome = Outcome::not_finite;
      result.reason = fmt::format("a velocity, position or energy became infinite or not a number in step {} (t = {:.6g})",
                                  report.step, report.time);
      break;
    }
    if (reached(now.next_series)) {
      folder.append_series(report);
      now.next_series += phase().output.series_interval > 0.0 ? phase().output.series_interval : phase().model.time_step;
    }
    for (const Warning& warning : watch.look(simulation, report, now.warnings)) note(warning);
    now.energy_watch = watch.energy();
    sampler->sample(simulation);
    // The end of a phase has its frame even between two intervals. Taken here, before any checkpoint of this step, so that no
    // kill can leave a finished checkpoint without it.
    if (const bool due = reached(now.next_frame); due || !why_over(scene, simulation, report).empty()) {
      frame();
      if (due) now.next_frame += phase().output.frame_interval;
    }
    if (!report.certificate.converged) {
      warn(unconverged_sentence(report, simulation.state()) + confinement);
      const bool by_scene = phase().model.solver.on_limit == OnSweepLimit::stop;
      if (by_scene || controls.strict) {
        result.outcome = Outcome::sweep_limit;
        result.reason = unconverged_sentence(report, simulation.state()) + confinement +
                        (by_scene ? "; the scene says to stop (solver.on_limit)" : "; the run is --strict");
        break;
      }
    }
    go_on();
    if (seconds_since(last_checkpoint) >= phase().output.checkpoint_interval) checkpoint();
    if (controls.progress) {
      Progress p;
      p.fraction = over || (controls.until && reached(*controls.until)) ? 1.0 : meter.fraction(simulation.state());
      const double elapsed = seconds_since(start);
      if (p.fraction > 0.0 && elapsed > 0.5) p.eta = elapsed * (1.0 - p.fraction) / p.fraction;
      p.report = report;
      p.steps_per_second = elapsed > 0.0 ? static_cast<double>(++steps) / elapsed : 0.0;
      p.unconverged_steps = now.totals.unconverged_steps;
      p.phase = phase().name;
      controls.progress(p);
    }
  }

  if (result.outcome == Outcome::not_finite) return result;
  checkpoint();
  result.last = now.report;
  result.totals = now.totals;
  result.totals.computing_seconds = computed_before + seconds_since(start);
  result.frames = now.frames;
  result.state_hash = state_hash(simulation.state());
  if (!result.reason.empty()) folder.log(result.reason);
  return result;
}

}  // namespace

template Frame<2> make_frame(const Simulation<2>&);
template Frame<3> make_frame(const Simulation<3>&);
template RunResult run_scene(const Scene<2>&, RunFolder&, const std::optional<Checkpoint<2>>&, const RunControls&);
template RunResult run_scene(const Scene<3>&, RunFolder&, const std::optional<Checkpoint<3>>&, const RunControls&);

}  // namespace moreau

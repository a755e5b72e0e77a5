#include "moreau/runner/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "moreau/base/giving_up.hpp"
#include "moreau/base/memory.hpp"
#include "moreau/course/course.hpp"
#include "moreau/course/progress.hpp"
#include "moreau/fclib/step_file.hpp"
#include "moreau/runner/recorder.hpp"
#include "moreau/runner/rescue.hpp"
#include "moreau/store/run_names.hpp"

namespace moreau::inline runner {

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// The state is then no longer one that the run can go on from; the one before is what it leaves.
bool ended_within_step(const RunResult& result) {
  return result.outcome == Outcome::not_finite || result.outcome == Outcome::cell_collapsed || result.given_up;
}

// A failure leaves in `rescue` what the run can go on from.
template <int D>
RunResult run_course(const Scene<D>& scene, RunFolder& folder, const std::optional<Checkpoint<D>>& from,
                     const RunControls& controls, Rescue<D>& rescue);

}  // namespace

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
    RunResult result = run_course(scene, folder, from, controls, rescue);
    if (!ended_within_step(result)) return result;
    rescue.catch_up(scene, controls.threads);
    folder.write_checkpoint(rescue.kept());
    const Checkpoint<D>& end = rescue.kept();
    if (!result.given_up)
      result.reason += fmt::format("; the state before, of step {} (t = {:.6g}), is kept", end.state.step, end.state.time);
    result.last = end.report, result.totals = end.totals, result.frames = end.frames, result.state_hash = state_hash(end.state);
    folder.log(result.reason);
    return result;
  } catch (const StoreError&) {
    folder.close_tables();  // it may be that no more files can be opened
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
void dump_problems(Course<D>& course, const RunFolder& folder, const RunControls& controls) {
  if (controls.dump_steps.empty()) return;
  course.inspect(
      [&](const StepView<D>& view, const Certificate&) {
        std::vector<std::string> walls;
        for (const Wall<D>& wall : view.model.walls) walls.push_back(wall.name);
        fclib::write_step(folder.path() / problem_file_of(view.state.step + 1), step_problem(view), walls,
                          controls.dump_global ? fclib::Form::global : fclib::Form::local);
      },
      [&](std::uint64_t step) { return std::ranges::count(controls.dump_steps, step) > 0; });
}

Outcome outcome_of(Standing standing) {
  switch (standing) {
    case Standing::unconverged:
      return Outcome::sweep_limit;
    case Standing::cell_collapsed:
      return Outcome::cell_collapsed;
    case Standing::not_finite:
      return Outcome::not_finite;
    case Standing::running:
    case Standing::over:
      break;
  }
  return Outcome::finished;
}

template <int D>
RunResult run_course(const Scene<D>& scene, RunFolder& folder, const std::optional<Checkpoint<D>>& from,
                     const RunControls& controls, Rescue<D>& rescue) {
  Recorder<D> recorder(folder, controls);
  const bool compares = from && compares_with_start(scene);
  std::unique_ptr<Course<D>> owned =
      from ? std::make_unique<Course<D>>(scene, from->state, *from, from->references,
                                         compares ? folder.read_frame<D>(0) : Frame<D>{}, controls.threads, &recorder)
           : std::make_unique<Course<D>>(scene, controls.threads, &recorder);
  Course<D>& course = *owned;
  recorder.follow(course);
  dump_problems(course, folder, controls);
  ProgressMeter<D> meter(scene, course.present(), controls.until);
  meter.look(course.present(), course.record().report);
  const Clock::time_point start = Clock::now();
  Clock::time_point last_checkpoint = start, phase_start = start;
  std::uint64_t phase = course.present().phase;
  const auto checkpoint = [&] {
    rescue.keep(course);
    folder.write_checkpoint(rescue.kept());
    last_checkpoint = Clock::now();
  };
  if (!from) checkpoint();  // a kill before the first regular checkpoint still leaves a run that can be resumed

  RunResult result;
  std::uint64_t steps = 0;
  const auto ended = [&] {
    return course.standing() == Standing::over || (controls.until && course.has_reached(*controls.until));
  };
  const auto stop = [&](Outcome outcome, const std::string& reason) { result.outcome = outcome, result.reason = reason; };
  if (recorder.refusal()) stop(Outcome::warned, *recorder.refusal());
  while (!ended() && result.outcome == Outcome::finished) {
    if (controls.interrupt && controls.interrupt->load()) {
      stop(Outcome::interrupted,
           fmt::format("interrupted at t = {:.6g} (step {})", course.present().time, course.present().step));
      break;
    }
    rescue.keep_if_due(course);
    rescue.note(course);
    Standing standing = Standing::running;
    const std::uint64_t step = course.present().step;
    const double time = course.present().time;
    try {
      const MayBeGivenUp while_it_is_made(controls.interrupt);
      standing = course.step();
    } catch (const GivenUp&) {
      stop(Outcome::interrupted, fmt::format("interrupted at t = {:.6g} (step {}), within the step after it", time, step));
      result.given_up = true;
      break;
    }
    if (standing != Standing::running && standing != Standing::over) {
      stop(outcome_of(standing), course.why());
      break;
    }
    if (recorder.unconverged())
      stop(Outcome::sweep_limit, *recorder.unconverged());
    else if (recorder.refusal())
      stop(Outcome::warned, *recorder.refusal());
    else if (const std::string why = controls.until ? std::string() : course.why_endless(); !why.empty())
      stop(Outcome::endless, why);
    if (result.outcome != Outcome::finished) break;
    if (seconds_since(last_checkpoint) >= course.phase().output.checkpoint_interval) checkpoint();
    if (controls.progress) {
      meter.look(course.present(), course.record().report);
      if (phase != course.present().phase) phase = course.present().phase, phase_start = Clock::now();
      Progress p;
      p.fraction = ended() ? 1.0 : meter.fraction();
      const double elapsed = seconds_since(start);
      p.eta_of_phase = !meter.end_is_known() && !ended();
      const double done = p.eta_of_phase ? meter.phase_fraction().value_or(0.0) : p.fraction;
      const double lasted = p.eta_of_phase ? seconds_since(phase_start) : elapsed;
      if (done > 0.0 && lasted > 0.5) p.eta = lasted * (1.0 - done) / done;
      p.report = course.record().report;
      p.steps_per_second = elapsed > 0.0 ? static_cast<double>(++steps) / elapsed : 0.0;
      p.unconverged_steps = course.record().totals.unconverged_steps;
      p.phase = course.phase().name;
      controls.progress(p);
    }
  }

  if (ended_within_step(result)) return result;
  checkpoint();
  result.last = course.record().report;
  result.totals = course.record().totals;
  result.frames = course.record().frames;
  result.state_hash = state_hash(course.state());
  if (!result.reason.empty()) folder.log(result.reason);
  return result;
}

}  // namespace

template RunResult run_scene(const Scene<2>&, RunFolder&, const std::optional<Checkpoint<2>>&, const RunControls&);
template RunResult run_scene(const Scene<3>&, RunFolder&, const std::optional<Checkpoint<3>>&, const RunControls&);

}  // namespace moreau::inline runner

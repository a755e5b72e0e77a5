#include "moreau/runner/rescue.hpp"

#include <oneapi/tbb/task_arena.h>

#include <algorithm>

namespace moreau {

namespace {

constexpr double shortest_interval = 1.0;  // seconds
constexpr double costs_at_most = 0.01;     // of the time, for copies

double seconds_between(std::chrono::steady_clock::time_point begin, std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

template <int D>
void set_course(Checkpoint<D>& checkpoint, const Course& course) {
  checkpoint.report = course.report, checkpoint.totals = course.totals, checkpoint.frames = course.frames;
  checkpoint.warnings = course.warnings, checkpoint.energy_watch = course.energy_watch;
  checkpoint.next_frame = course.next_frame, checkpoint.next_series = course.next_series;
}

}  // namespace

template <int D>
void Rescue<D>::keep(const Simulation<D>& simulation, const Course& course, const std::vector<Frame<D>>& references) {
  const Clock::time_point begin = Clock::now();
  any_ = false;  // should there be no room for the copy
  kept_.state = simulation.state();
  kept_.references = references;
  set_course(kept_, course);
  any_ = true;
  when_ = Clock::now();
  seconds_ = seconds_between(begin, when_);
}

template <int D>
void Rescue<D>::keep_if_due(const Simulation<D>& simulation, const Course& course, const std::vector<Frame<D>>& references) {
  const auto same_instant = [](const Frame<D>& one, const Frame<D>& other) { return one.step == other.step; };
  const bool due = !any_ || kept_.state.phase != simulation.state().phase ||
                   !std::ranges::equal(references, kept_.references, same_instant) ||
                   seconds_between(when_, Clock::now()) >= std::max(shortest_interval, seconds_ / costs_at_most);
  if (due) keep(simulation, course, references);
}

template <int D>
void Rescue<D>::catch_up(const Scene<D>& scene, int threads) {
  if (!any_ || kept_.state.step >= step_) return;
  const double computed = kept_.totals.computing_seconds;
  oneapi::tbb::task_arena arena(threads);
  Simulation<D> simulation(scene.phases[kept_.state.phase].model, kept_.state);
  arena.execute([&] {
    while (simulation.state().step < step_) simulation.step();
  });
  kept_.state = simulation.state();
  set_course(kept_, course_);
  kept_.totals.computing_seconds = std::max(computed, course_.totals.computing_seconds);
}

template class Rescue<2>;
template class Rescue<3>;

}  // namespace moreau

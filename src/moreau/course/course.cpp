#include "moreau/course/course.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "moreau/course/confined_step.hpp"
#include "moreau/course/event_table.hpp"
#include "moreau/course/near_rest.hpp"
#include "moreau/course/phases.hpp"
#include "moreau/dynamics/body_energy.hpp"
#include "moreau/dynamics/take_over.hpp"
#include "moreau/engines/geometric/work.hpp"

namespace moreau::inline course {

namespace {

using Clock = std::chrono::steady_clock;
// An engine that finds no way on leaves the bodies where they are, and will find none in the next step either.
constexpr int most_failing = 10;
constexpr int most_examined = 20;  // steps of a course whose confinement is looked into

// Which body the error is largest at, and where it is.
template <int D>
std::string worst_place(const State<D>& state, const Certificate& c) {
  if (c.worst_body < 0 || static_cast<std::size_t>(c.worst_body) >= state.bodies.size()) return {};
  std::string place;
  for (int d = 0; d < D; ++d)
    place += fmt::format("{}{:.4g}", d > 0 ? ", " : "", state.bodies.state.position[static_cast<std::size_t>(c.worst_body)][d]);
  return fmt::format("; estimated error {:.1e} of what the step brings, largest ({:.1e}) at body {} at ({})", c.error,
                     c.body_error, c.worst_body, place);
}

}  // namespace

template <int D>
std::string unconverged_sentence(const StepReport& r, const State<D>& state, const SolverSettings& settings) {
  const Certificate& c = r.certificate;
  // Sweeps may have done what is asked of them, and yet stand far from the solution.
  const bool far = c.relative_residual() <= settings.tolerance && c.unbalanced <= settings.unbalanced_tolerance &&
                   c.error > 0.0 && c.sweeps < settings.max_sweeps;
  if (!r.reason.empty()) return fmt::format("step {} (t = {:.6g}) did not converge: {}", r.step, r.time, r.reason);
  return fmt::format(
      "step {} (t = {:.6g}) did not converge in {} sweeps: {}relative residual {:.2e}, unbalanced momentum {:.2e}{}{}", r.step,
      r.time, c.sweeps, far ? "they are within the tolerances, but the estimated error is too large; " : "", c.relative_residual(),
      c.unbalanced, worst_place(state, c),
      c.unbounded ? "; the impulses grow from sweep to sweep" : "");
}

// Without its own arena a step would run with as many threads as the machine has.
template <int D>
struct Course<D>::Threads {
  explicit Threads(int count)
      : limit(oneapi::tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count)), arena(count) {}
  oneapi::tbb::global_control limit;
  oneapi::tbb::task_arena arena;
};

template <int D>
Course<D>::Course(const Scene<D>& scene, int threads, CourseListener<D>* listener)
    : scene_(scene),
      threads_(std::make_unique<Threads>(threads)),
      listener_(listener ? listener : &silence_),
      simulation_(scene.phases[0].model, bodies_of_first_phase(scene), scene.seed),
      sampler_(scene, compares_with_start(scene) ? make_frame(model(), state()) : Frame<D>{}),
      watch_(scene, {}) {
  record_.report.bodies = state().bodies.size();
  record_.report.energy = state().energy;
  for (const Warning& warning : scene.warnings.all()) note(warning);
  take_frame();
  record_.next_frame = phase().output.frame_interval > 0.0 ? phase().output.frame_interval : HUGE_VAL;
  begin();
}

template <int D>
Course<D>::Course(const Scene<D>& scene, State<D> state, CourseRecord record, std::vector<Frame<D>> references, Frame<D> start,
                  int threads, CourseListener<D>* listener)
    : scene_(scene),
      threads_(std::make_unique<Threads>(threads)),
      listener_(listener ? listener : &silence_),
      simulation_(scene.phases[state.phase].model, std::move(state)),
      record_(std::move(record)),
      references_(std::move(references)),
      sampler_(scene, std::move(start)),
      watch_(scene, record_.energy_watch) {
  begin();
}

template <int D>
Course<D>::~Course() = default;

template <int D>
void Course<D>::begin() {
  listen_to_steps();
  simulation_.listen([this](const geometric::Event& event, double time, const State<D>& now) {
    listener_->event(now.step + 1, time, event_table(model(), now, event, time));
  });
  end_phases();
}

template <int D>
void Course<D>::listen_to_steps() {
  simulation_.inspect([this](const StepView<D>& view, const Certificate& c) { examine(view, c); }, inspected_);
}

template <int D>
void Course<D>::take_frame() {
  listener_->frame(record_.frames, make_frame(model(), state()));
  ++record_.frames;
}

template <int D>
void Course<D>::note(const Warning& warning) {
  listener_->warning(warning, record_.warnings.add(warning));
}

// Why the impulses of a step grow without bound is found from its problem, which is there only while it is being made.
template <int D>
void Course<D>::examine(const StepView<D>& view, const Certificate& certificate) {
  confinement_.clear();
  if (inspected_ && inspected_(view.state.step + 1)) inspector_(view, certificate);
  if (certificate.converged || !certificate.unbounded || !no_step_problem(view.model).empty()) return;
  if (record_.totals.unbounded_steps >= most_examined) return;
  const StepProblem problem = step_problem(view);
  ContactNames names;
  for (const Wall<D>& wall : view.model.walls) names.walls.push_back(wall.name);
  names.bodies = problem.bodies;
  const std::string wedge = confinement_sentence(problem, names);
  if (wedge.empty()) {
    confinement_ = ", but no wedge was found";
    return;
  }
  confinement_ = ": the problem has no bounded solution; wedged: " + wedge;
  last_wedge_ = fmt::format("in step {}: {}", view.state.step + 1, wedge);
  if (!record_.warnings.find(WarningKind::wedged))
    note({WarningKind::wedged, 1.0, 0.0, wedge, view.state.step + 1, view.state.time + view.model.time_step});
}

// A new phase may end as soon as it begins: a resumed course finds its phase over or not as the uninterrupted one does.
template <int D>
void Course<D>::end_phases() {
  for (std::string why; !(why = why_over(scene_, judged(), record_.report)).empty();) {
    if (!phase().name.empty()) listener_->phase_ended(phase().name, state(), why);
    if (const auto warning = condition_missed(scene_, judged(), record_.report, why_not_finished_)) note(*warning);
    if (present().phase + 1 == scene_.phases.size()) {
      standing_ = Standing::over;
      return;
    }
    begin_phase(scene_, present().phase + 1, simulation_);
    sampler_.begin_phase(model(), state(), references_, record_.averages);
    record_.next_frame = phase().output.frame_interval > 0.0 ? present().time + phase().output.frame_interval : HUGE_VAL;
    record_.next_series = present().time;
  }
}

// Of the state alone, so that a resumed course does the same.
template <int D>
void Course<D>::finish_packing() {
  const statics::Load<D> load = statics::load_at(model(), state(), present().time);
  why_not_finished_ = far_from_rest(model(), state(), load);
  if (!why_not_finished_.empty()) return;
  State<D> trial = state();
  const statics::Finish finished = statics::finish(model(), trial, load, near_rest);
  why_not_finished_ = finished.reason;
  if (!finished.isostatic) return;
  // What bodies and walls lose on the way is dissipated at once.
  const Vec<D> gravity = model().gravity_at(trial.time);
  statics::Load<D> walls = load;
  walls.gravity = {};
  const double work = geometric::work_between(model(), statics::freedoms_of(model(), trial.bodies, false), walls, state(), trial);
  EnergyLedger& energy = trial.energy;
  energy.wall_work += work;
  energy.dissipated += work + energy.kinetic + energy.elastic + energy.potential - potential_energy(trial.bodies, gravity);
  energy.elastic = 0.0;
  const double initial = energy.initial;
  take_over(simulation_.mutable_state(), std::move(trial));
  simulation_.changed_by_hand();
  simulation_.mutable_state().energy.initial = initial;  // nothing has come from outside
  // What the step reports is what stands now.
  const std::vector<Vec<D>>& impulse = present().contacts.impulse;
  StepReport& report = record_.report;
  report.contacts = impulse.size();
  report.open = static_cast<std::size_t>(std::ranges::count(impulse, Vec<D>{}));
  report.stick = 0, report.slide = report.contacts - report.open;
  report.max_speed = report.unbalanced_force = 0.0;
  report.energy = present().energy;
}

template <int D>
Standing Course<D>::step() {
  if (standing_ == Standing::unconverged) standing_ = Standing::running, end_phases();  // told to go on all the same
  if (standing_ != Standing::running) return standing_;
  const Clock::time_point start = Clock::now();
  threads_->arena.execute([&] { record_.report = simulation_.step(); });
  const StepReport& report = record_.report;
  if (!report.cell_holds) return standing_ = Standing::cell_collapsed;
  add(record_.totals, report);
  if (!report.finite) return standing_ = Standing::not_finite;
  if (finish_is_due(scene_, judged(), report)) finish_packing();
  if (has_reached(record_.next_series)) {
    listener_->row(report);
    record_.next_series += phase().output.series_interval > 0.0 ? phase().output.series_interval : phase().model.time_step;
  }
  for (const Warning& warning : watch_.look(simulation_, report, record_.warnings)) note(warning);
  record_.energy_watch = watch_.energy();
  sampler_.sample(model(), sampler_.is_due(model(), present().time) ? state() : present(), report, references_, record_.averages,
                  *listener_);
  // The end of a phase has its frame even between two intervals. Taken before anything is told of the end, so that no kill can
  // leave a finished checkpoint without it.
  if (const bool due = has_reached(record_.next_frame); due || !why_over(scene_, judged(), report).empty()) {
    take_frame();
    if (due) record_.next_frame += phase().output.frame_interval;
  }
  if (!report.certificate.converged) {
    listener_->unconverged(unconverged_sentence(report, state(), phase().model.solver) + confinement_);
    if (phase().model.solver.on_limit == OnSweepLimit::stop) standing_ = Standing::unconverged;
  }
  failing_ = !report.certificate.converged && model().engine == EngineKind::lubricated ? failing_ + 1 : 0;
  if (failing_ >= most_failing) standing_ = Standing::unconverged;
  if (standing_ == Standing::running) end_phases();
  record_.totals.computing_seconds += std::chrono::duration<double>(Clock::now() - start).count();
  return standing_;
}

template <int D>
std::string Course<D>::why_endless() const {
  if (standing_ != Standing::running || !looks_for_end(scene_, present())) return {};
  return course::why_endless(scene_, state(), record_.report);
}

template <int D>
std::string Course<D>::why() const {
  const StepReport& r = record_.report;
  switch (standing_) {
    case Standing::running:
    case Standing::over:
      return {};
    case Standing::unconverged:
      return unconverged_sentence(r, state(), phase().model.solver) + confinement_ +
             (failing_ >= most_failing ? fmt::format("; so did the {} steps before: the run stops here", failing_ - 1)
                                       : "; the scene says to stop (solver.on_limit)");
    case Standing::cell_collapsed:
      return fmt::format("the periodic cell became narrower than two of the largest bodies in step {} (t = {:.6g})", r.step + 1,
                         r.time);
    case Standing::not_finite:
      return fmt::format("a velocity, position or energy became infinite or not a number in step {} (t = {:.6g}){}", r.step, r.time,
                         last_wedge_.empty() ? "" : ", after bodies had been wedged: " + last_wedge_);
  }
  return {};
}

template class Course<2>;
template class Course<3>;
template std::string unconverged_sentence(const StepReport&, const State<2>&, const SolverSettings&);
template std::string unconverged_sentence(const StepReport&, const State<3>&, const SolverSettings&);

}  // namespace moreau::inline course

#include "moreau/engines/geometric/geometric_engine.hpp"

#include <chrono>
#include <optional>

#include "moreau/dynamics/body_energy.hpp"
#include "moreau/dynamics/take_over.hpp"
#include "moreau/engines/geometric/quasi_static.hpp"
#include "moreau/engines/geometric/work.hpp"
#include "moreau/engines/no_arrivals.hpp"
#include "moreau/engines/step_opening.hpp"
#include "moreau/statics/make_list_touch.hpp"
#include "moreau/statics/placement.hpp"

namespace moreau::geometric {

namespace {

// Mean path of the free bodies.
template <int D>
double travelled(const Bodies<D>& bodies, const std::vector<Vec<D>>& from) {
  double sum = 0.0, count = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_free(i)) sum += norm(bodies.state.position[i] - from[i]), count += 1.0;
  return count > 0.0 ? sum / count : 0.0;
}

// Of all that are there, whether a contact of the list or not.
template <int D>
void report_overlaps(const Model<D>& model, const State<D>& state, StepReport& report) {
  const std::vector<double>& radius = state.bodies.parameters.radius;
  Neighbours<D> neighbours;
  double sum = 0.0;
  for (const statics::Contact<D>& c : statics::contacts_within(model, state, neighbours, 0.0)) {
    double smaller = radius[static_cast<std::size_t>(c.pair.a)];
    if (!is_wall(c.pair.b)) smaller = std::min(smaller, radius[static_cast<std::size_t>(c.pair.b)]);
    const double overlap = std::max(0.0, -c.gap) / (2.0 * smaller);
    sum += overlap, report.max_penetration = std::max(report.max_penetration, overlap);
  }
  if (report.contacts > 0) report.mean_penetration = sum / static_cast<double>(report.contacts);
}

}  // namespace

template <int D>
StepReport GeometricEngine<D>::step(const Model<D>& model, State<D>& state) {
  const auto begin = std::chrono::steady_clock::now();
  refuse_arrivals(model, state);
  const double start = state.time, h = model.time_step;
  const std::vector<Vec<D>> before = state.bodies.state.position;
  const double potential_before = potential_energy(state.bodies, model.gravity_at(state.time));
  const statics::Load<D> from = statics::load_at(model, state, start), to = statics::load_at(model, state, start + h);
  StepReport report;
  if (cell_is_too_narrow(model, lattice_of(model, state), state, report)) return report;
  std::optional<State<D>> kept;  // should the cell collapse on the way
  if (model.cell.deforms) kept = state;
  QuasiStatic<D> method(model);
  double work = 0.0, fallen = 0.0;  // of the load, and of its weights alone
  const bool walls_stand = model.pistons.empty() && !model.cell.deforms;
  std::vector<Vec<D>> last = before;
  state.pistons.resize(model.pistons.size());
  const auto account = [&](double of_load, const Vec<D>& gravity, const State<D>& now) {
    TermSum<3> lost;
    for (std::size_t i = 0; i < now.bodies.size(); ++i)
      if (now.bodies.is_free(i))
        lost.add(now.bodies.parameters.mass[i] * dot(gravity, now.bodies.state.position[i] - last[i]));
    work += walls_stand ? lost.sum().value() : of_load, fallen += lost.sum().value();
    last = now.bodies.state.position;
  };
  const auto book = [&](const Event& event, const State<D>& now) {
    report.certificate.factorisations += event.factorisations;
    if (!event.moved || !event.failure.empty()) return;  // nothing has moved
    account(event.work, from.gravity + event.at * (to.gravity - from.gravity), now);
    if (listener_) listener_(event, start + event.at * h, now);
  };
  if (!method.refusal(state, from).empty()) {
    // Another engine, other radii, or a hand may have left contacts that push and do not touch: that they touch is no event.
    const State<D> inherited = state;
    if (statics::make_list_touch(model, state, from)) {
      account(work_between(model, statics::freedoms_of(model, state.bodies, false), from, inherited, state), from.gravity, state);
    } else {
      const Event settled = method.settle(state, from);
      book(settled, state);
      report.certificate.converged = settled.failure.empty();
      report.reason = settled.failure;
    }
  }
  if (report.certificate.converged) {
    const Event last_event = method.follow(state, from, to, [&](const Event& event, const State<D>& now) {
      book(event, now);
      return true;
    });
    report.certificate.converged = last_event.failure.empty();
    report.reason = last_event.failure;
  }
  if (kept && !cell_holds(lattice_of(model, state), state.bodies)) {
    take_over(state, std::move(*kept));
    leave_out(state, report);
    return report;
  }
  ++state.step;
  state.time = start + h;
  state.travelled += travelled(state.bodies, before);
  // What the load gave is dissipated at once: weights out of the potential energy, all else from walls and cell. What is left
  // of the change of the potential energy is the turning of gravity.
  EnergyLedger& energy = state.energy;
  const double potential_after = potential_energy(state.bodies, model.gravity_at(state.time));
  energy.wall_work += work - fallen;
  energy.dissipated += work + energy.kinetic + energy.elastic;
  energy.gravity_work += potential_after - potential_before + fallen;
  energy.kinetic = energy.elastic = 0.0;
  energy.potential += potential_after - potential_before;
  report.step = state.step, report.time = state.time;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) report.bodies += state.bodies.is_present(i);
  report.contacts = report.stick = report.recalled = state.contacts.size();
  report_overlaps(model, state, report);
  report.energy = energy;
  report.timings.solve = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

template class GeometricEngine<2>;
template class GeometricEngine<3>;

}  // namespace moreau::geometric

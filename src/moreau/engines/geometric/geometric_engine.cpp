#include "moreau/engines/geometric/geometric_engine.hpp"

#include <chrono>

#include "moreau/dynamics/body_energy.hpp"
#include "moreau/engines/geometric/quasi_static.hpp"
#include "moreau/engines/no_arrivals.hpp"
#include "moreau/statics/finish.hpp"

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

}  // namespace

template <int D>
StepReport GeometricEngine<D>::step(const Model<D>& model, State<D>& state) {
  const auto begin = std::chrono::steady_clock::now();
  const double start = state.time, h = model.time_step;
  const std::vector<Vec<D>> before = state.bodies.state.position;
  const double potential_before = potential_energy(state.bodies, model.gravity_at(state.time));
  const statics::Load<D> from = statics::load_at(model, state, start), to = statics::load_at(model, state, start + h);
  StepReport report;
  QuasiStatic<D> method(model);
  double work = 0.0;
  state.pistons.resize(model.pistons.size());
  if (!method.refusal(state, from).empty()) {
    const statics::Finish finished = statics::finish(model, state, from);
    report.certificate.converged = finished.isostatic;
    report.reason = finished.reason;
  }
  if (report.certificate.converged) {
    const Event last = method.follow(state, from, to, [&](const Event& event, const State<D>& now) {
      work += event.work;
      report.certificate.factorisations += event.factorisations;
      if (event.moved && listener_) listener_(event, start + event.at * h, now);
  refuse_arrivals(model, state);
      return true;
    });
    report.certificate.converged = last.failure.empty();
    report.reason = last.failure;
  }
  ++state.step;
  state.time = start + h;
  state.travelled += travelled(state.bodies, before);
  // What the load gave is dissipated at once; the part of gravity comes out of the potential energy, the rest from the walls.
  EnergyLedger& energy = state.energy;
  const double potential_after = potential_energy(state.bodies, model.gravity_at(state.time)), lost = work + energy.kinetic;
  energy.wall_work += lost - energy.kinetic - (potential_before - potential_after);
  energy.dissipated += lost;
  energy.kinetic = 0.0;
  energy.potential += potential_after - potential_before;
  report.step = state.step, report.time = state.time;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) report.bodies += state.bodies.is_present(i);
  report.contacts = report.stick = report.recalled = state.contacts.size();
  report.energy = energy;
  report.timings.solve = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

template class GeometricEngine<2>;
template class GeometricEngine<3>;

}  // namespace moreau::geometric

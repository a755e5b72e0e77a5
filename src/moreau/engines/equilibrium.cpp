#include "moreau/engines/equilibrium.hpp"

#include <algorithm>
#include <cmath>

namespace moreau {

template <int D>
EquilibriumReport<D> test_equilibrium(Model<D> model, State<D> state, double tolerance) {
  double smallest = HUGE_VAL;
  for (double r : state.bodies.parameters.radius) smallest = std::min(smallest, r);
  model.rule = ContactRule::midpoint;
  model.contact_distance = std::max(model.contact_distance, 1e-6 * smallest);
  model.sources.clear();
  model.solver.tolerance = std::min(model.solver.tolerance, 0.1 * tolerance);
  model.solver.unbalanced_tolerance = std::min(model.solver.unbalanced_tolerance, 0.1 * tolerance);
  model.solver.max_sweeps = std::max(model.solver.max_sweeps, 100000);
  state.sources.clear();
  for (auto& v : state.bodies.state.velocity) v = {};
  for (auto& s : state.bodies.state.spin) s = {};

  Simulation<D> simulation(std::move(model), std::move(state));
  EquilibriumReport<D> report;
  report.step = simulation.step();
  const Bodies<D>& bodies = simulation.state().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_free(i))
      report.max_speed =
          std::max({report.max_speed, norm(bodies.state.velocity[i]), bodies.parameters.radius[i] * norm(bodies.state.spin[i])});
  report.velocity_scale = simulation.model().time_step * norm(simulation.model().gravity);
  if (report.velocity_scale == 0.0) report.velocity_scale = report.step.certificate.velocity_scale;
  report.possible = report.step.certificate.converged && report.max_speed <= tolerance * report.velocity_scale;
  report.forces = simulation.contact_records();
  return report;
}

template EquilibriumReport<2> test_equilibrium(Model<2>, State<2>, double);
template EquilibriumReport<3> test_equilibrium(Model<3>, State<3>, double);

}  // namespace moreau

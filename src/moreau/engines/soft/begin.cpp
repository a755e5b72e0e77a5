// What holds for a step of the soft engine, and accelerations to begin with where there are none.
#include <algorithm>

#include "moreau/engines/soft/critical_step.hpp"
#include "moreau/engines/soft/soft_engine.hpp"

namespace moreau::inline engines {

template <int D>
void SoftEngine<D>::prepare(const Model<D>& model, State<D>& state) {
  if (!checked_ || checked_step_ != model.time_step) {
    soft::demand_soft(model, state.bodies);
    checked_ = true, checked_step_ = model.time_step;
  }
  followed_ = table_step_ == state.step;
  renewed_ |= !followed_;
  if (fixed_ != model.soft.small_displacements) {
    fixed_ = !fixed_, renewed_ = true;
    neighbours_.invalidate();
  }
  scheme_ = soft::scheme_of(model.soft.integrator);
  needs_ = soft::soft_needs(model.pair_laws, model.soft_laws);
  laws_.resize(model.pair_laws.size());
  for (std::size_t i = 0; i < laws_.size(); ++i) laws_[i] = soft::packed(model.pair_laws[i], model.soft_laws[i]);
  const Bodies<D>& bodies = state.bodies;
  drives_ = !model.motions.empty() && std::find(bodies.parameters.kind.begin(), bodies.parameters.kind.end(), BodyKind::driven) !=
                                          bodies.parameters.kind.end();
  state.pistons.resize(model.pistons.size());
  const Integration<D>& kept = state.integration;
  if (kept.step == state.step && kept.acceleration.size() < bodies.size()) welcome(model, state);
  if (kept.step != state.step || kept.acceleration.size() != bodies.size() || kept.jerk.empty() == scheme_.keeps_jerk() ||
      kept.piston_acceleration.size() != model.pistons.size() || kept.gradient_rate.empty())
    begin(model, state);
  else if (fixed_ && !has_list(state))
    begin_list(model, state);
  if (lines_.size() != bodies.size()) describe(state);  // of a run that is continued
}

// Bodies brought by sources since the last step, at rest.
template <int D>
void SoftEngine<D>::welcome(const Model<D>& model, State<D>& state) {
  Integration<D>& kept = state.integration;
  const std::size_t n = state.bodies.size();
  kept.remainder.resize(n), kept.acceleration.resize(n, model.gravity_at(state.time)), kept.spin_acceleration.resize(n);
  if (scheme_.keeps_jerk()) kept.jerk.resize(n), kept.spin_jerk.resize(n);
}

template <int D>
void SoftEngine<D>::begin(const Model<D>& model, State<D>& state) {
  Integration<D>& kept = state.integration;
  const std::size_t n = state.bodies.size();
  kept.step = state.step;
  kept.remainder.resize(n), kept.acceleration.assign(n, {}), kept.spin_acceleration.assign(n, {});
  kept.jerk.assign(scheme_.keeps_jerk() ? n : 0, {}), kept.spin_jerk.assign(kept.jerk.size(), {});
  kept.cell_remainder.resize(D), kept.gradient_rate.assign(D, {});
  if (!fixed_) state.contacts.apart.clear();
  if (fixed_ && !has_list(state)) begin_list(model, state);  // a phase may follow one that has begun it
  apparatus_.place(model, state, state.time);
  find_centre(state);
  describe(state);
  write_lines(state, 0, n);
  followed_ = false, farthest_ = HUGE_VAL;
  search(model, state);
  detect(model, state);
  const PushSums pushed = push(model, state, 0.0);
  apparatus_.accelerate(model, state, pushed.push, pushed.moment);
  const BodySums sums = accelerate(model, state, state.time, false);
  apparatus_.begin(state, scheme_);
  kept.dissipated_power = pushed.contacts.power + sums.dissipated_power, kept.wall_power = pushed.wall_power + sums.wall_power;
  EnergyLedger& energy = state.energy;
  energy.kinetic = sums.kinetic, energy.potential = sums.potential, energy.elastic = pushed.contacts.elastic;
  energy.initial += energy.error();
  if (scheme_.keeps_jerk()) begin_jerk(model, state);
}

// By how much accelerations change in a step without jerk: without it to begin with, a scheme of order 3 would be of order 2.
template <int D>
void SoftEngine<D>::begin_jerk(const Model<D>& model, State<D>& state) {
  const double h = model.time_step;
  State<D> ahead = state;
  predict(model, ahead);
  search(model, ahead);
  detect(model, ahead);
  const PushSums pushed = push(model, ahead, h);
  apparatus_.accelerate(model, ahead, pushed.push, pushed.moment);
  accelerate(model, ahead, ahead.time + h, false);
  renewed_ = true;  // back to the table of the state
  Integration<D>& kept = state.integration;
  for (std::size_t i = 0; i < kept.jerk.size(); ++i) {
    kept.jerk[i] = (1.0 / h) * (ahead.integration.acceleration[i] - kept.acceleration[i]);
    kept.spin_jerk[i] = (1.0 / h) * (ahead.integration.spin_acceleration[i] - kept.spin_acceleration[i]);
  }
}

template <int D>
void SoftEngine<D>::describe(const State<D>& state) {
  const BodyParameters<D>& p = state.bodies.parameters;
  const std::size_t n = state.bodies.size();
  lines_.resize(n), inverse_mass_.resize(n), lever_.resize(n);
  traits_.resize(soft::LineLayout<D>::holds_mass ? 0 : n);
  const bool alike = std::ranges::all_of(p.material, [&](std::int32_t material) { return material == p.material[0]; });
  free_ = present_ = 0;
  one_material_ = n > 0 && alike ? p.material[0] : -1;
  for (std::size_t i = 0; i < n; ++i) {
    inverse_mass_[i] = state.bodies.is_free(i) ? 1.0 / p.mass[i] : 0.0;
    free_ += state.bodies.is_free(i) ? 1 : 0, present_ += state.bodies.is_present(i) ? 1 : 0;
    lever_[i] = p.radius[i] / p.inertia[i];
    lines_[i].describe(p.radius[i], inverse_mass_[i]);
    if (!traits_.empty()) traits_[i] = {inverse_mass_[i], 1.0 / p.radius[i]};
  }
}

#define MOREAU_INSTANTIATE(D)                                       \
  template void SoftEngine<D>::prepare(const Model<D>&, State<D>&); \
  template void SoftEngine<D>::begin_jerk(const Model<D>&, State<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline engines

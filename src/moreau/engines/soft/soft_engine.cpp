#include "moreau/engines/soft/soft_engine.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "moreau/base/parallel.hpp"
#include "moreau/base/team.hpp"
#include "moreau/dynamics/driven_bodies.hpp"
#include "moreau/dynamics/exchange.hpp"
#include "moreau/dynamics/first_moment.hpp"
#include "moreau/dynamics/stage_clock.hpp"
#include "moreau/engines/soft/critical_step.hpp"
#include "moreau/engines/soft/predict_bodies.hpp"
#include "moreau/engines/soft/turning.hpp"

namespace moreau {

namespace {
constexpr std::size_t body_chunk = 512, candidate_chunk = 1024;
constexpr std::size_t fewest_for_team = 500;  // bodies: with less there is nothing to share
}  // namespace

template <int D>
void SoftEngine<D>::forget() {
  neighbours_.invalidate();
  renewed_ = true, checked_ = false;
}

template <int D>
StepReport SoftEngine<D>::step(const Model<D>& model, State<D>& state) {
  StepReport report;
  StageClock watch;
  std::optional<Team> team;
  if (state.bodies.size() >= fewest_for_team) team.emplace();
  const double h = model.time_step;

  report.removed = remove_into_sinks(model, state);
  report.inserted = insert_from_sources(model, state);
  if (report.removed + report.inserted > 0) neighbours_.invalidate(), lines_.clear();
  if (report.removed > 0 && state.integration.acceleration.size() <= state.bodies.size())
    for (std::size_t i = 0; i < state.integration.acceleration.size(); ++i)
      if (!state.bodies.is_free(i)) state.integration.acceleration[i] = {}, state.integration.spin_acceleration[i] = {};
  watch.lap(report.timings.insert);

  prepare(model, state);
  report.cell_holds = !model.cell.deforms || cell_holds(lattice_of(model, state), state.bodies);
  if (!report.cell_holds) {
    report.step = state.step, report.time = state.time, report.bodies = state.bodies.size(), report.energy = state.energy;
    return report;
  }
  const Vec<D> gravity_before = model.gravity_at(state.time);
  const Vec<D> moment_before = model.tilt.acts() ? first_moment(state.bodies) : Vec<D>{};
  predict(model, state);
  watch.lap(report.timings.predict);

  search(model, state);
  watch.lap(report.timings.search);
  detect(model, state);
  watch.lap(report.timings.detect);
  const PushSums pushed = push(model, state, h);
  watch.lap(report.timings.solve);

  apparatus_.accelerate(model, state, pushed.push, pushed.moment);
  const BodySums sums = accelerate(model, state, state.time + h, true);
  apparatus_.correct(model, state, scheme_);
  state.impulse_time_step = h;
  state.time += h;
  ++state.step;

  Integration<D>& kept = state.integration;
  kept.step = table_step_ = state.step;
  EnergyLedger& energy = state.energy;
  const double dissipated = pushed.contacts.power + sums.dissipated_power, wall = pushed.wall_power + sums.wall_power;
  energy.dissipated += (0.5 * h) * (kept.dissipated_power + dissipated);
  energy.wall_work += (0.5 * h) * (kept.wall_power + wall);
  kept.dissipated_power = dissipated, kept.wall_power = wall;
  energy.kinetic = sums.kinetic, energy.potential = sums.potential, energy.elastic = pushed.contacts.elastic;
  if (model.tilt.acts())  // V = - m g . x changes with g
    energy.gravity_work -= 0.5 * dot(model.gravity_at(state.time) - gravity_before, moment_before + first_moment(state.bodies));

  report.step = state.step, report.time = state.time, report.bodies = sums.present;
  report.contacts = touching_.found.size();
  for (const FoundContact& c : touching_.found) report.recalled += c.recalled >= 0 ? 1 : 0;
  report.slide = static_cast<std::size_t>(pushed.contacts.slide);
  report.stick = static_cast<std::size_t>(pushed.contacts.closed) - report.slide;
  report.open = report.contacts - report.stick - report.slide;
  report.max_penetration = pushed.contacts.deepest;
  report.mean_penetration = report.contacts > 0 ? pushed.contacts.overlap / static_cast<double>(report.contacts) : 0.0;
  report.max_speed = sums.fastest;
  const double n = static_cast<double>(std::max<std::size_t>(1, sums.free));
  state.travelled += h * sums.speeds / n;
  const double mean_force = pushed.contacts.closed > 0.0 ? pushed.contacts.force / pushed.contacts.closed : 0.0;
  const double scale = std::max(mean_force, norm(model.gravity) * sums.mass / n);
  report.unbalanced_force = scale > 0.0 ? sums.resultant / n / scale : 0.0;
  report.finite = sums.finite && std::isfinite(energy.error());
  for (const PistonState& p : state.pistons) report.finite &= std::isfinite(p.displacement) && std::isfinite(p.speed);
  for (const Vec<D>& row : state.cell.vectors.row) report.finite &= is_finite(row);
  report.energy = energy;
  watch.lap(report.timings.update);
  return report;
}

template <int D>
EngineMemory SoftEngine<D>::memory() const {
  const auto size = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return {size(lines_) + size(inverse_mass_) + size(lever_) + size(turning_) + size(impulse_) + size(body_twist_),
          neighbours_.bytes() + touching_.bytes() + size(twist_) + size(old_spring_) + size(shift_) + size(drift_) +
              size(image_shift_)};
}

// What holds for the step, and accelerations to begin with where there are none.
template <int D>
void SoftEngine<D>::prepare(const Model<D>& model, State<D>& state) {
  if (!checked_ || checked_step_ != model.time_step) {
    soft::demand_soft(model, state.bodies);
    checked_ = true, checked_step_ = model.time_step;
  }
  renewed_ |= table_step_ != state.step;
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
  apparatus_.place(model, state, state.time);
  find_centre(state);
  describe(state);
  write_lines(state, 0, n);
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
void SoftEngine<D>::search(const Model<D>& model, const State<D>& state) {
  around_ = {model.walls, apparatus_.wall_shift, apparatus_.wall_velocity, apparatus_.lattice, apparatus_.gradient, centre_};
  renewed_ |= neighbours_.update(state.bodies, state.bodies.state.position, around_, model.time_step, {});
}

template <int D>
void SoftEngine<D>::describe(const State<D>& state) {
  const BodyParameters<D>& p = state.bodies.parameters;
  const std::size_t n = state.bodies.size();
  lines_.resize(n), inverse_mass_.resize(n), lever_.resize(n), turning_.resize(n);
  const bool alike = std::ranges::all_of(p.material, [&](std::int32_t material) { return material == p.material[0]; });
  one_material_ = n > 0 && alike ? p.material[0] : -1;
  for (std::size_t i = 0; i < n; ++i) {
    inverse_mass_[i] = state.bodies.is_free(i) ? 1.0 / p.mass[i] : 0.0;
    lever_[i] = p.radius[i] / p.inertia[i];
    lines_[i].describe(p.radius[i], inverse_mass_[i]);
  }
}

template <int D>
void SoftEngine<D>::write_lines(const State<D>& state, std::size_t begin, std::size_t end) {
  const BodyState<D>& s = state.bodies.state;
  for (std::size_t i = begin; i < end; ++i)
    lines_[i].move(s.position[i], state.integration.remainder[i], s.velocity[i], s.spin[i]);
}

// Bodies that do not move freely have no acceleration; those that are driven are put in their place afterwards.
template <int D>
void SoftEngine<D>::predict(const Model<D>& model, State<D>& state) {
  BodyState<D>& s = state.bodies.state;
  Integration<D>& kept = state.integration;
  const double h = model.time_step;
  const std::size_t n = state.bodies.size();
  apparatus_.predict(model, state, scheme_);
  if (model.cell.deforms) follow_prescribed_change(state);
  std::vector<Vec<D>> driven_from;
  if (drives_) driven_from = s.position;
  const bool jerky = scheme_.keeps_jerk();
  const auto numbers = [](auto& array) { return array.data()->c; };
  const soft::Flight flight{numbers(s.position), numbers(kept.remainder), numbers(s.velocity), numbers(kept.acceleration),
                            jerky ? numbers(kept.jerk) : nullptr};
  const soft::Turning turning{numbers(s.spin), numbers(kept.spin_acceleration), jerky ? numbers(kept.spin_jerk) : nullptr,
                              numbers(turning_)};
  for_chunks(n, body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    soft::predict_places(flight, D * begin, D * end, h);
    soft::predict_spins(turning, spin_dimension<D> * begin, spin_dimension<D> * end, h);
    if (!drives_) write_lines(state, begin, end);
    for (std::size_t i = begin; i < end; ++i)
      if (inverse_mass_[i] > 0.0) s.orientation[i] = soft::turned_a_little(s.orientation[i], turning_[i], h);
  });
  if (drives_) {
    for (std::size_t i = 0; i < n; ++i)
      if (state.bodies.parameters.kind[i] == BodyKind::driven) s.position[i] = driven_from[i], kept.remainder[i] = {};
    place_driven_bodies(model, state, state.time, state.time + h);
    write_lines(state, 0, n);
  }
  find_centre(state);
}

template <int D>
void SoftEngine<D>::find_centre(const State<D>& state) {
  centre_ = {};
  if (!apparatus_.lattice.any()) return;
  struct Sum {
    Vec<D> moment{};
    double mass = 0.0;
    Sum& operator+=(const Sum& o) { return moment += o.moment, mass += o.mass, *this; }
  };
  const Bodies<D>& bodies = state.bodies;
  const Sum sum = reduce_chunks<Sum>(bodies.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
    Sum part;
    for (std::size_t i = begin; i < end; ++i)
      if (bodies.is_present(i))
        part.moment += bodies.parameters.mass[i] * bodies.state.position[i], part.mass += bodies.parameters.mass[i];
    return part;
  });
  if (sum.mass > 0.0) centre_ = (1.0 / sum.mass) * sum.moment;
}

// Bodies follow a jump of the velocity gradient, about the centre of mass; what that takes is work of the surroundings.
template <int D>
void SoftEngine<D>::follow_prescribed_change(State<D>& state) {
  const Matrix<D>& change = apparatus_.prescribed_change;
  bool none = true;
  for (const Vec<D>& row : change.row) none &= row == Vec<D>{};
  if (none) return;
  find_centre(state);
  Bodies<D>& bodies = state.bodies;
  double work = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.is_free(i)) continue;
    const Vec<D> gained = change * (bodies.state.position[i] - centre_);
    work += bodies.parameters.mass[i] * dot(gained, bodies.state.velocity[i] + 0.5 * gained);
    bodies.state.velocity[i] += gained;
  }
  state.energy.wall_work += work;
}

template <int D>
void SoftEngine<D>::detect(const Model<D>& model, State<D>& state) {
  const bool periodic = !neighbours_.image.empty();
  image_shift_.resize(periodic ? neighbours_.image.size() : 0);
  for_chunks(image_shift_.size(), candidate_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) image_shift_[p] = apparatus_.shift_of(neighbours_.image[p]);
  });
  touching_.find(neighbours_, renewed_, around_, image_shift_, lines_, state.contacts);
  renewed_ = false;
  shift_.resize(periodic ? touching_.found.size() : 0), drift_.resize(shift_.size());
  for_chunks(shift_.size(), candidate_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      shift_[i] = image_shift_[touching_.candidate[i]],
      drift_[i] = model.cell.deforms ? apparatus_.gradient * shift_[i] : Vec<D>{};
  });
}

template class SoftEngine<2>;
template class SoftEngine<3>;

}  // namespace moreau

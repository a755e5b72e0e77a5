#include "moreau/engines/soft/soft_engine.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "moreau/base/parallel.hpp"
#include "moreau/base/team.hpp"
#include "moreau/dynamics/first_moment.hpp"
#include "moreau/dynamics/stage_clock.hpp"
#include "moreau/engines/step_opening.hpp"

namespace moreau::inline engines {

namespace {
constexpr std::size_t candidate_chunk = 1024;
constexpr std::size_t fewest_for_team = 500;  // bodies: with less there is nothing to share
constexpr double steps_per_step = 3.0;  // its steps are short: neighbours of fast bodies are provided for so many times longer
}  // namespace

template <int D>
void SoftEngine<D>::forget() {
  neighbours_.invalidate();
  renewed_ = true, checked_ = false;
  body_push_.clear();
}

template <int D>
StepReport SoftEngine<D>::step(const Model<D>& model, State<D>& state) {
  StepReport report;
  StageClock watch;
  std::optional<Team> team;
  if (state.bodies.size() >= fewest_for_team) team.emplace();
  const double h = model.time_step;

  if (exchange_bodies(model, state, report)) neighbours_.invalidate(), lines_.clear();
  if (report.removed > 0 && state.integration.acceleration.size() <= state.bodies.size())
    for (std::size_t i = 0; i < state.integration.acceleration.size(); ++i)
      if (!state.bodies.is_free(i)) state.integration.acceleration[i] = {}, state.integration.spin_acceleration[i] = {};
  watch.lap(report.timings.insert);

  prepare(model, state);
  if (cell_is_too_narrow(model, lattice_of(model, state), state, report)) return report;
  const Vec<D> gravity_before = model.gravity_at(state.time);
  const Vec<D> moment_before = model.tilt.acts() ? first_moment(state.bodies).value() : Vec<D>{};
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
    energy.gravity_work -=
        0.5 * dot(model.gravity_at(state.time) - gravity_before, moment_before + first_moment(state.bodies).value());

  report.step = state.step, report.time = state.time, report.bodies = present_;
  report.contacts = touching_.found.size();
  report.recalled = touching_.recalled;
  report.slide = static_cast<std::size_t>(pushed.contacts.slide);
  report.stick = static_cast<std::size_t>(pushed.contacts.closed) - report.slide;
  report.open = report.contacts - report.stick - report.slide;
  report.max_penetration = pushed.contacts.deepest;
  report.mean_penetration = report.contacts > 0 ? pushed.contacts.overlap / static_cast<double>(report.contacts) : 0.0;
  report.max_speed = sums.fastest;
  const double n = static_cast<double>(std::max<std::size_t>(1, free_));
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
  return {size(lines_) + size(inverse_mass_) + size(lever_) + size(body_push_) + size(traits_) + size(lags_),
          neighbours_.bytes() + touching_.bytes() + size(push_) + size(old_spring_) + size(shift_) + size(drift_) +
              size(image_shift_)};
}

template <int D>
void SoftEngine<D>::search(const Model<D>& model, const State<D>& state) {
  if (fixed_) return;
  around_ = {model.walls, apparatus_.wall_shift, apparatus_.wall_velocity, apparatus_.lattice, apparatus_.gradient, centre_};
  renewed_ |=
      neighbours_.update(state.bodies, state.bodies.state.position, around_, steps_per_step * model.time_step, {}, farthest_);
}

template <int D>
void SoftEngine<D>::detect(const Model<D>& model, State<D>& state) {
  if (fixed_) return recall_list(model, state);
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

}  // namespace moreau::inline engines

// The end of a step: new state of the bodies, ledger of energy.
#include <algorithm>
#include <cmath>

#include "moreau/base/parallel.hpp"
#include "moreau/dynamics/body_energy.hpp"
#include "moreau/dynamics/drag.hpp"
#include "moreau/dynamics/driven_bodies.hpp"
#include "moreau/dynamics/first_moment.hpp"
#include "moreau/engines/rigid/stages.hpp"

namespace moreau::inline engines {

namespace {

constexpr std::size_t body_chunk = 1024;
constexpr double pushed_change = 1e-12;  // of the velocities; less is rounding
}  // namespace

// q_f = q_m + h/2 u_f. The problem is left with the mean of the velocities at both ends of the step.
//
// Where the instant of the step is not its middle, a body that no contact pushes still goes half the step with each velocity.
// One that is pushed moves farther by (h/2 - before) (u_f - u_i) than the mean of its velocities says; gravity does not count
// what it does on that path, and it is booked as dissipated.
template <int D>
BodySums advance(const Model<D>& model, State<D>& state, Workspace<D>& work) {
  const StepView<D> view{model, state, work};
  Bodies<D>& bodies = state.bodies;
  const double half = 0.5 * model.time_step, before_instant = work.instant.before, after_instant = work.instant.after;
  const bool in_cell = !work.apparatus.cell_motions().empty();
  const Vec<D> gravity = model.gravity_at(state.time + model.time_step), middle = model.gravity_at(state.time + half),
               fall = drag_factor(model) * model.time_step * middle;
  const BodySums here = sum_chunks<BodySums>(bodies.size(), body_chunk, [&](std::size_t begin, std::size_t end, BodySums& s) {
    TermSum<3> resultant, mass, speeds, cell_work, kinetic, potential, unaccounted;
    for (std::size_t i = begin; i < end; ++i) {
      const bool counts = work.is_own(i);  // ghosts go on as their owners let them, and are counted there
      s.present += counts && bodies.is_present(i) ? 1 : 0;
      if (!bodies.is_free(i)) continue;
      const Vec<D> v = view.final_velocity(i), before = bodies.state.velocity[i];
      const Spin<D> spin = work.problem.solved_spin(i), spin_before = bodies.state.spin[i];
      s.finite &= is_finite(v) && is_finite(spin);
      const bool pushed = norm(v - before - fall) > pushed_change * (norm(v) + norm(before));
      if (counts) resultant.add(bodies.parameters.mass[i] * norm(work.problem.solved_velocity(i) - before));
      if (in_cell && counts)
        cell_work.add(0.5 * bodies.parameters.mass[i] * dot(view.affine(work.apparatus.gradient_change(), i), before + v));
      if (counts) {
        const double speed = norm(v);
        mass.add(bodies.parameters.mass[i]), speeds.add(speed);
        s.fastest = std::max(s.fastest, speed);
        ++s.free;
      }
      work.problem.average_with_start(i, in_cell ? view.affine(work.apparatus.gradient_change(), i) : Vec<D>{});
      Rotation<D>& orientation = bodies.state.orientation[i];
      orientation = bodies.is_round(i) ? turned(turned(orientation, spin_before, before_instant), spin, after_instant)
                                       : turned(orientation, spin, after_instant);
      bodies.state.velocity[i] = v;
      bodies.state.spin[i] = spin;
      if (work.instant.is_middle) {
        bodies.state.position[i] += half * v;
      } else if (pushed) {
        bodies.state.position[i] += after_instant * v;
        if (counts) unaccounted.add(bodies.parameters.mass[i] * (half - before_instant) * dot(middle, v - before));
      } else {
        bodies.state.position[i] += (half - before_instant) * before + half * v;
      }
      if (!counts) continue;
      kinetic.add(kinetic_energy(bodies, i));
      potential.add(potential_energy(bodies, i, gravity));
    }
    s.resultant += resultant.sum(), s.mass += mass.sum(), s.speeds += speeds.sum(), s.cell_work += cell_work.sum();
    s.kinetic += kinetic.sum(), s.potential += potential.sum(), s.unaccounted += unaccounted.sum();
  });
  if (model.tilt.acts()) work.moment_after = work.over_ranks(first_moment(bodies, work.own())).value();
  return work.over_ranks(here);
}

// A position that is not finite makes the potential energy not finite, also without gravity (0 times infinity), and any term of
// the ledger its error.
template <int D>
bool is_sound(const State<D>& state) {
  bool sound = std::isfinite(state.energy.error());
  for (const PistonState& piston : state.pistons) sound &= std::isfinite(piston.displacement) && std::isfinite(piston.speed);
  for (const Vec<D>& row : state.cell.vectors.row) sound &= is_finite(row);
  return sound;
}

template <int D>
void conclude(const Model<D>& model, State<D>& state, const Workspace<D>& work, const BodySums& sums, StepReport& report) {
  const double h = model.time_step, half = 0.5 * h;
  state.energy.wall_work += sums.cell_work.value();
  if (!work.instant.is_middle) state.energy.dissipated += sums.unaccounted.value();
  if (model.damping > 0.0)
    state.energy.dissipated +=
        taken_by_drag(drag_factor(model), work.kinetic_before, sums.kinetic.value(), work.given + sums.cell_work.value());
  work.apparatus.update(model, state, work.instant);
  state.impulse_time_step = h;
  state.time += h;
  ++state.step;
  place_driven_bodies(model, state, state.time - work.instant.after, state.time, state.time);
  if (model.tilt.acts()) {  // K gains m g_m . (x_f - x_i), V = - m g . x loses m (g_f . x_f - g_i . x_i)
    const Vec<D> gravity = model.gravity_at(state.time), middle = model.gravity_at(state.time - half),
                 before = model.gravity_at(state.time - h);
    state.energy.gravity_work += dot(middle - gravity, work.moment_after) - dot(middle - before, work.moment_before);
  }
  state.energy.kinetic = sums.kinetic.value();
  state.energy.potential = sums.potential.value();

  report.step = state.step;
  report.time = state.time;
  report.bodies = sums.present;
  report.max_speed = sums.fastest;
  report.finite = sums.finite && is_sound(state);
  const double n = static_cast<double>(std::max<std::size_t>(1, sums.free));
  state.travelled += h * sums.speeds.value() / n;
  const double force_scale = std::max(report.unbalanced_force, h * norm(model.gravity) * sums.mass.value() / n);
  report.unbalanced_force = force_scale > 0.0 ? sums.resultant.value() / n / force_scale : 0.0;
  report.energy = state.energy;
}

#define MOREAU_INSTANTIATE(D)                                           \
  template BodySums advance(const Model<D>&, State<D>&, Workspace<D>&); \
  template void conclude(const Model<D>&, State<D>&, const Workspace<D>&, const BodySums&, StepReport&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline engines

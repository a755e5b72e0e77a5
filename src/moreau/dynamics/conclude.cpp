// The end of a step: new state of the bodies, ledger of energy.
#include <algorithm>
#include <cmath>

#include "moreau/base/parallel.hpp"
#include "moreau/dynamics/body_energy.hpp"
#include "moreau/dynamics/first_moment.hpp"
#include "moreau/dynamics/simulation.hpp"

namespace moreau {

namespace {

constexpr std::size_t body_chunk = 1024;
}  // namespace

// q_f = q_m + h/2 u_f. The problem is left with the mean of the velocities at both ends of the step.
template <int D>
typename Simulation<D>::BodySums Simulation<D>::advance() {
  Bodies<D>& bodies = state_.bodies;
  const double half = 0.5 * model_.time_step;
  const bool in_cell = !apparatus_.cell_motions().empty();
  const Vec<D> gravity = model_.gravity_at(state_.time + model_.time_step);
  return reduce_chunks<BodySums>(bodies.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
    BodySums s;
    for (std::size_t i = begin; i < end; ++i) {
      s.present += bodies.is_present(i) ? 1 : 0;
      if (!bodies.is_free(i)) continue;
      const Vec<D> v = final_velocity(i), before = bodies.state.velocity[i];
      const Spin<D> spin = problem_.solved_spin(i), spin_before = bodies.state.spin[i];
      s.finite &= is_finite(v) && is_finite(spin);
      s.resultant += bodies.parameters.mass[i] * norm(problem_.solved_velocity(i) - before);
      if (in_cell) s.cell_work += 0.5 * bodies.parameters.mass[i] * dot(affine(apparatus_.gradient_change(), i), before + v);
      s.mass += bodies.parameters.mass[i];
      const double speed = norm(v);
      s.fastest = std::max(s.fastest, speed), s.speeds += speed;
      ++s.free;
      problem_.average_with_start(i, in_cell ? affine(apparatus_.gradient_change(), i) : Vec<D>{});
      Rotation<D>& orientation = bodies.state.orientation[i];
      orientation =
          bodies.is_round(i) ? turned(turned(orientation, spin_before, half), spin, half) : turned(orientation, spin, half);
      bodies.state.velocity[i] = v;
      bodies.state.spin[i] = spin;
      bodies.state.position[i] += half * v;
      s.kinetic += kinetic_energy(bodies, i);
      s.potential += potential_energy(bodies, i, gravity);
    }
    return s;
  });
}

// A position that is not finite makes the potential energy not finite, also without gravity (0 times infinity), and any term of
// the ledger its error.
template <int D>
bool Simulation<D>::is_sound() const {
  bool sound = std::isfinite(state_.energy.error());
  for (const PistonState& piston : state_.pistons) sound &= std::isfinite(piston.displacement) && std::isfinite(piston.speed);
  for (const Vec<D>& row : state_.cell.vectors.row) sound &= is_finite(row);
  return sound;
}

template <int D>
void Simulation<D>::finish(const BodySums& sums, StepReport& report) {
  const double h = model_.time_step, half = 0.5 * h;
  state_.energy.wall_work += sums.cell_work;
  apparatus_.update(model_, state_);
  state_.impulse_time_step = h;
  state_.time += h;
  ++state_.step;
  place_driven_bodies(state_.time - half, state_.time);
  if (model_.tilt.acts()) {  // K gains m g_m . (x_f - x_i), V = - m g . x loses m (g_f . x_f - g_i . x_i)
    const Vec<D> gravity = model_.gravity_at(state_.time), middle = model_.gravity_at(state_.time - half),
                 before = model_.gravity_at(state_.time - h);
    state_.energy.gravity_work += dot(middle - gravity, first_moment(state_.bodies)) - dot(middle - before, moment_before_);
  }
  state_.energy.kinetic = sums.kinetic;
  state_.energy.potential = sums.potential;

  report.step = state_.step;
  report.time = state_.time;
  report.bodies = sums.present;
  report.max_speed = sums.fastest;
  report.finite = sums.finite && is_sound();
  const double n = static_cast<double>(std::max<std::size_t>(1, sums.free));
  state_.travelled += h * sums.speeds / n;
  const double force_scale = std::max(report.unbalanced_force, h * norm(model_.gravity) * sums.mass / n);
  report.unbalanced_force = force_scale > 0.0 ? sums.resultant / n / force_scale : 0.0;
  report.energy = state_.energy;
}

template bool Simulation<2>::is_sound() const;
template bool Simulation<3>::is_sound() const;
template typename Simulation<2>::BodySums Simulation<2>::advance();
template typename Simulation<3>::BodySums Simulation<3>::advance();
template void Simulation<2>::finish(const BodySums&, StepReport&);
template void Simulation<3>::finish(const BodySums&, StepReport&);

}  // namespace moreau

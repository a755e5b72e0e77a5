// The end of a step: accounts of the contacts, new state of the bodies, ledger of energy.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "moreau/base/parallel.hpp"
#include "moreau/dynamics/body_energy.hpp"
#include "moreau/dynamics/contact_status.hpp"
#include "moreau/dynamics/first_moment.hpp"
#include "moreau/dynamics/simulation.hpp"

namespace moreau {

namespace {

constexpr std::size_t body_chunk = 1024;
// A joint at the border of its strength breaks when it opens or slides faster than this times the largest residual of the laws,
// and than what rounding may leave, relative to the velocity scale: where forces are indeterminate a solution may well touch the
// border without moving.
constexpr double joint_motion = 10.0, joint_rounding = 1e-9;

}  // namespace

// Accounts and new state. Those that look at single contacts need the velocities at the beginning of the step; those that take
// eight at a time find in the solver's memory all they need.
template <int D>
template <class Problem>
void Simulation<D>::conclude(Problem& problem, StepReport& report, Stopwatch& watch) {
  if constexpr (std::is_same_v<Problem, ContactProblem<Round<D>>>)
    if (eight_at_a_time()) {
      const BodySums sums = advance(problem, true);
      watch.lap(report.timings.update);
      account_contacts(problem, report);
      watch.lap(report.timings.certify);
      finish(sums, report);
      watch.lap(report.timings.update);
      return;
    }
  certify(problem, report);
  watch.lap(report.timings.certify);
  finish(advance(problem, false), report);
  watch.lap(report.timings.update);
}

// Writes the table of contacts and measures on the solved step, while the bodies still hold u_i: contact work, penetration,
// status.
template <int D>
template <class Problem>
void Simulation<D>::certify(const Problem& problem, StepReport& report) {
  Bodies<D>& bodies = state_.bodies;
  ContactTable<D>& table = state_.contacts;
  struct Sums {
    double wall_work = 0.0, dissipated = 0.0, penetration = 0.0, deepest = 0.0, force = 0.0;
    std::size_t count[3] = {0, 0, 0}, joints = 0;
    Sums& operator+=(const Sums& o) {
      wall_work += o.wall_work, dissipated += o.dissipated, penetration += o.penetration, force += o.force;
      deepest = std::max(deepest, o.deepest);
      for (int k = 0; k < 3; ++k) count[k] += o.count[k];
      joints += o.joints;
      return *this;
    }
  };
  table.resize(detector_.found.size(), !bodies.all_round(), apparatus_.lattice.any());
  table.resize_beyond(!step_laws_.empty(), needs_.rolls);
  const std::vector<std::int32_t>& order = state_.order;
  const double still =
      std::max(joint_motion * report.certificate.residual_max, joint_rounding * report.certificate.velocity_scale);
  const Sums sums = reduce_chunks<Sums>(order.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
    Sums s;
    const auto account = [&](std::size_t i) {
      const std::size_t a = static_cast<std::size_t>(detector_.found[i].a);
      const std::int32_t b = detector_.found[i].b;
      const ContactPlace place = place_of(i);
      const Vec<D>& n = place.normal;
      Vec<D> p = problem.impulse(i);
      if (!struck_.empty()) p += struck_[i];
      table.a[i] = detector_.found[i].a, table.b[i] = b;
      table.gap[i] = place.gap, table.normal[i] = n, table.impulse[i] = p;
      if (!table.point.empty()) table.point[i] = detector_.where[i].point, table.feature[i] = detector_.where[i].feature;
      if (!table.image.empty()) table.image[i] = detector_.image[i];
      // Velocity that a body gained at the contact during the step, u_f - u_i; obstacles gain none.
      const auto gained = [&](std::size_t body, const Vec<D>& arm) {
        return final_velocity(problem, body) - bodies.state.velocity[body] +
               cross(problem.solved_spin(body) - bodies.state.spin[body], arm);
      };
      Vec<D> gain = gained(a, place.arm_a);
      if (is_obstacle(b)) {
        const Vec<D> gained_by_wall =
            is_wall(b) ? apparatus_.wall_velocity_change(static_cast<std::size_t>(wall_index(b))) : Vec<D>{};
        s.wall_work += dot(p, obstacle_velocity(b, place.arm_b) + 0.5 * gained_by_wall);
        gain -= gained_by_wall;
      } else {
        gain -= gained(static_cast<std::size_t>(b), place.arm_b);
      }
      if (model_.cell.deforms) {
        const Vec<D> gained_by_cell = apparatus_.gradient_change() * place.shift;
        s.wall_work += dot(p, apparatus_.gradient * place.shift + 0.5 * gained_by_cell);
        gain -= gained_by_cell;
      }
      s.dissipated -= dot(relative_velocity(a, b, place) + 0.5 * gain, p);
      const double depth = std::max(0.0, -place.gap) / (2.0 * smaller_radius(detector_.found[i].a, b));
      s.penetration += depth;
      s.deepest = std::max(s.deepest, depth);
      s.force += norm(p);
      if constexpr (requires { problem.couple(i); }) {
        table.couple[i] = problem.couple(i);
        Spin<D> turned = problem.solved_spin(a) - bodies.state.spin[a];
        if (is_obstacle(b))
          s.wall_work += dot(table.couple[i], obstacle_spin(b));
        else
          turned -= problem.solved_spin(static_cast<std::size_t>(b)) - bodies.state.spin[static_cast<std::size_t>(b)];
        s.dissipated -= dot(relative_spin(a, b) + 0.5 * turned, table.couple[i]);
      }
      const PairLaw& law = law_of(table.a[i], b);
      ContactStatus status;
      if (step_laws_.empty()) {
        status = status_of(p, n, law.friction);
      } else {
        status = status_under(step_laws_[i], law.friction_direction, p, n);
        const bool moves = norm(relative_velocity(a, b, place) + gain) > still;
        table.condition[i] = condition_of(status, bonded_[i] != 0 && (status == ContactStatus::stick || !moves));
        s.joints += table.condition[i].bonded() ? 1 : 0;
      }
      ++s.count[static_cast<int>(status)];
    };
    for (std::size_t k = begin; k < end; ++k) {  // in the order of the solver's memory
      const std::size_t body = static_cast<std::size_t>(order[k]);
      for (std::size_t i = detector_.row[body]; i < detector_.row[body + 1]; ++i) account(i);
    }
    return s;
  });
  state_.energy.wall_work += sums.wall_work;
  state_.energy.dissipated += sums.dissipated;
  report.open = sums.count[0], report.stick = sums.count[1], report.slide = sums.count[2];
  report.joints = sums.joints;
  report.max_penetration = sums.deepest;
  report.mean_penetration = table.size() > 0 ? sums.penetration / static_cast<double>(table.size()) : 0.0;
  set_mean_impulse(report, sums.force);
}

template <int D>
void Simulation<D>::set_mean_impulse(StepReport& report, double sum) const {
  const std::size_t closed = report.stick + report.slide;
  report.unbalanced_force = closed > 0 ? sum / static_cast<double>(closed) : 0.0;  // divided into the resultant by finish()
}

// q_f = q_m + h/2 u_f. With `keep_means` the problem is left with the mean of the velocities at both ends of the step.
template <int D>
template <class Problem>
typename Simulation<D>::BodySums Simulation<D>::advance(Problem& problem, bool keep_means) {
  Bodies<D>& bodies = state_.bodies;
  const double half = 0.5 * model_.time_step;
  const bool round = bodies.all_round(), in_cell = !apparatus_.cell_motions().empty();
  const Vec<D> gravity = model_.gravity_at(state_.time + model_.time_step);
  return reduce_chunks<BodySums>(bodies.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
    BodySums s;
    for (std::size_t i = begin; i < end; ++i) {
      s.present += bodies.is_present(i) ? 1 : 0;
      if (!bodies.is_free(i)) continue;
      const Vec<D> v = final_velocity(problem, i), before = bodies.state.velocity[i];
      const Spin<D> spin = problem.solved_spin(i), spin_before = bodies.state.spin[i];
      s.finite &= is_finite(v) && is_finite(spin);
      s.resultant += bodies.parameters.mass[i] * norm(problem.solved_velocity(i) - before);
      if (in_cell) s.cell_work += 0.5 * bodies.parameters.mass[i] * dot(affine(apparatus_.gradient_change(), i), before + v);
      s.mass += bodies.parameters.mass[i];
      const double speed = norm(v);
      s.fastest = std::max(s.fastest, speed), s.speeds += speed;
      ++s.free;
      if (keep_means) problem.average_with_start(i);
      Rotation<D>& orientation = bodies.state.orientation[i];
      orientation = round ? turned(turned(orientation, spin_before, half), spin, half) : turned(orientation, spin, half);
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
template void Simulation<2>::set_mean_impulse(StepReport&, double) const;
template void Simulation<3>::set_mean_impulse(StepReport&, double) const;
template void Simulation<2>::conclude(ContactProblem<Round<2>>&, StepReport&, Stopwatch&);
template void Simulation<3>::conclude(ContactProblem<Round<3>>&, StepReport&, Stopwatch&);
template void Simulation<2>::conclude(ContactProblem<Rigid<2>>&, StepReport&, Stopwatch&);
template void Simulation<3>::conclude(ContactProblem<Rigid<3>>&, StepReport&, Stopwatch&);
template void Simulation<2>::conclude(ContactProblem<Bounded<2>>&, StepReport&, Stopwatch&);
template void Simulation<3>::conclude(ContactProblem<Bounded<3>>&, StepReport&, Stopwatch&);
template void Simulation<2>::conclude(ContactProblem<Rolling<2>>&, StepReport&, Stopwatch&);
template void Simulation<3>::conclude(ContactProblem<Rolling<3>>&, StepReport&, Stopwatch&);

}  // namespace moreau

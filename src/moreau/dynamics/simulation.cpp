#include "moreau/dynamics/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "moreau/base/parallel.hpp"
#include "moreau/dynamics/body_energy.hpp"
#include "moreau/dynamics/contact_status.hpp"
#include "moreau/dynamics/gyroscopic.hpp"
#include "moreau/geometry/space_filling.hpp"

namespace moreau {

namespace {

constexpr std::size_t body_chunk = 1024;
constexpr std::uint64_t reorder_period = 500;  // steps between two orderings of the bodies in space

// The predictive rule looks at pairs that could close their gap within this many steps, or nearer than this fraction of the mean
// radius.
constexpr double predictive_steps = 2.0;
constexpr double predictive_distance = 1e-3;
// A joint at the border of its strength breaks when it opens or slides faster than this times the largest residual of the laws,
// and than what rounding may leave, relative to the velocity scale: where forces are indeterminate a solution may well touch the
// border without moving.
constexpr double joint_motion = 10.0, joint_rounding = 1e-9;

struct Energies {
  double kinetic = 0.0, potential = 0.0;
  Energies& operator+=(const Energies& o) { return kinetic += o.kinetic, potential += o.potential, *this; }
};

template <int D>
Energies energies(const Bodies<D>& bodies, const Vec<D>& gravity) {
  return reduce_chunks<Energies>(bodies.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
    Energies sum;
    for (std::size_t i = begin; i < end; ++i) {
      if (!bodies.is_free(i)) continue;
      sum.kinetic += kinetic_energy(bodies, i);
      sum.potential += potential_energy(bodies, i, gravity);
    }
    return sum;
  });
}

// Sum of mass times position of the free bodies.
template <int D>
Vec<D> first_moment(const Bodies<D>& bodies) {
  return reduce_chunks<Vec<D>>(bodies.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
    Vec<D> sum{};
    for (std::size_t i = begin; i < end; ++i)
      if (bodies.is_free(i)) sum += bodies.parameters.mass[i] * bodies.state.position[i];
    return sum;
  });
}

}  // namespace

template <int D>
Simulation<D>::Simulation(Model<D> model, Bodies<D> bodies, std::uint64_t seed) : model_(std::move(model)) {
  state_.bodies = std::move(bodies);
  state_.bodies.shrink_to_fit();
  state_.impulse_time_step = model_.time_step;
  state_.pistons.resize(model_.pistons.size());
  state_.cell.vectors = state_.cell.phase_vectors = model_.cell.start.vectors;
  state_.sources.resize(model_.sources.size());
  for (std::size_t k = 0; k < state_.sources.size(); ++k) state_.sources[k].random = RandomStream(seed + 0x5eed * (k + 1));
  place_driven_bodies(state_.time, state_.time);
  touch();
}

template <int D>
Simulation<D>::Simulation(Model<D> model, State<D> state)
    : model_(std::move(model)), state_(std::move(state)), needs_(law_needs(model_.pair_laws)) {}

template <int D>
void Simulation<D>::touch() {
  neighbours_.invalidate();
  needs_ = law_needs(model_.pair_laws);
  const Energies now = energies(state_.bodies, model_.gravity_at(state_.time));
  state_.energy.kinetic = now.kinetic;
  state_.energy.potential = now.potential;
  state_.energy.initial += state_.energy.error();
}

template <int D>
StepReport Simulation<D>::step() {
  StepReport report;
  Stopwatch watch;

  report.removed = remove_into_sinks();
  report.inserted = insert_from_sources();
  watch.lap(report.timings.insert);

  if (model_.damping > 0.0) damp();
  predict_surroundings();
  report.cell_holds = !model_.cell.deforms || cell_holds();
  if (!report.cell_holds) {
    report.step = state_.step, report.time = state_.time, report.bodies = state_.bodies.size(), report.energy = state_.energy;
    return report;
  }
  predict_bodies();
  renew_order();
  around_ = surroundings();
  watch.lap(report.timings.predict);

  const LookAhead ahead = look_ahead();
  neighbours_.update(state_.bodies, midpoint(), around_, model_.time_step, ahead);
  watch.lap(report.timings.search);

  detect(report, ahead);
  watch.lap(report.timings.detect);

  evaluate_laws();
  strike_contacts();
  with_problem([&](auto& problem) {
    assemble(problem);
    watch.lap(report.timings.assemble);

    report.certificate = problem.solve(model_.solver, model_.time_step * norm(model_.gravity));
    apparatus_.note_changes(problem.changes_of_speed());
    watch.lap(report.timings.solve);
    if (inspector_) inspector_(*this, report.certificate);

    recall_velocities();
    conclude(problem, report, watch);
  });
  return report;
}

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

// Turns them by what they turn from time `from` to `to`, and places them where they are then.
template <int D>
void Simulation<D>::place_driven_bodies(double from, double to) {
  if (model_.motions.empty()) return;
  Bodies<D>& bodies = state_.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.parameters.kind[i] != BodyKind::driven) continue;
    const std::int32_t number = bodies.parameters.motion[i];
    const Motion<D>& motion = model_.motions[static_cast<std::size_t>(number)];
    if (!turns(motion)) {
      bodies.state.position[i] = bodies.parameters.origin[i] + displacement_of(model_, state_, number, to);
      bodies.state.velocity[i] = velocity_of(model_, state_, number, to);
      continue;
    }
    const double begin = motion_time(state_, number, from), end = motion_time(state_, number, to);
    const double angle = angle_turned(motion, end) - angle_turned(motion, begin);
    const Rotation<D> rotation = turned(Rotation<D>{}, motion.axis, angle);
    bodies.state.position[i] = motion.centre + rotate(rotation, bodies.state.position[i] - motion.centre);
    bodies.state.orientation[i] = turned(bodies.state.orientation[i], motion.axis, angle);
    bodies.state.velocity[i] = rigid_velocity(motion, end).at(bodies.state.position[i]);
    bodies.state.spin[i] = spin(motion, end);
  }
}

// q_m = q_i + h/2 u_i; driven bodies at t_m = t_i + h/2, with their velocity there. Orientations are advanced too, unless all
// bodies are round: then advance() does both halves.
//
// A block that turns freely changes its spin: this is done here, in the axes of the body, so that what follows (contacts, forces)
// starts from the turned spin. Energy and the size of the angular momentum are kept by it. The axes at the midpoint serve before
// and after, since a rotation about the spin leaves the spin where it is.
template <int D>
void Simulation<D>::predict_bodies() {
  Bodies<D>& bodies = state_.bodies;
  const double half = 0.5 * model_.time_step, t_m = state_.time + half;
  if (model_.tilt.acts()) moment_before_ = first_moment(bodies);
  place_driven_bodies(state_.time, t_m);
  poses_.resize(bodies.all_round() ? 0 : bodies.size());
  for_chunks(bodies.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (bodies.is_free(i)) {
        bodies.state.position[i] += half * bodies.state.velocity[i];
        if (!poses_.empty()) bodies.state.orientation[i] = turned(bodies.state.orientation[i], bodies.state.spin[i], half);
      }
      if (poses_.empty()) continue;
      poses_[i] = {bodies.state.position[i], matrix_of(bodies.state.orientation[i])};
      if constexpr (D == 3)
        if (bodies.is_free(i) && !bodies.is_round(i)) {
          const Matrix<3>& axes = poses_[i].rotation;
          const Vec<3> own = transposed_times(axes, bodies.state.spin[i]);
          bodies.state.spin[i] = axes * turned_freely(own, bodies.principal_inertia(i), model_.time_step);
        }
    }
  });
  if (model_.cell.deforms) change_gradient(apparatus_.prescribed_change);
}

// Walls, pistons and cell at t_m.
template <int D>
void Simulation<D>::predict_surroundings() {
  const double t_m = state_.time + 0.5 * model_.time_step;
  apparatus_.predict(model_, state_);
  wall_surface_.resize(model_.walls.size());
  for (std::size_t w = 0; w < wall_surface_.size(); ++w) wall_surface_[w] = surface_of(w, apparatus_.wall_shift[w], t_m);
}

// How the surface of a wall displaced by `shift` moves within itself.
template <int D>
RigidVelocity<D> Simulation<D>::surface_of(std::size_t wall, const Vec<D>& shift, double time) const {
  const std::int32_t motion = model_.walls[wall].surface;
  if (motion < 0) return {};
  RigidVelocity<D> surface = rigid_velocity(model_.motions[static_cast<std::size_t>(motion)], motion_time(state_, motion, time));
  surface.centre += shift;
  return surface;
}

// New bodies come last until the next renewal. Renewals depend on the step number alone, so that a resumed run has them too.
template <int D>
void Simulation<D>::renew_order() {
  std::vector<std::int32_t>& order = state_.order;
  if (order.empty() || order.size() > midpoint().size() || state_.step % reorder_period == 0) {
    order = morton_order(midpoint());
  } else {
    for (std::size_t i = order.size(); i < midpoint().size(); ++i) order.push_back(static_cast<std::int32_t>(i));
  }
}

template <int D>
const PairLaw& Simulation<D>::law_of(std::int32_t a, std::int32_t b) const {
  const std::vector<std::int32_t>& material = state_.bodies.parameters.material;
  return model_.law(material[static_cast<std::size_t>(a)], is_wall(b)
                                                               ? model_.walls[static_cast<std::size_t>(wall_index(b))].material
                                                               : material[static_cast<std::size_t>(b)]);
}

template <int D>
LookAhead Simulation<D>::look_ahead() const {
  if (model_.rule == ContactRule::midpoint) return {0.0, model_.contact_distance};
  double sum = 0.0;
  for (double r : state_.bodies.parameters.radius) sum += r;
  const double mean = sum / static_cast<double>(std::max<std::size_t>(1, state_.bodies.size()));
  const double h = model_.time_step, fall = h * h * norm(model_.gravity);  // in one step, from rest
  return {predictive_steps * h, std::max({model_.contact_distance, predictive_distance * mean, predictive_steps * fall})};
}

template <int D>
void Simulation<D>::detect(StepReport& report, LookAhead ahead) {
  detector_.detect(state_.bodies, midpoint(), poses_, around_, neighbours_, ahead, state_.contacts);
  report.contacts = detector_.found.size();
  for (const FoundContact& c : detector_.found) report.recalled += c.recalled >= 0 ? 1 : 0;
}

template <int D>
typename Simulation<D>::ContactPlace Simulation<D>::place_of(std::size_t i) const {
  const FoundContact& found = detector_.found[i];
  const std::size_t a = static_cast<std::size_t>(found.a);
  const Vec<D> shift = detector_.image.empty() ? Vec<D>{} : apparatus_.lattice.shift(detector_.image[i]);
  if (!detector_.where.empty()) {
    const TouchingPoint<D>& where = detector_.where[i];
    const Vec<D> arm_a = where.point - midpoint()[a];
    return {where.normal, arm_a,
            is_wall(found.b) ? where.point : where.point - midpoint()[static_cast<std::size_t>(found.b)] - shift, where.gap,
            shift};
  }
  const Separation<D> s = separation_of(state_.bodies, midpoint(), around_, found.a, found.b, shift);
  const std::vector<double>& radius = state_.bodies.parameters.radius;
  const Vec<D> arm_a = -radius[a] * s.normal;
  const Vec<D> arm_b = is_wall(found.b) ? midpoint()[a] + arm_a : radius[static_cast<std::size_t>(found.b)] * s.normal;
  return {s.normal, arm_a, arm_b, s.gap, shift};
}

// Velocity of the obstacle b (a wall, or a body that does not move freely) where it touches.
template <int D>
Vec<D> Simulation<D>::obstacle_velocity(std::int32_t b, const Vec<D>& arm) const {
  if (is_wall(b)) {
    const std::size_t w = static_cast<std::size_t>(wall_index(b));
    const Vec<D>& v = apparatus_.wall_velocity[w];
    return model_.walls[w].surface < 0 ? v : v + wall_surface_[w].at(arm);
  }
  const std::size_t j = static_cast<std::size_t>(b);
  return state_.bodies.state.velocity[j] + cross(state_.bodies.state.spin[j], arm);
}

// Velocity of body a relative to b where they touch, at the beginning of the step.
template <int D>
Vec<D> Simulation<D>::relative_velocity(std::size_t a, std::int32_t b, const ContactPlace& place) const {
  const BodyState<D>& s = state_.bodies.state;
  return s.velocity[a] + cross(s.spin[a], place.arm_a) - obstacle_velocity(b, place.arm_b) - apparatus_.gradient * place.shift;
}

// Free velocities u_free = u_i + h g, contacts with their recalled impulses.
template <int D>
template <class Problem>
void Simulation<D>::assemble(Problem& problem) {
  const std::vector<FoundContact>& found = detector_.found;
  const std::vector<Sharing<D>> sharings = share();
  std::fill(std::begin(sharing_sum_), std::end(sharing_sum_), 0.0);
  for (const Sharing<D>& s : sharings) sharing_sum_[s.motion] += norm(s.direction);
  const Vec<D> gravity = model_.gravity_at(state_.time + 0.5 * model_.time_step);
  problem.set_bodies(state_.bodies, poses_, state_.order, model_.time_step * gravity);
  const auto bodies_of = [&](std::size_t i) {
    const std::int32_t b = found[i].b;
    return std::pair<std::int32_t, std::int32_t>{found[i].a, is_obstacle(b) ? -1 : b};
  };
  const auto one_by_one = [&](std::size_t i) {
    const ContactPlace place = place_of(i);
    const PairLaw& law = law_of(found[i].a, found[i].b);
    auto contact = step_laws_.empty()
                       ? formal_contact<typename Problem::Contact>(
                             found[i], place, {law.friction, law.normal_restitution, law.tangential_restitution}, false)
                       : formal_contact<typename Problem::Contact>(found[i], place, step_laws_[i], bonded_[i] != 0);
    if constexpr (requires { contact.law; }) add_law(contact, i);
    if constexpr (requires { contact.arm_a; }) contact.arm_a = place.arm_a, contact.arm_b = place.arm_b;
    return contact;
  };
  if constexpr (std::is_same_v<Problem, ContactProblem<Round<D>>>) {
    if (eight_at_a_time()) {
      problem.place_contacts(detector_.row, bodies_of);
      pack_contacts(problem);
    } else {
      problem.set_contacts(detector_.row, bodies_of, one_by_one);
    }
  } else {
    problem.set_contacts(detector_.row, bodies_of, one_by_one);
  }
  problem.set_shared_motions(apparatus_.motions(), sharings);
}

template <int D>
ShiftRule Simulation<D>::shift_rule(bool bonded) const {  // a joint keeps the distance at which it was made
  return {model_.shocks == ShockRule::together, model_.rule == ContactRule::predictive && !bonded, model_.time_step,
          model_.time_step * norm(model_.gravity)};
}

// The constant part of the formal velocity: rho U_N + W_N along the normal, tau U_T + W_T across it, where U is the relative
// velocity at the beginning of the step and W minus the velocity of the obstacle (Moreau 2003, below eq. 42, written with U = G
// u_i + W).
template <int D>
template <class Contact>
Contact Simulation<D>::formal_contact(const FoundContact& found, const ContactPlace& place, const StepLaw& law,
                                      bool bonded) const {
  const std::int32_t b = found.b;
  const Vec<D>& n = place.normal;

  Contact c;
  c.normal = n;
  if (found.recalled >= 0) {
    const std::size_t old = static_cast<std::size_t>(found.recalled);
    c.impulse =
        transported(state_.contacts.impulse[old], state_.contacts.normal[old], n, model_.time_step / state_.impulse_time_step);
  }
  c.friction = law.friction;
  const Vec<D> u = relative_velocity(static_cast<std::size_t>(found.a), b, place);
  const double u_n = dot(u, n);
  const ShiftRule rule = shift_rule(bonded);
  const double shift = formal_shift(rule, place.gap, u_n, law.normal_restitution);
  c.bias = shift * n;
  if (rule.strikes) c.bias += law.tangential_restitution * (u - u_n * n);
  if (is_obstacle(b)) c.bias -= obstacle_velocity(b, place.arm_b);
  if (!apparatus_.motions().empty()) c.compliance = compliance(found, place);
  return model_.cell.deforms ? c.bias -= apparatus_.gradient * place.shift, c : c;
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
  report.finite = sums.finite;
  const double n = static_cast<double>(std::max<std::size_t>(1, sums.free));
  state_.travelled += h * sums.speeds / n;
  const double force_scale = std::max(report.unbalanced_force, h * norm(model_.gravity) * sums.mass / n);
  report.unbalanced_force = force_scale > 0.0 ? sums.resultant / n / force_scale : 0.0;
  report.energy = state_.energy;
}

template <int D>
ContactRecords<D> Simulation<D>::contact_records() const {
  const ContactTable<D>& table = state_.contacts;
  const Bodies<D>& bodies = state_.bodies;
  const double h = state_.impulse_time_step;
  const std::vector<Vec<D>> wall = wall_velocities(model_, state_, state_.time - 0.5 * h),
                            wall_shift = wall_shifts(model_, state_);
  std::vector<RigidVelocity<D>> surface(wall.size());
  for (std::size_t w = 0; w < wall.size(); ++w) surface[w] = surface_of(w, wall_shift[w], state_.time - 0.5 * h);
  // The cell at the middle of the step; its images move as at the end of it.
  Lattice<D> lattice = lattice_of(model_, state_);
  Matrix<D> gradient{};
  if (model_.cell.deforms) {
    lattice.vectors = lattice.vectors + (-0.5 * h) * state_.cell.rate;
    gradient = state_.cell.rate * inverse(lattice.vectors);
  }
  const auto middle = [&](std::size_t i) { return bodies.state.position[i] - (0.5 * h) * bodies.state.velocity[i]; };
  const auto velocity_at = [&](std::size_t i, const Vec<D>& arm) {
    return bodies.state.velocity[i] + cross(bodies.state.spin[i], arm);
  };
  ContactRecords<D> r;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::size_t a = static_cast<std::size_t>(table.a[i]);
    const std::int32_t b = table.b[i];
    const std::size_t j = static_cast<std::size_t>(is_wall(b) ? wall_index(b) : b);
    const Vec<D>& n = table.normal[i];
    const bool round = table.point.empty();
    const Vec<D> point = round ? middle(a) - (bodies.parameters.radius[a] + 0.5 * table.gap[i]) * n : table.point[i];
    Vec<D> u = velocity_at(a, round ? -bodies.parameters.radius[a] * n : point - middle(a));
    const Vec<D> shift = table.image.empty() ? Vec<D>{} : lattice.shift(table.image[i]);
    u -= is_wall(b) ? wall[j] + surface[j].at(point)
                    : velocity_at(j, round ? bodies.parameters.radius[j] * n : point - middle(j) - shift) + gradient * shift;
    if (!table.image.empty()) r.shift.push_back(shift);
    r.a.push_back(table.a[i]);
    r.b.push_back(b);
    r.point.push_back(point);
    r.normal.push_back(n);
    r.gap.push_back(table.gap[i]);
    r.impulse.push_back(table.impulse[i]);
    r.force.push_back((1.0 / h) * table.impulse[i]);
    r.relative_velocity.push_back(u);
    r.status.push_back(table.condition.empty() ? status_of(table.impulse[i], n, law_of(table.a[i], b).friction)
                                               : table.condition[i].status());
  }
  return r;
}

template <int D>
typename Simulation<D>::Memory Simulation<D>::memory() const {
  const auto size = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  const BodyParameters<D>& p = state_.bodies.parameters;
  const BodyState<D>& s = state_.bodies.state;
  const ContactTable<D>& t = state_.contacts;
  Memory m;
  m.body_bytes = size(p.radius) + size(p.mass) + size(p.inertia) + size(p.material) + size(p.motion) + size(p.kind) +
                 size(p.birth) + size(p.origin) + size(s.position) + size(s.orientation) + size(s.velocity) + size(s.spin) +
                 size(poses_) + size(p.shape) + size(state_.order) + neighbours_.bytes() + round_.body_bytes() +
                 rigid_.body_bytes() + bounded_.body_bytes() + rolling_.body_bytes();
  m.contact_bytes = size(t.a) + size(t.b) + size(t.gap) + size(t.normal) + size(t.impulse) + size(t.point) + size(t.feature) +
                    size(t.image) + size(t.condition) + size(t.couple) + size(step_laws_) + size(bonded_) +
                    round_.contact_bytes() + rigid_.contact_bytes() + bounded_.contact_bytes() + rolling_.contact_bytes() +
                    detector_.bytes();
  return m;
}

template class Simulation<2>;
template class Simulation<3>;
// For step_problem() and pack_contacts().
template RoundContact<2> Simulation<2>::formal_contact(const FoundContact&, const ContactPlace&, const StepLaw&, bool) const;
template RoundContact<3> Simulation<3>::formal_contact(const FoundContact&, const ContactPlace&, const StepLaw&, bool) const;
template RigidContact<2> Simulation<2>::formal_contact(const FoundContact&, const ContactPlace&, const StepLaw&, bool) const;
template RigidContact<3> Simulation<3>::formal_contact(const FoundContact&, const ContactPlace&, const StepLaw&, bool) const;

}  // namespace moreau

#include "moreau/dynamics/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "moreau/base/parallel.hpp"
#include "moreau/geometry/space_filling.hpp"

namespace moreau {

namespace {

constexpr std::size_t body_chunk = 1024;
constexpr std::uint64_t reorder_period = 500;  // steps between two orderings of the bodies in space

// The predictive rule looks at pairs that could close their gap within this many steps, or nearer than this fraction of the mean
// radius.
constexpr double predictive_steps = 2.0;
constexpr double predictive_distance = 1e-3;
// Share of a large overlap that the predictive rule takes back in one step. All of it at once would throw bodies apart that
// overlap because a third one pushed them together within a step. An overlap that a speed of h |g| can undo is taken back whole.
constexpr double overlap_recovery = 0.2;

class Stopwatch {
 public:
  void lap(double& stage) {
    const auto now = std::chrono::steady_clock::now();
    stage += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

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
      const double m = bodies.parameters.mass[i];
      sum.kinetic += 0.5 * (m * dot(bodies.state.velocity[i], bodies.state.velocity[i]) +
                            bodies.parameters.inertia[i] * dot(bodies.state.spin[i], bodies.state.spin[i]));
      sum.potential -= m * dot(gravity, bodies.state.position[i]);
    }
    return sum;
  });
}

// Velocity of the obstacle b (a wall, or a body that does not move freely) where it touches.
template <int D>
inline Vec<D> obstacle_velocity(const Bodies<D>& bodies, std::int32_t b, const Vec<D>& n, const std::vector<Vec<D>>& wall) {
  if (is_wall(b)) return wall[static_cast<std::size_t>(wall_index(b))];
  const std::size_t j = static_cast<std::size_t>(b);
  return bodies.state.velocity[j] + cross(bodies.parameters.radius[j] * bodies.state.spin[j], n);
}

// Velocity of body a relative to b (a body, or a wall moving with `wall`) where they touch.
template <int D>
MOREAU_INLINE Vec<D> relative_velocity(const Bodies<D>& bodies, std::size_t a, std::int32_t b, const Vec<D>& n,
                                       const std::vector<Vec<D>>& wall) {
  Vec<D> u = bodies.state.velocity[a];
  Spin<D> rim = bodies.parameters.radius[a] * bodies.state.spin[a];
  if (is_wall(b)) {
    u -= wall[static_cast<std::size_t>(wall_index(b))];
  } else {
    const std::size_t j = static_cast<std::size_t>(b);
    u -= bodies.state.velocity[j];
    rim += bodies.parameters.radius[j] * bodies.state.spin[j];
  }
  return u - cross(rim, n);
}

template <int D>
MOREAU_INLINE ContactStatus status_of(const Vec<D>& impulse, const Vec<D>& n, double friction) {
  const double normal = dot(impulse, n);
  if (!(normal > 0.0)) return ContactStatus::open;
  const double limit = friction * normal, tangent = norm(impulse - normal * n);
  return tangent < limit * (1.0 - 1e-9) ? ContactStatus::stick : ContactStatus::slide;
}

}  // namespace

template <int D>
Simulation<D>::Simulation(Model<D> model, Bodies<D> bodies, std::uint64_t seed) : model_(std::move(model)) {
  state_.bodies = std::move(bodies);
  state_.bodies.shrink_to_fit();
  state_.impulse_time_step = model_.time_step;
  state_.sources.resize(model_.sources.size());
  for (std::size_t k = 0; k < state_.sources.size(); ++k) state_.sources[k].random = RandomStream(seed + 0x5eed * (k + 1));
  place_driven_bodies(state_.time);
  touch();
}

template <int D>
Simulation<D>::Simulation(Model<D> model, State<D> state) : model_(std::move(model)), state_(std::move(state)) {}

template <int D>
void Simulation<D>::touch() {
  neighbours_.invalidate();
  const Energies now = energies(state_.bodies, model_.gravity);
  state_.energy.kinetic = now.kinetic;
  state_.energy.potential = now.potential;
  state_.energy.initial += state_.energy.error();
}

template <int D>
StepReport Simulation<D>::step() {
  StepReport report;
  Stopwatch watch;

  report.inserted = insert_from_sources();
  watch.lap(report.timings.insert);

  predict();
  renew_order();
  watch.lap(report.timings.predict);

  const LookAhead ahead = look_ahead();
  neighbours_.update(state_.bodies, midpoint_, model_.walls, wall_shift_, wall_velocity_, model_.time_step, ahead);
  watch.lap(report.timings.search);

  detect(report, ahead);
  watch.lap(report.timings.detect);

  assemble();
  watch.lap(report.timings.assemble);

  report.certificate = problem_.solve(model_.solver, model_.time_step * norm(model_.gravity));
  watch.lap(report.timings.solve);

  certify(report);
  watch.lap(report.timings.certify);

  update(report);
  watch.lap(report.timings.update);
  return report;
}

template <int D>
void Simulation<D>::place_driven_bodies(double time) {
  Bodies<D>& bodies = state_.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.parameters.kind[i] != BodyKind::driven) continue;
    const Motion<D>& motion = model_.motions[static_cast<std::size_t>(bodies.parameters.motion[i])];
    bodies.state.position[i] = bodies.parameters.origin[i] + displacement(motion, time);
    bodies.state.velocity[i] = velocity(motion, time);
  }
}

// q_m = q_i + h/2 u_i; walls and driven bodies at t_m = t_i + h/2, with their velocity there.
template <int D>
void Simulation<D>::predict() {
  Bodies<D>& bodies = state_.bodies;
  const double half = 0.5 * model_.time_step, t_m = state_.time + half;
  place_driven_bodies(t_m);
  midpoint_.resize(bodies.size());
  for_chunks(bodies.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      midpoint_[i] = bodies.state.position[i];
      if (bodies.is_free(i)) midpoint_[i] += half * bodies.state.velocity[i];
    }
  });
  wall_shift_.assign(model_.walls.size(), {});
  wall_velocity_.assign(model_.walls.size(), {});
  for (std::size_t w = 0; w < model_.walls.size(); ++w) {
    if (model_.walls[w].motion < 0) continue;
    const Motion<D>& motion = model_.motions[static_cast<std::size_t>(model_.walls[w].motion)];
    wall_shift_[w] = displacement(motion, t_m);
    wall_velocity_[w] = velocity(motion, t_m);
  }
}

// New bodies come last until the next renewal. Renewals depend on the step number alone, so that a resumed run has them too.
template <int D>
void Simulation<D>::renew_order() {
  std::vector<std::int32_t>& order = state_.order;
  if (order.empty() || order.size() > midpoint_.size() || state_.step % reorder_period == 0) {
    order = morton_order(midpoint_);
  } else {
    for (std::size_t i = order.size(); i < midpoint_.size(); ++i) order.push_back(static_cast<std::int32_t>(i));
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
  detector_.detect(state_.bodies, midpoint_, surroundings(), neighbours_, ahead, state_.contacts);
  report.contacts = detector_.found.size();
  for (const FoundContact& c : detector_.found) report.recalled += c.recalled >= 0 ? 1 : 0;
}

// Free velocities u_free = u_i + h g, contacts with their recalled impulses.
template <int D>
void Simulation<D>::assemble() {
  const Bodies<D>& bodies = state_.bodies;
  const std::vector<FoundContact>& found = detector_.found;
  problem_.set_bodies(bodies, state_.order, model_.time_step * model_.gravity);
  problem_.set_contacts(
      detector_.row,
      [&](std::size_t i) {
        const std::int32_t b = found[i].b;
        return std::pair<std::int32_t, std::int32_t>{found[i].a, is_obstacle(b) ? -1 : b};
      },
      [&](std::size_t i) { return round_contact(found[i]); });
}

// The constant part of the formal velocity: rho U_N + W_N along the normal, tau U_T + W_T across it, where U is the relative
// velocity at the beginning of the step and W minus the velocity of the obstacle (Moreau 2003, below eq. 42, written with U = G
// u_i + W).
template <int D>
RoundContact<D> Simulation<D>::round_contact(const FoundContact& found) const {
  const Bodies<D>& bodies = state_.bodies;
  const std::size_t a = static_cast<std::size_t>(found.a);
  const std::int32_t b = found.b;
  const Separation<D> separation = separation_of(bodies, midpoint_, surroundings(), found.a, found.b);
  const Vec<D>& n = separation.normal;
  const PairLaw& law = law_of(found.a, b);

  RoundContact<D> c;
  c.normal = n;
  if (found.recalled >= 0) {
    const std::size_t old = static_cast<std::size_t>(found.recalled);
    c.impulse =
        transported(state_.contacts.impulse[old], state_.contacts.normal[old], n, model_.time_step / state_.impulse_time_step);
  }
  c.friction = law.friction;
  const Vec<D> u = relative_velocity(bodies, a, b, n, wall_velocity_);
  const double u_n = dot(u, n);
  double shift = law.normal_restitution * u_n;
  if (model_.rule == ContactRule::predictive) {
    // U_N + gap/h >= 0 (less for a large overlap); a contact that closes within the step bounces if its restitution asks for it.
    double closing = separation.gap / model_.time_step;
    if (closing < 0.0)
      closing = -std::max(overlap_recovery * -closing, std::min(-closing, model_.time_step * norm(model_.gravity)));
    const bool bounces = law.normal_restitution > 0.0 && closing + u_n <= 0.0;
    shift = bounces ? std::min(closing, shift) : closing;
  }
  c.bias = shift * n + law.tangential_restitution * (u - u_n * n);
  if (is_obstacle(b)) c.bias -= obstacle_velocity(bodies, b, n, wall_velocity_);
  return c;
}

// Writes the table of contacts and measures on the solved step, while the bodies still hold u_i: contact work, penetration,
// status.
template <int D>
void Simulation<D>::certify(StepReport& report) {
  Bodies<D>& bodies = state_.bodies;
  ContactTable<D>& table = state_.contacts;
  struct Sums {
    double wall_work = 0.0, dissipated = 0.0, penetration = 0.0, deepest = 0.0, force = 0.0;
    std::size_t count[3] = {0, 0, 0};
    Sums& operator+=(const Sums& o) {
      wall_work += o.wall_work, dissipated += o.dissipated, penetration += o.penetration, force += o.force;
      deepest = std::max(deepest, o.deepest);
      for (int k = 0; k < 3; ++k) count[k] += o.count[k];
      return *this;
    }
  };
  table.resize(detector_.found.size());
  const std::vector<std::int32_t>& order = state_.order;
  const Sums sums = reduce_chunks<Sums>(order.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
    Sums s;
    const auto account = [&](std::size_t i) {
      const std::size_t a = static_cast<std::size_t>(detector_.found[i].a);
      const std::int32_t b = detector_.found[i].b;
      const Separation<D> separation = separation_of(bodies, midpoint_, surroundings(), detector_.found[i].a, b);
      const Vec<D>& n = separation.normal;
      const Vec<D> p = problem_.impulse(i);
      table.a[i] = detector_.found[i].a, table.b[i] = b;
      table.gap[i] = separation.gap, table.normal[i] = n, table.impulse[i] = p;
      const Vec<D> before = relative_velocity(bodies, a, b, n, wall_velocity_);
      // Velocity gained during the step: u_f - u_i at the contact; obstacles gain none.
      const auto gained = [&](std::size_t body, Vec<D>& v, Spin<D>& rim, double sign) {
        const MovingBody<D>& m = problem_.solved_body(body);
        for (int d = 0; d < D; ++d) v[d] += sign * (m.velocity[d] - bodies.state.velocity[body][d]);
        for (int d = 0; d < spin_dimension<D>; ++d)
          rim[d] += m.rim[d] - bodies.parameters.radius[body] * bodies.state.spin[body][d];
      };
      Vec<D> v{};
      Spin<D> rim{};
      gained(a, v, rim, 1.0);
      if (is_obstacle(b))
        s.wall_work += dot(p, obstacle_velocity(bodies, b, n, wall_velocity_));
      else
        gained(static_cast<std::size_t>(b), v, rim, -1.0);
      double smaller = bodies.parameters.radius[a];
      if (!is_wall(b)) smaller = std::min(smaller, bodies.parameters.radius[static_cast<std::size_t>(b)]);
      s.dissipated -= dot(before + 0.5 * (v - cross(rim, n)), p);
      const double depth = std::max(0.0, -separation.gap) / (2.0 * smaller);
      s.penetration += depth;
      s.deepest = std::max(s.deepest, depth);
      s.force += norm(p);
      ++s.count[static_cast<int>(status_of(p, n, law_of(table.a[i], b).friction))];
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
  report.max_penetration = sums.deepest;
  report.mean_penetration = table.size() > 0 ? sums.penetration / static_cast<double>(table.size()) : 0.0;
  const std::size_t closed = report.stick + report.slide;
  report.unbalanced_force =
      closed > 0 ? sums.force / static_cast<double>(closed) : 0.0;  // divided into the resultant by update()
}

// q_f = q_m + h/2 u_f.
template <int D>
void Simulation<D>::update(StepReport& report) {
  Bodies<D>& bodies = state_.bodies;
  const double h = model_.time_step, half = 0.5 * h;
  struct Sums {
    double resultant = 0.0, mass = 0.0, fastest = 0.0;
    std::size_t free = 0;
    bool finite = true;
    Sums& operator+=(const Sums& o) {
      resultant += o.resultant, mass += o.mass, free += o.free, finite &= o.finite;
      fastest = std::max(fastest, o.fastest);
      return *this;
    }
  };
  const Sums sums = reduce_chunks<Sums>(bodies.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
    Sums s;
    for (std::size_t i = begin; i < end; ++i) {
      if (!bodies.is_free(i)) continue;
      const MovingBody<D>& solved = problem_.solved_body(i);
      Vec<D> v;
      Spin<D> spin;
      for (int d = 0; d < D; ++d) v[d] = solved.velocity[d];
      for (int d = 0; d < spin_dimension<D>; ++d) spin[d] = solved.rim[d] / bodies.parameters.radius[i];
      s.finite &= is_finite(v) && is_finite(spin);
      s.resultant += bodies.parameters.mass[i] * norm(v - bodies.state.velocity[i]);
      s.mass += bodies.parameters.mass[i];
      s.fastest = std::max(s.fastest, norm(v));
      ++s.free;
      bodies.state.orientation[i] = turned(turned(bodies.state.orientation[i], bodies.state.spin[i], half), spin, half);
      bodies.state.velocity[i] = v;
      bodies.state.spin[i] = spin;
      bodies.state.position[i] = midpoint_[i] + half * v;
    }
    return s;
  });
  state_.impulse_time_step = h;
  state_.time += h;
  ++state_.step;
  place_driven_bodies(state_.time);
  const Energies now = energies(bodies, model_.gravity);
  state_.energy.kinetic = now.kinetic;
  state_.energy.potential = now.potential;

  report.step = state_.step;
  report.time = state_.time;
  report.bodies = bodies.size();
  report.max_speed = sums.fastest;
  report.finite = sums.finite;
  const double n = static_cast<double>(std::max<std::size_t>(1, sums.free));
  const double force_scale = std::max(report.unbalanced_force, h * norm(model_.gravity) * sums.mass / n);
  report.unbalanced_force = force_scale > 0.0 ? sums.resultant / n / force_scale : 0.0;
  report.energy = state_.energy;
}

template <int D>
ContactRecords<D> Simulation<D>::contact_records() const {
  const ContactTable<D>& table = state_.contacts;
  const Bodies<D>& bodies = state_.bodies;
  const double h = state_.impulse_time_step;
  std::vector<Vec<D>> wall(model_.walls.size());
  for (std::size_t w = 0; w < wall.size(); ++w)
    if (model_.walls[w].motion >= 0)
      wall[w] = velocity(model_.motions[static_cast<std::size_t>(model_.walls[w].motion)], state_.time - 0.5 * h);
  ContactRecords<D> r;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::size_t a = static_cast<std::size_t>(table.a[i]);
    const std::int32_t b = table.b[i];
    const Vec<D> middle = bodies.state.position[a] - (0.5 * h) * bodies.state.velocity[a];
    r.a.push_back(table.a[i]);
    r.b.push_back(b);
    r.point.push_back(middle - (bodies.parameters.radius[a] + 0.5 * table.gap[i]) * table.normal[i]);
    r.normal.push_back(table.normal[i]);
    r.gap.push_back(table.gap[i]);
    r.impulse.push_back(table.impulse[i]);
    r.force.push_back((1.0 / h) * table.impulse[i]);
    r.relative_velocity.push_back(relative_velocity(bodies, a, b, table.normal[i], wall));
    r.status.push_back(status_of(table.impulse[i], table.normal[i], law_of(table.a[i], b).friction));
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
                 size(midpoint_) + size(state_.order) + neighbours_.bytes() + problem_.body_bytes();
  m.contact_bytes =
      size(t.a) + size(t.b) + size(t.gap) + size(t.normal) + size(t.impulse) + problem_.contact_bytes() + detector_.bytes();
  return m;
}

template class Simulation<2>;
template class Simulation<3>;

}  // namespace moreau

// From the forces of the contacts to accelerations, and to the state at the end of the step.
#include <algorithm>
#include <cmath>

#include "moreau/base/parallel.hpp"
#include "moreau/engines/soft/correct_bodies.hpp"
#include "moreau/engines/soft/soft_engine.hpp"

namespace moreau::inline engines {

namespace {
constexpr std::size_t body_chunk = 512;
}

template <int D>
typename SoftEngine<D>::BodySums& SoftEngine<D>::BodySums::operator+=(const BodySums& o) {
  resultant += o.resultant, mass += o.mass, speeds += o.speeds, kinetic += o.kinetic, potential += o.potential;
  dissipated_power += o.dissipated_power, wall_power += o.wall_power;
  finite &= o.finite;
  fastest = std::max(fastest, o.fastest);
  return *this;
}

// What the contacts give to every body. One thread has added it up on its way through the contacts; several go through the
// bodies, each with its contacts in the same order (body_contacts.hpp): the contacts in which a body is the second have lower
// first bodies, and come before those in which it is the first. The bits are the same.
template <int D>
void SoftEngine<D>::sum_pushes(std::size_t bodies) {
  if (summed_) return;
  of_bodies_.list(touching_.found, bodies);
  for_chunks(bodies, body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      soft::sum_pushes(push_.data(), of_bodies_.begin(i), of_bodies_.end(i), touching_.row[i], touching_.row[i + 1],
                       body_push_[i]);
  });
}

// The moment of a contact about the centre of each of its two bodies is - r n x f.
template <int D>
typename SoftEngine<D>::BodySums SoftEngine<D>::accelerate(const Model<D>& model, State<D>& state, double time, bool correcting) {
  Bodies<D>& bodies = state.bodies;
  Integration<D>& kept = state.integration;
  const double h = model.time_step;
  sum_pushes(bodies.size());
  soft::Correction<D> c{};
  c.mass = bodies.parameters.mass.data(), c.inertia = bodies.parameters.inertia.data();
  c.inverse_mass = inverse_mass_.data(), c.lever = lever_.data();
  c.push = body_push_.data();
  c.position = bodies.state.position.data(), c.velocity = bodies.state.velocity.data(), c.spin = bodies.state.spin.data();
  c.remainder = kept.remainder.data();
  c.acceleration = kept.acceleration.data(), c.spin_acceleration = kept.spin_acceleration.data();
  c.gravity = model.gravity_at(time), c.centre = centre_, c.gradient_rate = apparatus_.gradient_rate(),
  c.affine = apparatus_.yields();
  c.rate = 1.0 / h, c.drag = model.damping;
  if (correcting) {
    if (scheme_.keeps_jerk()) c.jerk = kept.jerk.data(), c.spin_jerk = kept.spin_jerk.data();
    c.to_position = scheme_.position * h * h, c.to_velocity = scheme_.velocity * h, c.to_jerk = scheme_.jerk / h;
  }
  return reduce_chunks<BodySums>(bodies.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
    soft::MotionSums m;
    correct_bodies(c, begin, end, m);
    BodySums s;
    s.resultant = m.resultant, s.mass = m.mass, s.fastest = std::sqrt(m.fastest), s.speeds = m.speeds;
    s.kinetic = m.kinetic, s.potential = m.potential, s.dissipated_power = m.dissipated_power, s.wall_power = m.wall_power;
    s.finite = std::isfinite(m.kinetic) && std::isfinite(m.potential);  // a position that is not makes the potential so too
    return s;
  });
}

template typename SoftEngine<2>::BodySums SoftEngine<2>::accelerate(const Model<2>&, State<2>&, double, bool);
template typename SoftEngine<3>::BodySums SoftEngine<3>::accelerate(const Model<3>&, State<3>&, double, bool);

}  // namespace moreau::inline engines

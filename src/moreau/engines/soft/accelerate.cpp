// From the forces of the contacts to accelerations, and to the state at the end of the step.
#include <algorithm>

#include "moreau/base/parallel.hpp"
#include "moreau/dynamics/body_energy.hpp"
#include "moreau/engines/soft/soft_engine.hpp"

namespace moreau {

namespace {
constexpr std::size_t body_chunk = 512;
}

template <int D>
typename SoftEngine<D>::BodySums& SoftEngine<D>::BodySums::operator+=(const BodySums& o) {
  resultant += o.resultant, mass += o.mass, speeds += o.speeds, kinetic += o.kinetic, potential += o.potential;
  dissipated_power += o.dissipated_power, wall_power += o.wall_power;
  free += o.free, present += o.present, finite &= o.finite;
  fastest = std::max(fastest, o.fastest);
  return *this;
}

// The forces on a body are summed in the order of its contacts (body_contacts.hpp), whoever does it. The moment of a contact about
// the centre of each of its two bodies is - r n x f.
template <int D>
typename SoftEngine<D>::BodySums SoftEngine<D>::accelerate(const Model<D>& model, State<D>& state, double time, bool correcting) {
  Bodies<D>& bodies = state.bodies;
  Integration<D>& kept = state.integration;
  const ContactTable<D>& table = state.contacts;
  const double h = model.time_step, rate = 1.0 / h, drag = model.damping;
  const Vec<D> gravity = model.gravity_at(time);
  const bool turning = needs_.tangential != soft::Tangential::none, affine = apparatus_.yields(), jerky = scheme_.keeps_jerk();
  const Matrix<D>& gradient_rate = apparatus_.gradient_rate();
  return reduce_chunks<BodySums>(bodies.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
    BodySums s;
    for (std::size_t i = begin; i < end; ++i) {
      s.present += bodies.is_present(i) ? 1 : 0;
      if (!bodies.is_free(i)) continue;
      Vec<D> impulse{};
      Spin<D> twist{};
      for (const std::uint32_t* c = of_bodies_.begin(i); c != of_bodies_.end(i); ++c) {
        impulse -= table.impulse[*c];
        if (turning) twist -= moment(table.normal[*c], table.impulse[*c]);
      }
      for (std::uint32_t c = detector_.row[i]; c < detector_.row[i + 1]; ++c) {
        impulse += table.impulse[c];
        if (turning) twist -= moment(table.normal[c], table.impulse[c]);
      }
      const double m = bodies.parameters.mass[i];
      const Vec<D> pulled = (rate * inverse_mass_[i]) * impulse + gravity;
      Vec<D>& v = bodies.state.velocity[i];
      Spin<D>& spin = bodies.state.spin[i];
      Vec<D> acceleration = pulled;
      Spin<D> spin_acceleration = (rate * bodies.parameters.radius[i] / bodies.parameters.inertia[i]) * twist;
      if (drag > 0.0) {
        acceleration -= drag * v, spin_acceleration -= drag * spin;
        s.dissipated_power += 2.0 * drag * kinetic_energy(bodies, i);
      }
      if (affine) {
        const Vec<D> carried = gradient_rate * (bodies.state.position[i] - centre_);
        acceleration += carried;
        s.wall_power += m * dot(carried, v);
      }
      if (correcting) {
        const Vec<D> error = acceleration - kept.acceleration[i];
        const Spin<D> spin_error = spin_acceleration - kept.spin_acceleration[i];
        v += (scheme_.velocity * h) * error, spin += (scheme_.velocity * h) * spin_error;
        if (jerky) {
          soft::add_exactly(bodies.state.position[i], kept.remainder[i], (scheme_.position * h * h) * error);
          kept.jerk[i] += (scheme_.jerk * rate) * error, kept.spin_jerk[i] += (scheme_.jerk * rate) * spin_error;
        }
      }
      kept.acceleration[i] = acceleration, kept.spin_acceleration[i] = spin_acceleration;
      s.finite &= is_finite(v) && is_finite(spin);
      s.resultant += m * norm(pulled);
      s.mass += m;
      const double speed = norm(v);
      s.fastest = std::max(s.fastest, speed), s.speeds += speed;
      ++s.free;
      s.kinetic += kinetic_energy(bodies, i);
      s.potential += potential_energy(bodies, i, gravity);
    }
    return s;
  });
}

template typename SoftEngine<2>::BodySums SoftEngine<2>::accelerate(const Model<2>&, State<2>&, double, bool);
template typename SoftEngine<3>::BodySums SoftEngine<3>::accelerate(const Model<3>&, State<3>&, double, bool);

}  // namespace moreau

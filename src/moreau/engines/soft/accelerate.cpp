// From the forces of the contacts to accelerations, and to the state at the end of the step.
#include <algorithm>
#include <cmath>

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

// Impulse of the contacts on every body, and - sum of n x impulse. One thread goes through the contacts; several go through the
// bodies, each with its contacts in the same order (body_contacts.hpp): the contacts in which a body is the second have lower
// first bodies, and come before those in which it is the first. The bits are the same.
template <int D>
template <bool turning>
void SoftEngine<D>::sum_pushes(const ContactTable<D>& table, std::size_t bodies) {
  const std::vector<FoundContact>& found = touching_.found;
  if (oneapi::tbb::this_task_arena::max_concurrency() <= 1) {
    impulse_.assign(bodies, {}), body_twist_.assign(turning ? bodies : 0, {});
    for (std::size_t c = 0; c < found.size(); ++c) {
      const std::size_t a = static_cast<std::size_t>(found[c].a);
      impulse_[a] += table.impulse[c];
      if constexpr (turning) body_twist_[a] += twist_[c];
      if (is_wall(found[c].b)) continue;
      const std::size_t b = static_cast<std::size_t>(found[c].b);
      impulse_[b] -= table.impulse[c];
      if constexpr (turning) body_twist_[b] += twist_[c];
    }
    return;
  }
  of_bodies_.list(found, bodies);
  impulse_.resize(bodies), body_twist_.resize(turning ? bodies : 0);
  for_chunks(bodies, body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Vec<D> impulse{};
      Spin<D> twist{};
      for (const std::uint32_t* c = of_bodies_.begin(i); c != of_bodies_.end(i); ++c) {
        impulse -= table.impulse[*c];
        if constexpr (turning) twist += twist_[*c];
      }
      for (std::uint32_t c = touching_.row[i]; c < touching_.row[i + 1]; ++c) {
        impulse += table.impulse[c];
        if constexpr (turning) twist += twist_[c];
      }
      impulse_[i] = impulse;
      if constexpr (turning) body_twist_[i] = twist;
    }
  });
}

// The moment of a contact about the centre of each of its two bodies is - r n x f.
template <int D>
typename SoftEngine<D>::BodySums SoftEngine<D>::accelerate(const Model<D>& model, State<D>& state, double time, bool correcting) {
  Bodies<D>& bodies = state.bodies;
  Integration<D>& kept = state.integration;
  const double h = model.time_step, rate = 1.0 / h, drag = model.damping;
  const double to_velocity = correcting ? scheme_.velocity * h : 0.0, to_jerk = scheme_.jerk * rate;
  const Vec<D> gravity = model.gravity_at(time);
  const bool affine = apparatus_.yields(), jerky = correcting && scheme_.keeps_jerk();
  const Matrix<D>& gradient_rate = apparatus_.gradient_rate();
  const bool turning_matters = needs_.tangential != soft::Tangential::none;
  if (turning_matters)
    sum_pushes<true>(state.contacts, bodies.size());
  else
    sum_pushes<false>(state.contacts, bodies.size());
  return reduce_chunks<BodySums>(bodies.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
    BodySums s;
    double fastest = 0.0;  // square
    for (std::size_t i = begin; i < end; ++i) {
      s.present += bodies.is_present(i) ? 1 : 0;
      if (!bodies.is_free(i)) {
        kept.acceleration[i] = {}, kept.spin_acceleration[i] = {};
        continue;
      }
      const Spin<D> twist = turning_matters ? body_twist_[i] : Spin<D>{};
      const double m = bodies.parameters.mass[i], inertia = bodies.parameters.inertia[i];
      const Vec<D> pulled = (rate * inverse_mass_[i]) * impulse_[i] + gravity;
      Vec<D> v = bodies.state.velocity[i], acceleration = pulled;
      Spin<D> spin = bodies.state.spin[i], spin_acceleration = (rate * lever_[i]) * twist;
      if (drag > 0.0) {
        acceleration -= drag * v, spin_acceleration -= drag * spin;
        s.dissipated_power += drag * (m * dot(v, v) + inertia * dot(spin, spin));
      }
      if (affine) {
        const Vec<D> carried = gradient_rate * (bodies.state.position[i] - centre_);
        acceleration += carried;
        s.wall_power += m * dot(carried, v);
      }
      const Vec<D> error = acceleration - kept.acceleration[i];
      const Spin<D> spin_error = spin_acceleration - kept.spin_acceleration[i];
      v += to_velocity * error, spin += to_velocity * spin_error;
      if (jerky) {
        soft::add_exactly(bodies.state.position[i], kept.remainder[i], (scheme_.position * h * h) * error);
        kept.jerk[i] += to_jerk * error, kept.spin_jerk[i] += to_jerk * spin_error;
      }
      bodies.state.velocity[i] = v, bodies.state.spin[i] = spin;
      kept.acceleration[i] = acceleration, kept.spin_acceleration[i] = spin_acceleration;
      const double square = dot(v, v), turning = inertia * dot(spin, spin);
      s.resultant += m * norm(pulled);
      s.mass += m;
      s.speeds += std::sqrt(square);
      fastest = std::max(fastest, square);
      ++s.free;
      s.kinetic += 0.5 * (m * square + turning);
      s.potential += potential_energy(bodies, i, gravity);
    }
    s.fastest = std::sqrt(fastest);
    s.finite = std::isfinite(s.kinetic) && std::isfinite(s.potential);  // a position that is not finite makes the potential so too
    return s;
  });
}

template typename SoftEngine<2>::BodySums SoftEngine<2>::accelerate(const Model<2>&, State<2>&, double, bool);
template typename SoftEngine<3>::BodySums SoftEngine<3>::accelerate(const Model<3>&, State<3>&, double, bool);

}  // namespace moreau

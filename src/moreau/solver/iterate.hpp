// What sweeps work on: velocities of the bodies, contacts of all kinds in packs, colour after colour, and where the sweep before
// ended.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "moreau/solver/packs.hpp"
#include "moreau/solver/partners.hpp"
#include "moreau/solver/round_arithmetic.hpp"
#include "moreau/solver/units.hpp"

namespace moreau::inline solver {

template <int D, class Real_>
class Iterate {
 public:
  using Real = Real_;
  using Body = SolverBody<D, Real>;

  Units units;
  std::vector<Body> bodies;             // by slot; one more than there are bodies: the last one stands for `none`
  std::vector<Turning<Real>> turnings;  // likewise; empty in the plane, and where no contact asks for it
  AllPacks<D, Real> packs;
  std::size_t colours = 0;
  Partners<D>* partners = nullptr;  // ranks that sweep with us; null: none

  std::size_t body_count() const { return bodies.size() - 1; }
  std::int32_t none() const { return static_cast<std::int32_t>(body_count()); }

  // One relaxation of every contact. Measured: the residual that each had just before, in the units of the problem. In double
  // precision only, as the next two.
  void sweep(double relaxation) requires std::same_as<Real, double>;
  Measured measuring_sweep(double relaxation) requires std::same_as<Real, double>;
  // Residuals as they are; nothing changes.
  Measured measure() const requires std::same_as<Real, double>;
  // u <- u + A^-1 sum G^T P.
  void apply() requires std::same_as<Real, double>;

  // A sweep from x + extrapolation (x - x_last), x what the last sweep led to, x_last the one before it; impulses and velocities
  // alike: u depends on P linearly, so that u = u_free + A^-1 sum G^T P goes on to hold. Velocities of the bodies `touched` are
  // carried on first; each impulse when its contact comes. Residuals are measured if `fully`, else only the energy of the
  // corrections. `start_extrapolation`: what the sweeps have led to so far becomes x_last.
  void start_extrapolation(std::span<const std::uint32_t> touched);
  void extrapolate(std::span<const std::uint32_t> touched, double extrapolation);
  Measured accelerated_sweep(double relaxation, double extrapolation, bool fully);

  // The square of the kinetic norm of what u has changed by since the last call, or since start_changes(). In single precision
  // only.
  void start_changes(std::span<const std::uint32_t> touched);
  double change(std::span<const std::uint32_t> touched) requires std::same_as<Real, float>;

  void publish() { partners->publish(velocities()); }

  std::size_t body_bytes() const {
    return bodies.capacity() * sizeof(Body) + turnings.capacity() * sizeof(Turning<Real>) +
           (body_last_.capacity() + body_then_.capacity()) * sizeof(BodyRow<Real>);
  }
  std::size_t contact_bytes() const { return packs.bytes(); }

 private:
  SweptBodies<D, Real> swept() const {
    return {const_cast<Body*>(bodies.data()), turnings.empty() ? nullptr : turnings.data(), none()};
  }
  template <class SweepOf>
  Measured over_colours(SweepOf&& sweep_of);
  // `afresh`: velocities are those without contacts.
  template <class Part>
  void for_colours(bool afresh, Part&& part);
  VelocityRows velocities() const {
    return {reinterpret_cast<std::byte*>(const_cast<Body*>(bodies.data())), sizeof(Body), sizeof(Body::velocity), sizeof(Real)};
  }
  template <class Packs>
  void weigh_overflow(const Packs& packs, MeasuredSums<Real>& measured) const;

  // What the sweep before the last one led to: first eight numbers of the bodies.
  std::vector<BodyRow<Real>> body_last_;
  std::vector<BodyRow<Real>> body_then_;  // of start_changes
  void copy_bodies(std::span<const std::uint32_t> touched, std::vector<BodyRow<Real>>& to) const;
};

}  // namespace moreau::inline solver

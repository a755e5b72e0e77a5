// What sweeps work on: velocities of the bodies, contacts in blocks, colour after colour, and where the sweep before ended.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "moreau/solver/sweep.hpp"
#include "moreau/solver/units.hpp"

namespace moreau {

template <class Kind>
class Iterate {
 public:
  using Real = typename Kind::Real;
  using Body = typename Kind::Body;
  using Block = typename Kind::Block;

  Units units;
  std::vector<Body> bodies;  // by slot; one more than there are bodies: the last one stands for `none`
  std::vector<Block> blocks;
  std::vector<std::uint32_t> colour_end;  // blocks of colour c: colour_end[c - 1] ... colour_end[c] - 1
  // Blocks from here on may share bodies (mass_splitting.hpp) and are swept in order, on one thread; their 1 / H_NN with the
  // masses as they are.
  std::size_t overflow_begin = 0;
  std::vector<RowOf<Real>> overflow_inverse_normal;

  std::size_t body_count() const { return bodies.size() - 1; }
  std::int32_t none() const { return static_cast<std::int32_t>(body_count()); }

  // One relaxation of every contact. Measured: the residual that each had just before, in the units of the problem.
  void sweep(double relaxation);
  Measured measuring_sweep(double relaxation);
  // Residuals as they are; nothing changes.
  Measured measure() const;
  // u <- u + A^-1 sum G^T P.
  void apply();

  // A sweep from x + momentum (x - x_last), x what the last sweep led to, x_last the one before it; impulses and velocities
  // alike: u depends on P linearly, so that u = u_free + A^-1 sum G^T P goes on to hold. Velocities of the bodies `touched` are
  // carried on first; each impulse when its contact comes. Residuals are measured if `fully`, else only the energy of the
  // corrections. `start_momentum`: what the sweeps have led to so far becomes x_last.
  void start_momentum(std::span<const std::uint32_t> touched);
  void carry(std::span<const std::uint32_t> touched, double momentum);
  Measured sweep_on(double relaxation, double momentum, bool fully);

  // The square of the kinetic norm of what u has changed by since the last call, or since start_changes(). Round bodies in single
  // precision only.
  void start_changes(std::span<const std::uint32_t> touched);
  double change(std::span<const std::uint32_t> touched) requires std::same_as<Real, float>;

  std::size_t body_bytes() const {
    return bodies.capacity() * sizeof(Body) + (body_last_.capacity() + body_then_.capacity()) * sizeof(BodyRow<Real>);
  }
  std::size_t contact_bytes() const {
    return blocks.capacity() * sizeof(Block) +
           (impulse_last_.capacity() + overflow_inverse_normal.capacity()) * sizeof(RowOf<Real>);
  }

 private:
  template <class Part, class Crowded>
  Measured over_colours(Part&& part, Crowded&& crowded);
  template <class Part>
  void for_colours(Part&& part);
  void sweep_overflow(double relaxation, double momentum, RowOf<Real>* last, bool fully, Measured& measured);
  void weigh_overflow(Measured& measured) const;

  // What the sweep before the last one led to: impulses as in the blocks, first eight numbers of the bodies.
  std::vector<RowOf<Real>> impulse_last_;
  std::vector<BodyRow<Real>> body_last_;
  std::vector<BodyRow<Real>> body_then_;  // of start_changes
  void copy_bodies(std::span<const std::uint32_t> touched, std::vector<BodyRow<Real>>& to) const;
};

}  // namespace moreau

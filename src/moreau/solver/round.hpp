// Bodies and contacts of a problem where every body is round (disc, ball), laid out for speed.
//
// The local operator H = G A^-1 G^T is h_N along the normal n and h_T in the tangent plane, without coupling. Spins are stored
// multiplied by the radius (a velocity): then G u = v_a - v_b - (s_a + s_b) x n needs no radius, and an impulse P on a changes
//   v_a by P/m_a,   s_a by -(r_a^2/I_a) n x P;       v_b by -P/m_b,   s_b by -(r_b^2/I_b) n x P.
#pragma once

#include <cstdint>
#include <span>

#include "moreau/base/lanes.hpp"
#include "moreau/bodies/bodies.hpp"
#include "moreau/geometry/pose.hpp"
#include "moreau/geometry/tangent.hpp"
#include "moreau/solver/occurrences.hpp"
#include "moreau/solver/step_system.hpp"
#include "moreau/solver/velocity.hpp"

namespace moreau {

template <int D, class Real = double>
struct alignas(8 * sizeof(Real)) RoundBody {  // in double precision one cache line
  Real velocity[velocity_dimension<D>];       // of the centre, then of the rim: radius times spin
  Real inverse_mass;
  Real inverse_rolling;  // r^2 / I
};

// Eight contacts of one colour (sixteen in single precision); unused lanes have a = b = none and zero normal.
template <int D, class Real = double>
struct alignas(lane_bytes) RoundBlock {
  static constexpr int lanes = lanes_of<Real>;
  Real normal[D][lanes];
  Real impulse[D][lanes];
  Real bias[D][lanes];
  Real inverse_normal[lanes];   // 1 / h_N
  Real inverse_tangent[lanes];  // 1 / h_T
  Real friction[lanes];
  std::int32_t a[lanes], b[lanes];
};

// What sweeps in single precision work on (single_form.hpp).
template <int D>
struct SingleRound {
  static constexpr int dimension = D, rows = D;
  using Real = float;
  using Body = RoundBody<D, float>;
  using Block = RoundBlock<D, float>;
};

template <int D>
struct RoundContact {
  Vec<D> normal{};   // towards the first body
  Vec<D> impulse{};  // starting value, on the first body
  Vec<D> bias{};     // rho G_N u_i + (1 + rho) W_N along n, tau G_T u_i + (1 + tau) W_T across (Moreau 2003, sec. 7.3)
  double friction = 0.0;
  double compliance = 0.0;  // added to H: of the motions that the contact shares (shared_motion.hpp)
};

template <int D>
struct Round {
  static constexpr int dimension = D, rows = D;  // rows: unknowns of a contact
  using Real = double;
  using Single = SingleRound<D>;
  using Body = RoundBody<D>;
  using Block = RoundBlock<D>;
  using Contact = RoundContact<D>;

  static Body moving_body(const Bodies<D>& bodies, std::size_t i, std::span<const Pose<D>>) {
    Body body{};
    const double r = bodies.parameters.radius[i];
    body.inverse_mass = 1.0 / bodies.parameters.mass[i];
    body.inverse_rolling = r * r / bodies.parameters.inertia[i];
    return body;
  }

  static VelocityOf<D> free_velocity(const Bodies<D>& bodies, std::size_t i, const Vec<D>& gained) {
    VelocityOf<D> v;
    const double r = bodies.parameters.radius[i];
    for (int d = 0; d < D; ++d) v.c[d] = bodies.state.velocity[i][d] + gained[d];
    for (int d = 0; d < spin_dimension<D>; ++d) v.c[D + d] = r * bodies.state.spin[i][d];
    return v;
  }

  static Spin<D> spin(const Body& body, const Bodies<D>& bodies, std::size_t i) {
    Spin<D> spin;
    for (int d = 0; d < spin_dimension<D>; ++d) spin[d] = body.velocity[D + d] / bodies.parameters.radius[i];
    return spin;
  }

  // m |v|^2 + I |spin|^2 of a difference of velocities.
  static double kinetic_square(const Body& body, const VelocityOf<D>& difference) {
    double v = 0.0, s = 0.0;
    for (int d = 0; d < D; ++d) v += difference.c[d] * difference.c[d];
    for (int d = D; d < velocity_dimension<D>; ++d) s += difference.c[d] * difference.c[d];
    return v / body.inverse_mass + s / body.inverse_rolling;
  }

  static void pack(Block& block, int lane, const Body& a, const Body& b, const Contact& contact) {
    const double normal = a.inverse_mass + b.inverse_mass + contact.compliance;
    for (int d = 0; d < D; ++d) {
      block.normal[d][lane] = contact.normal[d];
      block.impulse[d][lane] = contact.impulse[d];
      block.bias[d][lane] = contact.bias[d];
    }
    block.inverse_normal[lane] = 1.0 / normal;
    block.inverse_tangent[lane] = 1.0 / (normal + a.inverse_rolling + b.inverse_rolling);
    block.friction[lane] = contact.friction;
  }

  // The bodies of the contact count k.a and k.b times in its operator, where it counted them once (mass_splitting.hpp).
  static void split(Block& block, int lane, const Body& a, const Body& b, Occurrences k) {
    const double normal = (k.a - 1) * a.inverse_mass + (k.b - 1) * b.inverse_mass;
    const double rolling = (k.a - 1) * a.inverse_rolling + (k.b - 1) * b.inverse_rolling;
    block.inverse_normal[lane] = 1.0 / (1.0 / block.inverse_normal[lane] + normal);
    block.inverse_tangent[lane] = 1.0 / (1.0 / block.inverse_tangent[lane] + normal + rolling);
  }

  // Lanes without contact: they relax to zero.
  static void make_neutral(Block& block) {
    block = Block{};
    for (int l = 0; l < lanes; ++l) block.inverse_normal[l] = block.inverse_tangent[l] = 1.0;
  }

  // A vector in the frame in which the block keeps impulse and bias: that of the laboratory.
  static Vec<D> in_frame(const Block&, std::size_t, const Vec<D>& v) { return v; }

  static Vec<D> impulse(const Block& block, std::size_t lane) {
    Vec<D> p;
    for (int d = 0; d < D; ++d) p[d] = block.impulse[d][lane];
    return p;
  }

  // For the error estimate and the finishing solver. With the rim's velocity instead of the spin all radii are 1.
  static ContactRow<D> row(const Block& block, std::size_t lane) {
    ContactRow<D> row;
    Vec<D> n, p, b;
    for (int d = 0; d < D; ++d) n[d] = block.normal[d][lane], p[d] = block.impulse[d][lane], b[d] = block.bias[d][lane];
    row.frame[0] = n, row.arm_a = -n, row.arm_b = n, row.friction = block.friction[lane];
    if constexpr (D == 2)
      row.frame[1] = {{-n[1], n[0]}};
    else
      row.frame[1] = any_tangent(n), row.frame[2] = cross(n, row.frame[1]);
    for (int k = 0; k < D; ++k) row.bias[k] = dot(row.frame[k], b), row.impulse[k] = dot(row.frame[k], p);
    return row;
  }
  static StepBody<D> step_body(const Body& body, const VelocityOf<D>& free) {
    StepBody<D> r;
    r.inverse_mass = body.inverse_mass;
    for (int d = 0; d < spin_dimension<D>; ++d) r.inverse_inertia[d][d] = body.inverse_rolling;
    for (int d = 0; d < velocity_dimension<D>; ++d) r.free_velocity[d] = free.c[d];
    return r;
  }
  static void set_impulse(Block& block, std::size_t lane, const StepContact<D>& contact) {
    for (int d = 0; d < D; ++d) {
      block.impulse[d][lane] = 0.0;
      for (int k = 0; k < D; ++k) block.impulse[d][lane] += contact.impulse[k] * contact.frame[k][d];
    }
  }
};

}  // namespace moreau

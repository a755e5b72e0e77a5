// Kinds of contact (solver/contact_kind.hpp) as the loops of a card see them, and the arithmetic of one contact of each, which a
// thread holds in its registers. The arithmetic itself is that of the solver's packs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "moreau/gpu/atomic.hpp"
#include "moreau/law/coulomb_round.hpp"
#include "moreau/solver/general_round_arithmetic.hpp"
#include "moreau/solver/round_arithmetic.hpp"
#include "moreau/solver/round_pack.hpp"
#include "moreau/solver/shaped_arithmetic.hpp"
#include "moreau/solver/shaped_pack.hpp"

namespace moreau::gpu {

// The eight numbers of a body (solver_body.hpp).
template <class Real>
struct alignas(16) Row {
  Real c[8];
};

template <int D>
struct RoundThere {
  static constexpr int dimension = D, rows = D;  // rows: unknowns of a contact
  static constexpr ContactKind kind = ContactKind::round;
  template <class Real>
  using PackOf = RoundPack<D, Real>;
  template <class F, class... B>
  MOREAU_INLINE static void each_row(F&& f, B&... pack) {
    each_row_of_round<D>(f, pack...);
  }
};
template <int D, bool rolls_>
struct GeneralRoundThere {
  static constexpr bool rolls = rolls_;
  static constexpr int dimension = D, rows = general_round_rows<D, rolls>;
  static constexpr ContactKind kind = rolls ? ContactKind::round_rolling : ContactKind::round_law;
  template <class Real>
  using PackOf = GeneralRoundPack<D, rolls, Real>;
  template <class F, class... B>
  MOREAU_INLINE static void each_row(F&& f, B&... pack) {
    each_row_of_general_round<D, rolls>(f, pack...);
  }
};

template <int D>
struct ShapedThere {
  static constexpr int dimension = D, rows = D;
  static constexpr ContactKind kind = ContactKind::shaped;
  template <class Real>
  using PackOf = ShapedPack<D, Real>;
  template <class F, class... B>
  MOREAU_INLINE static void each_row(F&& f, B&... pack) {
    each_row_of_shaped<D>(f, pack...);
  }
};

// Problems are swept by loops made for the kinds that are in them.
template <class... Kind>
struct KindSet {};
template <int D>
using OnlyRound = KindSet<RoundThere<D>>;
template <int D>
using RoundKinds = KindSet<RoundThere<D>, GeneralRoundThere<D, false>, GeneralRoundThere<D, true>>;
template <int D>
using AllKinds = KindSet<RoundThere<D>, GeneralRoundThere<D, false>, GeneralRoundThere<D, true>, ShapedThere<D>>;

// Rows of a pack that may be written while a loop reads ahead (loops.hpp).
template <int rows, class Real, class Lanes>
MOREAU_INLINE Vec<rows, Real> read_rows(const Lanes& of, std::size_t l) {
  Vec<rows, Real> v;
  for (int d = 0; d < rows; ++d) v[d] = read_through(&of[d][l]);
  return v;
}

// Bodies are given by their numbers, and what turns them by what turning() finds. `lawful`: with what the law asks for; else only
// what impulses push.
template <class Kind, class Real>
struct OneContact;
struct TurnedByRolling {};  // all is in the numbers of the bodies

template <int D, class Real>
struct OneContact<RoundThere<D>, Real> {
  std::int32_t a, b;
  Vec<D, Real> normal, impulse, bias;
  Real inverse_normal, inverse_tangent, friction;

  template <bool lawful>
  MOREAU_INLINE void read(const RoundPack<D, Real>& pack, std::size_t l) {
    a = pack.a[l], b = pack.b[l];
    for (int d = 0; d < D; ++d) normal[d] = pack.normal[d][l];
    impulse = read_rows<D, Real>(pack.impulse, l);
    if constexpr (lawful) {
      bias = read_rows<D, Real>(pack.bias, l);  // pistons change it
      inverse_normal = pack.inverse_normal[l], inverse_tangent = pack.inverse_tangent[l], friction = pack.friction[l];
    }
  }
  MOREAU_INLINE Vec<D, Real> solved(const Real (&of_a)[8], const Real (&of_b)[8], const Vec<D, Real>& p, Real relaxation) const {
    return coulomb_round(normal, round_velocity(bias, of_a, of_b, normal), p, inverse_normal, inverse_tangent, friction,
                         relaxation);
  }
  MOREAU_INLINE Real residual(const Vec<D, Real>& change) const {
    return round_residual(change, normal, inverse_normal, inverse_tangent);
  }
  MOREAU_INLINE Real normal_part(const Vec<D, Real>& p) const { return dot(normal, p); }
  MOREAU_INLINE TurnedByRolling turning(const Row<Real>*, const Real (&)[8], const Real (&)[8]) const { return {}; }
  MOREAU_INLINE void push(Real (&of_a)[8], Real (&of_b)[8], TurnedByRolling, const Vec<D, Real>& change) const {
    push_round(of_a, of_b, normal, change);
  }
};

template <int D, bool rolls, class Real>
struct OneContact<GeneralRoundThere<D, rolls>, Real> {
  static constexpr int rows = general_round_rows<D, rolls>;
  std::int32_t a, b;
  Vec<D, Real> normal;
  Vec<rows, Real> impulse, bias;
  GeneralRoundLaw<D, rolls, Real> law;
  Real inverse_normal;

  template <bool lawful>
  MOREAU_INLINE void read(const GeneralRoundPack<D, rolls, Real>& pack, std::size_t l) {
    a = pack.a[l], b = pack.b[l];
    for (int d = 0; d < D; ++d) normal[d] = pack.normal[d][l];
    impulse = read_rows<rows, Real>(pack.impulse, l);
    if constexpr (rolls) law.turn_a = pack.turn_a[l], law.turn_b = pack.turn_b[l];
    if constexpr (lawful) {
      bias = read_rows<rows, Real>(pack.bias, l);
      inverse_normal = law.inverse_normal = pack.inverse_normal[l], law.inverse_tangent = pack.inverse_tangent[l];
      law.bound = {pack.friction[l], pack.shear[l], pack.cap[l], pack.tension[l]};
      if constexpr (rolls)
        law.inverse_turning = pack.inverse_turning[l], law.rolling = pack.rolling[l], law.pivoting = pack.pivoting[l];
    }
  }
  MOREAU_INLINE Vec<rows, Real> solved(const Real (&of_a)[8], const Real (&of_b)[8], const Vec<rows, Real>& p,
                                       Real relaxation) const {
    return solved_general_round<D, rolls>(law, normal, bias, of_a, of_b, p, relaxation);
  }
  MOREAU_INLINE Real residual(const Vec<rows, Real>& change) const {
    return general_round_residual<D, rolls>(law, normal, change);
  }
  MOREAU_INLINE Real normal_part(const Vec<rows, Real>& p) const { return dot(normal, force_of<D>(p)); }
  MOREAU_INLINE TurnedByRolling turning(const Row<Real>*, const Real (&)[8], const Real (&)[8]) const { return {}; }
  MOREAU_INLINE void push(Real (&of_a)[8], Real (&of_b)[8], TurnedByRolling, const Vec<rows, Real>& change) const {
    push_round(of_a, of_b, normal, force_of<D>(change));
    if constexpr (rolls) push_couple<D>(of_a, of_b, law.turn_a, law.turn_b, change);
  }
};

template <int D, class Real>
struct OneContact<ShapedThere<D>, Real> {
  std::int32_t a, b;
  ShapedFrame<D, Real> frame;
  Vec<D, Real> impulse, bias;
  FrameOperatorOf<D, Real> H;
  Real inverse_normal, friction;

  template <bool lawful>
  MOREAU_INLINE void read(const ShapedPack<D, Real>& pack, std::size_t l) {
    a = pack.a[l], b = pack.b[l];
    for (int d = 0; d < D; ++d)
      frame.normal[d] = pack.normal[d][l], frame.arm_a[d] = pack.arm_a[d][l], frame.arm_b[d] = pack.arm_b[d][l];
    if constexpr (D == 3)
      for (int d = 0; d < D; ++d) frame.tangent[d] = pack.tangent[d][l];
    else
      frame.tangent[0] = -frame.normal[1], frame.tangent[1] = frame.normal[0];
    impulse = read_rows<D, Real>(pack.impulse, l);
    if constexpr (lawful) {
      bias = read_rows<D, Real>(pack.bias, l);
      inverse_normal = H.inverse_normal = pack.inverse_normal[l], friction = pack.friction[l];
      for (int i = 0; i < D - 1; ++i) H.coupling[i] = pack.coupling[i][l], H.schur[i] = pack.schur[i][l];
    }
  }
  struct Turning {
    InverseInertia<D, Real> a, b;
  };
  MOREAU_INLINE Turning turning(const Row<Real>* turnings, const Real (&of_a)[8], const Real (&of_b)[8]) const {
    Turning t;
    if constexpr (D == 2)
      t.a.i[0] = of_a[velocity_dimension<D> + 1], t.b.i[0] = of_b[velocity_dimension<D> + 1];
    else
      for (int k = 0; k < 6; ++k) t.a.i[k] = turnings[a].c[k], t.b.i[k] = turnings[b].c[k];
    return t;
  }
  MOREAU_INLINE Vec<D, Real> solved(const Real (&of_a)[8], const Real (&of_b)[8], const Vec<D, Real>& p, Real relaxation) const {
    return solved_shaped<D, Real>(frame, H, friction, bias, of_a, of_b, p, relaxation);
  }
  MOREAU_INLINE Real residual(const Vec<D, Real>& change) const {
    const Vec<D, Real> velocity = H * change;
    return dot(velocity, velocity);
  }
  MOREAU_INLINE Real normal_part(const Vec<D, Real>& p) const { return p[0]; }
  MOREAU_INLINE void push(Real (&of_a)[8], Real (&of_b)[8], const Turning& t, const Vec<D, Real>& change) const {
    frame.push(of_a, of_b, t.a, t.b, change);
  }
};

}  // namespace moreau::gpu

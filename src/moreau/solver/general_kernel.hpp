// The arithmetic of contacts with laws beyond Coulomb's (general_round.hpp, general.hpp). Where bodies of any shape resist
// rolling, the force under the present couple and the couple under the present force take turns.
#pragma once

#include "moreau/law/bounded_coulomb.hpp"
#include "moreau/solver/general_round_arithmetic.hpp"
#include "moreau/solver/kernels.hpp"

namespace moreau::inline solver {

inline constexpr int rolling_rounds = 4;  // of force and couple in one relaxation

template <class Real>
struct OccurrenceLanes {
  LanesOf<Real> a, b;
  template <class Pack>
  MOREAU_INLINE OccurrenceLanes(const Pack& pack, std::int32_t none) {
    for (int l = 0; l < lanes_of<Real>; ++l) {
      const Occurrences k = occurrences(pack, l, none);
      a[l] = static_cast<Real>(k.a), b[l] = static_cast<Real>(k.b);
    }
  }
};

template <int D, bool rolls, class Real>
struct Kernel<GeneralRound<D, rolls>, Real> {
  static constexpr int rolling = velocity_dimension<D> + 1, rows = GeneralRound<D, rolls>::rows;
  using Many = LanesOf<Real>;
  using Pack = GeneralRoundPack<D, rolls, Real>;
  LineOf<Real> a, b;
  Vec<D, Many> normal;
  Vec<rows, Many> impulse;

  MOREAU_INLINE Kernel(const SweptBodies<D, Real>& bodies, const Pack& pack) {
    a.read(bodies.body, pack.a), b.read(bodies.body, pack.b);
    normal = load_vector<D>(pack.normal), impulse = load_vector<rows>(pack.impulse);
  }

  MOREAU_INLINE static GeneralRoundLaw<D, rolls, Many> law(const Pack& pack) {
    const Many in = load(pack.inverse_normal), it = load(pack.inverse_tangent);
    const RoundBound<Many> bound{load(pack.friction), load(pack.shear), load(pack.cap), load(pack.tension)};
    if constexpr (rolls)
      return {in, it, bound, load(pack.turn_a), load(pack.turn_b), load(pack.inverse_turning), load(pack.rolling), load(pack.pivoting)};
    else
      return {in, it, bound};
  }

  MOREAU_INLINE void split_masses(const Pack& pack, std::int32_t none) {
    const OccurrenceLanes<Real> times(pack, none);
    a.m[rolling] *= times.a, b.m[rolling] *= times.b;
  }

  MOREAU_INLINE Vec<rows, Many> solve(const Pack& pack, Real relaxation) const {
    return solved_general_round<D, rolls>(law(pack), normal, load_vector<rows>(pack.bias), a.m, b.m, impulse, relaxation);
  }

  MOREAU_INLINE void measure(const Pack& pack, const Vec<rows, Many>& solved, LaneSums<Real>& sums) const {
    sums.add(general_round_residual<D, rolls>(law(pack), normal, solved - impulse), load(pack.inverse_normal),
             dot(normal, force_of<D>(impulse)));
  }

  MOREAU_INLINE void push(const Pack& pack, const Vec<rows, Many>& change) {
    push_round(a.m, b.m, normal, force_of<D>(change));
    if constexpr (rolls) push_couple<D>(a.m, b.m, load(pack.turn_a), load(pack.turn_b), change);
  }
};

template <int D, bool rolls, class Real>
struct Kernel<General<D, rolls>, Real> {
  static constexpr int mass = velocity_dimension<D>, turns = spin_dimension<D>, rows = General<D, rolls>::rows;
  using Many = LanesOf<Real>;
  using Mask = LaneMaskOf<Real>;
  using Pack = GeneralPack<D, rolls, Real>;
  LineOf<Real> a, b;
  InertiaLanes<D, Real> inertia_a, inertia_b;
  Vec<D, Many> normal, tangent[D - 1], arm_a, arm_b;
  Vec<rows, Many> impulse;

  MOREAU_INLINE Kernel(const SweptBodies<D, Real>& bodies, const Pack& pack) {
    a.read(bodies.body, pack.a), b.read(bodies.body, pack.b);
    inertia_a.read(bodies, pack.a, a), inertia_b.read(bodies, pack.b, b);
    normal = load_vector<D>(pack.normal), arm_a = load_vector<D>(pack.arm_a), arm_b = load_vector<D>(pack.arm_b);
    for (int i = 0; i < D - 1; ++i) tangent[i] = load_vector<D>(pack.tangent[i]);
    impulse = load_vector<rows>(pack.impulse);
  }

  // bias + G u in the frame, for the velocities in a and b.
  MOREAU_INLINE Vec<D, Many> formal_velocity(const Pack& pack) const {
    const Vec<D, Many> u = velocity_at<D>(a.m, arm_a) - velocity_at<D>(b.m, arm_b);
    Vec<D, Many> w;
    w[0] = load(pack.bias[0]) + dot(normal, u);
    for (int i = 0; i < D - 1; ++i) w[i + 1] = load(pack.bias[i + 1]) + dot(tangent[i], u);
    return w;
  }
  MOREAU_INLINE Spin<D, Many> formal_spin(const Pack& pack) const {
    Spin<D, Many> w;
    const Many turn_a = load(pack.turn_a), turn_b = load(pack.turn_b);
    for (int d = 0; d < turns; ++d) w[d] = load(pack.bias[D + d]) + turn_a * a.m[D + d] - turn_b * b.m[D + d];
    return w;
  }

  // Side by side: contacts whose solution is that of Coulomb's law within the cap, and joints that hold. The lanes that are left
  // are returned.
  MOREAU_INLINE static Mask solved_together(const Pack& pack, const FrameOperator<D, Real>& H, const Vec<D, Many>& v,
                                            Vec<D, Many>& p) {
    const Many zero = Many{}, friction = load(pack.friction), shear = load(pack.shear), cap = load(pack.cap);
    const auto tangent_square = [](const Vec<D, Many>& x) {
      Many square = x[1] * x[1];
      if constexpr (D == 3) square += x[2] * x[2];
      return square;
    };
    const Vec<D, Many> cone = coulomb_frame(v, H, friction, p);
    const Mask plain = (shear == zero) & (tangent_square(cone) <= cap * cap);
    if (!any(~plain)) return p = cone, ~plain;

    // A joint is open only if v_N + k.P_T >= 0 with P_T in its shear strength: where that cannot be, it sticks if it can.
    Vec<D, Many> stick;
    Many coupled = zero, coupling = zero;
    for (int i = 0; i < D - 1; ++i) {
      stick[i + 1] = -(v[i + 1] - H.coupling[i] * H.inverse_normal * v[0]) / H.schur[i];
      coupled += H.coupling[i] * stick[i + 1];
      coupling += H.coupling[i] * H.coupling[i];
    }
    stick[0] = -(v[0] + coupled) * H.inverse_normal;
    const Many bound = shear + friction * stick[0], limit = bound < cap ? bound : cap, loose = shear < cap ? shear : cap;
    const Mask holds =
        (v[0] + square_root(coupling) * loose < zero) & (stick[0] >= zero) & (tangent_square(stick) <= limit * limit);
    for (int d = 0; d < D; ++d) p[d] = plain ? cone[d] : (holds ? stick[d] : p[d]);
    return ~(plain | holds);
  }

  // The force that satisfies its law with all else as it is; `present` is the one under which the velocities stand.
  MOREAU_INLINE Vec<D, Many> solved_force(const Pack& pack, const Vec<rows, Many>& present, Real relaxation) const {
    Vec<D, Many> before;
    for (int d = 0; d < D; ++d) before[d] = present[d];
    before[0] += load(pack.tension);  // seen from the tip of the tension
    const FrameOperator<D, Real> H_all = delassus<D, Real>(pack);
    const Vec<D, Many> v = formal_velocity(pack) - H_all * before;
    Vec<D, Many> p = before;
    const Mask left = solved_together(pack, H_all, v, p);
    if (any(left))
      for (int l = 0; l < lanes_of<Real>; ++l) {
        if (left[l] == 0) continue;
        Vec<D> free;
        FramedDelassus<D> H;
        for (int d = 0; d < D; ++d) free[d] = static_cast<double>(v[d][l]);
        H.inverse_normal = static_cast<double>(pack.inverse_normal[l]);
        for (int i = 0; i < D - 1; ++i)
          H.coupling[i] = static_cast<double>(pack.coupling[i][l]), H.schur[i] = static_cast<double>(pack.schur[i][l]);
        const Vec<D> solved = solve_bounded(
            free, H,
            {static_cast<double>(pack.friction[l]), static_cast<double>(pack.shear[l]), static_cast<double>(pack.cap[l])});
        for (int d = 0; d < D; ++d) p[d][l] = static_cast<Real>(solved[d]);
      }
    if (relaxation != 1) {  // beyond the solution, but not out of the domain
      p = before + (Many{} + relaxation) * (p - before);
      p[0] = maximum(p[0], 0);
      const Many bound = load(pack.shear) + load(pack.friction) * p[0], cap = load(pack.cap);
      const Many least = bound < cap ? bound : cap;
      shorten_tangent<D>(p, least);
    }
    p[0] -= load(pack.tension);
    return p;
  }

  // Each body becomes the part of it that its contacts in the pack have (mass_splitting.hpp).
  MOREAU_INLINE void split_masses(const Pack& pack, std::int32_t none) {
    const OccurrenceLanes<Real> times(pack, none);
    a.m[mass] *= times.a, b.m[mass] *= times.b;
    for (Many& i : inertia_a.i) i *= times.a;
    for (Many& i : inertia_b.i) i *= times.b;
  }

  MOREAU_INLINE Vec<rows, Many> solve(const Pack& pack, Real relaxation) const {
    if constexpr (!rolls) {
      return solved_force(pack, impulse, relaxation);
    } else {
      Kernel now = *this;
      Vec<rows, Many> p = impulse;
      for (int round = 0; round < rolling_rounds; ++round) {
        Vec<rows, Many> change{};
        const Vec<D, Many> force = now.solved_force(pack, p, relaxation);
        for (int d = 0; d < D; ++d) change[d] = force[d] - p[d], p[d] = force[d];
        now.push(pack, change);
        Spin<D, Many> couple;
        for (int d = 0; d < turns; ++d) couple[d] = p[D + d];
        const Many carried = force[0] + load(pack.tension);
        const Spin<D, Many> solved =
            rolling_couple<Many>(normal, now.formal_spin(pack), couple, relaxation * load(pack.inverse_turning),
                                 load(pack.rolling) * carried, load(pack.pivoting) * carried);
        change = {};
        for (int d = 0; d < turns; ++d) change[D + d] = solved[d] - couple[d], p[D + d] = solved[d];
        now.push(pack, change);
      }
      return p;
    }
  }

  MOREAU_INLINE void measure(const Pack& pack, const Vec<rows, Many>& solved, LaneSums<Real>& sums) const {
    const Vec<rows, Many> change = solved - impulse;
    Vec<D, Many> force;
    for (int d = 0; d < D; ++d) force[d] = change[d];
    const Vec<D, Many> residual = delassus<D, Real>(pack) * force;
    Many square = dot(residual, residual);
    if constexpr (rolls) square += couple_residual<D>(load(pack.inverse_turning), change);
    sums.add(square, load(pack.inverse_normal), impulse[0]);
  }

  MOREAU_INLINE void push(const Pack& pack, const Vec<rows, Many>& change) {
    Vec<D, Many> p = change[0] * normal;
    for (int i = 0; i < D - 1; ++i) p += change[i + 1] * tangent[i];
    Spin<D, Many> moment_a = moment(arm_a, p), moment_b = moment(arm_b, p);
    if constexpr (rolls) {
      const Many turn_a = load(pack.turn_a), turn_b = load(pack.turn_b);
      for (int d = 0; d < turns; ++d) moment_a[d] += turn_a * change[D + d], moment_b[d] += turn_b * change[D + d];
    }
    push_shaped<D>(a.m, b.m, p, inertia_a * moment_a, inertia_b * moment_b);
  }
};

}  // namespace moreau::inline solver

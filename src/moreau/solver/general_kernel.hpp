// The arithmetic of eight contacts with laws beyond Coulomb's (general.hpp). The one-contact problem is solved lane by lane;
// where bodies resist rolling, the force under the present couple and the couple under the present force take turns.
#pragma once

#include "moreau/law/bounded_coulomb.hpp"
#include "moreau/law/rolling.hpp"
#include "moreau/solver/kernels.hpp"

namespace moreau {

template <int D, bool rolls>
struct Kernel<General<D, rolls>> {
  static constexpr int mass = velocity_dimension<D>, turns = spin_dimension<D>, rows = General<D, rolls>::rows;
  static constexpr int rounds = rolls ? 4 : 1;  // of force and couple in one relaxation
  using Block = GeneralBlock<D, rolls>;
  using Rigid_ = Kernel<Rigid<D>>;

  Line a, b;
  Lanes inertia_a[D == 3 ? 6 : 1], inertia_b[D == 3 ? 6 : 1];  // inverse
  Vec<D, Lanes> normal, tangent[D - 1], arm_a, arm_b;
  Vec<rows, Lanes> impulse;

  MOREAU_INLINE Kernel(const GeneralBody<D, rolls>* bodies, const Block& block) {
    a.read(bodies, block.a), b.read(bodies, block.b);
    if constexpr (D == 2) {
      inertia_a[0] = a.m[mass + 1], inertia_b[0] = b.m[mass + 1];
    } else {
      Line second;
      second.read(bodies, block.a, 1);
      for (int i = 0; i < 6; ++i) inertia_a[i] = second.m[i];
      second.read(bodies, block.b, 1);
      for (int i = 0; i < 6; ++i) inertia_b[i] = second.m[i];
    }
    normal = load_vector<D>(block.normal), arm_a = load_vector<D>(block.arm_a), arm_b = load_vector<D>(block.arm_b);
    for (int i = 0; i < D - 1; ++i) tangent[i] = load_vector<D>(block.tangent[i]);
    impulse = load_vector<rows>(block.impulse);
  }

  // bias + G u in the frame, for the velocities in a and b.
  MOREAU_INLINE Vec<D, Lanes> formal_velocity(const Block& block) const {
    const Vec<D, Lanes> u = Rigid_::velocity_at(a, arm_a) - Rigid_::velocity_at(b, arm_b);
    Vec<D, Lanes> w;
    w[0] = load(block.bias[0]) + dot(normal, u);
    for (int i = 0; i < D - 1; ++i) w[i + 1] = load(block.bias[i + 1]) + dot(tangent[i], u);
    return w;
  }
  MOREAU_INLINE Spin<D, Lanes> formal_spin(const Block& block) const {
    Spin<D, Lanes> w;
    const Lanes radius = load(block.radius);
    for (int d = 0; d < turns; ++d) w[d] = load(block.bias[D + d]) + radius * (a.m[D + d] - b.m[D + d]);
    return w;
  }
  MOREAU_INLINE static FrameOperator<D> delassus(const Block& block) {
    FrameOperator<D> H;
    H.inverse_normal = load(block.inverse_normal);
    for (int i = 0; i < D - 1; ++i) H.coupling[i] = load(block.coupling[i]), H.schur[i] = load(block.schur[i]);
    return H;
  }

  // Open and sticking contacts without shear strength, eight at a time; the lanes that are left are returned.
  MOREAU_INLINE static LaneMask easily_solved(const Block& block, const FrameOperator<D>& H, const Vec<D, Lanes>& v,
                                              Vec<D, Lanes>& p) {
    const Lanes zero = Lanes{};
    Lanes coupled = zero, square = zero;
    for (int i = 0; i < D - 1; ++i) {
      p[i + 1] = -(v[i + 1] - H.coupling[i] * H.inverse_normal * v[0]) / H.schur[i];
      coupled += H.coupling[i] * p[i + 1];
      square += p[i + 1] * p[i + 1];
    }
    p[0] = -(v[0] + coupled) * H.inverse_normal;
    const Lanes cone = load(block.friction) * p[0], cap = load(block.cap), limit = cone < cap ? cone : cap;
    const LaneMask open = v[0] >= zero, stick = (p[0] >= zero) & (square <= limit * limit);
    for (int d = 0; d < D; ++d) p[d] = open ? zero : p[d];
    return ~((load(block.shear) == zero) & (open | stick));
  }

  // The force that satisfies its law with all else as it is; `present` is the one under which the velocities stand.
  MOREAU_INLINE Vec<D, Lanes> solved_force(const Block& block, const Vec<rows, Lanes>& present, double relaxation) const {
    Vec<D, Lanes> p;
    for (int d = 0; d < D; ++d) p[d] = present[d];
    p[0] += load(block.tension);  // seen from the tip of the tension
    const FrameOperator<D> H_all = delassus(block);
    const Vec<D, Lanes> v = formal_velocity(block) - H_all * p;
    Vec<D, Lanes> easy{};
    const LaneMask left = relaxation == 1.0 ? easily_solved(block, H_all, v, easy) : ~LaneMask{};
    for (int l = 0; l < lanes; ++l) {
      if (left[l] == 0) {
        for (int d = 0; d < D; ++d) p[d][l] = easy[d][l];
        continue;
      }
      Vec<D> free;
      FramedDelassus<D> H;
      for (int d = 0; d < D; ++d) free[d] = v[d][l];
      H.inverse_normal = block.inverse_normal[l];
      for (int i = 0; i < D - 1; ++i) H.coupling[i] = block.coupling[i][l], H.schur[i] = block.schur[i][l];
      const TangentBound bound{block.friction[l], block.shear[l], block.cap[l]};
      Vec<D> solved = solve_bounded(free, H, bound);
      if (relaxation != 1.0) {  // beyond the solution, but not out of the domain
        for (int d = 0; d < D; ++d) solved[d] = p[d][l] + relaxation * (solved[d] - p[d][l]);
        solved[0] = std::max(0.0, solved[0]);
        const double length = tangent_norm(solved), limit = bound.at(solved[0]);
        for (int d = 1; d < D; ++d)
          if (length > limit) solved[d] *= limit / length;
      }
      for (int d = 0; d < D; ++d) p[d][l] = solved[d];
    }
    p[0] -= load(block.tension);
    return p;
  }

  // Each body becomes the part of it that its contacts in the block have (mass_splitting.hpp).
  MOREAU_INLINE void split_masses(const Block& block, std::int32_t none) {
    Lanes times_a, times_b;
    for (int l = 0; l < lanes; ++l) {
      const Occurrences k = occurrences(block, l, none);
      times_a[l] = k.a, times_b[l] = k.b;
    }
    a.m[mass] *= times_a, b.m[mass] *= times_b;
    for (Lanes& i : inertia_a) i *= times_a;
    for (Lanes& i : inertia_b) i *= times_b;
  }

  MOREAU_INLINE Vec<rows, Lanes> solve(const Block& block, double relaxation) const {
    if constexpr (!rolls) {
      return solved_force(block, impulse, relaxation);
    } else {
      Kernel now = *this;
      Vec<rows, Lanes> p = impulse;
      for (int round = 0; round < rounds; ++round) {
        Vec<rows, Lanes> change{};
        const Vec<D, Lanes> force = now.solved_force(block, p, relaxation);
        for (int d = 0; d < D; ++d) change[d] = force[d] - p[d], p[d] = force[d];
        now.push(block, change);
        Spin<D, Lanes> couple;
        for (int d = 0; d < turns; ++d) couple[d] = p[D + d];
        const Lanes carried = force[0] + load(block.tension);
        const Spin<D, Lanes> solved =
            rolling_couple<Lanes>(normal, now.formal_spin(block), couple, relaxation * load(block.inverse_turning),
                                  load(block.rolling) * carried, load(block.pivoting) * carried);
        change = {};
        for (int d = 0; d < turns; ++d) change[D + d] = solved[d] - couple[d], p[D + d] = solved[d];
        now.push(block, change);
      }
      return p;
    }
  }

  MOREAU_INLINE void measure(const Block& block, const Vec<rows, Lanes>& solved, LaneSums<double>& sums) const {
    Vec<D, Lanes> change;
    for (int d = 0; d < D; ++d) change[d] = solved[d] - impulse[d];
    const Vec<D, Lanes> residual = delassus(block) * change;
    Lanes square = dot(residual, residual);
    if constexpr (rolls) {
      const Lanes inverse = load(block.inverse_turning), positive = inverse > 0.0 ? inverse : Lanes{} + 1.0;
      for (int d = D; d < rows; ++d) square += (solved[d] - impulse[d]) * (solved[d] - impulse[d]) / (positive * positive);
    }
    sums.add(square, load(block.inverse_normal), impulse[0]);
  }

  MOREAU_INLINE void push(const Block& block, const Vec<rows, Lanes>& change) {
    Vec<D, Lanes> p = change[0] * normal;
    for (int i = 0; i < D - 1; ++i) p += change[i + 1] * tangent[i];
    Spin<D, Lanes> moment_a = moment(arm_a, p), moment_b = moment(arm_b, p);
    if constexpr (rolls) {
      const Lanes radius = load(block.radius);
      for (int d = 0; d < turns; ++d) moment_a[d] += radius * change[D + d], moment_b[d] += radius * change[D + d];
    }
    const Spin<D, Lanes> turn_a = Rigid_::spin_gained(inertia_a, moment_a), turn_b = Rigid_::spin_gained(inertia_b, moment_b);
    for (int d = 0; d < D; ++d) a.m[d] += a.m[mass] * p[d], b.m[d] -= b.m[mass] * p[d];
    for (int d = 0; d < turns; ++d) a.m[D + d] += turn_a[d], b.m[D + d] -= turn_b[d];
  }
};

}  // namespace moreau

// Contacts between bodies of any shape into the solver's memory before the solution, and their accounts after it
// (solver/shaped_packing.hpp, engines/rigid/step_view.cpp, accounts.cpp).
#pragma once

#include "moreau/gpu/pack_loops.hpp"
#include "moreau/solver/shaped_packing.hpp"

namespace moreau::gpu {

// Inverse inertia by slot, as ContactProblem::set_turnings.
struct SetTurning {
  BodyRows<3> bodies;
  const std::int32_t* order;
  const Row<double>* row;
  Row<double>* turning;
  double kept;

  MOREAU_INLINE void operator()(std::size_t s) const {
    Row<double> t{};
    const std::size_t i = static_cast<std::size_t>(order[s]);
    for (int d = 0; d < 3; ++d) t.c[d] = row[s].c[velocity_dimension<3> + 1];
    if (bodies.is_free(i) && !bodies.is_round(i)) {
      double inverse[6];
      turn_into_laboratory(bodies.principal_inertia(i), bodies.axes[i], inverse);
      const double length = bodies.length(i);
      for (int k = 0; k < 6; ++k) t.c[k] = (length * length) * (inverse[k] * kept);
    }
    turning[s] = t;
  }
};

// Where a contact of the table is, seen from its two bodies.
template <int D>
struct ShapedArms {
  Vec<D> a, b;
};
template <int D>
MOREAU_INLINE ShapedArms<D> arms_of(const BodyRows<D>& bodies, const ContactRows<D>& now, const Lattice<D>& lattice, std::int32_t i) {
  const std::int32_t a = now.a[i], b = now.b[i];
  ShapedArms<D> arms{now.point[i] - bodies.middle[a], now.point[i]};
  if (b >= 0) arms.b -= bodies.middle[b] + (now.image != nullptr ? lattice.shift(now.image[i]) : Vec<D>{});
  return arms;
}

// The contact at a place of the shaped ones.
template <int D>
struct PackShaped {
  BodyRows<D> bodies;
  ContactEnds<D> ends;
  ContactRows<D> now, before;
  Lattice<D> lattice;
  const std::int32_t *at, *recalled;
  const WallRow<D>* walls;
  PairLaws<D> laws;
  ShiftRule rule;
  double impulse_scale;
  const Row<double>*row, *turning;
  ShapedPack<D, double>* packs;
  DeformingCell<D> cell;

  MOREAU_INLINE void operator()(std::size_t place, Depths& sum) const {
    const std::int32_t i = at[place];
    ShapedPack<D, double>& pack = packs[place / lanes];
    const std::size_t l = place % lanes;
    if (i < 0) {
      each_row_of_shaped<D>(NeutralRow{l}, pack);
      pack.a[l] = pack.b[l] = static_cast<std::int32_t>(ends.none);
      return;
    }
    const std::int32_t a = now.a[i], b = now.b[i], old = recalled[i];
    const std::uint32_t slot_a = ends.first(static_cast<std::size_t>(i)), slot_b = ends.second(static_cast<std::size_t>(i));
    const bool obstacle = slot_b == ends.none;
    const LawRow& law = laws.of(a, b);
    const ShapedArms<D> arms = arms_of(bodies, now, lattice, i);
    const Vec<D> n = now.normal[i];
    const double gap = now.gap[i];
    RigidContact<D> c;
    c.normal = n, c.friction = law.friction;
    c.arm_a = (1.0 / bodies.length(a)) * arms.a;
    c.arm_b = (1.0 / (obstacle ? 1.0 : bodies.length(b))) * arms.b;
    if (old >= 0) c.impulse = transported(before.impulse[old], before.normal[old], n, impulse_scale);
    const Vec<D> away = obstacle_velocity(bodies, walls, cell, b, arms.b);
    const Vec<D> u = bodies.velocity[a] + cross(bodies.spin[a], arms.a) - away;
    const double u_n = dot(u, n);
    c.bias = formal_shift(rule, gap, u_n, law.normal_restitution) * n;
    if (rule.strikes) c.bias += law.tangential_restitution * (u - u_n * n);
    if (obstacle) c.bias -= away;
    if (b < 0) c.compliance = walls[-b - 1].compliance;
    put_shaped(pack, static_cast<int>(l), mobility(slot_a), obstacle ? Mobility<D>{} : mobility(slot_b), c);
    pack.a[l] = static_cast<std::int32_t>(slot_a), pack.b[l] = static_cast<std::int32_t>(slot_b);
    const double radius = bodies.radius[a], other = b < 0 ? radius : bodies.radius[b], smaller = other < radius ? other : radius;
    const double depth = maximum(-gap, 0.0) / (2.0 * smaller);
    sum.sum.add(depth);
    sum.deepest = sum.deepest < depth ? depth : sum.deepest;
  }

 private:
  MOREAU_INLINE Mobility<D> mobility(std::uint32_t slot) const {
    Mobility<D> m;
    m.inverse_mass = row[slot].c[velocity_dimension<D>];
    if constexpr (D == 2)
      m.inverse_inertia[0] = row[slot].c[velocity_dimension<D> + 1];
    else
      for (int k = 0; k < 6; ++k) m.inverse_inertia[k] = turning[slot].c[k];
    return m;
  }
};

template <int D>
struct KeepShapedImpulse {
  const ShapedPack<D, double>* packs;
  const std::int32_t* at;
  ContactRows<D> table;
  MOREAU_INLINE void operator()(std::size_t place) const {
    if (at[place] >= 0) table.impulse[at[place]] = impulse_of_shaped(packs[place / lanes], place % lanes);
  }
};
template <int D>
struct BeginShapedFrom {
  ShapedPack<D, double>* packs;
  const std::int32_t *at, *from;  // by place; the solved contact, by contact
  ContactRows<D> solved;
  MOREAU_INLINE void operator()(std::size_t place) const {
    const std::int32_t i = at[place];
    if (i < 0) return;
    const Vec<D> impulse = from[i] >= 0 ? solved.impulse[from[i]] : Vec<D>{};
    ShapedPack<D, double>& pack = packs[place / lanes];
    const std::size_t l = place % lanes;
    Vec<D> frame[D];  // as Shaped::row
    for (int d = 0; d < D; ++d) frame[0][d] = pack.normal[d][l];
    if constexpr (D == 2) {
      frame[1] = {{-frame[0][1], frame[0][0]}};
    } else {
      for (int d = 0; d < D; ++d) frame[1][d] = pack.tangent[d][l];
      frame[2] = cross(frame[0], frame[1]);
    }
    for (int k = 0; k < D; ++k) pack.impulse[k][l] = dot(frame[k], impulse);
  }
};

// As Account (pack_loops.hpp).
template <int D>
struct AccountShaped {
  BodyRows<D> bodies;
  ContactRows<D> now;
  const std::int32_t* at;
  const WallRow<D>* walls;
  PairLaws<D> laws;
  const Row<double>* row;
  const ShapedPack<D, double>* packs;
  std::int32_t none;
  DeformingCell<D> cell;
  Lattice<D> lattice;

  MOREAU_INLINE void operator()(std::size_t place, ContactTotals& sum) const {
    const std::int32_t i = at[place];
    if (i < 0) return;
    const ShapedPack<D, double>& pack = packs[place / lanes];
    const std::size_t l = place % lanes;
    const std::int32_t a = now.a[i], b = now.b[i];
    const bool obstacle = pack.b[l] == none;
    const Vec<D> n = now.normal[i], p = impulse_of_shaped(pack, l);
    const ShapedArms<D> arms = arms_of_solved(i);
    now.impulse[i] = p;
    const Vec<D> mean = mean_velocity(a, pack.a[l], arms.a);
    sum.work.add(dot(obstacle ? mean : mean - mean_velocity(b, pack.b[l], arms.b), p));
    sum.force.add(norm(p));
    const ContactStatus status = status_of(p, n, laws.of(a, b).friction);
    sum.stick += status == ContactStatus::stick ? 1 : 0, sum.slide += status == ContactStatus::slide ? 1 : 0;
    double done = 0.0;
    if (obstacle) {
      const Vec<D> v = obstacle_velocity(bodies, walls, cell, b, arms.b);
      done += dot(p, b < 0 ? v + 0.5 * walls[-b - 1].change : v);
    }
    sum.wall_work.add(done);
  }

 private:
  // As StepView::solved_geometry.
  MOREAU_INLINE ShapedArms<D> arms_of_solved(std::int32_t i) const {
    const std::int32_t a = now.a[i], b = now.b[i];
    ShapedArms<D> arms{now.point[i] - bodies.middle[a], now.point[i]};
    if (b >= 0) arms.b = now.point[i] - bodies.middle[b] - (now.image != nullptr ? lattice.shift(now.image[i]) : Vec<D>{});
    return arms;
  }
  MOREAU_INLINE Vec<D> mean_velocity(std::int32_t body, std::int32_t slot, const Vec<D>& arm) const {
    Vec<D> v;
    Spin<D> spin;
    const double length = bodies.length(static_cast<std::size_t>(body));
    for (int d = 0; d < D; ++d) v[d] = row[slot].c[d];
    for (int d = 0; d < spin_dimension<D>; ++d) spin[d] = row[slot].c[D + d] / length;
    return v + cross(spin, arm);
  }
};

// The points of round contacts, where there are bodies of other shapes; by contact, once their normals are known.
template <int D>
struct PutRoundPoints {
  BodyRows<D> bodies;
  ContactRows<D> now;
  MOREAU_INLINE void operator()(std::size_t i) const {
    const std::int32_t a = now.a[i];
    if (!bodies.is_round_pair(a, now.b[i])) return;
    now.point[i] = bodies.middle[a] - (bodies.radius[a] + 0.5 * now.gap[i]) * now.normal[i];
  }
};

}  // namespace moreau::gpu

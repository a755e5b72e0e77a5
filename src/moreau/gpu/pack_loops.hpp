// Contacts into the solver's memory before the solution, and their accounts after it (engines/rigid/round_contacts.cpp, and
// step_view.cpp for obstacles).
#pragma once

#include "moreau/contact/contact_status.hpp"
#include "moreau/contact/transported.hpp"
#include "moreau/dynamics/formal_shift.hpp"
#include "moreau/geometry/tangent.hpp"
#include "moreau/gpu/body_loops.hpp"
#include "moreau/gpu/cell_loops.hpp"
#include "moreau/gpu/contact_loops.hpp"
#include "moreau/gpu/law_row.hpp"
#include "moreau/gpu/shared_loops.hpp"
#include "moreau/law/rolling.hpp"
#include "moreau/solver/shaped_packing.hpp"

namespace moreau::gpu {

// Velocity of an obstacle where it is touched, at `arm` from its centre, or at `arm` itself if it is a wall; one beside a cell that
// deforms is deformed with it.
template <int D>
MOREAU_INLINE Vec<D> obstacle_velocity(const BodyRows<D>& bodies, const WallRow<D>* walls, const DeformingCell<D>& cell,
                                       std::int32_t b, const Vec<D>& arm) {
  if (b < 0) {
    const WallRow<D>& wall = walls[-b - 1];
    const Vec<D> v = cell.deforms ? wall.velocity + cell.affine(cell.gradient, arm) : wall.velocity;
    return wall.slides ? v + wall.surface.at(arm) : v;
  }
  return bodies.velocity[b] + cross(bodies.spin[b], arm);
}
template <int D>
MOREAU_INLINE Spin<D> obstacle_spin(const BodyRows<D>& bodies, const WallRow<D>* walls, std::int32_t b) {
  return b < 0 ? walls[-b - 1].surface.spin : bodies.spin[b];
}

// The packs of all kinds, one after the other: where the places of each begin.
template <int D>
struct PackedKinds {
  RoundPack<D, double>* round;
  GeneralRoundPack<D, false, double>* law;
  GeneralRoundPack<D, true, double>* rolling;
  std::size_t law_begin, rolling_begin;

  MOREAU_INLINE bool is_round(std::size_t place) const { return place < law_begin; }
  // f(pack, lane)
  template <class F>
  MOREAU_INLINE void at(std::size_t place, const F& f) const {
    if (place < law_begin)
      f(round[place / lanes], place % lanes);
    else if (place < rolling_begin)
      f(law[(place - law_begin) / lanes], (place - law_begin) % lanes);
    else
      f(rolling[(place - rolling_begin) / lanes], (place - rolling_begin) % lanes);
  }
};

// A lane without contact.
struct NeutralRow {
  std::size_t l;
  MOREAU_INLINE void operator()(RowUnit, int neutral, double (&out)[lanes]) const { out[l] = neutral; }
};
template <int D>
MOREAU_INLINE void make_neutral(RoundPack<D, double>& pack, std::size_t l) {
  each_row_of_round<D>(NeutralRow{l}, pack);
}
template <int D, bool rolls>
MOREAU_INLINE void make_neutral(GeneralRoundPack<D, rolls, double>& pack, std::size_t l) {
  each_row_of_general_round<D, rolls>(NeutralRow{l}, pack);
}
struct PutNothing {
  std::int32_t none;
  template <class Pack>
  MOREAU_INLINE void operator()(Pack& pack, std::size_t l) const {
    make_neutral(pack, l);
    pack.a[l] = pack.b[l] = none;
  }
};

// What is put into a pack.
template <int D>
struct PutContact {
  Vec<D> n, impulse, bias;
  double inverse_normal, inverse_tangent;
  std::int32_t a, b;  // slots
  StepLaw law;
  // Couples (law/rolling.hpp): the reduced radius, it over the radii of the bodies, starting value, minus the spin of an obstacle.
  double rolling = 0.0, pivoting = 0.0, radius = 1.0, turn_a = 0.0, turn_b = 0.0, inverse_turning = 0.0;
  Spin<D> couple{}, spin_bias{};

  template <class Pack>
  MOREAU_INLINE void operator()(Pack& pack, std::size_t l) const {
    for (int d = 0; d < D; ++d) pack.normal[d][l] = n[d], pack.impulse[d][l] = impulse[d], pack.bias[d][l] = bias[d];
    pack.inverse_normal[l] = inverse_normal, pack.inverse_tangent[l] = inverse_tangent, pack.friction[l] = law.friction;
    pack.a[l] = a, pack.b[l] = b;
    if constexpr (requires { pack.tension; }) pack.shear[l] = law.shear, pack.cap[l] = law.cap, pack.tension[l] = law.tension;
    if constexpr (requires { pack.rolling; }) {
      pack.radius[l] = radius, pack.turn_a[l] = turn_a, pack.turn_b[l] = turn_b, pack.inverse_turning[l] = inverse_turning;
      pack.rolling[l] = rolling, pack.pivoting[l] = pivoting;
      for (int d = 0; d < spin_dimension<D>; ++d)
        pack.impulse[D + d][l] = couple[d] / radius, pack.bias[D + d][l] = radius * spin_bias[d];
    }
  }
};

// The contact at a place.
template <int D>
struct PackContact {
  BodyRows<D> bodies;
  ContactEnds<D> ends;
  ContactRows<D> now, before;
  Lattice<D> lattice;
  const std::int32_t *at, *recalled;
  const WallRow<D>* walls;
  PairLaws<D> laws;
  ShiftRule rule;
  double impulse_scale, contact_distance, time_step;
  const Row<double>* row;
  PackedKinds<D> packs;
  DeformingCell<D> cell;
  const Vec<D>* branch;  // by contact; and by place: where components of the cell answer to the contacts
  Vec<D>* branch_at;

  MOREAU_INLINE void operator()(std::size_t place, Depths& sum) const {
    const std::int32_t i = at[place];
    if (cell.motions > 0) branch_at[place] = i < 0 ? Vec<D>{} : branch[i];
    if (i < 0) {
      packs.at(place, PutNothing{static_cast<std::int32_t>(ends.none)});
      return;
    }
    const std::int32_t a = now.a[i], b = now.b[i], old = recalled[i];
    const std::uint32_t slot_a = ends.first(static_cast<std::size_t>(i)), slot_b = ends.second(static_cast<std::size_t>(i));
    const bool obstacle = slot_b == ends.none;
    const LawRow& law = laws.of(a, b);
    const bool beyond = law.kind != ContactKind::round || law.varies;
    const double radius = bodies.radius[a], other = b < 0 ? radius : bodies.radius[b], smaller = other < radius ? other : radius;
    constexpr int mass = velocity_dimension<D>, turning = mass + 1;
    Vec<D> n, u, away{}, drift{};
    double gap;
    if (b < 0) {
      const Separation<D> s = separation(walls[-b - 1], walls[-b - 1].shift, bodies.middle[a], radius);
      gap = s.gap, n = s.normal;
    } else if (!bodies.is_round(b)) {
      gap = now.gap[i], n = now.normal[i];
    } else {
      Vec<D> apart = bodies.middle[a] - bodies.middle[b];
      if (now.image != nullptr) {
        const Vec<D> shift = lattice.shift(now.image[i]);
        apart -= shift;
        if (cell.deforms) drift = cell.gradient * shift;
      }
      const BallSeparation<D, double> s = ball_separation<D, double>(apart, radius + bodies.radius[b]);
      gap = s.gap, n = s.normal;
    }
    const Row<double> at_a = row[slot_a], at_b = obstacle ? Row<double>{} : row[slot_b];
    PutContact<D> put;
    put.n = n, put.impulse = {};
    put.law = {law.friction, law.normal_restitution, law.tangential_restitution};
    double h_n;
    if (obstacle || now.image != nullptr || beyond) {  // as contacts that are packed one by one
      const Vec<D> arm_a = -radius * n;
      Vec<D> arm_b = b < 0 ? bodies.middle[a] + arm_a : bodies.radius[b] * n;
      if (b >= 0 && !bodies.is_round(b))
        arm_b = now.point[i] - (bodies.middle[b] + (now.image != nullptr ? lattice.shift(now.image[i]) : Vec<D>{}));
      away = obstacle_velocity(bodies, walls, cell, b, arm_b);
      u = bodies.velocity[a] + cross(bodies.spin[a], arm_a) - away;
      if (cell.deforms) u -= drift;
      if (old >= 0) put.impulse = transported(before.impulse[old], before.normal[old], n, impulse_scale);
      double compliance = b < 0 ? walls[-b - 1].compliance : 0.0;
      for (int m = 0; m < cell.motions; ++m) {
        const double share = branch[i][cell.motion[m].q];
        compliance += (share < 0.0 ? -share : share) * cell.motion[m].sharing_sum * cell.motion[m].inverse_mass;
      }
      h_n = at_a.c[mass] + at_b.c[mass] + compliance;
    } else {
      Spin<D> rim;
      for (int d = 0; d < D; ++d) u[d] = at_a.c[d] - at_b.c[d];
      for (int d = 0; d < spin_dimension<D>; ++d) rim[d] = at_a.c[D + d] + at_b.c[D + d];
      u -= cross(rim, n);
      const Vec<D> zero{};
      put.impulse = transported(old >= 0 ? before.impulse[old] : zero, old >= 0 ? before.normal[old] : zero, n, impulse_scale);
      h_n = at_a.c[mass] + at_b.c[mass];
    }
    const double u_n = dot(u, n);
    if (beyond) {
      put.law = law_in_step(law, -u_n, norm(u - u_n * n), time_step, false);
      if (law.cohesion > 0.0 && !cohesion_reaches(gap, contact_distance, smaller)) put.law.tension = 0.0;
    }
    const double shift = formal_shift(rule, gap, u_n, put.law.normal_restitution);
    put.bias = shift * n;
    if (rule.strikes) put.bias += put.law.tangential_restitution * (u - u_n * n);
    if (obstacle) put.bias -= away;
    if (cell.deforms) put.bias -= drift;
    put.inverse_normal = 1.0 / h_n, put.inverse_tangent = 1.0 / (h_n + at_a.c[turning] + at_b.c[turning]);
    put.a = static_cast<std::int32_t>(slot_a), put.b = static_cast<std::int32_t>(slot_b);
    if (law.kind == ContactKind::round_rolling) {
      put.radius = reduced_radius(1.0 / radius, b < 0 ? 0.0 : 1.0 / bodies.radius[b]);
      put.turn_a = put.radius / radius, put.turn_b = obstacle ? 0.0 : put.radius / bodies.radius[b];
      const double turned = put.turn_a * put.turn_a * at_a.c[turning] + put.turn_b * put.turn_b * at_b.c[turning];
      put.inverse_turning = turned > 0.0 ? 1.0 / turned : 0.0;
      put.rolling = law.rolling, put.pivoting = law.pivoting;
      if (obstacle) put.spin_bias = -obstacle_spin(bodies, walls, b);
      if (old >= 0 && before.couple != nullptr) put.couple = impulse_scale * before.couple[old];
    }
    packs.at(place, put);
    now.gap[i] = gap;
    const double depth = maximum(-gap, 0.0) / (2.0 * smaller);
    sum.sum.add(depth);
    sum.deepest = sum.deepest < depth ? depth : sum.deepest;
  }
};

// Contacts with the walls of one motion: the sum of |c|, and where they are.
struct SharingSum {
  ExactSum<double> lengths;
  MOREAU_INLINE SharingSum& operator+=(const SharingSum& o) { return lengths += o.lengths, *this; }
};
template <int D>
struct SumSharing {
  const std::int32_t* b;
  const WallRow<D>* walls;
  std::int32_t motion;
  MOREAU_INLINE void operator()(std::size_t i, SharingSum& sum) const {
    if (b[i] < 0 && walls[-b[i] - 1].motion == motion) sum.lengths.add(norm(walls[-b[i] - 1].sharing));
  }
};
template <int D>
struct ListShared {
  const std::int32_t *at, *b;
  const WallRow<D>* walls;
  std::int32_t motion;
  SharedPlace<D>* shared;
  std::uint32_t* number;
  std::size_t shaped_begin;  // place of the first contact of any shape, whose directions are in its frame
  const ShapedPack<D, double>* packs;
  MOREAU_INLINE void operator()(std::size_t place) const {
    if (at[place] < 0) return;
    const std::int32_t other = b[at[place]];
    if (other >= 0 || walls[-other - 1].motion != motion) return;
    Vec<D> direction = walls[-other - 1].sharing;
    if (place >= shaped_begin)
      direction = in_frame_of_shaped(packs[(place - shaped_begin) / lanes], (place - shaped_begin) % lanes, direction);
    shared[next_number(number)] = {static_cast<std::uint32_t>(place), direction};
  }
};

// Impulses of the solved problem into its table; and the contact at a place begins from its impulse in that table, or from none.
// Those beyond Coulomb's law keep theirs (ContactProblem::begin_from).
template <int D>
struct KeepImpulse {
  PackedKinds<D> packs;
  const std::int32_t* at;
  ContactRows<D> table;
  MOREAU_INLINE void operator()(std::size_t place) const {
    if (at[place] < 0 || !packs.is_round(place)) return;
    for (int d = 0; d < D; ++d) table.impulse[at[place]][d] = packs.round[place / lanes].impulse[d][place % lanes];
  }
};
template <int D>
struct BeginFrom {
  PackedKinds<D> packs;
  const std::int32_t* at;
  const std::int32_t* from;  // the solved contact, by contact; null where all bodies are round
  ContactRows<D> now, solved;
  MOREAU_INLINE void operator()(std::size_t place) const {
    const std::int32_t i = at[place];
    if (i < 0 || !packs.is_round(place)) return;
    const std::int32_t known =
        from != nullptr ? from[i] : number_in(solved, now.a[i], now.b[i], now.image_of(static_cast<std::size_t>(i)));
    const Vec<D> impulse = known >= 0 ? solved.impulse[known] : Vec<D>{};
    RoundPack<D, double>& pack = packs.round[place / lanes];
    const std::size_t l = place % lanes;
    Vec<D> frame[D];  // as Round::row
    for (int d = 0; d < D; ++d) frame[0][d] = pack.normal[d][l];
    if constexpr (D == 2)
      frame[1] = {{-frame[0][1], frame[0][0]}};
    else
      frame[1] = any_tangent(frame[0]), frame[2] = cross(frame[0], frame[1]);
    Vec<D> part;
    for (int k = 0; k < D; ++k) part[k] = dot(frame[k], impulse);
    for (int d = 0; d < D; ++d) {
      double sum = 0.0;
      for (int k = 0; k < D; ++k) sum += part[k] * frame[k][d];
      pack.impulse[d][l] = sum;
    }
  }
};

// What is read of a solved contact.
template <int D>
struct SolvedContact {
  Vec<D> n, p;
  std::int32_t a, b;  // slots
  double friction, shear = 0.0, cap = HUGE_VAL, tension = 0.0;
  Spin<D> couple{};
};
template <int D>
struct ReadSolved {
  SolvedContact<D>* to;
  template <class Pack>
  MOREAU_INLINE void operator()(const Pack& pack, std::size_t l) const {
    for (int d = 0; d < D; ++d) to->n[d] = pack.normal[d][l], to->p[d] = pack.impulse[d][l];
    to->a = pack.a[l], to->b = pack.b[l], to->friction = pack.friction[l];
    if constexpr (requires { pack.tension; }) to->shear = pack.shear[l], to->cap = pack.cap[l], to->tension = pack.tension[l];
    if constexpr (requires { pack.rolling; })
      for (int d = 0; d < spin_dimension<D>; ++d) to->couple[d] = pack.radius[l] * pack.impulse[D + d][l];
  }
};

// Of the contact at a place, once the bodies are at the end of the step and the solver's rows hold the mean velocities.
template <int D>
struct Account {
  BodyRows<D> bodies;
  ContactRows<D> now;
  const std::int32_t* at;
  const WallRow<D>* walls;
  PairLaws<D> laws;
  const Row<double>* row;
  PackedKinds<D> packs;
  std::int32_t none;
  double time_step;
  DeformingCell<D> cell;
  Lattice<D> lattice;

  MOREAU_INLINE void operator()(std::size_t place, ContactTotals& sum) const {
    const std::int32_t i = at[place];
    if (i < 0) return;
    SolvedContact<D> c;
    packs.at(place, ReadSolved<D>{&c});
    const Vec<D>&n = c.n, &p = c.p;
    now.normal[i] = n, now.impulse[i] = p;
    if (now.couple != nullptr) now.couple[i] = c.couple;
    const std::int32_t body = now.a[i], other = now.b[i];
    const LawRow& law = laws.of(body, other);
    const bool obstacle = c.b == none, beyond = law.kind != ContactKind::round || law.varies;
    const Row<double> a = row[c.a], b = row[c.b];
    const double normal = dot(p, n);
    ContactStatus status;
    if (beyond) {  // as contacts that are accounted for one by one
      const Vec<D> mean = mean_velocity(a, bodies.radius[body], -bodies.radius[body] * n);
      sum.work.add(dot(obstacle ? mean : mean - mean_velocity(b, bodies.radius[other], bodies.radius[other] * n), p));
      sum.force.add(norm(p));
      if (law.kind == ContactKind::round_rolling) {
        Spin<D> turning = mean_spin(a, bodies.radius[body]);
        if (obstacle)
          sum.wall_work.add(dot(c.couple, obstacle_spin(bodies, walls, other)));
        else
          turning -= mean_spin(b, bodies.radius[other]);
        sum.work.add(dot(turning, c.couple));
      }
      const double carried = normal + c.tension;
      status = status_within(carried, c.tension, norm(p - normal * n), TangentBound{c.friction, c.shear, c.cap}.at(carried));
    } else {
      Vec<D> u;
      Spin<D> rim;
      for (int d = 0; d < D; ++d) u[d] = a.c[d] - b.c[d];
      for (int d = 0; d < spin_dimension<D>; ++d) rim[d] = a.c[D + d] + b.c[D + d];
      u -= cross(rim, n);
      sum.work.add(dot(u, p));
      sum.force.add(square_root(dot(p, p)));
      status = status_of(p, n, c.friction);
    }
    sum.stick += status == ContactStatus::stick ? 1 : 0, sum.slide += status == ContactStatus::slide ? 1 : 0;
    if (now.condition != nullptr) now.condition[i] = condition_of(status, JointBond::none);
    if (!obstacle && !cell.deforms) return;
    double done = 0.0;
    if (obstacle) {  // where it is touched matters only if it turns
      Vec<D> arm{};
      if (other < 0) {
        if (walls[-other - 1].slides || cell.deforms) {
          const Vec<D> arm_a = -bodies.radius[body] * n;
          arm = bodies.position[body] - 0.5 * time_step * bodies.velocity[body] + arm_a;
        }
      } else if (!(bodies.spin[other] == Spin<D>{})) {
        arm = bodies.radius[other] * n;
        if (!bodies.is_round(other))
          arm = now.point[i] - bodies.middle[other] - (now.image != nullptr ? lattice.shift(now.image[i]) : Vec<D>{});
      }
      const Vec<D> v = obstacle_velocity(bodies, walls, cell, other, arm);
      if (other < 0) {
        const Vec<D> change = walls[-other - 1].change;
        done += dot(p, v + 0.5 * (cell.deforms ? change + cell.affine(cell.change, arm) : change));
      } else {
        done += dot(p, v);
      }
    }
    if (cell.deforms) {
      const Vec<D> shift = now.image != nullptr && other >= 0 ? lattice.shift(now.image[i]) : Vec<D>{};
      done += dot(p, cell.gradient * shift + 0.5 * (cell.change * shift));
    }
    sum.wall_work.add(done);
  }

 private:
  MOREAU_INLINE static Spin<D> mean_spin(const Row<double>& r, double length) {
    Spin<D> spin;
    for (int d = 0; d < spin_dimension<D>; ++d) spin[d] = r.c[D + d] / length;
    return spin;
  }
  MOREAU_INLINE static Vec<D> mean_velocity(const Row<double>& r, double length, const Vec<D>& arm) {
    Vec<D> v;
    for (int d = 0; d < D; ++d) v[d] = r.c[d];
    return v + cross(mean_spin(r, length), arm);
  }
};

}  // namespace moreau::gpu

// Contacts into the solver's memory before the solution, and their accounts after it (engines/rigid/round_contacts.cpp, and
// step_view.cpp for obstacles).
#pragma once

#include "moreau/contact/contact_status.hpp"
#include "moreau/contact/transported.hpp"
#include "moreau/dynamics/formal_shift.hpp"
#include "moreau/geometry/tangent.hpp"
#include "moreau/gpu/body_loops.hpp"
#include "moreau/gpu/contact_loops.hpp"
#include "moreau/gpu/shared_loops.hpp"

namespace moreau::gpu {

// Velocity of an obstacle where it is touched, at `arm` from its centre, or at `arm` itself if it is a wall.
template <int D>
MOREAU_INLINE Vec<D> obstacle_velocity(const BodyRows<D>& bodies, const WallRow<D>* walls, std::int32_t b, const Vec<D>& arm) {
  if (b < 0) {
    const WallRow<D>& wall = walls[-b - 1];
    return wall.slides ? wall.velocity + wall.surface.at(arm) : wall.velocity;
  }
  return bodies.velocity[b] + cross(bodies.spin[b], arm);
}

// The contact at a place.
template <int D>
struct PackContact {
  BodyRows<D> bodies;
  ContactEnds<D> ends;
  ContactRows<D> now, before;
  Lattice<D> lattice;
  const std::int32_t *at, *recalled;
  const WallRow<D>* walls;
  const Coefficients* laws;
  std::int64_t materials;
  ShiftRule rule;
  double impulse_scale;
  const Row<double>* row;
  RoundPack<D, double>* packs;

  MOREAU_INLINE void operator()(std::size_t place, Depths& sum) const {
    RoundPack<D, double>& pack = packs[place / lanes];
    const std::size_t l = place % lanes;
    const std::int32_t i = at[place];
    if (i < 0) {
      for (int d = 0; d < D; ++d) pack.normal[d][l] = pack.impulse[d][l] = pack.bias[d][l] = 0.0;
      pack.inverse_normal[l] = pack.inverse_tangent[l] = 1.0, pack.friction[l] = 0.0;
      pack.a[l] = pack.b[l] = static_cast<std::int32_t>(ends.none);
      return;
    }
    const std::int32_t a = now.a[i], b = now.b[i], old = recalled[i];
    const std::uint32_t slot_a = ends.first(static_cast<std::size_t>(i)), slot_b = ends.second(static_cast<std::size_t>(i));
    const bool obstacle = slot_b == ends.none;
    const Coefficients law = laws[bodies.material[a] * materials + (b < 0 ? walls[-b - 1].material : bodies.material[b])];
    const double radius = bodies.radius[a];
    constexpr int mass = velocity_dimension<D>, rolling = mass + 1;
    Vec<D> n, u, impulse{}, away{};
    double gap;
    if (b < 0) {
      const Separation<D> s = separation(walls[-b - 1], walls[-b - 1].shift, bodies.middle[a], radius);
      gap = s.gap, n = s.normal;
    } else {
      Vec<D> apart = bodies.middle[a] - bodies.middle[b];
      if (now.image != nullptr) apart -= lattice.shift(now.image[i]);
      const BallSeparation<D, double> s = ball_separation<D, double>(apart, radius + bodies.radius[b]);
      gap = s.gap, n = s.normal;
    }
    const Row<double> at_a = row[slot_a];
    double h_n, h_t;
    if (obstacle || now.image != nullptr) {  // as contacts that are packed one by one
      const Vec<D> arm_a = -radius * n, arm_b = b < 0 ? bodies.middle[a] + arm_a : bodies.radius[b] * n;
      away = obstacle_velocity(bodies, walls, b, arm_b);
      u = bodies.velocity[a] + cross(bodies.spin[a], arm_a) - away;
      if (old >= 0) impulse = transported(before.impulse[old], before.normal[old], n, impulse_scale);
      const Row<double> at_b = obstacle ? Row<double>{} : row[slot_b];
      h_n = at_a.c[mass] + at_b.c[mass] + (b < 0 ? walls[-b - 1].compliance : 0.0), h_t = h_n + at_a.c[rolling] + at_b.c[rolling];
    } else {
      const Row<double> at_b = row[slot_b];
      Spin<D> rim;
      for (int d = 0; d < D; ++d) u[d] = at_a.c[d] - at_b.c[d];
      for (int d = 0; d < spin_dimension<D>; ++d) rim[d] = at_a.c[D + d] + at_b.c[D + d];
      u -= cross(rim, n);
      const Vec<D> zero{};
      impulse = transported(old >= 0 ? before.impulse[old] : zero, old >= 0 ? before.normal[old] : zero, n, impulse_scale);
      h_n = at_a.c[mass] + at_b.c[mass], h_t = h_n + at_a.c[rolling] + at_b.c[rolling];
    }
    const double u_n = dot(u, n), shift = formal_shift(rule, gap, u_n, law.normal_restitution);
    Vec<D> bias = shift * n;
    if (rule.strikes) bias += law.tangential_restitution * (u - u_n * n);
    if (obstacle) bias -= away;
    for (int d = 0; d < D; ++d) pack.normal[d][l] = n[d], pack.impulse[d][l] = impulse[d], pack.bias[d][l] = bias[d];
    pack.inverse_normal[l] = 1.0 / h_n, pack.inverse_tangent[l] = 1.0 / h_t, pack.friction[l] = law.friction;
    pack.a[l] = static_cast<std::int32_t>(slot_a), pack.b[l] = static_cast<std::int32_t>(slot_b);
    now.gap[i] = gap;
    const double other = b < 0 ? radius : bodies.radius[b], smaller = other < radius ? other : radius;
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
  MOREAU_INLINE void operator()(std::size_t place) const {
    if (at[place] < 0) return;
    const std::int32_t other = b[at[place]];
    if (other < 0 && walls[-other - 1].motion == motion)
      shared[next_number(number)] = {static_cast<std::uint32_t>(place), walls[-other - 1].sharing};
  }
};

// Impulses of the solved problem into its table; and the contact at a place begins from its impulse in that table, or from none.
template <int D>
struct KeepImpulse {
  const RoundPack<D, double>* packs;
  const std::int32_t* at;
  ContactRows<D> table;
  MOREAU_INLINE void operator()(std::size_t place) const {
    if (at[place] < 0) return;
    for (int d = 0; d < D; ++d) table.impulse[at[place]][d] = packs[place / lanes].impulse[d][place % lanes];
  }
};
template <int D>
struct BeginFrom {
  RoundPack<D, double>* packs;
  const std::int32_t* at;
  ContactRows<D> now, solved;
  MOREAU_INLINE void operator()(std::size_t place) const {
    const std::int32_t i = at[place];
    if (i < 0) return;
    const std::int32_t known = number_in(solved, now.a[i], now.b[i], now.image_of(static_cast<std::size_t>(i)));
    const Vec<D> impulse = known >= 0 ? solved.impulse[known] : Vec<D>{};
    RoundPack<D, double>& pack = packs[place / lanes];
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

// Of the contact at a place, once the bodies are at the end of the step and the solver's rows hold the mean velocities.
template <int D>
struct Account {
  BodyRows<D> bodies;
  ContactRows<D> now;
  const std::int32_t* at;
  const WallRow<D>* walls;
  const Row<double>* row;
  const RoundPack<D, double>* packs;
  std::int32_t none;
  double time_step;

  MOREAU_INLINE void operator()(std::size_t place, ContactTotals& sum) const {
    const std::int32_t i = at[place];
    if (i < 0) return;
    const RoundPack<D, double>& pack = packs[place / lanes];
    const std::size_t l = place % lanes;
    Vec<D> n, p, u;
    for (int d = 0; d < D; ++d) n[d] = pack.normal[d][l], p[d] = pack.impulse[d][l];
    const Row<double> a = row[pack.a[l]], b = row[pack.b[l]];
    Spin<D> rim;
    for (int d = 0; d < D; ++d) u[d] = a.c[d] - b.c[d];
    for (int d = 0; d < spin_dimension<D>; ++d) rim[d] = a.c[D + d] + b.c[D + d];
    u -= cross(rim, n);
    sum.work.add(dot(u, p));
    sum.force.add(square_root(dot(p, p)));
    const double normal = dot(p, n);
    if (normal > 0.0) {
      if (below_bound(p, n, normal, pack.friction[l]))
        ++sum.stick;
      else
        ++sum.slide;
    }
    now.normal[i] = n, now.impulse[i] = p;
    if (pack.b[l] != none) return;
    // Where an obstacle is touched matters only if it turns.
    const std::int32_t body = now.a[i], other = now.b[i];
    Vec<D> arm{};
    if (other < 0) {
      if (walls[-other - 1].slides) {
        const Vec<D> arm_a = -bodies.radius[body] * n;
        arm = bodies.position[body] - 0.5 * time_step * bodies.velocity[body] + arm_a;
      }
    } else if (!(bodies.spin[other] == Spin<D>{})) {
      arm = bodies.radius[other] * n;
    }
    const Vec<D> v = obstacle_velocity(bodies, walls, other, arm);
    sum.wall_work.add(dot(p, other < 0 ? v + 0.5 * walls[-other - 1].change : v));
  }
};

}  // namespace moreau::gpu

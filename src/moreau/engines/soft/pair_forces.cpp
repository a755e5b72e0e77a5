#include "moreau/engines/soft/pair_forces.hpp"

#include <algorithm>

#include "moreau/base/gather.hpp"
#include "moreau/base/instruction_set.hpp"
#include "moreau/contact/ball_separation.hpp"
#include "moreau/engines/soft/eight_bodies.hpp"
#include "moreau/engines/soft/rows_of_vectors.hpp"

namespace moreau::soft {

namespace {

constexpr Lanes lane_number = {0, 1, 2, 3, 4, 5, 6, 7};

MOREAU_INLINE Coefficients<Lanes> spread(const PackedLaw& law) {
  const Lanes zero{};
  return {zero + law.stiffness,
          zero + law.unloading,
          zero + law.ratio,
          zero + law.compliance,
          zero + law.damping,
          zero + law.tangential,
          zero + law.tangential_compliance,
          zero + law.tangential_damping,
          zero + law.friction};
}

template <int D>
MOREAU_INLINE Coefficients<Lanes> laws_of(const PairForces<D>& in, const std::int32_t (&of_a)[lanes],
                                          const std::int32_t (&of_b)[lanes]) {
  if (in.only != nullptr) return spread(*in.only);
  const double* p[lanes];
  for (int l = 0; l < lanes; ++l)
    p[l] =
        &in.laws[static_cast<std::size_t>(in.material[of_a[l]]) * in.materials + static_cast<std::size_t>(in.material[of_b[l]])]
             .stiffness;
  return {gathered(p, 0), gathered(p, 1), gathered(p, 2), gathered(p, 3), gathered(p, 4),
          gathered(p, 5), gathered(p, 6), gathered(p, 7), gathered(p, 8)};
}

// The springs that contacts remember: mostly they lie one after the other.
template <int D>
MOREAU_INLINE Vec<D, Lanes> recalled_springs(const PairForces<D>& in, const std::int32_t (&row)[lanes]) {
  if (in.old_spring == nullptr) return {};
  bool in_line = row[0] >= 0;
  for (int l = 1; l < lanes; ++l) in_line &= row[l] == row[0] + l;
  if (in_line) return load_vectors(in.old_spring + row[0]);
  static constexpr double zeros[D] = {};
  const double* p[lanes];
  for (int l = 0; l < lanes; ++l) p[l] = row[l] >= 0 ? in.old_spring[row[l]].c : zeros;
  Vec<D, Lanes> v;
  for (int d = 0; d < D; ++d) v[d] = gathered(p, d);
  return v;
}

// One vector per contact; `in_line`: eight contacts one after the other.
template <int N>
MOREAU_INLINE void put(Vec<N>* to, const Vec<N, Lanes>& v, const std::uint32_t* contact, int count, bool in_line) {
  if (in_line) return store_vectors(to + contact[0], v);
  for (int d = 0; d < N; ++d)
    for (int l = 0; l < count; ++l) to[contact[l]][d] = v[d][l];
}
MOREAU_INLINE void put(double* to, const Lanes& x, const std::uint32_t* contact, int count, bool in_line) {
  if (in_line) return store_unaligned(to + contact[0], x);
  for (int l = 0; l < count; ++l) to[contact[l]] = x[l];
}

MOREAU_INLINE double sum_of(const Lanes& x) { return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7])); }

struct LaneSums {
  Lanes elastic{}, power{}, force{}, closed{}, slide{}, overlap{}, deepest{};
};

// Where eight contacts are and how they move.
template <int D>
struct EightContacts {
  std::int32_t recalled[lanes];
  Vec<D, Lanes> normal, velocity, lag;  // of a relative to b
  Lanes gap, inverse_mass, inverse_diameter;
  Coefficients<Lanes> law;
};

// h/2 times the acceleration of eight bodies at their rims: predicted velocities less the mean ones of the step.
template <int D>
struct EightLags {
  Vec<D, Lanes> centre;
  Spin<D, Lanes> rim;
};
template <int D>
MOREAU_INLINE EightLags<D> lags_of(const PairForces<D>& in, const std::int32_t (&body)[lanes], const Lanes& radius) {
  const double *a[lanes], *turn[lanes];
  for (int l = 0; l < lanes; ++l) a[l] = in.acceleration[body[l]].c, turn[l] = in.spin_acceleration[body[l]].c;
  const Lanes half = Lanes{} + 0.5 * in.step;
  EightLags<D> lag;
  for (int d = 0; d < D; ++d) lag.centre[d] = half * gathered(a, d);
  for (int d = 0; d < spin_dimension<D>; ++d) lag.rim[d] = half * radius * gathered(turn, d);
  return lag;
}

template <int D>
MOREAU_INLINE EightContacts<D> between_bodies(const PairForces<D>& in, const std::uint32_t* contact, int count) {
  using Layout = LineLayout<D>;
  EightContacts<D> c;
  std::int32_t of_a[lanes], of_b[lanes];
  for (int l = 0; l < lanes; ++l) {
    const FoundContact& found = in.found[contact[std::min(l, count - 1)]];
    of_a[l] = found.a, of_b[l] = found.b, c.recalled[l] = found.recalled;
  }
  EightBodies<D> a, b;
  a.read(in.bodies, of_a), b.read(in.bodies, of_b);
  Vec<D, Lanes> apart;
  Spin<D, Lanes> rim;
  for (int d = 0; d < D; ++d) {
    apart[d] = a[Layout::position + d] - b[Layout::position + d];
    c.velocity[d] = a[Layout::velocity + d] - b[Layout::velocity + d];
  }
  if (in.shift != nullptr) {
    const double *shift[lanes], *drift[lanes];
    for (int l = 0; l < lanes; ++l) {
      const std::uint32_t i = contact[std::min(l, count - 1)];
      shift[l] = in.shift[i].c, drift[l] = in.drift[i].c;
    }
    for (int d = 0; d < D; ++d) apart[d] -= gathered(shift, d), c.velocity[d] -= gathered(drift, d);
  }
  for (int d = 0; d < D; ++d) apart[d] += a[Layout::remainder + d] - b[Layout::remainder + d];
  for (int d = 0; d < spin_dimension<D>; ++d) rim[d] = a[Layout::rim + d] + b[Layout::rim + d];
  const Lanes r_a = a[Layout::radius], r_b = b[Layout::radius];
  if (in.fixed_normal != nullptr) {
    const double* normal[lanes];
    for (int l = 0; l < lanes; ++l) normal[l] = in.fixed_normal[contact[std::min(l, count - 1)]].c;
    for (int d = 0; d < D; ++d) c.normal[d] = gathered(normal, d);
    c.gap = dot(apart, c.normal) - (r_a + r_b);
  } else {
    const BallSeparation<D, Lanes> s = ball_separation<D, Lanes>(apart, r_a + r_b);
    c.gap = s.gap, c.normal = s.normal;
  }
  c.velocity -= cross(rim, c.normal);
  c.lag = {};
  if (in.acceleration != nullptr) {
    const EightLags<D> first = lags_of(in, of_a, r_a), second = lags_of(in, of_b, r_b);
    c.lag = first.centre - second.centre - cross(first.rim + second.rim, c.normal);
  }
  if constexpr (Layout::holds_mass) {
    c.inverse_mass = a[Layout::inverse_mass] + b[Layout::inverse_mass];
    c.inverse_diameter = 0.5 * larger(a[Layout::inverse_radius], b[Layout::inverse_radius]);
  } else {
    const double *w_a[lanes], *w_b[lanes];
    for (int l = 0; l < lanes; ++l) w_a[l] = in.inverse_mass + of_a[l], w_b[l] = in.inverse_mass + of_b[l];
    c.inverse_mass = gathered(w_a, 0) + gathered(w_b, 0);
    c.inverse_diameter = 0.5 / smaller(r_a, r_b);
  }
  c.law = laws_of(in, of_a, of_b);
  return c;
}

template <int D>
MOREAU_INLINE EightContacts<D> with_planes(const PairForces<D>& in, const std::uint32_t* contact, int count) {
  using Layout = LineLayout<D>;
  EightContacts<D> c;
  std::int32_t of_a[lanes];
  const double *normal[lanes], *point[lanes], *shift[lanes], *velocity[lanes], *late[lanes], *w_a[lanes], *law[lanes];
  for (int l = 0; l < lanes; ++l) {
    const FoundContact& found = in.found[contact[std::min(l, count - 1)]];
    of_a[l] = found.a, c.recalled[l] = found.recalled;
    const Plane<D>& plane = in.planes[wall_index(found.b)];
    normal[l] = plane.normal, point[l] = plane.point, shift[l] = plane.shift, velocity[l] = plane.velocity;
    late[l] = plane.lag;
    w_a[l] = in.inverse_mass + found.a;
    law[l] = &in.laws[static_cast<std::size_t>(in.material[found.a]) * in.materials + static_cast<std::size_t>(plane.material)]
                  .stiffness;
  }
  EightBodies<D> a;
  a.read(in.bodies, of_a);
  Vec<D, Lanes> from, carried;
  Spin<D, Lanes> rim;
  for (int d = 0; d < D; ++d) {
    from[d] = a[Layout::position + d] - gathered(point, d) - gathered(shift, d);
    carried[d] = a[Layout::remainder + d];
    c.normal[d] = gathered(normal, d);
    c.velocity[d] = a[Layout::velocity + d] - gathered(velocity, d);
  }
  for (int d = 0; d < spin_dimension<D>; ++d) rim[d] = a[Layout::rim + d];
  c.velocity -= cross(rim, c.normal);
  c.gap = dot(from, c.normal) - a[Layout::radius] + dot(carried, c.normal);
  c.lag = {};
  if (in.acceleration != nullptr) {
    const EightLags<D> body = lags_of(in, of_a, a[Layout::radius]);
    c.lag = body.centre - cross(body.rim, c.normal);
    for (int d = 0; d < D; ++d) c.lag[d] -= gathered(late, d);
  }
  c.inverse_mass = gathered(w_a, 0), c.inverse_diameter = 0.5 / a[Layout::radius];
  c.law = {gathered(law, 0), gathered(law, 1), gathered(law, 2), gathered(law, 3), gathered(law, 4),
           gathered(law, 5), gathered(law, 6), gathered(law, 7), gathered(law, 8)};
  return c;
}

template <int D, Tangential tangential>
MOREAU_INLINE void push_eight(const PairForces<D>& in, EightContacts<D> c, const std::uint32_t* contact, int count,
                              const Pace<Lanes>& pace, LaneSums& sums) {
  const Lanes one = Lanes{} + 1.0, depth = maximum(-c.gap, 0.0);
  if (in.fixed_normal != nullptr) {  // what is open neither pushes nor damps
    const auto open = c.gap > 0.0;
    c.law.damping = open ? Lanes{} : c.law.damping, c.law.tangential_damping = open ? Lanes{} : c.law.tangential_damping;
  }
  Vec<D, Lanes> remembered{};
  if constexpr (tangential != Tangential::none) remembered = recalled_springs(in, c.recalled);
  Lanes old_deepest{};
  if (in.old_deepest != nullptr)
    for (int l = 0; l < lanes; ++l) old_deepest[l] = c.recalled[l] >= 0 ? in.old_deepest[c.recalled[l]] : 0.0;
  const ContactForce<D, Lanes> f = contact_force<D, Lanes, tangential>(
      with_mass(c.law, square_root(one / c.inverse_mass)), pace, depth, c.normal, c.velocity, c.lag, remembered, old_deepest);

  const auto present = lane_number < static_cast<double>(count);
  const auto add = [&](Lanes& sum, const Lanes& x) { sum += present ? x : Lanes{}; };
  const Lanes relative = depth * c.inverse_diameter, closed = f.normal != 0.0 ? one : Lanes{};
  add(sums.elastic, f.elastic), add(sums.power, f.power), add(sums.force, square_root(dot(f.force, f.force)));
  add(sums.closed, closed), add(sums.slide, f.slides * closed), add(sums.overlap, relative);
  sums.deepest = larger(sums.deepest, relative);

  const bool in_line = count == lanes && contact[lanes - 1] == contact[0] + lanes - 1;
  const Vec<D, Lanes> impulse = (Lanes{} + in.step) * f.force;
  put(in.gap, c.gap, contact, count, in_line);
  put(in.normal, c.normal, contact, count, in_line), put(in.impulse, impulse, contact, count, in_line);
  if constexpr (tangential != Tangential::none) {
    put(in.spring, f.spring, contact, count, in_line);
    put(in.twist, -moment(c.normal, impulse), contact, count, in_line);
  }
  if (in.deepest != nullptr) put(in.deepest, f.deepest, contact, count, in_line);
}

template <int D, Tangential tangential, bool planes>
MOREAU_INLINE void push_all(const PairForces<D>& in, std::span<const std::uint32_t> contacts, ForceSums& total) {
  const Lanes zero{};
  const Pace<Lanes> pace{zero + in.pace.passed, zero + in.pace.ahead, zero + in.pace.rate, zero + in.pace.pull};
  LaneSums sums;
  for (std::size_t k = 0; k < contacts.size(); k += lanes) {
    const std::uint32_t* contact = contacts.data() + k;
    const int count = static_cast<int>(std::min<std::size_t>(lanes, contacts.size() - k));
    if constexpr (planes)
      push_eight<D, tangential>(in, with_planes(in, contact, count), contact, count, pace, sums);
    else
      push_eight<D, tangential>(in, between_bodies(in, contact, count), contact, count, pace, sums);
  }
  ForceSums part{sum_of(sums.elastic), sum_of(sums.power), sum_of(sums.force),
                 sum_of(sums.closed),  sum_of(sums.slide), sum_of(sums.overlap)};
  for (int l = 0; l < lanes; ++l) part.deepest = std::max(part.deepest, sums.deepest[l]);
  total += part;
}

template <int D, bool planes>
MOREAU_INLINE void push_by_need(const PairForces<D>& in, std::span<const std::uint32_t> contacts, ForceSums& sums) {
  if (in.tangential == Tangential::none)
    push_all<D, Tangential::none, planes>(in, contacts, sums);
  else if (in.tangential == Tangential::spring)
    push_all<D, Tangential::spring, planes>(in, contacts, sums);
  else
    push_all<D, Tangential::spring_and_dashpot, planes>(in, contacts, sums);
}

}  // namespace

MOREAU_VERSIONS(void, pair_forces, (const PairForces<2>& in, std::span<const std::uint32_t> contacts, ForceSums& sums),
                (in, contacts, sums)) {
  push_by_need<2, false>(in, contacts, sums);
}
MOREAU_VERSIONS(void, plane_forces, (const PairForces<2>& in, std::span<const std::uint32_t> contacts, ForceSums& sums),
                (in, contacts, sums)) {
  push_by_need<2, true>(in, contacts, sums);
}
MOREAU_VERSIONS(void, pair_forces, (const PairForces<3>& in, std::span<const std::uint32_t> contacts, ForceSums& sums),
                (in, contacts, sums)) {
  push_by_need<3, false>(in, contacts, sums);
}
MOREAU_VERSIONS(void, plane_forces, (const PairForces<3>& in, std::span<const std::uint32_t> contacts, ForceSums& sums),
                (in, contacts, sums)) {
  push_by_need<3, true>(in, contacts, sums);
}

}  // namespace moreau::soft

#include "moreau/engines/soft/correct_bodies.hpp"

#include <algorithm>
#include <utility>

#include "moreau/base/instruction_set.hpp"
#include "moreau/engines/soft/contact_force.hpp"
#include "moreau/engines/soft/rows_of_vectors.hpp"

namespace moreau::soft {

namespace {

// One body, or eight side by side; `Real` says which.
template <int D, class Real>
struct MovingBody {
  Real mass, inertia, inverse_mass, lever;
  Vec<D, Real> impulse, position, remainder, velocity, acceleration, jerk;
  Spin<D, Real> twist, spin, spin_acceleration, spin_jerk;
};

template <class Real>
struct BodyTerms {
  Real resultant, speed, square, kinetic, potential, dissipated_power, wall_power;
};

// Neighbours in two rows added, each sum beside that of the other row: a0+a1 b0+b1 a2+a3 b2+b3 ...
MOREAU_INLINE Lanes in_pairs(const Lanes& a, const Lanes& b) {
  return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14) + __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
}
// Of rows of such pairs: a b c d of the first four, then of the last four.
MOREAU_INLINE Lanes in_fours(const Lanes& ab, const Lanes& cd) {
  return __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13) + __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
}

// What is added up over bodies, side by side in one row.
struct RowOfSums {
  Lanes sum{};
  double fastest = 0.0;
  Lanes fastest_of_eight{};

  MOREAU_INLINE void add(const BodyTerms<double>& t, double mass) {
    sum += Lanes{t.resultant, mass, t.speed, t.kinetic, t.potential, t.dissipated_power, t.wall_power, 0.0};
    fastest = std::max(fastest, t.square);
  }
  // Eight bodies, in pairs and pairs of pairs.
  MOREAU_INLINE void add(const BodyTerms<Lanes>& t, const Lanes& mass) {
    const Lanes a = in_fours(in_pairs(t.resultant, mass), in_pairs(t.speed, t.kinetic)),
                b = in_fours(in_pairs(t.potential, t.dissipated_power), in_pairs(t.wall_power, Lanes{}));
    sum += __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11) + __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
    fastest_of_eight = fastest_of_eight < t.square ? t.square : fastest_of_eight;
  }
  void add_to(MotionSums& s) const {
    s.resultant += sum[0], s.mass += sum[1], s.speeds += sum[2], s.kinetic += sum[3], s.potential += sum[4];
    s.dissipated_power += sum[5], s.wall_power += sum[6];
    s.fastest = std::max(s.fastest, fastest);
    for (int l = 0; l < lanes; ++l) s.fastest = std::max(s.fastest, fastest_of_eight[l]);
  }
};

template <int D, class Real>
MOREAU_INLINE Vec<D, Real> spread(const Vec<D>& v) {
  Vec<D, Real> s;
  for (int d = 0; d < D; ++d) s[d] = Real{} + v[d];
  return s;
}

template <int D, class Real>
MOREAU_INLINE BodyTerms<Real> correct(const Correction<D>& c, MovingBody<D, Real>& b) {
  const auto number = [](double x) { return Real{} + x; };
  const Vec<D, Real> gravity = spread<D, Real>(c.gravity);
  const Vec<D, Real> pulled = (number(c.rate) * b.inverse_mass) * b.impulse + gravity;
  Vec<D, Real> acceleration = pulled;
  Spin<D, Real> spin_acceleration = (number(c.rate) * b.lever) * b.twist;
  BodyTerms<Real> t{};
  if (c.drag > 0.0) {
    const Real drag = number(c.drag);
    acceleration -= drag * b.velocity, spin_acceleration -= drag * b.spin;
    t.dissipated_power = drag * (b.mass * dot(b.velocity, b.velocity) + b.inertia * dot(b.spin, b.spin));
  }
  if (c.affine) {
    const Vec<D, Real> from = b.position - spread<D, Real>(c.centre);
    Vec<D, Real> carried;
    for (int p = 0; p < D; ++p) carried[p] = dot(spread<D, Real>(c.gradient_rate.row[p]), from);
    acceleration += carried;
    t.wall_power = b.mass * dot(carried, b.velocity);
  }
  const Vec<D, Real> error = acceleration - b.acceleration;
  const Spin<D, Real> spin_error = spin_acceleration - b.spin_acceleration;
  b.velocity += number(c.to_velocity) * error, b.spin += number(c.to_velocity) * spin_error;
  if (c.jerk != nullptr) {
    for (int d = 0; d < D; ++d) add_exactly(b.position[d], b.remainder[d], number(c.to_position) * error[d]);
    b.jerk += number(c.to_jerk) * error, b.spin_jerk += number(c.to_jerk) * spin_error;
  }
  b.acceleration = acceleration, b.spin_acceleration = spin_acceleration;
  t.square = dot(b.velocity, b.velocity);
  t.speed = square_root(t.square);
  t.resultant = b.mass * square_root(dot(pulled, pulled));
  t.kinetic = 0.5 * (b.mass * t.square + b.inertia * dot(b.spin, b.spin));
  t.potential = -b.mass * dot(gravity, b.position);
  return t;
}

template <int D>
MOREAU_INLINE void one(const Correction<D>& c, std::size_t i, RowOfSums& s) {
  const PushLine<D> push = std::exchange(c.push[i], {});
  if (!(c.inverse_mass[i] > 0.0)) {
    c.acceleration[i] = {}, c.spin_acceleration[i] = {};
    return;
  }
  MovingBody<D, double> b{
      c.mass[i], c.inertia[i], c.inverse_mass[i],      c.lever[i], {}, c.position[i], {}, c.velocity[i], c.acceleration[i], {},
      {},        c.spin[i],    c.spin_acceleration[i], {}};
  for (int d = 0; d < D; ++d) b.impulse[d] = push.c[d];
  for (int d = 0; d < spin_dimension<D>; ++d) b.twist[d] = push.c[PushLayout<D>::twist + d];
  if (c.jerk != nullptr) b.remainder = c.remainder[i], b.jerk = c.jerk[i], b.spin_jerk = c.spin_jerk[i];
  const BodyTerms<double> t = correct<D, double>(c, b);
  c.velocity[i] = b.velocity, c.spin[i] = b.spin, c.acceleration[i] = b.acceleration,
  c.spin_acceleration[i] = b.spin_acceleration;
  if (c.jerk != nullptr)
    c.position[i] = b.position, c.remainder[i] = b.remainder, c.jerk[i] = b.jerk, c.spin_jerk[i] = b.spin_jerk;
  s.add(t, b.mass);
}

template <int D>
MOREAU_INLINE void eight(const Correction<D>& c, std::size_t i, RowOfSums& s) {
  MovingBody<D, Lanes> b;
  b.mass = load_unaligned(c.mass + i), b.inertia = load_unaligned(c.inertia + i);
  b.inverse_mass = load_unaligned(c.inverse_mass + i), b.lever = load_unaligned(c.lever + i);
  b.position = load_vectors(c.position + i), b.velocity = load_vectors(c.velocity + i);
  b.acceleration = load_vectors(c.acceleration + i);
  b.spin = load_vectors(c.spin + i), b.spin_acceleration = load_vectors(c.spin_acceleration + i);
  b.remainder = {}, b.jerk = {}, b.spin_jerk = {};
  Lanes push[lanes];
  read_pushes<D>(c.push + i, push);
  const typename PushLayout<D>::Row zero{};
  for (std::size_t l = 0; l < lanes; ++l) write_row<D>(c.push[i + l], zero);
  for (int d = 0; d < D; ++d) b.impulse[d] = push[d];
  for (int d = 0; d < spin_dimension<D>; ++d) b.twist[d] = push[PushLayout<D>::twist + d];
  if (c.jerk != nullptr)
    b.remainder = load_vectors(c.remainder + i), b.jerk = load_vectors(c.jerk + i), b.spin_jerk = load_vectors(c.spin_jerk + i);
  const BodyTerms<Lanes> t = correct<D, Lanes>(c, b);
  store_vectors(c.velocity + i, b.velocity), store_vectors(c.spin + i, b.spin);
  store_vectors(c.acceleration + i, b.acceleration), store_vectors(c.spin_acceleration + i, b.spin_acceleration);
  if (c.jerk != nullptr) {
    store_vectors(c.position + i, b.position), store_vectors(c.remainder + i, b.remainder);
    store_vectors(c.jerk + i, b.jerk), store_vectors(c.spin_jerk + i, b.spin_jerk);
  }
  s.add(t, b.mass);
}

template <int D>
MOREAU_INLINE void all(const Correction<D>& c, std::size_t begin, std::size_t end, MotionSums& sums) {
  RowOfSums s;
  std::size_t i = begin;
  for (; i + lanes <= end; i += lanes)
    if (all_of(load_unaligned(c.inverse_mass + i) > 0.0))
      eight<D>(c, i, s);
    else
      for (std::size_t l = 0; l < lanes; ++l) one<D>(c, i + l, s);
  for (; i < end; ++i) one<D>(c, i, s);
  s.add_to(sums);
}

}  // namespace

MOREAU_VERSIONS(void, correct_bodies, (const Correction<2>& c, std::size_t begin, std::size_t end, MotionSums& sums),
                (c, begin, end, sums)) {
  all<2>(c, begin, end, sums);
}
MOREAU_VERSIONS(void, correct_bodies, (const Correction<3>& c, std::size_t begin, std::size_t end, MotionSums& sums),
                (c, begin, end, sums)) {
  all<3>(c, begin, end, sums);
}

}  // namespace moreau::soft

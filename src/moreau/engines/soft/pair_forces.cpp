#include "moreau/engines/soft/pair_forces.hpp"

#include <algorithm>
#include <cstddef>

#include "moreau/base/gather.hpp"
#include "moreau/base/instruction_set.hpp"
#include "moreau/contact/ball_separation.hpp"
#include "moreau/engines/soft/eight_bodies.hpp"
#include "moreau/engines/soft/rows_of_vectors.hpp"

namespace moreau::soft {

namespace {

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

MOREAU_INLINE Coefficients<Lanes> gathered_law(const double* const (&p)[lanes]) {
  return {gathered(p, 0), gathered(p, 1), gathered(p, 2), gathered(p, 3), gathered(p, 4),
          gathered(p, 5), gathered(p, 6), gathered(p, 7), gathered(p, 8)};
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
  return gathered_law(p);
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

MOREAU_INLINE double sum_of(const Lanes& x) { return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7])); }

struct LaneSums {
  Lanes elastic{}, power{}, force{}, closed{}, slide{}, overlap{}, deepest{};
};

// Where eight contacts are, how they move and what they remember.
template <int D>
struct EightContacts {
  LaneBits counted;                                 // all bits of those that are asked for
  Vec<D, Lanes> normal, velocity, lag, remembered;  // of a relative to b
  Lanes gap, root_mass, inverse_diameter, deepest;  // root of the reduced mass
  Coefficients<Lanes> law;
};

// From rows of centres and rims.
template <int D>
MOREAU_INLINE Vec<D, Lanes> lag_at(Lanes (&rows)[lanes], const Vec<D, Lanes>& normal) {
  transpose(rows);
  Vec<D, Lanes> centre;
  Spin<D, Lanes> rim;
  for (int d = 0; d < D; ++d) centre[d] = rows[d];
  for (int d = 0; d < spin_dimension<D>; ++d) rim[d] = rows[PushLayout<D>::twist + d];
  return centre - cross(rim, normal);
}
MOREAU_INLINE Lanes whole(const Lanes& row) { return row; }
MOREAU_INLINE Lanes whole(const HalfLanes& row) { return __builtin_shufflevector(row, HalfLanes{}, 0, 1, 2, 3, 4, 5, 6, 7); }

// Of inverse masses the sum, of inverse radii the larger.
typedef double TwoNumbers __attribute__((vector_size(16)));
MOREAU_INLINE TwoNumbers together(const BodyTraits& a, const BodyTraits& b) {
  TwoNumbers first, second;
  __builtin_memcpy(&first, &a, sizeof(first)), __builtin_memcpy(&second, &b, sizeof(second));
  const TwoNumbers sum = first + second, most = first > second ? first : second;
  return __builtin_shufflevector(sum, most, 0, 3);
}

// All bits of the contacts with two bodies. By way of registers, as a vector cannot be read soon from what was written in pieces:
// three rows of eight numbers hold eight contacts, whose second bodies are the numbers 1, 4, 7, ...
MOREAU_INLINE LaneBits between_two(const FoundContact* found, int count) {
  static_assert(sizeof(FoundContact) == 12 && offsetof(FoundContact, b) == 4);
  if (count < lanes) {
    LaneBits two{};
    for (int l = 0; l < count; ++l) two[l] = is_wall(found[l].b) ? 0 : -1;
    return two;
  }
  typedef std::int32_t Eight __attribute__((vector_size(32)));
  Eight part[3];
  __builtin_memcpy(part, found, sizeof(part));
  const Eight early = __builtin_shufflevector(part[0], part[1], 1, 4, 7, 10, 13, 0, 0, 0);
  const Eight b = __builtin_shufflevector(early, part[2], 0, 1, 2, 3, 4, 8, 11, 14);
  return __builtin_convertvector(b >= 0, LaneBits);
}

// Contacts [begin, begin + count); a row of a wall is that of a body with itself, which is not counted.
template <int D, bool tangential>
MOREAU_INLINE void between_bodies(const PairForces<D>& in, std::size_t begin, int count, EightContacts<D>& c) {
  using Layout = LineLayout<D>;
  std::int32_t of_a[lanes], of_b[lanes], recalled[lanes];
  for (int l = 0; l < lanes; ++l) {
    const FoundContact& found = in.found[begin + static_cast<std::size_t>(std::min(l, count - 1))];
    of_a[l] = found.a, of_b[l] = is_wall(found.b) ? found.a : found.b, recalled[l] = found.recalled;
  }
  c.counted = between_two(in.found + begin, count);
  EightPairs<D> pair;
  pair.read(in.bodies, of_a, of_b);
  Vec<D, Lanes> apart;
  Spin<D, Lanes> rim;
  for (int d = 0; d < D; ++d) apart[d] = pair[Layout::position + d], c.velocity[d] = pair[Layout::velocity + d];
  if (in.shift != nullptr) {
    const double *shift[lanes], *drift[lanes];
    for (int l = 0; l < lanes; ++l) {
      const std::size_t i = begin + static_cast<std::size_t>(std::min(l, count - 1));
      shift[l] = in.shift[i].c, drift[l] = in.drift[i].c;
    }
    for (int d = 0; d < D; ++d) apart[d] -= gathered(shift, d), c.velocity[d] -= gathered(drift, d);
  }
  for (int d = 0; d < D; ++d) apart[d] += pair[Layout::remainder + d];
  for (int d = 0; d < spin_dimension<D>; ++d) rim[d] = pair[Layout::rim + d];
  const Lanes touch = pair[Layout::radius];
  if (in.fixed_normal != nullptr) {
    const double* normal[lanes];
    for (int l = 0; l < lanes; ++l) normal[l] = in.fixed_normal[begin + static_cast<std::size_t>(std::min(l, count - 1))].c;
    for (int d = 0; d < D; ++d) c.normal[d] = gathered(normal, d);
    c.gap = dot(apart, c.normal) - touch;
  } else {
    const BallSeparation<D, Lanes> s = ball_separation<D, Lanes>(apart, touch);
    c.gap = s.gap, c.normal = s.normal;
  }
  c.velocity -= cross(rim, c.normal);
  c.lag = {};
  if (in.lag != nullptr) {
    Lanes rows[lanes];
    for (int l = 0; l < lanes; ++l) rows[l] = whole(row_of<D>(in.lag[of_a[l]]) + turned_to_second<D>(row_of<D>(in.lag[of_b[l]])));
    c.lag = lag_at<D>(rows, c.normal);
  }
  Lanes inverse_mass;
  if constexpr (Layout::holds_mass) {
    inverse_mass = pair[Layout::inverse_mass], c.inverse_diameter = 0.5 * pair[Layout::inverse_radius];
  } else {
    TwoNumbers t[lanes];
    for (int l = 0; l < lanes; ++l) t[l] = together(in.traits[of_a[l]], in.traits[of_b[l]]);
    inverse_mass = gathered(t, 0), c.inverse_diameter = 0.5 * gathered(t, 1);
  }
  c.root_mass = square_root((Lanes{} + 1.0) / inverse_mass);
  c.law = laws_of(in, of_a, of_b);
  if constexpr (tangential) c.remembered = recalled_springs(in, recalled);
  c.deepest = Lanes{};
  if (in.old_deepest != nullptr)
    for (int l = 0; l < lanes; ++l) c.deepest[l] = recalled[l] >= 0 ? in.old_deepest[recalled[l]] : 0.0;
}

// Contacts contact[0] to contact[count - 1], the `before`-th and those that follow among those with planes.
template <int D, bool tangential>
MOREAU_INLINE void with_planes(const PairForces<D>& in, const std::uint32_t* contact, std::size_t before, int count,
                               EightContacts<D>& c) {
  using Layout = LineLayout<D>;
  std::int32_t of_a[lanes];
  const Plane<D>* plane[lanes];
  const PackedLaw* law[lanes];
  bool alike = true;
  for (int l = 0; l < lanes; ++l) {
    const FoundContact& found = in.found[contact[std::min(l, count - 1)]];
    of_a[l] = found.a, plane[l] = in.planes + wall_index(found.b);
    law[l] =
        in.laws + static_cast<std::size_t>(in.material[found.a]) * in.materials + static_cast<std::size_t>(plane[l]->material);
    alike &= law[l] == law[0];
    c.counted[l] = l < count ? -1 : 0;
  }
  EightBodies<D> a;
  a.read(in.bodies, of_a);
  Lanes walls[Plane<D>::size / lanes][lanes];
  for (int p = 0; p < Plane<D>::size / lanes; ++p) {
    for (int l = 0; l < lanes; ++l) walls[p][l] = load(plane[l]->c + p * lanes);
    transpose(walls[p]);
  }
  const auto of_wall = [&](int k) -> const Lanes& { return walls[k / lanes][k % lanes]; };
  Vec<D, Lanes> from, carried;
  Spin<D, Lanes> rim;
  for (int d = 0; d < D; ++d) {
    from[d] = a[Layout::position + d] - of_wall(Plane<D>::point + d) - of_wall(Plane<D>::shift + d);
    carried[d] = a[Layout::remainder + d];
    c.normal[d] = of_wall(Plane<D>::normal + d);
    c.velocity[d] = a[Layout::velocity + d] - of_wall(Plane<D>::velocity + d);
  }
  for (int d = 0; d < spin_dimension<D>; ++d) rim[d] = a[Layout::rim + d];
  c.velocity -= cross(rim, c.normal);
  c.gap = dot(from, c.normal) - a[Layout::radius] + dot(carried, c.normal);
  c.lag = {};
  if (in.lag != nullptr) {
    Lanes rows[lanes];
    for (int l = 0; l < lanes; ++l) rows[l] = whole(row_of<D>(in.lag[of_a[l]]));
    c.lag = lag_at<D>(rows, c.normal);
    for (int d = 0; d < D; ++d) c.lag[d] -= of_wall(Plane<D>::lag + d);
  }
  Lanes inverse_mass;
  if constexpr (Layout::holds_mass) {
    inverse_mass = a[Layout::inverse_mass], c.inverse_diameter = 0.5 * a[Layout::inverse_radius];
  } else {
    const double* t[lanes];
    for (int l = 0; l < lanes; ++l) t[l] = &in.traits[of_a[l]].inverse_mass;
    inverse_mass = gathered(t, 0), c.inverse_diameter = 0.5 * gathered(t, 1);
  }
  c.root_mass = square_root((Lanes{} + 1.0) / inverse_mass);
  if (alike) {
    c.law = spread(*law[0]);
  } else {
    const double* p[lanes];
    for (int l = 0; l < lanes; ++l) p[l] = &law[l]->stiffness;
    c.law = gathered_law(p);
  }
  c.remembered = {}, c.deepest = Lanes{};
  if (tangential && in.wall_spring != nullptr) c.remembered = load_vectors(in.wall_spring + before);
  if (in.wall_deepest != nullptr) c.deepest = load_unaligned(in.wall_deepest + before);
}

template <int D, Tangential tangential>
MOREAU_INLINE ContactForce<D, Lanes> push_eight(const PairForces<D>& in, EightContacts<D>& c, const Pace<Lanes>& pace,
                                                LaneSums& sums) {
  const Lanes one = Lanes{} + 1.0, depth = maximum(-c.gap, 0.0);
  if (in.fixed_normal != nullptr) {  // what is open neither pushes nor damps
    const auto open = c.gap > 0.0;
    c.law.damping = open ? Lanes{} : c.law.damping, c.law.tangential_damping = open ? Lanes{} : c.law.tangential_damping;
  }
  const ContactForce<D, Lanes> f = contact_force<D, Lanes, tangential>(with_mass(c.law, c.root_mass), pace, depth, c.normal,
                                                                       c.velocity, c.lag, c.remembered, c.deepest);
  const auto add = [&](Lanes& sum, const Lanes& x) { sum += c.counted ? x : Lanes{}; };
  const Lanes relative = depth * c.inverse_diameter, closed = f.normal != 0.0 ? one : Lanes{};
  add(sums.elastic, f.elastic), add(sums.power, f.power), add(sums.force, square_root(dot(f.force, f.force)));
  add(sums.closed, closed), add(sums.slide, f.slides * closed), add(sums.overlap, relative);
  sums.deepest = larger(sums.deepest, c.counted ? relative : Lanes{});
  return f;
}

// Impulses and twists as rows, one per contact.
template <int D, bool tangential>
MOREAU_INLINE void push_rows(const Vec<D, Lanes>& normal, const Vec<D, Lanes>& impulse, Lanes (&rows)[lanes]) {
  for (int l = 0; l < lanes; ++l) rows[l] = Lanes{};
  for (int d = 0; d < D; ++d) rows[d] = impulse[d];
  if constexpr (tangential) {
    const Spin<D, Lanes> twist = -moment(normal, impulse);
    for (int d = 0; d < spin_dimension<D>; ++d) rows[PushLayout<D>::twist + d] = twist[d];
  }
  transpose(rows);
}

template <int D, Tangential tangential>
MOREAU_INLINE void put_apart(const PairForces<D>& in, const EightContacts<D>& c, const ContactForce<D, Lanes>& f,
                             const Vec<D, Lanes>& impulse, const auto& contact, int count) {
  constexpr bool slides = tangential != Tangential::none;
  Lanes m[lanes] = {}, rows[lanes];
  m[0] = c.gap, m[1] = f.deepest;
  for (int d = 0; d < D; ++d) m[2 + d] = c.normal[d], m[2 + D + d] = f.spring[d];
  transpose(m), push_rows<D, slides>(c.normal, impulse, rows);
  for (int l = 0; l < count; ++l) {
    const std::size_t i = contact(l);
    LaneRow kept, push;
    store(kept.c, m[l]), store(push.c, rows[l]);
    in.gap[i] = kept.c[0];
    for (int d = 0; d < D; ++d) in.normal[i][d] = kept.c[2 + d], in.impulse[i][d] = push.c[d];
    if constexpr (slides)
      for (int d = 0; d < D; ++d) in.spring[i][d] = kept.c[2 + D + d];
    if (in.deepest != nullptr) in.deepest[i] = kept.c[1];
    put_row(in.push[i - in.push_begin], rows[l]);
  }
}

template <int D, Tangential tangential>
MOREAU_INLINE void put_in_line(const PairForces<D>& in, const EightContacts<D>& c, const ContactForce<D, Lanes>& f,
                               const Vec<D, Lanes>& impulse, std::size_t begin) {
  store_unaligned(in.gap + begin, c.gap);
  store_vectors(in.normal + begin, c.normal), store_vectors(in.impulse + begin, impulse);
  if constexpr (tangential != Tangential::none) store_vectors(in.spring + begin, f.spring);
  if (in.deepest != nullptr) store_unaligned(in.deepest + begin, f.deepest);
  Lanes rows[lanes];
  push_rows<D, tangential != Tangential::none>(c.normal, impulse, rows);
  for (std::size_t l = 0; l < lanes; ++l) put_row(in.push[begin + l - in.push_begin], rows[l]);
}

template <int D>
MOREAU_INLINE Pace<Lanes> pace_of(const PairForces<D>& in) {
  const Lanes zero{};
  return {zero + in.pace.passed, zero + in.pace.ahead, zero + in.pace.rate, zero + in.pace.pull};
}
MOREAU_INLINE void add_lanes(ForceSums& total, const LaneSums& sums) {
  ForceSums part{sum_of(sums.elastic), sum_of(sums.power), sum_of(sums.force),
                 sum_of(sums.closed),  sum_of(sums.slide), sum_of(sums.overlap)};
  for (int l = 0; l < lanes; ++l) part.deepest = std::max(part.deepest, sums.deepest[l]);
  total += part;
}

template <int D, Tangential tangential>
MOREAU_INLINE void push_pairs(const PairForces<D>& in, std::size_t begin, std::size_t end, ForceSums& total) {
  const Pace<Lanes> pace = pace_of(in);
  const Lanes step = Lanes{} + in.step;
  LaneSums sums;
  for (std::size_t k = begin; k < end; k += lanes) {
    const int count = static_cast<int>(std::min<std::size_t>(lanes, end - k));
    EightContacts<D> c;
    between_bodies<D, tangential != Tangential::none>(in, k, count, c);
    const ContactForce<D, Lanes> f = push_eight<D, tangential>(in, c, pace, sums);
    const Vec<D, Lanes> impulse = step * f.force;
    if (count == lanes)
      put_in_line<D, tangential>(in, c, f, impulse, k);
    else
      put_apart<D, tangential>(
          in, c, f, impulse, [&](int l) { return k + static_cast<std::size_t>(l); }, count);
  }
  add_lanes(total, sums);
}

template <int D, Tangential tangential>
MOREAU_INLINE void push_planes(const PairForces<D>& in, std::span<const std::uint32_t> contacts, ForceSums& total) {
  const Pace<Lanes> pace = pace_of(in);
  const Lanes step = Lanes{} + in.step;
  LaneSums sums;
  for (std::size_t k = 0; k < contacts.size(); k += lanes) {
    const std::uint32_t* contact = contacts.data() + k;
    const int count = static_cast<int>(std::min<std::size_t>(lanes, contacts.size() - k));
    EightContacts<D> c;
    with_planes<D, tangential != Tangential::none>(in, contact, k, count, c);
    const ContactForce<D, Lanes> f = push_eight<D, tangential>(in, c, pace, sums);
    put_apart<D, tangential>(
        in, c, f, step * f.force, [&](int l) { return contact[l]; }, count);
  }
  add_lanes(total, sums);
}

// The kernel for what some law needs.
#define MOREAU_BY_NEED(push, D, ...)            \
  if (in.tangential == Tangential::none)        \
    push<D, Tangential::none>(__VA_ARGS__);     \
  else if (in.tangential == Tangential::spring) \
    push<D, Tangential::spring>(__VA_ARGS__);   \
  else                                          \
    push<D, Tangential::spring_and_dashpot>(__VA_ARGS__)

}  // namespace

MOREAU_VERSIONS(void, pair_forces, (const PairForces<2>& in, std::size_t begin, std::size_t end, ForceSums& sums),
                (in, begin, end, sums)) {
  MOREAU_BY_NEED(push_pairs, 2, in, begin, end, sums);
}
MOREAU_VERSIONS(void, plane_forces, (const PairForces<2>& in, std::span<const std::uint32_t> contacts, ForceSums& sums),
                (in, contacts, sums)) {
  MOREAU_BY_NEED(push_planes, 2, in, contacts, sums);
}
MOREAU_VERSIONS(void, pair_forces, (const PairForces<3>& in, std::size_t begin, std::size_t end, ForceSums& sums),
                (in, begin, end, sums)) {
  MOREAU_BY_NEED(push_pairs, 3, in, begin, end, sums);
}
MOREAU_VERSIONS(void, plane_forces, (const PairForces<3>& in, std::span<const std::uint32_t> contacts, ForceSums& sums),
                (in, contacts, sums)) {
  MOREAU_BY_NEED(push_planes, 3, in, contacts, sums);
}
#undef MOREAU_BY_NEED

}  // namespace moreau::soft

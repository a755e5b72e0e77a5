#include "moreau/engines/rigid/round_contacts.hpp"

#include <algorithm>

#include "moreau/base/gather.hpp"
#include "moreau/base/instruction_set.hpp"
#include "moreau/contact/ball_separation.hpp"
#include "moreau/contact/contact_status.hpp"
#include "moreau/solver/kernels.hpp"

namespace moreau::inline engines {

namespace {

constexpr std::size_t rows = 16;  // of terms, added together

constexpr Lanes lane_number = {0, 1, 2, 3, 4, 5, 6, 7};

// A pack is rows of eight numbers, and then the bodies.
template <int D>
constexpr int pack_rows = 3 * D + 3;
template <int D>
MOREAU_INLINE double* numbers_of(RoundPack<D>& pack) {
  static_assert(offsetof(RoundPack<D>, a) == pack_rows<D> * lanes * sizeof(double));
  return &pack.normal[0][0];
}

// Friction, normal and tangential restitution, one after the other.
MOREAU_INLINE const double* coefficients(const PairLaw& law) {
  static_assert(offsetof(PairLaw, normal_restitution) == offsetof(PairLaw, friction) + sizeof(double));
  static_assert(offsetof(PairLaw, tangential_restitution) == offsetof(PairLaw, friction) + 2 * sizeof(double));
  return &law.friction;
}

template <int D>
MOREAU_INLINE void read_rows(Lanes (&m)[lanes], const VelocityOf<D>* rows, const std::int32_t* index) {
  for (int l = 0; l < lanes; ++l) m[l] = load_unaligned(rows[index[l]].c);
  transpose(m);
}

template <class T>
MOREAU_INLINE void fetch_lines(const T* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += 64) __builtin_prefetch(reinterpret_cast<const char*>(from) + at);
}

// What the next eight contacts will need: rows of the previous table and of the bodies are far apart.
template <int D>
MOREAU_INLINE void fetch(const RoundPacking<D>& in, const std::uint32_t* contact) {
  for (int l = 0; l < lanes; ++l) {
    const FoundContact& found = in.found[contact[l]];
    const std::uint32_t a = in.slot[found.a], b = in.slot[found.b];
    __builtin_prefetch(in.midpoint + a), __builtin_prefetch(in.midpoint + b);
    __builtin_prefetch(in.bodies + a), __builtin_prefetch(in.bodies + b);
    if (found.recalled < 0) continue;
    __builtin_prefetch(in.old_impulse + found.recalled), __builtin_prefetch(in.old_normal + found.recalled);
  }
}
template <int D>
MOREAU_INLINE void fetch(const RoundAccounts<D>& in, const std::uint32_t* contact) {
  for (int l = 0; l < lanes; ++l) {
    const RoundPack<D>& pack = in.packs[in.place[contact[l]] / lanes];
    __builtin_prefetch(in.bodies + pack.a[in.place[contact[l]] % lanes]);
    __builtin_prefetch(in.bodies + pack.b[in.place[contact[l]] % lanes]);
  }
}

template <int D>
MOREAU_INLINE void pack_eight(const RoundPacking<D>& in, const std::uint32_t* contact, int count, Lanes& overlap,
                              Lanes& deepest) {
  std::int32_t slot_a[lanes], slot_b[lanes];
  static constexpr double zeros[D] = {};
  const double *old_impulse[lanes], *old_normal[lanes], *law[lanes];
  for (int l = 0; l < lanes; ++l) {
    const FoundContact& found = in.found[contact[std::min(l, count - 1)]];
    const std::size_t a = static_cast<std::size_t>(found.a), b = static_cast<std::size_t>(found.b);
    slot_a[l] = static_cast<std::int32_t>(in.slot[a]), slot_b[l] = static_cast<std::int32_t>(in.slot[b]);
    const bool known = found.recalled >= 0;
    old_impulse[l] = known ? in.old_impulse[found.recalled].c : zeros;
    old_normal[l] = known ? in.old_normal[found.recalled].c : zeros;
    law[l] =
        coefficients(in.laws[static_cast<std::size_t>(in.material[a]) * in.materials + static_cast<std::size_t>(in.material[b])]);
  }

  Lanes at_a[lanes], at_b[lanes];
  read_rows<D>(at_a, in.midpoint, slot_a), read_rows<D>(at_b, in.midpoint, slot_b);
  Vec<D, Lanes> apart;
  for (int d = 0; d < D; ++d) apart[d] = at_a[d] - at_b[d];
  const BallSeparation<D, Lanes> s = ball_separation<D, Lanes>(apart, at_a[D] + at_b[D]);
  const Vec<D, Lanes>& n = s.normal;
  const Lanes smaller = at_b[D] < at_a[D] ? at_b[D] : at_a[D];
  const Lanes depth = lane_number < static_cast<double>(count) ? maximum(-s.gap, 0.0) / (2.0 * smaller) : Lanes{};
  overlap = depth;
  deepest = deepest < depth ? depth : deepest;

  Line a, b;
  a.read(in.bodies, slot_a), b.read(in.bodies, slot_b);
  Vec<D, Lanes> u;
  Spin<D, Lanes> rim;
  for (int d = 0; d < D; ++d) u[d] = a.m[d] - b.m[d];
  for (int d = 0; d < spin_dimension<D>; ++d) rim[d] = a.m[D + d] + b.m[D + d];
  u -= cross(rim, n);
  const Lanes u_n = dot(u, n), shift = formal_shift(in.rule, s.gap, u_n, gathered(law, 1));
  Vec<D, Lanes> bias = shift * n;
  if (in.rule.strikes) bias += gathered(law, 2) * (u - u_n * n);
  Vec<D, Lanes> impulse, normal;
  for (int d = 0; d < D; ++d) impulse[d] = gathered(old_impulse, d), normal[d] = gathered(old_normal, d);
  impulse = transported(impulse, normal, n, Lanes{} + in.impulse_scale);

  constexpr int mass = velocity_dimension<D>, rolling = mass + 1;
  const Lanes h_n = a.m[mass] + b.m[mass], one = Lanes{} + 1.0;
  alignas(64) double out[pack_rows<D>][lanes], gap[lanes];
  for (int d = 0; d < D; ++d) store(out[d], n[d]), store(out[D + d], impulse[d]), store(out[2 * D + d], bias[d]);
  store(out[3 * D], one / h_n);
  store(out[3 * D + 1], one / (h_n + a.m[rolling] + b.m[rolling]));
  store(gap, s.gap);
  for (int l = 0; l < count; ++l) {
    const std::uint32_t place = in.place[contact[l]], lane = place % lanes;
    RoundPack<D>& pack = in.packs[place / lanes];
    if (lane == 0)  // the contacts that come fill the next pack of this colour soon
      for (std::size_t line = 0; line < sizeof(pack); line += 64)
        __builtin_prefetch(reinterpret_cast<char*>(&pack + 1) + line, 1);
    double* to = numbers_of<D>(pack) + lane;
    for (int k = 0; k < pack_rows<D> - 1; ++k) to[k * lanes] = out[k][l];
    to[(pack_rows<D> - 1) * lanes] = law[l][0];
    pack.a[lane] = slot_a[l], pack.b[lane] = slot_b[l];
    in.gap[contact[l]] = gap[l];
  }
}

template <int D>
MOREAU_INLINE void pack_all(const RoundPacking<D>& in, std::span<const std::uint32_t> contacts, Penetration& penetration) {
  Lanes overlap[rows] = {}, deepest{};
  std::size_t row = 0;
  for (std::size_t k = 0; k < contacts.size(); k += lanes) {
    if (k + 2 * lanes <= contacts.size()) fetch<D>(in, contacts.data() + k + lanes);
    pack_eight<D>(in, contacts.data() + k, static_cast<int>(std::min<std::size_t>(lanes, contacts.size() - k)), overlap[row],
                  deepest);
    if (++row == rows) penetration.sum.add(overlap, row), row = 0;
  }
  penetration.sum.add(overlap, row);
  for (int l = 0; l < lanes; ++l) penetration.deepest = maximum(deepest[l], penetration.deepest);
}

template <int D>
MOREAU_INLINE void account_eight(const RoundAccounts<D>& in, const std::uint32_t* contact, int count, Lanes& work, Lanes& force,
                                 Lanes& stick, Lanes& slide) {  // stick and slide are added to
  std::int32_t slot_a[lanes], slot_b[lanes];
  static constexpr double zeros[pack_rows<D> * lanes] = {};
  const double* from[lanes];
  for (int l = 0; l < count; ++l) {
    const std::uint32_t place = in.place[contact[l]], lane = place % lanes;
    const RoundPack<D>& pack = in.packs[place / lanes];
    if (lane == 0) fetch_lines(&(&pack + 1)->normal, 2 * D * 64), fetch_lines(&(&pack + 1)->friction, 128);
    slot_a[l] = pack.a[lane], slot_b[l] = pack.b[lane];
    from[l] = &pack.normal[0][lane];
  }
  for (int l = count; l < lanes; ++l) slot_a[l] = slot_b[l] = in.none, from[l] = zeros;
  Vec<D, Lanes> n, p, u;
  for (int d = 0; d < D; ++d) n[d] = gathered(from, d * lanes), p[d] = gathered(from, (D + d) * lanes);
  const Lanes friction = gathered(from, (pack_rows<D> - 1) * lanes);
  Line a, b;
  a.read(in.bodies, slot_a), b.read(in.bodies, slot_b);
  Spin<D, Lanes> rim;
  for (int d = 0; d < D; ++d) u[d] = a.m[d] - b.m[d];
  for (int d = 0; d < spin_dimension<D>; ++d) rim[d] = a.m[D + d] + b.m[D + d];
  u -= cross(rim, n);
  work = dot(u, p);
  force = square_root(dot(p, p));
  const Lanes zero{}, one = zero + 1.0, normal = dot(p, n);
  const auto closed = normal > 0.0, sticks = closed & (below_bound(p, n, normal, friction));
  stick += sticks ? one : zero;
  slide += closed & ~sticks ? one : zero;
  for (int l = 0; l < count; ++l)
    for (int d = 0; d < D; ++d)
      in.normal[contact[l]][d] = from[l][d * lanes], in.impulse[contact[l]][d] = from[l][(D + d) * lanes];
}

template <int D>
MOREAU_INLINE void account_all(const RoundAccounts<D>& in, std::span<const std::uint32_t> contacts, ContactSums& sums) {
  Lanes work[rows] = {}, force[rows] = {}, stick{}, slide{};
  std::size_t row = 0;
  const auto settle = [&]() __attribute__((always_inline)) { sums.work.add(work, row), sums.force.add(force, row), row = 0; };
  for (std::size_t k = 0; k < contacts.size(); k += lanes) {
    if (k + 2 * lanes <= contacts.size()) fetch<D>(in, contacts.data() + k + lanes);
    account_eight<D>(in, contacts.data() + k, static_cast<int>(std::min<std::size_t>(lanes, contacts.size() - k)), work[row],
                     force[row], stick, slide);
    if (++row == rows) settle();
  }
  settle();
  for (int l = 0; l < lanes; ++l)
    sums.stick += static_cast<std::size_t>(stick[l]), sums.slide += static_cast<std::size_t>(slide[l]);
}

}  // namespace

MOREAU_VERSIONS(void, pack_round, (const RoundPacking<2>& in, std::span<const std::uint32_t> contacts, Penetration& penetration),
                (in, contacts, penetration)) {
  pack_all<2>(in, contacts, penetration);
}
MOREAU_VERSIONS(void, pack_round, (const RoundPacking<3>& in, std::span<const std::uint32_t> contacts, Penetration& penetration),
                (in, contacts, penetration)) {
  pack_all<3>(in, contacts, penetration);
}
MOREAU_VERSIONS(void, account_round, (const RoundAccounts<2>& in, std::span<const std::uint32_t> contacts, ContactSums& sums),
                (in, contacts, sums)) {
  account_all<2>(in, contacts, sums);
}
MOREAU_VERSIONS(void, account_round, (const RoundAccounts<3>& in, std::span<const std::uint32_t> contacts, ContactSums& sums),
                (in, contacts, sums)) {
  account_all<3>(in, contacts, sums);
}

}  // namespace moreau::inline engines

#include "moreau/engines/soft/pair_forces.hpp"

#include <algorithm>

#include "moreau/base/clones.hpp"
#include "moreau/base/gather.hpp"
#include "moreau/contact/ball_separation.hpp"

namespace moreau::soft {

namespace {

constexpr Lanes lane_number = {0, 1, 2, 3, 4, 5, 6, 7};

// Eight bodies, number by number.
template <int D>
struct EightBodies {
  Lanes m[LineLayout<D>::size];

  MOREAU_INLINE void read(const BodyLine<D>* bodies, const std::int32_t (&index)[lanes]) {
    for (int part = 0; part < LineLayout<D>::size; part += lanes) {
      Lanes rows[lanes];
      for (int l = 0; l < lanes; ++l) rows[l] = load(bodies[index[l]].c + part);
      transpose(rows);
      for (int k = 0; k < lanes; ++k) m[part + k] = rows[k];
    }
  }
};

MOREAU_INLINE Coefficients<Lanes> gathered_law(const PackedLaw* const (&law)[lanes]) {
  const double* p[lanes];
  for (int l = 0; l < lanes; ++l) p[l] = &law[l]->stiffness;
  return {gathered(p, 0), gathered(p, 1), gathered(p, 2), gathered(p, 3), gathered(p, 4),
          gathered(p, 5), gathered(p, 6), gathered(p, 7), gathered(p, 8)};
}

MOREAU_INLINE double sum_of(const Lanes& x) {
  return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}

struct LaneSums {
  Lanes elastic{}, power{}, force{}, closed{}, slide{}, overlap{}, deepest{};
};

template <int D, Tangential tangential>
MOREAU_INLINE void eight(const PairForces<D>& in, const std::uint32_t* contact, int count, const Pace<Lanes>& pace,
                         LaneSums& sums) {
  using Layout = LineLayout<D>;
  static constexpr double zeros[D] = {};
  std::int32_t of_a[lanes], of_b[lanes];
  const PackedLaw* law[lanes];
  const double *old_spring[lanes], *old_deepest[lanes], *w_a[lanes], *w_b[lanes];
  for (int l = 0; l < lanes; ++l) {
    const FoundContact& found = in.found[contact[std::min(l, count - 1)]];
    of_a[l] = found.a, of_b[l] = found.b;
    const std::size_t a = static_cast<std::size_t>(found.a), b = static_cast<std::size_t>(found.b);
    const bool known = found.recalled >= 0;
    old_spring[l] = known && in.old_spring != nullptr ? in.old_spring[found.recalled].c : zeros;
    old_deepest[l] = known && in.old_deepest != nullptr ? in.old_deepest + found.recalled : zeros;
    w_a[l] = in.inverse_mass + a, w_b[l] = in.inverse_mass + b;
    law[l] = in.laws + static_cast<std::size_t>(in.material[a]) * in.materials + static_cast<std::size_t>(in.material[b]);
  }
  EightBodies<D> a, b;
  a.read(in.bodies, of_a), b.read(in.bodies, of_b);

  Vec<D, Lanes> apart, u;
  Spin<D, Lanes> rim;
  for (int d = 0; d < D; ++d) {
    apart[d] = a.m[Layout::position + d] - b.m[Layout::position + d];
    u[d] = a.m[Layout::velocity + d] - b.m[Layout::velocity + d];
  }
  if (in.shift != nullptr) {
    const double *shift[lanes], *drift[lanes];
    for (int l = 0; l < lanes; ++l) {
      const std::uint32_t i = contact[std::min(l, count - 1)];
      shift[l] = in.shift[i].c, drift[l] = in.drift[i].c;
    }
    for (int d = 0; d < D; ++d) apart[d] -= gathered(shift, d), u[d] -= gathered(drift, d);
  }
  for (int d = 0; d < D; ++d) apart[d] += a.m[Layout::remainder + d] - b.m[Layout::remainder + d];
  for (int d = 0; d < spin_dimension<D>; ++d) rim[d] = a.m[Layout::rim + d] + b.m[Layout::rim + d];
  const Lanes r_a = a.m[Layout::radius], r_b = b.m[Layout::radius], one = Lanes{} + 1.0;
  const BallSeparation<D, Lanes> s = ball_separation<D, Lanes>(apart, r_a + r_b);
  const Vec<D, Lanes>& n = s.normal;
  u -= cross(rim, n);

  const Lanes root = square_root(one / (gathered(w_a, 0) + gathered(w_b, 0)));
  Vec<D, Lanes> remembered{};
  if constexpr (tangential != Tangential::none)
    for (int d = 0; d < D; ++d) remembered[d] = gathered(old_spring, d);
  const Lanes depth = maximum(-s.gap, 0.0);
  const ContactForce<D, Lanes> f = contact_force<D, Lanes, tangential>(
      with_mass(gathered_law(law), root), pace, depth, n, u, remembered, in.deepest != nullptr ? gathered(old_deepest, 0) : Lanes{});

  const auto present = lane_number < static_cast<double>(count);
  const auto add = [&](Lanes& sum, const Lanes& x) { sum += present ? x : Lanes{}; };
  const Lanes relative = depth / (2.0 * smaller(r_a, r_b));
  add(sums.elastic, f.elastic), add(sums.power, f.power), add(sums.force, square_root(dot(f.force, f.force)));
  const Lanes closed = f.normal != 0.0 ? one : Lanes{};
  add(sums.closed, closed), add(sums.slide, f.slides * closed), add(sums.overlap, relative);
  sums.deepest = larger(sums.deepest, relative);

  alignas(64) double gap[lanes], normal[D][lanes], impulse[D][lanes], spring[D][lanes], deepest[lanes];
  const Lanes step = Lanes{} + in.step;
  store(gap, s.gap), store(deepest, f.deepest);
  for (int d = 0; d < D; ++d) store(normal[d], n[d]), store(impulse[d], step * f.force[d]), store(spring[d], f.spring[d]);
  for (int l = 0; l < count; ++l) {
    const std::uint32_t i = contact[l];
    in.gap[i] = gap[l];
    for (int d = 0; d < D; ++d) in.normal[i][d] = normal[d][l], in.impulse[i][d] = impulse[d][l];
    if constexpr (tangential != Tangential::none)
      for (int d = 0; d < D; ++d) in.spring[i][d] = spring[d][l];
    if (in.deepest != nullptr) in.deepest[i] = deepest[l];
  }
}

template <int D, Tangential tangential>
MOREAU_INLINE void all(const PairForces<D>& in, std::span<const std::uint32_t> contacts, ForceSums& total) {
  const Lanes zero{};
  const Pace<Lanes> pace{zero + in.pace.half, zero + in.pace.ahead, zero + in.pace.rate, zero + in.pace.pull};
  LaneSums sums;
  for (std::size_t k = 0; k < contacts.size(); k += lanes)
    eight<D, tangential>(in, contacts.data() + k, static_cast<int>(std::min<std::size_t>(lanes, contacts.size() - k)), pace, sums);
  ForceSums part{sum_of(sums.elastic), sum_of(sums.power), sum_of(sums.force), sum_of(sums.closed), sum_of(sums.slide),
                 sum_of(sums.overlap)};
  for (int l = 0; l < lanes; ++l) part.deepest = std::max(part.deepest, sums.deepest[l]);
  total += part;
}

template <int D>
MOREAU_INLINE void by_need(const PairForces<D>& in, std::span<const std::uint32_t> contacts, ForceSums& sums) {
  if (in.tangential == Tangential::none)
    all<D, Tangential::none>(in, contacts, sums);
  else if (in.tangential == Tangential::spring)
    all<D, Tangential::spring>(in, contacts, sums);
  else
    all<D, Tangential::spring_and_dashpot>(in, contacts, sums);
}

}  // namespace

MOREAU_CLONES void pair_forces(const PairForces<2>& in, std::span<const std::uint32_t> contacts, ForceSums& sums) {
  by_need<2>(in, contacts, sums);
}
MOREAU_CLONES void pair_forces(const PairForces<3>& in, std::span<const std::uint32_t> contacts, ForceSums& sums) {
  by_need<3>(in, contacts, sums);
}

}  // namespace moreau::soft

#include "moreau/solver/iterate.hpp"

#include <algorithm>
#include <cstring>

#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"

namespace moreau::inline solver {

namespace {
// Packs that a thread takes at a time: 128 contacts, a few microseconds. So small that threads share a colour evenly, whatever its
// length, and find most bodies in their own caches from colour to colour. One thread takes all at once. Sums do not depend on it.
constexpr std::size_t contacts_at_a_time = 128;
template <class Real>
std::size_t pack_chunk(std::size_t packs) {
  return one_thread_only() ? std::max<std::size_t>(packs, 1) : contacts_at_a_time / lanes_of<Real>;
}
constexpr std::size_t body_chunk = 256;

template <class Packs>
using PackIn = typename std::remove_cvref_t<Packs>::Pack;

template <class Packs>
SweptPacks<PackIn<Packs>> coloured(Packs& packs, std::size_t begin, std::size_t end) {
  return {packs.list.data(), begin, end, packs.overflow_begin};
}
template <class Packs>
SweptPacks<const PackIn<Packs>> looked_at(const Packs& packs, std::size_t begin, std::size_t end) {
  return {packs.list.data(), begin, end, end};
}
// For a sweep that only looks.
template <class Packs>
SweptPacks<PackIn<Packs>> unchanged(const Packs& packs, std::size_t begin, std::size_t end) {
  return {const_cast<PackIn<Packs>*>(packs.list.data()), begin, end, end};
}
template <class Packs>
SweptPacks<PackIn<Packs>> overflow(Packs& packs) {
  return {packs.list.data(), packs.overflow_begin, packs.list.size(), packs.list.size()};
}
}  // namespace

// The sweep that sweep_of(packs) describes, for the packs of each colour on all threads, then for the overflow of each kind.
template <int D, class Real>
template <class SweepOf>
Measured Iterate<D, Real>::over_colours(SweepOf&& sweep_of) {
  PerWorker<MeasuredSums<Real>> sums;
  if (partners) partners->begin_sweep(velocities(), false);
  for (std::size_t c = 0; c < colours; ++c) {
    if (partners) partners->before_colour(velocities(), c);
    for_chunks(packs.packs_of_colour(c), pack_chunk<Real>(packs.packs_of_colour(c)), [&](std::size_t, std::size_t begin, std::size_t end) {
      MeasuredSums<Real>& mine = sums.mine();
      packs.in_colour(c, begin, end, [&](auto& of_kind, std::size_t first, std::size_t last) {
        sweep_packs(swept(), coloured(of_kind, first, last), sweep_of(of_kind), mine);
      });
    });
    if (partners) partners->after_colour(velocities(), c);
  }
  if (partners) partners->before_overflow(velocities());
  MeasuredSums<Real> total = sums.total();
  packs.each([&](auto& of_kind) {
    if (of_kind.overflow() == 0) return;
    MeasuredSums<Real> measured;
    Sweep<Real> sweep = sweep_of(of_kind);
    sweep.crowded = true;
    sweep_packs(swept(), overflow(of_kind), sweep, measured);
    if (sweep.measuring) weigh_overflow(of_kind, measured);
    total += measured;
  });
  if (partners) partners->end_sweep(velocities()), total = partners->sum(total);
  return total.in_units_of_the_problem(units);
}

template <int D, class Real>
template <class Part>
void Iterate<D, Real>::for_colours(bool afresh, Part&& part) {
  if (partners) partners->begin_sweep(velocities(), afresh);
  for (std::size_t c = 0; c < colours; ++c) {
    if (partners) partners->before_colour(velocities(), c);
    for_chunks(packs.packs_of_colour(c), pack_chunk<Real>(packs.packs_of_colour(c)),
               [&](std::size_t, std::size_t begin, std::size_t end) { packs.in_colour(c, begin, end, part); });
    if (partners) partners->after_colour(velocities(), c);
  }
  if (partners) partners->before_overflow(velocities());
}

// H_N P_N with the masses as they are: the packs have them split.
template <int D, class Real>
template <class Packs>
void Iterate<D, Real>::weigh_overflow(const Packs& packs_of_kind, MeasuredSums<Real>& measured) const {
  const auto normal_impulse = [](const auto& pack, std::size_t l) {
    if constexpr (requires { pack.coupling; }) return pack.impulse[0][l];  // in the frame of the contact
    Real p{};
    for (std::size_t d = 0; d < D; ++d) p += pack.normal[d][l] * pack.impulse[d][l];
    return p;
  };
  measured.impulse_squares = measured.impulses = {};
  for (std::size_t k = packs_of_kind.overflow_begin; k < packs_of_kind.list.size(); ++k)
    for (std::size_t l = 0; l < lanes_of<Real>; ++l) {
      const Real h = packs_of_kind.overflow_inverse_normal[k - packs_of_kind.overflow_begin].c[l];
      const Real weight = normal_impulse(packs_of_kind.list[k], l) / h;
      measured.impulse_squares.add(weight * weight);
      measured.impulses.add(weight);
    }
}

template <int D, class Real>
void Iterate<D, Real>::sweep(double relaxation) requires std::same_as<Real, double> {
  MeasuredSums<Real> unused;
  for_colours(false, [&](auto& of_kind, std::size_t first, std::size_t last) {
    sweep_packs(swept(), coloured(of_kind, first, last), {.relaxation = relaxation}, unused);
  });
  packs.each([&](auto& of_kind) {
    if (of_kind.overflow() > 0) sweep_packs(swept(), overflow(of_kind), {.relaxation = relaxation, .crowded = true}, unused);
  });
  if (partners) partners->end_sweep(velocities());
}

template <int D, class Real>
Measured Iterate<D, Real>::measuring_sweep(double relaxation) requires std::same_as<Real, double> {
  return over_colours([&](auto&) { return Sweep<Real>{.relaxation = relaxation, .measuring = true}; });
}

template <int D, class Real>
Measured Iterate<D, Real>::accelerated_sweep(double relaxation, double extrapolation, bool fully) {
  return over_colours([&](auto& of_kind) {
    return Sweep<Real>{
        .relaxation = relaxation, .measuring = fully, .last = of_kind.impulse_last.data(), .extrapolation = extrapolation};
  });
}

template <int D, class Real>
void Iterate<D, Real>::apply() requires std::same_as<Real, double> {
  for_colours(true, [&](auto& of_kind, std::size_t first, std::size_t last) {
    apply_packs(swept(), looked_at(of_kind, first, last), false);
  });
  packs.each([&](auto& of_kind) { apply_packs(swept(), looked_at(of_kind, of_kind.overflow_begin, of_kind.list.size()), true); });
  if (partners) partners->end_sweep(velocities());
}

template <int D, class Real>
Measured Iterate<D, Real>::measure() const requires std::same_as<Real, double> {
  if (partners) partners->publish(velocities());
  MeasuredSums<Real> total;
  packs.each([&](const auto& of_kind) {
    total += sum_chunks<MeasuredSums<Real>>(
        of_kind.overflow_begin, pack_chunk<Real>(of_kind.overflow_begin), [&](std::size_t begin, std::size_t end, MeasuredSums<Real>& mine) {
          sweep_packs(swept(), unchanged(of_kind, begin, end), {.measuring = true, .looking = true}, mine);
        });
    if (of_kind.overflow() == 0) return;
    MeasuredSums<Real> part;
    sweep_packs(swept(), unchanged(of_kind, of_kind.overflow_begin, of_kind.list.size()), {.measuring = true, .looking = true},
                part);
    weigh_overflow(of_kind, part);
    total += part;
  });
  if (partners) total = partners->sum(total);
  return total.in_units_of_the_problem(units);
}

template <int D, class Real>
void Iterate<D, Real>::start_extrapolation(std::span<const std::uint32_t> touched) {
  packs.each([&](auto& of_kind) {
    constexpr std::size_t rows = std::remove_reference_t<decltype(of_kind)>::Kind::rows;
    resize_tightly(of_kind.impulse_last, rows * of_kind.list.size());
    for_chunks(of_kind.list.size(), pack_chunk<Real>(of_kind.list.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t k = rows * begin; k < rows * end; ++k)
        std::memcpy(of_kind.impulse_last[k].c, of_kind.list[k / rows].impulse[k % rows], sizeof(RowOf<Real>));
    });
  });
  copy_bodies(touched, body_last_);
}

template <int D, class Real>
void Iterate<D, Real>::copy_bodies(std::span<const std::uint32_t> touched, std::vector<BodyRow<Real>>& to) const {
  resize_tightly(to, touched.size());
  for_chunks(touched.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) std::memcpy(to[i].c, &bodies[touched[i]], sizeof(BodyRow<Real>));
  });
}

template <int D, class Real>
void Iterate<D, Real>::start_changes(std::span<const std::uint32_t> touched) {
  copy_bodies(touched, body_then_);
}

template <int D, class Real>
double Iterate<D, Real>::change(std::span<const std::uint32_t> touched) requires std::same_as<Real, float> {
  struct Sum {
    ExactSum<float> moved;
    ExactSum<double> turned;  // of the bodies that are not round
    Sum& operator+=(const Sum& o) { return moved += o.moved, turned += o.turned, *this; }
  };
  Sum sum = sum_chunks<Sum>(touched.size(), body_chunk, [&](std::size_t begin, std::size_t end, Sum& mine) {
    if constexpr (D == 3)
      for (std::size_t i = begin; i < (turnings.empty() ? begin : end); ++i) {
        const Body& body = bodies[touched[i]];
        if (body.inverse_rolling > 0.0f || body.inverse_mass == 0.0f) continue;
        double w[3];
        for (int d = 0; d < 3; ++d) w[d] = static_cast<double>(body.velocity[D + d] - body_then_[i].c[D + d]);
        mine.turned.add(turning_square(turnings[touched[i]].c, w));
      }
    kinetic_change(bodies.data(), touched.data(), body_then_.data(), begin, end, mine.moved);
  });
  if (partners) sum = partners->sum(sum);
  return (sum.moved.value() + sum.turned.value()) * (units.mass * units.velocity * units.velocity);
}

template <int D, class Real>
void Iterate<D, Real>::extrapolate(std::span<const std::uint32_t> touched, double extrapolation) {
  static_assert(sizeof(Body) == sizeof(BodyRow<Real>));
  for_chunks(touched.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    extrapolate_bodies(reinterpret_cast<BodyRow<Real>*>(bodies.data()), touched.data(), body_last_.data(), begin, end,
                       extrapolation);
  });
}

// Member by member: with a class, Clang 14 also instantiates the members whose constraints do not hold.
#define MOREAU_ITERATE(D, Real)                                                        \
  template void Iterate<D, Real>::start_extrapolation(std::span<const std::uint32_t>); \
  template void Iterate<D, Real>::extrapolate(std::span<const std::uint32_t>, double); \
  template void Iterate<D, Real>::start_changes(std::span<const std::uint32_t>);       \
  template Measured Iterate<D, Real>::accelerated_sweep(double, double, bool);
#define MOREAU_ITERATES(D)                                       \
  MOREAU_ITERATE(D, double)                                      \
  MOREAU_ITERATE(D, float)                                       \
  template void Iterate<D, double>::sweep(double);               \
  template Measured Iterate<D, double>::measuring_sweep(double); \
  template Measured Iterate<D, double>::measure() const;         \
  template void Iterate<D, double>::apply();                     \
  template double Iterate<D, float>::change(std::span<const std::uint32_t>);
MOREAU_ITERATES(2)
MOREAU_ITERATES(3)

}  // namespace moreau::inline solver

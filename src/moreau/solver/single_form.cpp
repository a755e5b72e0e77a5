#include "moreau/solver/single_form.hpp"

#include <algorithm>
#include <limits>

#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"

namespace moreau::inline solver {

namespace {
constexpr std::size_t chunk = 128;
constexpr int halves = lanes_of<float> / lanes;

// What a number of that unit is divided by.
double unit_of(RowUnit row, const Units& units) {
  switch (row) {
    case RowUnit::velocity:
      return units.velocity;
    case RowUnit::impulse:
      return units.impulse();
    case RowUnit::mass:
      return units.mass;
    case RowUnit::inverse_mass:
      return 1.0 / units.mass;
    case RowUnit::number:
      break;
  }
  return 1.0;
}

// Packs `from` (two, or one and nothing) side by side, their rows multiplied by what the change of units asks for.
template <class Kind>
void narrow(const typename Kind::Pack* from, int count, const Units& units, std::int32_t none,
            typename Kind::template PackOf<float>& to) {
  for (int k = 0; k < halves; ++k) {
    const int first = k * lanes;
    if (k >= count) {
      Kind::each_row(
          [&](RowUnit, int neutral, float(&out)[lanes_of<float>]) {
            std::fill(out + first, out + first + lanes, static_cast<float>(neutral));
          },
          to);
      std::fill(to.a + first, to.a + first + lanes, none), std::fill(to.b + first, to.b + first + lanes, none);
      continue;
    }
    const typename Kind::Pack& pack = from[k];
    Kind::each_row(
        [&](RowUnit unit, int neutral, const double(&row)[lanes], float(&out)[lanes_of<float>]) {
          const double factor = 1.0 / unit_of(unit, units);
          for (int l = 0; l < lanes; ++l) out[first + l] = static_cast<float>(factor * row[l]);
          if (neutral == 0) return;
          for (int l = 0; l < lanes; ++l)
            if (pack.a[l] == none) out[first + l] = static_cast<float>(neutral);  // it is not a mass
        },
        pack, to);
    std::copy(pack.a, pack.a + lanes, to.a + first);
    std::copy(pack.b, pack.b + lanes, to.b + first);
  }
  if constexpr (requires { to.schur; })
    for (int l = 0; l < lanes_of<float>; ++l) floor_eigenvalues(to, l);
}

template <class Kind>
void widen(const typename Kind::template PackOf<float>& from, int count, double unit, typename Kind::Pack* to) {
  for (int k = 0; k < count; ++k)
    for (int d = 0; d < Kind::rows; ++d)
      for (int l = 0; l < lanes; ++l) to[k].impulse[d][l] = unit * static_cast<double>(from.impulse[d][k * lanes + l]);
}

// f(pack in single precision, first pack in double precision, how many) for all.
template <class F>
void for_packs(std::size_t coloured, std::size_t all, F&& f) {
  const std::size_t pairs = coloured / halves, overflow = all - coloured;
  for_chunks(pairs + overflow, chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
      if (k < pairs)
        f(k, halves * k, halves);
      else
        f(k, coloured + (k - pairs), 1);
  });
}

template <class Kind>
void packs_to_single(const Packs<Kind, double>& exact, const Units& units, std::int32_t none, Packs<Kind, float>& single) {
  single.colour_end.resize(exact.colour_end.size());
  for (std::size_t c = 0; c < exact.colour_end.size(); ++c) single.colour_end[c] = exact.colour_end[c] / halves;
  single.overflow_begin = exact.overflow_begin / halves;
  single.overflow_inverse_normal.resize(exact.overflow_inverse_normal.size());
  for (std::size_t k = 0; k < exact.overflow_inverse_normal.size(); ++k)
    for (int l = 0; l < lanes_of<float>; ++l)
      single.overflow_inverse_normal[k].c[l] =
          l < lanes ? static_cast<float>(exact.overflow_inverse_normal[k].c[l] / units.mass) : 1.0f;
  resize_tightly(single.list, single.overflow_begin + exact.overflow());
  for_packs(exact.overflow_begin, exact.list.size(), [&](std::size_t k, std::size_t first, int count) {
    narrow<Kind>(&exact.list[first], count, units, none, single.list[k]);
  });
}
}  // namespace

template <int D>
void to_single(const Iterate<D, double>& exact, const Units& units, Iterate<D, float>& single) {
  single.units = units;
  single.colours = exact.colours;
  single.bodies.resize(exact.bodies.size());
  single.turnings.resize(exact.turnings.size());
  const double velocity = 1.0 / units.velocity;
  for_chunks(exact.bodies.size(), chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const SolverBody<D>& from = exact.bodies[i];
      SolverBody<D, float>& to = single.bodies[i];
      for (int d = 0; d < velocity_dimension<D>; ++d) to.velocity[d] = static_cast<float>(velocity * from.velocity[d]);
      to.inverse_mass = static_cast<float>(units.mass * from.inverse_mass);
      to.inverse_rolling = static_cast<float>(units.mass * from.inverse_rolling);
      if (!single.turnings.empty())
        for (int k = 0; k < 8; ++k) single.turnings[i].c[k] = static_cast<float>(units.mass * exact.turnings[i].c[k]);
    }
  });
  exact.packs.each([&](const auto& of_kind) {
    using Kind = typename std::remove_cvref_t<decltype(of_kind)>::Kind;
    packs_to_single<Kind>(of_kind, units, exact.none(), single.packs.template get<Kind>());
  });
}

template <int D>
void impulses_from_single(const Iterate<D, float>& single, Iterate<D, double>& exact) {
  exact.packs.each([&](auto& of_kind) {
    using Kind = typename std::remove_cvref_t<decltype(of_kind)>::Kind;
    const auto& packs = single.packs.template get<Kind>().list;
    for_packs(of_kind.overflow_begin, of_kind.list.size(), [&](std::size_t k, std::size_t first, int count) {
      widen<Kind>(packs[k], count, single.units.impulse(), &of_kind.list[first]);
    });
  });
}

template void to_single<2>(const Iterate<2, double>&, const Units&, Iterate<2, float>&);
template void to_single<3>(const Iterate<3, double>&, const Units&, Iterate<3, float>&);
template void impulses_from_single<2>(const Iterate<2, float>&, Iterate<2, double>&);
template void impulses_from_single<3>(const Iterate<3, float>&, Iterate<3, double>&);

}  // namespace moreau::inline solver

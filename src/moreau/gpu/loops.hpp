// The bodies of the loops that a card runs, one thread for each index: contacts of a colour, bodies, packs. Same arithmetic, in
// the same order, as the solver's own loops (solver/sweep_loops.hpp, single_form.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "moreau/gpu/kinds.hpp"
#include "moreau/solver/measured.hpp"

namespace moreau::gpu {

// What each contact adds to the sums of Measured, by place.
template <class Real>
struct Terms {
  Real *energy, *residual, *weight;
};

// Of extrapolated sweeps, one after the other.
struct Pace {
  double extrapolation;  // of the next sweep
  double energy;         // of the corrections of the last; negative before the first
};

enum class Way { plain, applying, looking };  // relax; add A^-1 G^T P; measure only

// What all contacts of a sweep see.
template <class Real>
struct Swept {
  Row<Real>* bodies;
  const Row<Real>* turnings;  // inverse inertia of bodies in space (solver_body.hpp); null where no contact asks for it
  Pace* pace;
  Terms<Real> terms;
  std::int32_t none;
  Real relaxation;
};

// Packs of one kind.
template <class Kind, class Real>
struct KindPacks {
  typename Kind::template PackOf<Real>* packs;
  RowOf<Real>* last;      // impulses that the sweep before led to, Kind::rows rows for each pack
  std::size_t begin = 0;  // its first place among those of all kinds
};

// Contacts of a colour, kind after kind; `first`: place of the first among those of its kind. What is a contact's own, no loop of
// another colour writes: `early`, it may be read while the loop before is still under way, if the one before that has ended.
template <class Real, Way way, bool carrying, bool measuring, class... Kind>
struct Relax;

template <class Real, Way way, bool carrying, bool measuring, class Kind>
struct Relax<Real, way, carrying, measuring, Kind> {
  static constexpr int lanes = lanes_of<Real>, rows = Kind::rows;
  Swept<Real> swept;
  KindPacks<Kind, Real> of;
  std::size_t first;
  bool early;

  struct Own {
    OneContact<Kind, Real> contact;
    Vec<rows, Real> then;
  };
  MOREAU_INLINE Own own(std::size_t index) const {
    const std::size_t place = first + index, k = place / lanes, l = place % lanes;
    Own mine;
    mine.contact.template read<way != Way::applying>(of.packs[k], l);
    if constexpr (carrying)
      for (int d = 0; d < rows; ++d) mine.then[d] = read_through(&of.last[rows * k + static_cast<std::size_t>(d)].c[l]);
    return mine;
  }

  MOREAU_INLINE void operator()(std::size_t index) const { (*this)(index, own(index)); }
  MOREAU_INLINE void operator()(std::size_t index, const Own& mine) const {
    const std::size_t place = first + index, k = place / lanes, l = place % lanes;
    const Terms<Real>& terms = swept.terms;
    const std::size_t term = of.begin + place;
    const OneContact<Kind, Real>& contact = mine.contact;
    if (contact.a == swept.none) {  // a lane without contact
      if constexpr (carrying) terms.energy[term] = 0;
      if constexpr (measuring) terms.residual[term] = 0, terms.weight[term] = 0;
      return;
    }
    Row<Real> a = swept.bodies[contact.a], b = swept.bodies[contact.b];
    Vec<rows, Real> impulse = contact.impulse, change;
    if constexpr (way == Way::applying) {
      change = impulse;
    } else {
      if constexpr (carrying) {
        const Real extrapolation = static_cast<Real>(swept.pace->extrapolation);
        for (int d = 0; d < rows; ++d) {
          const Real p = impulse[d];
          impulse[d] = p + extrapolation * (p - mine.then[d]);
          of.last[rows * k + static_cast<std::size_t>(d)].c[l] = p;
        }
      }
      const Vec<rows, Real> solved = contact.solved(a.c, b.c, impulse, swept.relaxation);
      change = solved - impulse;
      if constexpr (measuring) {
        terms.residual[term] = contact.residual(change);
        terms.weight[term] = contact.normal_part(impulse) / contact.inverse_normal;
      }
      if constexpr (way == Way::looking) return;
      if constexpr (carrying) terms.energy[term] = dot(change, change) / contact.inverse_normal;
      for (int d = 0; d < rows; ++d) of.packs[k].impulse[d][l] = solved[d];
    }
    contact.push(a.c, b.c, contact.turning(swept.turnings, a.c, b.c), change);
    swept.bodies[contact.a] = a;
    if (contact.b != swept.none) swept.bodies[contact.b] = b;
  }
};

template <class Real, Way way, bool carrying, bool measuring, class First, class Second, class... Rest>
struct Relax<Real, way, carrying, measuring, First, Second, Rest...> {
  Relax<Real, way, carrying, measuring, First> here;
  std::size_t count;
  Relax<Real, way, carrying, measuring, Second, Rest...> further;
  MOREAU_INLINE void operator()(std::size_t index) const {
    if (index < count)
      here(index);
    else
      further(index - count);
  }
};

inline constexpr int most_colours_of_loops = 64;

// Of the contact at a place: its force, and the constant of its formal velocity, numbers a row of lanes apart.
template <class Real>
struct ForceLane {
  Real *impulse, *bias;
};

// The packs of several kinds, where each colour of each ends, and the loop over a colour.
template <class Real, class... Kind>
struct KindRows;
template <class Real>
struct KindRows<Real> {};
template <class Real, class Kind, class... Rest>
struct KindRows<Real, Kind, Rest...> {
  KindPacks<Kind, Real> of;
  std::uint32_t end[most_colours_of_loops];  // places of its own
  std::size_t places;                        // of its own
  KindRows<Real, Rest...> rest;

  MOREAU_INLINE std::size_t first(int c) const { return c == 0 ? 0 : end[c - 1]; }
  MOREAU_INLINE std::size_t in_colour(int c) const {
    std::size_t count = end[c] - first(c);
    if constexpr (sizeof...(Rest) > 0) count += rest.in_colour(c);
    return count;
  }
  template <Way way, bool carrying, bool measuring>
  MOREAU_INLINE Relax<Real, way, carrying, measuring, Kind, Rest...> colour(const Swept<Real>& swept, int c) const {
    // The first loop of a sweep comes after those that made the packs.
    const Relax<Real, way, carrying, measuring, Kind> here{swept, of, first(c), first(c) > 0};
    if constexpr (sizeof...(Rest) == 0)
      return here;
    else
      return {here, end[c] - first(c), rest.template colour<way, carrying, measuring>(swept, c)};
  }
  // All of them, in no order.
  template <Way way, bool carrying, bool measuring>
  MOREAU_INLINE Relax<Real, way, carrying, measuring, Kind, Rest...> all(const Swept<Real>& swept) const {
    const Relax<Real, way, carrying, measuring, Kind> here{swept, of, 0, false};
    if constexpr (sizeof...(Rest) == 0)
      return here;
    else
      return {here, places, rest.template all<way, carrying, measuring>(swept)};
  }
  MOREAU_INLINE ForceLane<Real> at(std::size_t place) const {
    if constexpr (sizeof...(Rest) > 0)
      if (place >= of.begin + places) return rest.at(place);
    const std::size_t own = place - of.begin, k = own / lanes_of<Real>, l = own % lanes_of<Real>;
    return {&of.packs[k].impulse[0][l], &of.packs[k].bias[0][l]};
  }
};

// What contacts left, added in any order (base/exact_sum.hpp).
template <class Real>
struct EnergySum {
  ExactSum<Real> energies;
  MOREAU_INLINE EnergySum& operator+=(const EnergySum& o) { return energies += o.energies, *this; }
};
template <class Real, bool carrying, bool measuring>
struct SumTerms {
  Terms<Real> terms;
  template <class Sums>
  MOREAU_INLINE void operator()(std::size_t i, Sums& sum) const {
    if constexpr (measuring) {
      const Real square = terms.residual[i], weight = terms.weight[i];
      sum.residual_squares.add(square), sum.impulse_squares.add(weight * weight), sum.impulses.add(weight);
      sum.largest_square = maximum(square, sum.largest_square);
    }
    if constexpr (carrying) sum.energies.add(terms.energy[i]);
  }
};

// The extrapolation of the next sweep, from the energies of the last two, in units of the problem.
template <class Real>
struct NextPace {
  Pace* pace;
  double unit;  // of energy

  template <class Sums>
  MOREAU_INLINE void operator()(const Sums& total) const {
    const double energy = total.energies.value() * unit;
    *pace = {energy < pace->energy ? energy / pace->energy : 0.0, energy};
  }
};

// Velocities of a body: those without contacts.
template <int D>
struct SetFree {
  Row<double>* bodies;
  const double* free;  // velocity_dimension<D> numbers for each body

  MOREAU_INLINE void operator()(std::size_t i) const {
    constexpr int n = velocity_dimension<D>;
    for (int d = 0; d < n; ++d) bodies[i].c[d] = free[n * i + static_cast<std::size_t>(d)];
  }
};

// u <- u + extrapolation (u - u_last), u_last <- u, of a body that is touched.
template <int D, class Real>
struct Carry {
  Row<Real>* bodies;
  const std::uint64_t* used;  // not zero: touched
  Row<Real>* last;
  const Pace* pace;

  MOREAU_INLINE void operator()(std::size_t s) const {
    if (used[s] == 0) return;
    const Real extrapolation = static_cast<Real>(pace->extrapolation);
    Row<Real> here = bodies[s], then = last[s];
    for (int d = 0; d < velocity_dimension<D>; ++d) {
      const Real now = here.c[d];
      here.c[d] = now + extrapolation * (now - then.c[d]);
      then.c[d] = now;
    }
    bodies[s] = here, last[s] = then;
  }
};

struct SetPace {
  Pace* pace;
  bool anew;  // else only the extrapolation rests
  MOREAU_INLINE void operator()(std::size_t) const { *pace = {0.0, anew ? -1.0 : pace->energy}; }
};

struct Nothing {
  template <class T>
  MOREAU_INLINE void operator()(const T&) const {}
};

template <class T>
struct Copy {
  const T* from;
  T* to;
  MOREAU_INLINE void operator()(std::size_t i) const { to[i] = from[i]; }
};

template <class Kind, class Real>
struct CopyImpulses {  // of a place of the kind
  const typename Kind::template PackOf<Real>* packs;
  RowOf<Real>* to;
  MOREAU_INLINE void operator()(std::size_t place) const {
    const std::size_t k = place / lanes_of<Real>, l = place % lanes_of<Real>;
    for (int d = 0; d < Kind::rows; ++d) to[Kind::rows * k + static_cast<std::size_t>(d)].c[l] = packs[k].impulse[d][l];
  }
};

// To single precision and back (single_form.hpp); the factors are powers of two.
template <int D>
struct NarrowBody {
  const Row<double>* from;
  Row<float>* to;
  double velocity, mass;
  MOREAU_INLINE void operator()(std::size_t i) const {
    constexpr int n = velocity_dimension<D>;
    for (int d = 0; d < n; ++d) to[i].c[d] = static_cast<float>(velocity * from[i].c[d]);
    for (int d = n; d < n + 2; ++d) to[i].c[d] = static_cast<float>(mass * from[i].c[d]);
  }
};

struct NarrowTurning {
  const Row<double>* from;
  Row<float>* to;
  double mass;
  MOREAU_INLINE void operator()(std::size_t i) const {
    for (int k = 0; k < 8; ++k) to[i].c[k] = static_cast<float>(mass * from[i].c[k]);
  }
};

// What a row of a contact is multiplied by.
struct RowFactors {
  double velocity, impulse, mass;  // one over the units
  MOREAU_INLINE double of(RowUnit unit) const {
    switch (unit) {
      case RowUnit::velocity:
        return velocity;
      case RowUnit::impulse:
        return impulse;
      case RowUnit::mass:
        return mass;
      case RowUnit::inverse_mass:
        return 1.0 / mass;
      case RowUnit::number:
        break;
    }
    return 1.0;
  }
};
struct NarrowRow {
  RowFactors factors;
  std::size_t i, o;  // lane there, and here
  bool empty;
  MOREAU_INLINE void operator()(RowUnit unit, int neutral, const double (&in)[8], float (&out)[16]) const {
    out[o] = neutral != 0 && empty ? static_cast<float>(neutral) : static_cast<float>(factors.of(unit) * in[i]);
  }
};
template <class Kind>
struct NarrowContact {  // by place, which stays
  const typename Kind::template PackOf<double>* from;
  typename Kind::template PackOf<float>* to;
  RowFactors factors;
  std::int32_t none;

  MOREAU_INLINE void operator()(std::size_t place) const {
    const auto& in = from[place / 8];
    auto& out = to[place / 16];
    const std::size_t i = place % 8, o = place % 16;
    Kind::each_row(NarrowRow{factors, i, o, in.a[i] == none}, in, out);
    if constexpr (requires { out.schur; }) floor_eigenvalues(out, static_cast<int>(o));
    out.a[o] = in.a[i], out.b[o] = in.b[i];
  }
};

template <class Kind>
struct WidenImpulse {
  const typename Kind::template PackOf<float>* from;
  typename Kind::template PackOf<double>* to;
  double unit;
  MOREAU_INLINE void operator()(std::size_t place) const {
    for (int d = 0; d < Kind::rows; ++d)
      to[place / 8].impulse[d][place % 8] = unit * static_cast<double>(from[place / 16].impulse[d][place % 16]);
  }
};

}  // namespace moreau::gpu

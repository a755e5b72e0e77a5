// The bodies of the loops that a card runs, one thread for each index: contacts of a colour, bodies, packs. Same arithmetic, in
// the same order, as the solver's own loops (solver/sweep_loops.hpp, single_form.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "moreau/gpu/atomic.hpp"
#include "moreau/law/coulomb_round.hpp"
#include "moreau/solver/measured.hpp"
#include "moreau/solver/round_arithmetic.hpp"
#include "moreau/solver/round_pack.hpp"

namespace moreau::gpu {

// The eight numbers of a body (solver_body.hpp).
template <class Real>
struct alignas(16) Row {
  Real c[8];
};

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

// One contact: `place` counts lanes from the first pack. What is its own, no loop of another colour writes: `early`, it may be
// read while the loop before is still under way, if the one before that has ended.
template <int D, class Real, Way way, bool carrying, bool measuring>
struct Relax {
  static constexpr int lanes = lanes_of<Real>;
  Row<Real>* bodies;
  RoundPack<D, Real>* packs;
  RowOf<Real>* last;  // impulses that the sweep before led to, D rows for each pack
  const Pace* pace;
  Terms<Real> terms;
  std::size_t first;  // place
  std::int32_t none;
  Real relaxation;
  bool early;

  struct Own {
    std::int32_t a, b;
    Vec<D, Real> normal, impulse, bias, then;
    Real inverse_normal, inverse_tangent, friction;
  };
  MOREAU_INLINE Own own(std::size_t index) const {
    const std::size_t place = first + index, k = place / lanes, l = place % lanes;
    const RoundPack<D, Real>& pack = packs[k];
    Own mine;
    mine.a = pack.a[l], mine.b = pack.b[l];
    for (int d = 0; d < D; ++d) {
      mine.normal[d] = pack.normal[d][l], mine.impulse[d] = read_through(&pack.impulse[d][l]);
      if constexpr (way != Way::applying) mine.bias[d] = read_through(&pack.bias[d][l]);  // pistons change it
      if constexpr (carrying) mine.then[d] = read_through(&last[D * k + static_cast<std::size_t>(d)].c[l]);
    }
    if constexpr (way != Way::applying)
      mine.inverse_normal = pack.inverse_normal[l], mine.inverse_tangent = pack.inverse_tangent[l],
      mine.friction = pack.friction[l];
    return mine;
  }

  MOREAU_INLINE void operator()(std::size_t index) const { (*this)(index, own(index)); }
  MOREAU_INLINE void operator()(std::size_t index, const Own& mine) const {
    const std::size_t place = first + index, k = place / lanes, l = place % lanes;
    if (mine.a == none) {  // a lane without contact
      if constexpr (carrying) terms.energy[place] = 0;
      if constexpr (measuring) terms.residual[place] = 0, terms.weight[place] = 0;
      return;
    }
    Row<Real> a = bodies[mine.a], b = bodies[mine.b];
    const Vec<D, Real>& normal = mine.normal;
    Vec<D, Real> impulse = mine.impulse, change;
    if constexpr (way == Way::applying) {
      change = impulse;
    } else {
      if constexpr (carrying) {
        const Real extrapolation = static_cast<Real>(pace->extrapolation);
        for (int d = 0; d < D; ++d) {
          const Real p = impulse[d];
          impulse[d] = p + extrapolation * (p - mine.then[d]);
          last[D * k + static_cast<std::size_t>(d)].c[l] = p;
        }
      }
      const Vec<D, Real> solved = coulomb_round(normal, round_velocity(mine.bias, a.c, b.c, normal), impulse, mine.inverse_normal,
                                                mine.inverse_tangent, mine.friction, relaxation);
      change = solved - impulse;
      if constexpr (measuring) {
        terms.residual[place] = round_residual(change, normal, mine.inverse_normal, mine.inverse_tangent);
        terms.weight[place] = dot(normal, impulse) / mine.inverse_normal;
      }
      if constexpr (way == Way::looking) return;
      if constexpr (carrying) terms.energy[place] = dot(change, change) / mine.inverse_normal;
      for (int d = 0; d < D; ++d) packs[k].impulse[d][l] = solved[d];
    }
    push_round(a.c, b.c, normal, change);
    bodies[mine.a] = a;
    if (mine.b != none) bodies[mine.b] = b;
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

template <int D, class Real>
struct CopyImpulses {  // a pack
  const RoundPack<D, Real>* packs;
  RowOf<Real>* to;
  MOREAU_INLINE void operator()(std::size_t index) const {
    const std::size_t k = index / lanes_of<Real>, l = index % lanes_of<Real>;
    for (int d = 0; d < D; ++d) to[D * k + static_cast<std::size_t>(d)].c[l] = packs[k].impulse[d][l];
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

template <int D>
struct NarrowContact {  // by place, which stays
  const RoundPack<D, double>* from;
  RoundPack<D, float>* to;
  double velocity, impulse, mass;  // one over the units
  std::int32_t none;

  MOREAU_INLINE void operator()(std::size_t place) const {
    const RoundPack<D, double>& in = from[place / 8];
    RoundPack<D, float>& out = to[place / 16];
    const std::size_t i = place % 8, o = place % 16;
    for (int d = 0; d < D; ++d) {
      out.normal[d][o] = static_cast<float>(in.normal[d][i]);
      out.impulse[d][o] = static_cast<float>(impulse * in.impulse[d][i]);
      out.bias[d][o] = static_cast<float>(velocity * in.bias[d][i]);
    }
    const bool empty = in.a[i] == none;
    out.inverse_normal[o] = empty ? 1.0f : static_cast<float>(mass * in.inverse_normal[i]);
    out.inverse_tangent[o] = empty ? 1.0f : static_cast<float>(mass * in.inverse_tangent[i]);
    out.friction[o] = static_cast<float>(in.friction[i]);
    out.a[o] = in.a[i], out.b[o] = in.b[i];
  }
};

template <int D>
struct WidenImpulse {
  const RoundPack<D, float>* from;
  RoundPack<D, double>* to;
  double unit;
  MOREAU_INLINE void operator()(std::size_t place) const {
    for (int d = 0; d < D; ++d)
      to[place / 8].impulse[d][place % 8] = unit * static_cast<double>(from[place / 16].impulse[d][place % 16]);
  }
};

}  // namespace moreau::gpu

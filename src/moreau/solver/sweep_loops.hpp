// The loops of sweep.hpp, written once for all kinds of contact: MOREAU_KERNELS(Kind) makes them. Include where they are made
// only.
#pragma once

#include <algorithm>
#include <iterator>

#include "moreau/base/instruction_set.hpp"
#include "moreau/solver/kernels.hpp"
#include "moreau/solver/sweep.hpp"

namespace moreau::inline solver {
namespace {

// Bodies of a pack that comes soon: their cache lines are scattered, so the processor cannot guess them.
template <class Kind, class Real, class Pack>
MOREAU_INLINE void prefetch(const SweptBodies<Kind::dimension, Real>& bodies, const SweptPacks<Pack>& packs, std::size_t k) {
  constexpr std::size_t distance = 2;  // packs
  if (k + distance >= packs.all) return;
  const Pack& pack = packs.pack[k + distance];
  for (std::size_t l = 0; l < std::size(pack.a); ++l) {
    __builtin_prefetch(bodies.body + pack.a[l]), __builtin_prefetch(bodies.body + pack.b[l]);
    if constexpr (Kind::any_shape && Kind::dimension == 3)
      __builtin_prefetch(bodies.turning + pack.a[l]), __builtin_prefetch(bodies.turning + pack.b[l]);
  }
}

// From P to P + extrapolation (P - P_last).
template <int rows, class Real>
MOREAU_INLINE void extrapolate(Vec<rows, LanesOf<Real>>& impulse, RowOf<Real>* last, Real extrapolation) {
  for (int d = 0; d < rows; ++d) {
    const LanesOf<Real> p = impulse[d];
    impulse[d] = p + extrapolation * (p - load(last[d].c));
    store(last[d].c, p);
  }
}

// Adds what the impulses `change` bring to the bodies, of which some may occur in several lanes.
template <class Kind, class Real>
MOREAU_INLINE void push_crowded(Kernel<Kind, Real>& kernel, const SweptBodies<Kind::dimension, Real>& bodies,
                                const typename Kind::template PackOf<Real>& pack, const Vec<Kind::rows, LanesOf<Real>>& change) {
  constexpr int velocities = velocity_dimension<Kind::dimension>;
  for (int d = 0; d < velocities; ++d) kernel.a.m[d] = kernel.b.m[d] = LanesOf<Real>{};
  kernel.push(pack, change);
  for (int d = velocities; d < 8; ++d) kernel.a.m[d] = kernel.b.m[d] = LanesOf<Real>{};
  kernel.a.add(bodies.body, pack.a, bodies.none);
  kernel.b.add(bodies.body, pack.b, bodies.none);
}

// What a sweep does, known when the loop is compiled or only when it runs. The first leaves it more registers, which matters
// where a relaxation is short; the second is compiled once for all.
template <bool carrying_, bool measuring_>
struct KnownWay {
  static constexpr bool carrying = carrying_, measuring = measuring_, crowded = false, looking = false;
};
struct AskedWay {
  bool carrying, measuring, crowded, looking;
};

template <class Kind, class Real, class Way>
MOREAU_INLINE void relax(const SweptBodies<Kind::dimension, Real>& all_bodies,
                         const SweptPacks<typename Kind::template PackOf<Real>>& all_packs, const Sweep<Real>& sweep, Way way,
                         MeasuredSums<Real>& measured) {
  constexpr int rows = Kind::rows;
  const SweptBodies<Kind::dimension, Real> bodies = all_bodies;  // copies, which no store can change
  const auto packs = all_packs;
  RowOf<Real>* const last = sweep.last;
  const Real relaxation = static_cast<Real>(sweep.relaxation), extrapolation = static_cast<Real>(sweep.extrapolation);
  LaneSums<Real> sums;
  for (std::size_t k = packs.begin; k < packs.end; ++k) {
    auto& pack = packs.pack[k];
    prefetch<Kind, Real>(bodies, packs, k);
    Kernel<Kind, Real> kernel(bodies, pack);
    if (way.carrying) extrapolate<rows>(kernel.impulse, last + rows * k, extrapolation);
    if constexpr (rows > Kind::dimension)  // others solve without the masses
      if (way.crowded) kernel.split_masses(pack, bodies.none);
    const auto solved = kernel.solve(pack, relaxation);
    if (way.measuring) kernel.measure(pack, solved, sums);
    const auto change = solved - kernel.impulse;
    if (way.carrying) sums.add_energy(dot(change, change) / load(pack.inverse_normal));
    if (way.measuring || way.carrying) sums.next(measured, way.measuring, way.carrying);
    if (way.looking) continue;
    for (int d = 0; d < rows; ++d) store(pack.impulse[d], solved[d]);
    if (way.crowded) {
      Kernel<Kind, Real> whole(bodies, pack);
      push_crowded<Kind, Real>(whole, bodies, pack, change);
      continue;
    }
    kernel.push(pack, change);
    kernel.a.write(bodies.body, pack.a, bodies.none);
    kernel.b.write(bodies.body, pack.b, bodies.none);
  }
  if (way.measuring || way.carrying) sums.finish(measured, way.measuring, way.carrying);
}

template <class Kind, class Real>
MOREAU_INLINE void relax(const SweptBodies<Kind::dimension, Real>& bodies,
                         const SweptPacks<typename Kind::template PackOf<Real>>& packs, const Sweep<Real>& sweep,
                         MeasuredSums<Real>& measured) {
  const bool carrying = sweep.last != nullptr;
  if constexpr (!Kind::any_shape)
    if (!sweep.crowded && !sweep.looking) {
      if constexpr (Kind::kind == ContactKind::round)
        if (sweep.measuring) {
          if (carrying) return relax<Kind, Real>(bodies, packs, sweep, KnownWay<true, true>{}, measured);
          if constexpr (sizeof(Real) == sizeof(double))
            return relax<Kind, Real>(bodies, packs, sweep, KnownWay<false, true>{}, measured);
        }
      if (!sweep.measuring) {
        if (carrying) return relax<Kind, Real>(bodies, packs, sweep, KnownWay<true, false>{}, measured);
        if constexpr (sizeof(Real) == sizeof(double))
          return relax<Kind, Real>(bodies, packs, sweep, KnownWay<false, false>{}, measured);
      }
    }
  relax<Kind, Real>(bodies, packs, sweep, AskedWay{carrying, sweep.measuring, sweep.crowded, sweep.looking}, measured);
}

template <class Kind>
MOREAU_INLINE void apply(const SweptBodies<Kind::dimension, double>& bodies, const SweptPacks<const typename Kind::Pack>& packs,
                         bool crowded) {
  for (std::size_t k = packs.begin; k < packs.end; ++k) {
    const auto& pack = packs.pack[k];
    Kernel<Kind, double> kernel(bodies, pack);
    if (crowded) {
      push_crowded<Kind, double>(kernel, bodies, pack, kernel.impulse);
      continue;
    }
    kernel.push(pack, kernel.impulse);
    kernel.a.write(bodies.body, pack.a, bodies.none);
    kernel.b.write(bodies.body, pack.b, bodies.none);
  }
}

}  // namespace

// Unused lanes: normal, impulse and bias are zero, so they relax to zero; their 1/h is set to 1.
#define MOREAU_KERNELS_IN(Kind, Real)                                                                             \
  MOREAU_VERSIONS(void, sweep_packs,                                                                              \
                  (const SweptBodies<Kind::dimension, Real>& bodies, const SweptPacks<Kind::PackOf<Real>>& packs, \
                   const Sweep<Real>& sweep, MeasuredSums<Real>& measured),                                       \
                  (bodies, packs, sweep, measured)) {                                                             \
    relax<Kind, Real>(bodies, packs, sweep, measured);                                                            \
  }
#define MOREAU_KERNELS(Kind)                                                                                                     \
  MOREAU_KERNELS_IN(Kind, double)                                                                                                \
  MOREAU_KERNELS_IN(Kind, float)                                                                                                 \
  MOREAU_VERSIONS(void, apply_packs,                                                                                             \
                  (const SweptBodies<Kind::dimension, double>& bodies, const SweptPacks<const Kind::Pack>& packs, bool crowded), \
                  (bodies, packs, crowded)) {                                                                                    \
    apply<Kind>(bodies, packs, crowded);                                                                                         \
  }

}  // namespace moreau::inline solver

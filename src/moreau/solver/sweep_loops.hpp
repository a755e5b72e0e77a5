// The loops of sweep.hpp, written once for all kinds of contact: MOREAU_KERNELS(Kind) makes them. Include where they are made
// only.
#pragma once

#include <algorithm>
#include <iterator>

#include "moreau/base/instruction_set.hpp"
#include "moreau/solver/kernels.hpp"
#include "moreau/solver/sweep.hpp"

namespace moreau {
namespace {

// Bodies of a block that comes soon: their cache lines are scattered, so the processor cannot guess them.
template <class Kind, class Real, class Block>
MOREAU_INLINE void prefetch(const SweptBodies<Kind::dimension, Real>& bodies, const SweptBlocks<Block>& blocks, std::size_t k) {
  constexpr std::size_t distance = 2;  // blocks
  if (k + distance >= blocks.all) return;
  const Block& block = blocks.block[k + distance];
  for (std::size_t l = 0; l < std::size(block.a); ++l) {
    __builtin_prefetch(bodies.body + block.a[l]), __builtin_prefetch(bodies.body + block.b[l]);
    if constexpr (Kind::any_shape && Kind::dimension == 3)
      __builtin_prefetch(bodies.turning + block.a[l]), __builtin_prefetch(bodies.turning + block.b[l]);
  }
}

// From P to P + momentum (P - P_last).
template <int rows, class Real>
MOREAU_INLINE void carry_on(Vec<rows, LanesOf<Real>>& impulse, RowOf<Real>* last, Real momentum) {
  for (int d = 0; d < rows; ++d) {
    const LanesOf<Real> p = impulse[d];
    impulse[d] = p + momentum * (p - load(last[d].c));
    store(last[d].c, p);
  }
}

// Adds what the impulses `change` bring to the bodies, of which some may occur in several lanes.
template <class Kind, class Real>
MOREAU_INLINE void push_crowded(Kernel<Kind, Real>& kernel, const SweptBodies<Kind::dimension, Real>& bodies,
                                const typename Kind::template BlockOf<Real>& block,
                                const Vec<Kind::rows, LanesOf<Real>>& change) {
  constexpr int velocities = velocity_dimension<Kind::dimension>;
  for (int d = 0; d < velocities; ++d) kernel.a.m[d] = kernel.b.m[d] = LanesOf<Real>{};
  kernel.push(block, change);
  for (int d = velocities; d < 8; ++d) kernel.a.m[d] = kernel.b.m[d] = LanesOf<Real>{};
  kernel.a.add(bodies.body, block.a, bodies.none);
  kernel.b.add(bodies.body, block.b, bodies.none);
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
                         const SweptBlocks<typename Kind::template BlockOf<Real>>& all_blocks, const Sweep<Real>& sweep, Way way,
                         MeasuredSums<Real>& measured) {
  constexpr int rows = Kind::rows;
  const SweptBodies<Kind::dimension, Real> bodies = all_bodies;  // copies, which no store can change
  const auto blocks = all_blocks;
  RowOf<Real>* const last = sweep.last;
  const Real relaxation = static_cast<Real>(sweep.relaxation), momentum = static_cast<Real>(sweep.momentum);
  LaneSums<Real> sums;
  for (std::size_t k = blocks.begin; k < blocks.end; ++k) {
    auto& block = blocks.block[k];
    prefetch<Kind, Real>(bodies, blocks, k);
    Kernel<Kind, Real> kernel(bodies, block);
    if (way.carrying) carry_on<rows>(kernel.impulse, last + rows * k, momentum);
    if constexpr (rows > Kind::dimension)  // others solve without the masses
      if (way.crowded) kernel.split_masses(block, bodies.none);
    const auto solved = kernel.solve(block, relaxation);
    if (way.measuring) kernel.measure(block, solved, sums);
    const auto change = solved - kernel.impulse;
    if (way.carrying) sums.add_energy(dot(change, change) / load(block.inverse_normal));
    if (way.measuring || way.carrying) sums.next(measured, way.measuring, way.carrying);
    if (way.looking) continue;
    for (int d = 0; d < rows; ++d) store(block.impulse[d], solved[d]);
    if (way.crowded) {
      Kernel<Kind, Real> whole(bodies, block);
      push_crowded<Kind, Real>(whole, bodies, block, change);
      continue;
    }
    kernel.push(block, change);
    kernel.a.write(bodies.body, block.a, bodies.none);
    kernel.b.write(bodies.body, block.b, bodies.none);
  }
  if (way.measuring || way.carrying) sums.finish(measured, way.measuring, way.carrying);
}

template <class Kind, class Real>
MOREAU_INLINE void relax(const SweptBodies<Kind::dimension, Real>& bodies,
                         const SweptBlocks<typename Kind::template BlockOf<Real>>& blocks, const Sweep<Real>& sweep,
                         MeasuredSums<Real>& measured) {
  const bool carrying = sweep.last != nullptr;
  if constexpr (!Kind::any_shape && Kind::rows == Kind::dimension)
    if (!sweep.crowded && !sweep.looking) {
      if (carrying)
        return sweep.measuring ? relax<Kind, Real>(bodies, blocks, sweep, KnownWay<true, true>{}, measured)
                               : relax<Kind, Real>(bodies, blocks, sweep, KnownWay<true, false>{}, measured);
      if constexpr (sizeof(Real) == sizeof(double))
        return sweep.measuring ? relax<Kind, Real>(bodies, blocks, sweep, KnownWay<false, true>{}, measured)
                               : relax<Kind, Real>(bodies, blocks, sweep, KnownWay<false, false>{}, measured);
    }
  relax<Kind, Real>(bodies, blocks, sweep, AskedWay{carrying, sweep.measuring, sweep.crowded, sweep.looking}, measured);
}

template <class Kind>
MOREAU_INLINE void apply(const SweptBodies<Kind::dimension, double>& bodies,
                         const SweptBlocks<const typename Kind::Block>& blocks, bool crowded) {
  for (std::size_t k = blocks.begin; k < blocks.end; ++k) {
    const auto& block = blocks.block[k];
    Kernel<Kind, double> kernel(bodies, block);
    if (crowded) {
      push_crowded<Kind, double>(kernel, bodies, block, kernel.impulse);
      continue;
    }
    kernel.push(block, kernel.impulse);
    kernel.a.write(bodies.body, block.a, bodies.none);
    kernel.b.write(bodies.body, block.b, bodies.none);
  }
}

}  // namespace

// Unused lanes: normal, impulse and bias are zero, so they relax to zero; their 1/h is set to 1.
#define MOREAU_KERNELS_IN(Kind, Real)                                                                                \
  MOREAU_VERSIONS(void, sweep_blocks,                                                                                \
                  (const SweptBodies<Kind::dimension, Real>& bodies, const SweptBlocks<Kind::BlockOf<Real>>& blocks, \
                   const Sweep<Real>& sweep, MeasuredSums<Real>& measured),                                          \
                  (bodies, blocks, sweep, measured)) {                                                               \
    relax<Kind, Real>(bodies, blocks, sweep, measured);                                                              \
  }
#define MOREAU_KERNELS(Kind)                                                                                            \
  MOREAU_KERNELS_IN(Kind, double)                                                                                       \
  MOREAU_KERNELS_IN(Kind, float)                                                                                        \
  MOREAU_VERSIONS(                                                                                                      \
      void, apply_blocks,                                                                                               \
      (const SweptBodies<Kind::dimension, double>& bodies, const SweptBlocks<const Kind::Block>& blocks, bool crowded), \
      (bodies, blocks, crowded)) {                                                                                      \
    apply<Kind>(bodies, blocks, crowded);                                                                               \
  }

}  // namespace moreau

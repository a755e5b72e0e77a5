// The loops of sweep.hpp, written once for all kinds of contact: MOREAU_KERNELS(Kind) makes them. Include where they are made
// only.
#pragma once

#include <algorithm>
#include <iterator>

#include "moreau/base/clones.hpp"
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

template <class Kind, bool carrying, class Real>
MOREAU_INLINE void relax(const SweptBodies<Kind::dimension, Real>& bodies,
                         const SweptBlocks<typename Kind::template BlockOf<Real>>& blocks, Real relaxation,
                         const Carried<Real>& carried, bool fully, LaneSums<Real>& sums) {
  constexpr int rows = Kind::rows;
  const Real momentum = static_cast<Real>(carried.momentum);
  for (std::size_t k = blocks.begin; k < blocks.end; ++k) {
    auto& block = blocks.block[k];
    prefetch<Kind, Real>(bodies, blocks, k);
    Kernel<Kind, Real> kernel(bodies, block);
    if constexpr (carrying) carry_on<rows>(kernel.impulse, carried.last + rows * k, momentum);
    const auto solved = kernel.solve(block, relaxation);
    if (fully) kernel.measure(block, solved, sums);
    const auto change = solved - kernel.impulse;
    if constexpr (carrying) sums.energies += dot(change, change) / load(block.inverse_normal);
    kernel.push(block, change);
    for (int d = 0; d < rows; ++d) store(block.impulse[d], solved[d]);
    kernel.a.write(bodies.body, block.a, bodies.none);
    kernel.b.write(bodies.body, block.b, bodies.none);
  }
}

template <class Kind>
MOREAU_INLINE void look(const SweptBodies<Kind::dimension, double>& bodies, const SweptBlocks<const typename Kind::Block>& blocks,
                        LaneSums<double>& sums) {
  for (std::size_t k = blocks.begin; k < blocks.end; ++k) {
    const auto& block = blocks.block[k];
    const Kernel<Kind, double> kernel(bodies, block);
    kernel.measure(block, kernel.solve(block, 1), sums);
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

template <class Kind, class Real>
MOREAU_INLINE void relax_crowded(const SweptBodies<Kind::dimension, Real>& bodies,
                                 const SweptBlocks<typename Kind::template BlockOf<Real>>& blocks, Real relaxation,
                                 const Carried<Real>& carried, bool fully, LaneSums<Real>& sums) {
  constexpr int rows = Kind::rows;
  for (std::size_t k = blocks.begin; k < blocks.end; ++k) {
    auto& block = blocks.block[k];
    prefetch<Kind, Real>(bodies, blocks, k);
    Kernel<Kind, Real> kernel(bodies, block);
    if (carried.last) carry_on<rows>(kernel.impulse, carried.last + rows * k, static_cast<Real>(carried.momentum));
    Kernel<Kind, Real> split = kernel;
    if constexpr (rows > Kind::dimension) split.split_masses(block, bodies.none);  // others solve without the masses
    const auto solved = split.solve(block, relaxation);
    if (fully) kernel.measure(block, solved, sums);
    const auto change = solved - kernel.impulse;
    sums.energies += dot(change, change) / load(block.inverse_normal);
    for (int d = 0; d < rows; ++d) store(block.impulse[d], solved[d]);
    push_crowded<Kind, Real>(kernel, bodies, block, change);
  }
}

}  // namespace

// Unused lanes: normal, impulse and bias are zero, so they relax to zero; their 1/h is set to 1.
#define MOREAU_KERNELS_IN(Kind, Real)                                                                   \
  MOREAU_CLONES void sweep_blocks_on(const SweptBodies<Kind::dimension, Real>& bodies,                  \
                                     const SweptBlocks<Kind::BlockOf<Real>>& blocks, double relaxation, \
                                     const Carried<Real>& carried, bool fully, Measured& measured) {    \
    LaneSums<Real> sums;                                                                                \
    relax<Kind, true, Real>(bodies, blocks, static_cast<Real>(relaxation), carried, fully, sums);       \
    sums.put(measured);                                                                                 \
  }                                                                                                     \
  MOREAU_CLONES void sweep_crowded(const SweptBodies<Kind::dimension, Real>& bodies,                    \
                                   const SweptBlocks<Kind::BlockOf<Real>>& blocks, double relaxation,   \
                                   const Carried<Real>& carried, bool fully, Measured& measured) {      \
    LaneSums<Real> sums;                                                                                \
    relax_crowded<Kind, Real>(bodies, blocks, static_cast<Real>(relaxation), carried, fully, sums);     \
    sums.put(measured);                                                                                 \
  }
#define MOREAU_KERNELS(Kind)                                                                                                  \
  MOREAU_KERNELS_IN(Kind, double)                                                                                             \
  MOREAU_KERNELS_IN(Kind, float)                                                                                              \
  MOREAU_CLONES void sweep_blocks(const SweptBodies<Kind::dimension, double>& bodies, const SweptBlocks<Kind::Block>& blocks, \
                                  double relaxation, Measured* measured) {                                                    \
    LaneSums<double> sums;                                                                                                    \
    relax<Kind, false, double>(bodies, blocks, relaxation, {}, measured != nullptr, sums);                                    \
    if (measured) sums.put(*measured);                                                                                        \
  }                                                                                                                           \
  MOREAU_CLONES void measure_blocks(const SweptBodies<Kind::dimension, double>& bodies,                                       \
                                    const SweptBlocks<const Kind::Block>& blocks, Measured& measured) {                       \
    LaneSums<double> sums;                                                                                                    \
    look<Kind>(bodies, blocks, sums);                                                                                         \
    sums.put(measured);                                                                                                       \
  }                                                                                                                           \
  MOREAU_CLONES void apply_blocks(const SweptBodies<Kind::dimension, double>& bodies,                                         \
                                  const SweptBlocks<const Kind::Block>& blocks, bool crowded) {                               \
    apply<Kind>(bodies, blocks, crowded);                                                                                     \
  }

}  // namespace moreau

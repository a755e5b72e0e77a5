// The loops of sweep.hpp, written once for all kinds of problem: MOREAU_KERNELS(Kind) makes them. Include where they are made
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
template <class Body, class Block>
MOREAU_INLINE void prefetch(const Body* bodies, const Block& block) {
  for (std::size_t l = 0; l < std::size(block.a); ++l)
    for (std::size_t line = 0; line < sizeof(Body); line += 64) {
      __builtin_prefetch(reinterpret_cast<const char*>(bodies + block.a[l]) + line);
      __builtin_prefetch(reinterpret_cast<const char*>(bodies + block.b[l]) + line);
    }
}
constexpr std::size_t prefetch_distance = 2;  // blocks

template <class Kind, bool measuring>
MOREAU_INLINE void relax(typename Kind::Body* bodies, typename Kind::Block* blocks, std::size_t begin, std::size_t end,
                         std::size_t all, std::int32_t none, typename Kind::Real relaxation,
                         LaneSums<typename Kind::Real>& sums) {
  for (std::size_t k = begin; k < end; ++k) {
    typename Kind::Block& block = blocks[k];
    if (k + prefetch_distance < all) prefetch(bodies, blocks[k + prefetch_distance]);
    Kernel<Kind> kernel(bodies, block);
    const auto solved = kernel.solve(block, relaxation);
    if constexpr (measuring) kernel.measure(block, solved, sums);
    kernel.push(block, solved - kernel.impulse);
    for (int d = 0; d < Kind::rows; ++d) store(block.impulse[d], solved[d]);
    kernel.a.write(bodies, block.a, none);
    kernel.b.write(bodies, block.b, none);
  }
}

template <class Kind>
MOREAU_INLINE void look(const typename Kind::Body* bodies, const typename Kind::Block* blocks, std::size_t begin, std::size_t end,
                        LaneSums<typename Kind::Real>& sums) {
  for (std::size_t k = begin; k < end; ++k) {
    const Kernel<Kind> kernel(bodies, blocks[k]);
    kernel.measure(blocks[k], kernel.solve(blocks[k], 1), sums);
  }
}

template <class Kind>
MOREAU_INLINE void apply(typename Kind::Body* bodies, const typename Kind::Block* blocks, std::size_t begin, std::size_t end,
                         std::int32_t none) {
  for (std::size_t k = begin; k < end; ++k) {
    Kernel<Kind> kernel(bodies, blocks[k]);
    kernel.push(blocks[k], kernel.impulse);
    kernel.a.write(bodies, blocks[k].a, none);
    kernel.b.write(bodies, blocks[k].b, none);
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

template <class Kind>
MOREAU_INLINE void relax_on(typename Kind::Body* bodies, typename Kind::Block* blocks, std::size_t begin, std::size_t end,
                            std::size_t all, std::int32_t none, typename Kind::Real relaxation, typename Kind::Real momentum,
                            RowOf<typename Kind::Real>* last, bool fully, LaneSums<typename Kind::Real>& sums) {
  constexpr int rows = Kind::rows;
  using Many = LanesOf<typename Kind::Real>;
  for (std::size_t k = begin; k < end; ++k) {
    typename Kind::Block& block = blocks[k];
    if (k + prefetch_distance < all) prefetch(bodies, blocks[k + prefetch_distance]);
    Kernel<Kind> kernel(bodies, block);
    carry_on<rows>(kernel.impulse, last + rows * k, momentum);
    const auto solved = kernel.solve(block, relaxation);
    if (fully) kernel.measure(block, solved, sums);
    const Vec<rows, Many> change = solved - kernel.impulse;
    sums.energies += dot(change, change) / load(block.inverse_normal);
    kernel.push(block, change);
    for (int d = 0; d < rows; ++d) store(block.impulse[d], solved[d]);
    kernel.a.write(bodies, block.a, none);
    kernel.b.write(bodies, block.b, none);
  }
}

// Adds what the impulses `change` bring to the bodies, of which some may occur in several lanes.
template <class Kind>
MOREAU_INLINE void push_crowded(Kernel<Kind>& kernel, typename Kind::Body* bodies, const typename Kind::Block& block,
                                const Vec<Kind::rows, LanesOf<typename Kind::Real>>& change, std::int32_t none) {
  using Many = LanesOf<typename Kind::Real>;
  constexpr int velocities = velocity_dimension<Kind::dimension>;
  for (int d = 0; d < velocities; ++d) kernel.a.m[d] = kernel.b.m[d] = Many{};
  kernel.push(block, change);
  for (int d = velocities; d < 8; ++d) kernel.a.m[d] = kernel.b.m[d] = Many{};
  kernel.a.add(bodies, block.a, none);
  kernel.b.add(bodies, block.b, none);
}

template <class Kind>
MOREAU_INLINE void relax_crowded(typename Kind::Body* bodies, typename Kind::Block* blocks, std::size_t begin, std::size_t end,
                                 std::int32_t none, typename Kind::Real relaxation, typename Kind::Real momentum,
                                 RowOf<typename Kind::Real>* last, bool fully, LaneSums<typename Kind::Real>& sums) {
  constexpr int rows = Kind::rows;
  for (std::size_t k = begin; k < end; ++k) {
    typename Kind::Block& block = blocks[k];
    if (k + prefetch_distance < end) prefetch(bodies, blocks[k + prefetch_distance]);
    Kernel<Kind> kernel(bodies, block);
    if (last) carry_on<rows>(kernel.impulse, last + rows * k, momentum);
    Kernel<Kind> split = kernel;
    if constexpr (rows > Kind::dimension) split.split_masses(block, none);  // others solve without the masses
    const auto solved = split.solve(block, relaxation);
    if (fully) kernel.measure(block, solved, sums);
    const auto change = solved - kernel.impulse;
    sums.energies += dot(change, change) / load(block.inverse_normal);
    for (int d = 0; d < rows; ++d) store(block.impulse[d], solved[d]);
    push_crowded<Kind>(kernel, bodies, block, change, none);
  }
}

template <class Real>
MOREAU_INLINE void carry(Real* x, BodyRow<Real>& last, Real momentum) {
  typedef Real Eight __attribute__((vector_size(sizeof(last))));
  Eight& then = *reinterpret_cast<Eight*>(last.c);
  Eight& here = *reinterpret_cast<Eight*>(x);
  const Eight now = here;
  here = now + momentum * (now - then);
  then = now;
}

}  // namespace

// Unused lanes: normal, impulse and bias are zero, so they relax to zero; their 1/h is set to 1.
#define MOREAU_KERNELS(Kind)                                                                                                    \
  MOREAU_CLONES void sweep_blocks(Kind::Body* bodies, Kind::Block* blocks, std::size_t begin, std::size_t end, std::size_t all, \
                                  std::int32_t none, double relaxation) {                                                       \
    LaneSums<Kind::Real> unused;                                                                                                \
    relax<Kind, false>(bodies, blocks, begin, end, all, none, static_cast<Kind::Real>(relaxation), unused);                     \
  }                                                                                                                             \
  MOREAU_CLONES void sweep_blocks(Kind::Body* bodies, Kind::Block* blocks, std::size_t begin, std::size_t end, std::size_t all, \
                                  std::int32_t none, double relaxation, Measured& measured) {                                   \
    LaneSums<Kind::Real> sums;                                                                                                  \
    relax<Kind, true>(bodies, blocks, begin, end, all, none, static_cast<Kind::Real>(relaxation), sums);                        \
    sums.put(measured);                                                                                                         \
  }                                                                                                                             \
  MOREAU_CLONES void measure_blocks(const Kind::Body* bodies, const Kind::Block* blocks, std::size_t begin, std::size_t end,    \
                                    Measured& measured) {                                                                       \
    LaneSums<Kind::Real> sums;                                                                                                  \
    look<Kind>(bodies, blocks, begin, end, sums);                                                                               \
    sums.put(measured);                                                                                                         \
  }                                                                                                                             \
  MOREAU_CLONES void apply_blocks(Kind::Body* bodies, const Kind::Block* blocks, std::size_t begin, std::size_t end,            \
                                  std::int32_t none) {                                                                          \
    apply<Kind>(bodies, blocks, begin, end, none);                                                                              \
  }                                                                                                                             \
  MOREAU_CLONES void sweep_blocks_on(Kind::Body* bodies, Kind::Block* blocks, std::size_t begin, std::size_t end,               \
                                     std::size_t all, std::int32_t none, double relaxation, double momentum,                    \
                                     RowOf<Kind::Real>* last, bool fully, Measured& measured) {                                 \
    LaneSums<Kind::Real> sums;                                                                                                  \
    relax_on<Kind>(bodies, blocks, begin, end, all, none, static_cast<Kind::Real>(relaxation),                                  \
                   static_cast<Kind::Real>(momentum), last, fully, sums);                                                       \
    sums.put(measured);                                                                                                         \
  }                                                                                                                             \
  MOREAU_CLONES void sweep_crowded(Kind::Body* bodies, Kind::Block* blocks, std::size_t begin, std::size_t end,                 \
                                   std::int32_t none, double relaxation, double momentum, RowOf<Kind::Real>* last, bool fully,  \
                                   Measured& measured) {                                                                        \
    LaneSums<Kind::Real> sums;                                                                                                  \
    relax_crowded<Kind>(bodies, blocks, begin, end, none, static_cast<Kind::Real>(relaxation),                                  \
                        static_cast<Kind::Real>(momentum), last, fully, sums);                                                  \
    sums.put(measured);                                                                                                         \
  }                                                                                                                             \
  MOREAU_CLONES void apply_crowded(Kind::Body* bodies, const Kind::Block* blocks, std::size_t begin, std::size_t end,           \
                                   std::int32_t none) {                                                                         \
    for (std::size_t k = begin; k < end; ++k) {                                                                                 \
      Kernel<Kind> kernel(bodies, blocks[k]);                                                                                   \
      push_crowded<Kind>(kernel, bodies, blocks[k], kernel.impulse, none);                                                      \
    }                                                                                                                           \
  }                                                                                                                             \
  MOREAU_CLONES void carry_bodies(Kind::Body* bodies, const std::uint32_t* index, BodyRow<Kind::Real>* last, std::size_t begin, \
                                  std::size_t end, double momentum) {                                                           \
    for (std::size_t i = begin; i < end; ++i)                                                                                   \
      carry(reinterpret_cast<Kind::Real*>(bodies + index[i]), last[i], static_cast<Kind::Real>(momentum));                      \
  }

}  // namespace moreau

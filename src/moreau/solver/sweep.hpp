// The innermost loops: Gauss-Seidel over blocks of contacts. Compiled for several instruction sets and chosen when the
// program starts; all give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "moreau/solver/general.hpp"
#include "moreau/solver/measured.hpp"
#include "moreau/solver/rigid.hpp"
#include "moreau/solver/round.hpp"

namespace moreau {

// The first eight numbers of a body: velocities and what does not change from sweep to sweep.
template <class Real>
struct alignas(8 * sizeof(Real)) BodyRow {
  Real c[8];
};

#define MOREAU_SWEEPS(Kind)                                                                                                      \
  /* Before: `bodies` hold u_free + A^-1 sum G^T P for the impulses P in the blocks. No free body appears twice in one block. */ \
  /* After: the contacts of blocks [begin, end) of `all` have been relaxed once each, and the same relation holds. */            \
  void sweep_blocks(Kind::Body* bodies, Kind::Block* blocks, std::size_t begin, std::size_t end, std::size_t all,                \
                    std::int32_t none, double relaxation);                                                                       \
  /* The same, measuring the residual of every contact just before it is relaxed. */                                             \
  void sweep_blocks(Kind::Body* bodies, Kind::Block* blocks, std::size_t begin, std::size_t end, std::size_t all,                \
                    std::int32_t none, double relaxation, Measured& measured);                                                   \
  /* Measures only; changes nothing. */                                                                                          \
  void measure_blocks(const Kind::Body* bodies, const Kind::Block* blocks, std::size_t begin, std::size_t end,                   \
                      Measured& measured);                                                                                       \
  /* The same from impulses carried on, P + momentum (P - P_last), with the velocities carried on before; P_last, a row          \
   * for each unknown of a contact, is renewed. The residual is measured if `fully`. */                                          \
  void sweep_blocks_on(Kind::Body* bodies, Kind::Block* blocks, std::size_t begin, std::size_t end, std::size_t all,             \
                       std::int32_t none, double relaxation, double momentum, RowOf<Kind::Real>* last, bool fully,               \
                       Measured& measured);                                                                                      \
  /* u <- u + momentum (u - u_last), u_last <- u, for the bodies listed. */                                                      \
  void carry_bodies(Kind::Body* bodies, const std::uint32_t* index, BodyRow<Kind::Real>* last, std::size_t begin,                \
                    std::size_t end, double momentum);                                                                           \
  /* Adds A^-1 G^T P of the blocks to the bodies. */                                                                             \
  void apply_blocks(Kind::Body* bodies, const Kind::Block* blocks, std::size_t begin, std::size_t end, std::int32_t none);       \
  /* The same for blocks in which free bodies may occur several times, their masses split in the local operators: the lanes are  \
   * relaxed at the same time, and their changes are added one after the other. Without momentum where `last` is null. */        \
  void sweep_crowded(Kind::Body* bodies, Kind::Block* blocks, std::size_t begin, std::size_t end, std::int32_t none,             \
                     double relaxation, double momentum, RowOf<Kind::Real>* last, bool fully, Measured& measured);               \
  void apply_crowded(Kind::Body* bodies, const Kind::Block* blocks, std::size_t begin, std::size_t end, std::int32_t none);

MOREAU_SWEEPS(Round<2>)
MOREAU_SWEEPS(Round<3>)
MOREAU_SWEEPS(SingleRound<2>)
MOREAU_SWEEPS(SingleRound<3>)
MOREAU_SWEEPS(Rigid<2>)
MOREAU_SWEEPS(Rigid<3>)
MOREAU_SWEEPS(Bounded<2>)
MOREAU_SWEEPS(Bounded<3>)
MOREAU_SWEEPS(Rolling<2>)
MOREAU_SWEEPS(Rolling<3>)
#undef MOREAU_SWEEPS

// The square of the kinetic norm of u - u_last over the bodies listed; u_last <- u.
double kinetic_change(const RoundBody<2, float>* bodies, const std::uint32_t* index, BodyRow<float>* last, std::size_t begin,
                      std::size_t end);
double kinetic_change(const RoundBody<3, float>* bodies, const std::uint32_t* index, BodyRow<float>* last, std::size_t begin,
                      std::size_t end);

}  // namespace moreau

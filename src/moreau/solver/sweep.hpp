// The innermost loops: Gauss-Seidel over packs of contacts. Compiled for several instruction sets and chosen when the
// program starts; all give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "moreau/solver/general.hpp"
#include "moreau/solver/measured.hpp"
#include "moreau/solver/round.hpp"
#include "moreau/solver/shaped.hpp"

namespace moreau::inline solver {

// The bodies that the contacts of all kinds push.
template <int D, class Real>
struct SweptBodies {
  SolverBody<D, Real>* body;     // by slot
  const Turning<Real>* turning;  // by slot, in space; may be null where no contact asks for it
  std::int32_t none;             // slot that stands for obstacles
};

// Packs of one kind.
template <class Pack>
struct SweptPacks {
  Pack* pack;
  std::size_t begin, end;  // those to be swept
  std::size_t all;         // those that follow may be looked at ahead of time up to here
};

// The first eight numbers of a body: velocities and what does not change from sweep to sweep.
template <class Real>
struct alignas(8 * sizeof(Real)) BodyRow {
  Real c[8];
};

// What is done with the contacts of the packs.
template <class Real>
struct Sweep {
  double relaxation = 1.0;
  bool measuring = false;  // the residual of every contact just before it is relaxed
  bool looking = false;    // measures only: nothing changes
  // Free bodies may occur several times in a pack, their masses split in the local operators: the lanes are relaxed at the same
  // time, and their changes are added one after the other. Else no free body appears twice in one pack.
  bool crowded = false;
  // From impulses P to P + extrapolation (P - P_last), with the velocities carried on before; P_last, a row for each unknown of a
  // contact, is renewed. The energy of the corrections is measured. Null: impulses stay as they are.
  RowOf<Real>* last = nullptr;
  double extrapolation = 0.0;
};

#define MOREAU_SWEEPS_IN(Kind, Real)                                                                                           \
  /* Before: the bodies hold u_free + A^-1 sum G^T P for the impulses P in the packs. After: the contacts of the packs have */ \
  /* been relaxed once each, and the same relation holds. */                                                                   \
  void sweep_packs(const SweptBodies<Kind::dimension, Real>& bodies, const SweptPacks<Kind::PackOf<Real>>& packs,              \
                   const Sweep<Real>& sweep, MeasuredSums<Real>& measured);
#define MOREAU_SWEEPS(Kind)                                                                              \
  MOREAU_SWEEPS_IN(Kind, double)                                                                         \
  MOREAU_SWEEPS_IN(Kind, float)                                                                          \
  /* Adds A^-1 G^T P of the packs to the bodies; `crowded`: bodies may occur several times in a pack. */ \
  void apply_packs(const SweptBodies<Kind::dimension, double>& bodies, const SweptPacks<const Kind::Pack>& packs, bool crowded);

#define MOREAU_SWEEPS_OF(D)      \
  MOREAU_SWEEPS(Round<D>)        \
  MOREAU_SWEEPS(Shaped<D>)       \
  MOREAU_SWEEPS(LawOnRound<D>)   \
  MOREAU_SWEEPS(RollingRound<D>) \
  MOREAU_SWEEPS(Bounded<D>)      \
  MOREAU_SWEEPS(Rolling<D>)

MOREAU_SWEEPS_OF(2)
MOREAU_SWEEPS_OF(3)
#undef MOREAU_SWEEPS_OF
#undef MOREAU_SWEEPS
#undef MOREAU_SWEEPS_IN

// u <- u + extrapolation (u - u_last), u_last <- u, for the bodies listed; rows of eight numbers.
void extrapolate_bodies(BodyRow<double>* bodies, const std::uint32_t* index, BodyRow<double>* last, std::size_t begin,
                        std::size_t end, double extrapolation);
void extrapolate_bodies(BodyRow<float>* bodies, const std::uint32_t* index, BodyRow<float>* last, std::size_t begin,
                        std::size_t end, double extrapolation);

// Adds m |v|^2 + I |spin|^2 of the bodies, for the velocities in `rows`, one for each; of bodies without inverse_rolling only
// what they move, of those without inverse_mass nothing.
void kinetic_square(const SolverBody<2>* bodies, const BodyRow<double>* rows, std::size_t count, ExactSum<double>& sum);
void kinetic_square(const SolverBody<3>* bodies, const BodyRow<double>* rows, std::size_t count, ExactSum<double>& sum);

// Adds the square of the kinetic norm of u - u_last over the bodies listed, of those without inverse_rolling only what they move;
// u_last <- u.
void kinetic_change(const SolverBody<2, float>* bodies, const std::uint32_t* index, BodyRow<float>* last, std::size_t begin,
                    std::size_t end, ExactSum<float>& sum);
void kinetic_change(const SolverBody<3, float>* bodies, const std::uint32_t* index, BodyRow<float>* last, std::size_t begin,
                    std::size_t end, ExactSum<float>& sum);

}  // namespace moreau::inline solver

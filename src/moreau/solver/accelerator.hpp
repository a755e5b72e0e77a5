// Sweeps made elsewhere, on a graphics card, with the same bits: what the solver asks of it during one problem. Contacts are
// under Coulomb's law, or between round bodies, without overflow; other problems stay here, and so do those with motions that several contacts share,
// unless they were made there.
#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "moreau/solver/measured.hpp"
#include "moreau/solver/general_round_pack.hpp"
#include "moreau/solver/shaped_pack.hpp"
#include "moreau/solver/sharing.hpp"
#include "moreau/solver/solver_body.hpp"
#include "moreau/solver/touched_bodies.hpp"
#include "moreau/solver/units.hpp"

namespace moreau::inline solver {

// One of it for each kind of contact that can be there.
template <template <class> class Of, int D>
using OfEachKindThere =
    std::tuple<Of<RoundPack<D>>, Of<GeneralRoundPack<D, false>>, Of<GeneralRoundPack<D, true>>, Of<ShapedPack<D>>>;

// Views of the solver's memory; of the packs of one kind, colour after colour: those of colour c are colour_end[c - 1] ...
// colour_end[c] - 1.
template <class Pack>
struct PacksHere {
  std::span<Pack> list;
  std::span<const std::uint32_t> colour_end;
};
template <int D>
struct ProblemHere {
  std::span<const SolverBody<D>> bodies;       // by slot; the last one stands for `none`
  std::span<const Turning<double>> turnings;  // likewise; empty in the plane, and where no contact asks for it
  std::span<const VelocityOf<D>> free;    // velocities without contacts, of all but the last
  OfEachKindThere<PacksHere, D> packs;
  std::span<const std::uint64_t> used;  // by slot: not zero if the body has contacts
};

// What the solver must know of a problem that was made there.
struct SolverSize {
  static constexpr std::size_t fewest_for_single = 1024;   // contacts, below which changing precision does not pay
  static constexpr std::size_t fewest = 501;               // smaller problems are made here: how they are solved depends on more
  std::size_t contacts = 0, free_bodies = 0;
  double mass = 0.0;  // of the free bodies
  TouchedBodies touched;
  Heaviness heaviness;  // of those
  std::size_t shaped = 0, of_faces = 0;  // contacts of bodies of any shape; those of pairs that touch with a face
  bool first_is_round = true;            // contact of the table
};

// Such a problem, brought here.
template <class Pack>
struct PacksThere {
  std::vector<Pack> list;
  std::vector<std::uint32_t> colour_end;
};
template <int D>
struct ProblemThere {
  std::vector<SolverBody<D>> bodies;
  std::vector<Turning<double>> turnings;  // as in ProblemHere
  std::vector<VelocityOf<D>> free;
  OfEachKindThere<PacksThere, D> packs;
  std::vector<std::int32_t> order;   // body of each slot
  std::vector<std::uint32_t> place;  // of each contact (contact_kind.hpp)
  std::vector<SharedMotion> motions;
  std::vector<double> change;         // of the speed of each motion
  std::vector<Sharing<D>> sharings;  // by motion, then by contact; `contact` is its place
};

template <int D>
class Accelerator {
 public:
  virtual ~Accelerator() = default;
  // Contacts of the smallest problem for which the way there is shorter than the work saved.
  virtual std::size_t fewest_contacts() const = 0;

  virtual void put(const ProblemHere<D>& problem) = 0;
  virtual std::uint64_t problems() const = 0;  // put so far
  virtual void put_impulses(const OfEachKindThere<PacksHere, D>& packs) = 0;
  // Velocities and impulses, in double precision.
  virtual void fetch(std::span<SolverBody<D>> bodies, const OfEachKindThere<PacksHere, D>& packs) = 0;

  // As the functions of the same names of Iterate and SweptProblem.
  virtual void refresh() = 0;
  virtual void sweep(double relaxation) = 0;
  virtual Measured measuring_sweep(double relaxation) = 0;
  virtual Measured measure() = 0;
  virtual void go_to_single(const Units& units) = 0;
  virtual void return_from_single() = 0;
  virtual void start_extrapolation() = 0;
  // The extrapolation of a sweep is the quotient of the energies of the corrections of the last two, 0 where they grew; or 0
  // where it is to rest. The next sweep does not wait for one that is not measured fully, and nothing is returned of it.
  virtual Measured accelerated_sweep(double relaxation, bool rest, bool fully) = 0;

  // Squares of kinetic norms: of the change of u since the last snapshot, of which the first also takes the next one, of what the
  // contacts changed, and of u itself.
  virtual void take_snapshot() = 0;
  virtual double change_since_snapshot() = 0;
  virtual double motions_since_snapshot() = 0;  // of the motions that contacts share; takes the next one
  virtual double contact_momentum() = 0;
  virtual double momentum() = 0;
};

}  // namespace moreau::inline solver

// A contact problem while it is swept: its iterate in double or in single precision, here, together with other ranks, or on an
// accelerator, and the norms by which sweeps are judged. Solvers by sweeps are written over it (gauss_seidel.cpp).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "moreau/solver/accelerator.hpp"
#include "moreau/solver/completion.hpp"
#include "moreau/solver/contact_problem.hpp"

namespace moreau::inline solver {

// Kept from step to step, so that it need not be asked for again. It influences nothing.
template <int D>
struct SweepMemory {
  Iterate<D, float> single;
  std::vector<std::uint32_t> touched;  // slots of the free bodies that have contacts

  std::size_t body_bytes() const { return single.body_bytes() + touched.capacity() * sizeof(std::uint32_t); }
  std::size_t contact_bytes() const { return single.contact_bytes(); }
};

template <int D>
class SweptProblem {
 public:
  // Where there is an accelerator (null: none) and the problem fits it, it makes the sweeps; the bits are the same.
  SweptProblem(ContactProblem<D>& problem, SweepMemory<D>& memory, Accelerator<D>* accelerator);
  // A problem that was made there, of at least SolverSize::fewest contacts; `bring` puts it into what it is given, where its
  // error has to be looked at here.
  using BringProblem = std::function<void(ProblemThere<D>&)>;
  SweptProblem(ContactProblem<D>& problem, SweepMemory<D>& memory, Accelerator<D>& accelerator, const SolverSize& size,
               BringProblem bring);
  // Velocities and impulses are in the problem again, unless it was made there.
  void finish();

  ContactProblem<D>& problem() const { return problem_; }
  const SharedMotions<D>& motions() const { return motions_; }
  bool is_away() const { return away_; }  // velocities and impulses are with the accelerator
  const std::optional<SolverSize>& made_there() const { return there_; }

  void refresh();  // velocities from impulses, against drift of rounding errors
  void sweep(double relaxation);
  Measured measuring_sweep(double relaxation);
  Measured measure() const;
  void start_extrapolation();
  Measured accelerated_sweep(double relaxation, double extrapolation, bool fully);

  // From here on sweeps are those of the iterate in single precision, or again of the one in double precision, whose velocities
  // are then computed anew. Going takes a snapshot.
  bool has_single_form() const;
  bool is_single() const { return in_single_; }
  void go_to_single(const Units& units);
  void return_from_single();

  // Kinetic norms: sqrt(sum m |dv|^2 + I |dspin|^2).
  void take_snapshot();
  double change_since_snapshot();   // and takes the next one
  double contact_momentum() const;  // of u - u_free
  double momentum() const;          // of u
  void forget_touched() { touched_.clear(); }

  // complete() of the step, here or with other ranks; impulses that it has changed are taken over. The worst body by its name.
  Completion completed(const CompletionTask& task);
  // The same of those parts alone that are structures (structures.hpp), in a step without shared motions.
  Completion structures_completed(CompletionTask task);

 private:
  using Velocity = VelocityOf<D>;
  // f(the iterate that is swept now)
  template <class F>
  decltype(auto) with_iterate(F&& f);
  Velocity velocity(std::size_t slot) const;
  void find_touched();
  template <class Other>
  double kinetic_distance(Other&& other) const;
  bool fits_accelerator() const;
  void hand_over();
  OfEachKindThere<PacksHere, D> packs_here();
  void take(std::span<const StepContact<D>> contacts);
  void bring();  // what is elsewhere

  ContactProblem<D>& problem_;
  Iterate<D, double>& iterate_;
  Iterate<D, float>& single_;
  SharedMotions<D>& motions_;
  std::vector<std::uint32_t>& touched_;
  Velocity* const snapshot_;
  Accelerator<D>* accelerator_;
  bool away_ = false, in_single_ = false;
  std::optional<SolverSize> there_;  // the whole problem is
  BringProblem bring_;
};

}  // namespace moreau::inline solver

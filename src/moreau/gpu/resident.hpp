// A state that stays on a graphics card from step to step, and the stages of a step there: balls and discs under all laws but those
// with joints or a direction, blocks under Coulomb's, walls, fixed and driven bodies. The bits are those of the processor (engines/rigid). Until conclude() the state is that of the
// beginning of the step: one that the card cannot finish is fetched and made by the processor.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "moreau/base/exact_sum.hpp"
#include "moreau/drive/sink.hpp"
#include "moreau/dynamics/first_moment.hpp"
#include "moreau/dynamics/formal_shift.hpp"
#include "moreau/dynamics/state.hpp"
#include "moreau/gpu/card_rows.hpp"
#include "moreau/gpu/cell_loops.hpp"
#include "moreau/gpu/search_loops.hpp"
#include "moreau/law/pair_law.hpp"
#include "moreau/solver/accelerator.hpp"

namespace moreau::gpu {

// What a step is told.
template <int D>
struct StepTask {
  double time_step = 0.0, impulse_scale = 1.0;  // of recalled impulses
  Vec<D> gained{};                              // h g, less what a drag takes
  double kept = 1.0;                            // as in ContactProblem::set_bodies
  Ahead<D> ahead{};
  double slack = 0.0;  // as LookAhead's
  Vec<D> fall{};       // velocity that gravity gives to free bodies in the step
  ShiftRule rule{};
  bool renew_order = false;
  std::span<const WallRow<D>> walls{};
  std::span<const SharedMotion> motions{};  // of pistons
  const std::vector<PairLaw>* laws = nullptr;  // of materials a and b: laws[a * materials + b]
  std::size_t materials = 0;
  double contact_distance = 0.0;
  PeriodicSpace<D> space{};
  DeformingCell<D> cell{};
  std::int32_t first_cell_motion = 0;  // those of the cell follow those of the pistons
};

// A body whose motion is prescribed, where the processor has put it.
template <int D>
struct DrivenRow {
  std::uint32_t body;
  Vec<D> position, velocity;
  Spin<D> spin;
  Rotation<D> orientation;
};

enum class Missed { none, included, not_known };  // pairs that the step has thrown together

// Sums of a step, made in any order (base/exact_sum.hpp): overlaps relative to the diameter of the smaller body; over the bodies
// at the end of the step; over the contacts.
struct Depths {
  ExactSum<double> sum;
  double deepest = 0.0;
  MOREAU_INLINE Depths& operator+=(const Depths& o) {
    sum += o.sum;
    deepest = deepest < o.deepest ? o.deepest : deepest;
    return *this;
  }
};
struct BodyTotals {
  ExactSum<double, 3> resultant, mass, speeds, kinetic, potential, cell_work;
  double fastest = 0.0, fastest_surface = 0.0;
  std::uint64_t free = 0, present = 0, not_finite = 0;
  MOREAU_INLINE BodyTotals& operator+=(const BodyTotals& o) {
    resultant += o.resultant, mass += o.mass, speeds += o.speeds, kinetic += o.kinetic, potential += o.potential;
    cell_work += o.cell_work;
    fastest = fastest < o.fastest ? o.fastest : fastest;
    fastest_surface = fastest_surface < o.fastest_surface ? o.fastest_surface : fastest_surface;
    free += o.free, present += o.present, not_finite += o.not_finite;
    return *this;
  }
};
struct ContactTotals {
  ExactSum<double, 3> work, wall_work;  // of the contacts, obstacles counted as at rest; of the obstacles
  ExactSum<double> force;
  std::uint64_t stick = 0, slide = 0;
  MOREAU_INLINE ContactTotals& operator+=(const ContactTotals& o) {
    work += o.work, wall_work += o.wall_work, force += o.force, stick += o.stick, slide += o.slide;
    return *this;
  }
};

struct StepTotals {
  BodyTotals bodies;
  ContactTotals contacts;
  Depths depths;
  std::size_t recalled = 0;  // contacts
};

template <int D>
class Resident {
 public:
  virtual ~Resident() = default;
  virtual void use_from(std::size_t contacts) = 0;  // steps with fewer are made by the processor
  virtual std::size_t bytes() const = 0;            // of the memory of the card that it holds

  // Bodies, contacts and order.
  virtual void put(const State<D>& state) = 0;
  virtual void fetch(State<D>& state) = 0;

  // Between steps. Free bodies in sinks, in increasing order; their position, velocity and spin are fetched. remove() takes those
  // that were found last.
  virtual std::vector<std::int32_t> caught(std::span<const SinkRegion<D>> sinks, State<D>& state) = 0;
  virtual void remove() = 0;
  // Fetches the positions, and says which bodies are held (dynamics/exchange.hpp).
  virtual std::vector<bool> held(State<D>& state) = 0;
  // Bodies of the state beyond those that are there.
  virtual void append(const State<D>& state) = 0;

  // Velocities as they are, for a step that changes them before it is known whether it can be finished; and these again.
  virtual void keep_velocities() = 0;
  virtual void recall_velocities() = 0;
  // Velocities of the free bodies times a factor; returns the kinetic energy that they had.
  virtual ExactSum<double, 3> damp(double factor) = 0;
  // The bodies of a deforming cell follow a change of its velocity gradient, about their centre of mass; where they are when the
  // step begins, or after predict() at its midpoint: the centre is then that of the step.
  struct Followed {
    Vec<D> centre;
    ExactSum<double, 3> work;
  };
  virtual Followed follow_gradient(const Matrix<D>& change, bool at_midpoint) = 0;
  // Sum of mass times position of the free bodies.
  virtual FirstMoment<D> moment() = 0;
  virtual void predict(const StepTask<D>& task, std::span<const DrivenRow<D>> driven) = 0;
  // How many contacts; nothing where a periodic cell is too narrow for what bodies reach.
  virtual std::optional<std::size_t> detect() = 0;
  // False: some body has too many contacts for colours.
  virtual bool assemble() = 0;
  virtual std::span<const double> sharing_sums() const = 0;  // of |c| over the contacts of each motion
  virtual std::vector<double> changes_of_speed() = 0;        // of the motions, by the solution
  virtual std::size_t contacts() const = 0;
  virtual SolverSize size() = 0;
  virtual void bring(ProblemThere<D>& problem) = 0;  // with the velocities and impulses of now
  virtual Accelerator<D>& sweeps() = 0;
  // Whether the step has thrown bodies together that were not contacts (engines/rigid/missed_contacts.cpp): then they are now,
  // and assemble() begins from the impulses of the solution.
  virtual Missed include_missed(double tolerated_overlap) = 0;
  // By the solution, of the gradient of a deforming cell.
  virtual void note_gradient_change(const Matrix<D>& change) = 0;
  // q_f; `gravity` at the end of the step. Then the contact table.
  virtual void advance(const Vec<D>& gravity) = 0;
  virtual StepTotals account(std::span<const Vec<D>> wall_velocity_change) = 0;
  virtual void conclude(std::span<const DrivenRow<D>> driven) = 0;
};

}  // namespace moreau::gpu

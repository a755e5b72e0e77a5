// The memory of the rigid engine: what the stages of a step hand to one another. It influences nothing: a workspace made anew
// gives the same bits.
#pragma once

#include <cstdint>
#include <vector>

#include "moreau/contact/detect.hpp"
#include "moreau/contact/neighbours.hpp"
#include "moreau/dynamics/apparatus.hpp"
#include "moreau/dynamics/step_instant.hpp"
#include "moreau/engines/rigid/contact_laws.hpp"
#include "moreau/engines/rigid/round_contacts.hpp"
#include "moreau/engines/rigid/shared_step.hpp"
#include "moreau/solver/swept_problem.hpp"

namespace moreau::inline engines {

template <int D>
struct Workspace {
  // predict
  StepInstant instant;                         // "midpoint" below and elsewhere: at this instant
  Apparatus<D> apparatus;                      // walls, pistons and cell at the midpoint
  std::vector<RigidVelocity<D>> wall_surface;  // velocity of the surface of every wall within itself, to be added
  std::vector<Pose<D>> poses;                  // of the bodies at the midpoint; empty when all are round and no wall is a mesh
  Vec<D> centre{};                             // of mass, at the midpoint; for a deforming cell
  Vec<D> moment_before{}, moment_after{};      // sum of mass times position as the step begins and ends; kept while gravity tilts
  double kinetic_before = 0.0;                 // of the free bodies, before the drag; kept where there is one
  double given = 0.0;                          // to the bodies, with changes of the gradient of a deforming cell [work]
  Surroundings<D> around;                      // what the search and the narrow phase see of walls and cell
  // search, detect
  double mean_radius = 0.0;
  Neighbours<D> neighbours;
  Detector<D> detector;
  // assemble
  LawNeeds needs;
  std::vector<StepLaw> step_laws;   // of the contacts of the step; empty when all laws are Coulomb's with constant coefficients
  std::vector<JointBond> joints;    // of the contacts, as the step begins
  std::vector<double> joint_areas;  // shares of the areas of their joints; empty unless some strength is a stress
  std::vector<ContactKind> kinds;   // of the contacts; empty when all are between round bodies, under Coulomb's law
  std::vector<Vec<D>> struck;       // impulses of the shocks of every contact; empty unless shocks are sequential
  std::vector<Vec<D>> velocity_before;  // of the bodies, while the shocks have changed them
  std::vector<Spin<D>> spin_before;
  double sharing_sum[most_shared_motions] = {};  // of |c| over the contacts of a shared motion
  Penetration penetration;
  // solve
  ContactProblem<D> problem;
  SweepMemory<D> sweep_memory;
  Accelerator<D>* accelerator = nullptr;  // that may make the sweeps; null: none
  // Ranks that make the step with us; null: none. Bodies, contacts and sums here are then those of this rank.
  SharedStep<D>* together = nullptr;

  std::span<const std::uint8_t> own() const {
    return together ? together->own() : std::span<const std::uint8_t>{};
  }  // empty: all are
  bool is_own(std::size_t body) const { return !together || together->own()[body] != 0; }
  std::int32_t name_of(std::int32_t body) const {  // in the whole; walls keep their numbers
    return !together || is_wall(body) ? body : together->names()[static_cast<std::size_t>(body)];
  }
  template <class T>
  T over_ranks(const T& mine) const {
    return together ? together->sum(mine) : mine;
  }
};

}  // namespace moreau::inline engines

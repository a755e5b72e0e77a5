// Sequential binary shocks (after Alart 2015, sec. 3): the impacts of a step one after the other instead of all together, so that
// a blow travels through a row of touching balls as in Newton's cradle.
//
// Contacts are visited in the order of the table, again and again. One that approaches with the velocities of the moment suffers
// a shock between its two bodies alone, Coulomb's law on formal velocities (Moreau 1994, eq. 6.1-6.2):
//   law( (1 + rho) U_N + (H S)_N,  (1 + tau) U_T + (H S)_T,  S )
// until none approaches any more. The shocks of a contact add up to an impulse in the friction cone. With several ways open to a
// blow the order of the table decides between them. Tested in tests/physics/cradle_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "moreau/bodies/bodies.hpp"
#include "moreau/geometry/pose.hpp"
#include "moreau/law/step_law.hpp"
#include "moreau/solver/formal_contact.hpp"

namespace moreau::inline engines {

template <int D>
struct ShockContact {
  std::int32_t a = 0, b = -1;  // b < 0: an obstacle
  RigidContact<D> geometry;    // normal and arms; bias: minus the velocity of an obstacle
  StepLaw law;
  double spare = 0.0;  // approaches slower than this do not close the gap within the step
};

struct ShockReport {
  std::size_t shocks = 0;
  bool finished = true;  // false: contacts were still approaching after the last round
};

// Changes the velocities of the bodies; `impulse` receives the sum of the shocks of each contact. Approaches slower than `slow`,
// or than 1e-10 of the fastest, are left to the contact problem of the step. `poses`: at the midpoint, empty when all bodies are
// round. `kept`: as in ContactProblem::set_bodies.
template <int D>
ShockReport strike(Bodies<D>& bodies, std::span<const Pose<D>> poses, std::span<const ShockContact<D>> contacts, double slow,
                   std::vector<Vec<D>>& impulse, double kept = 1.0);

}  // namespace moreau::inline engines

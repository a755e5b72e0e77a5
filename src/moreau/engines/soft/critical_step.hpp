// The largest step with which the soft engine is stable, from the stiffnesses, dashpots, masses and sizes of a scene.
//
// The fastest motion is bounded as follows. A contact between i and j has the energy k |u_i - u_j|^2 / 2 <= k (|u_i|^2 +
// |u_j|^2), so that no frequency is higher than that of a body alone, or of a piston alone, on springs twice as stiff. Around a
// body at most z of the smallest size fit:
//   moving   m A = 2 z (k_n a + k_t (1 - a)),   a = 1/D where they lie evenly, a little more where they gather
//   turning  I C = 2 z k_t r^2 (1 in the plane, 2/3 in space),
// coupled by at most B^2 = C times the part of k_t in A: omega^2 <= (A + C)/2 + sqrt((A - C)^2/4 + B^2). A cell under stress
// strains all contacts at once: sum of k l^2 over its inertia is added. Dashpots likewise give the damping ratio of that motion;
// as both are bounds of symmetric matrices, a step below the limit of the scheme for one motion with these numbers is stable for
// all. Without friction the bound is exact for the triangular lattice.
#pragma once

#include <string>

#include "moreau/bodies/bodies.hpp"
#include "moreau/dynamics/model.hpp"
#include "moreau/engines/refusal.hpp"

namespace moreau::soft {

struct CriticalStep {
  double step = 0.0;           // no larger one is stable
  double frequency = 0.0;      // omega [1/time] of the fastest motion
  double damping_ratio = 0.0;  // of that motion
  std::string of;              // what moves so
  double contact_time = 0.0;   // pi sqrt(m/k_n): of the shortest impact between two bodies, without dashpots
};

// Largest omega h for which a scheme does not amplify x'' = - omega^2 x - 2 zeta omega x': an eigenvalue of its matrix reaches
// -1. `sheared`: the spring is extended by predicted velocities (contact_force.hpp), as if by x - (h^2/4) x''; without dashpots
// the limit is then omega h = sqrt(2) instead of 2 (Verlet).
double stable_phase(Integrator integrator, double damping_ratio, bool sheared = false);

// Infinite where no free body can meet another or a wall.
template <int D>
CriticalStep critical_step(const Model<D>& model, const Bodies<D>& bodies);

// With four digits, rounded down: what is said to be accepted is accepted.
double said_step(double step);

// The sentence with which the soft engine refuses model and bodies; empty if it takes them.
template <int D>
std::string refusal(const Model<D>& model, const Bodies<D>& bodies);

template <int D>
void demand_soft(const Model<D>& model, const Bodies<D>& bodies) {
  if (const std::string sentence = refusal(model, bodies); !sentence.empty()) throw EngineRefusal(sentence);
}

}  // namespace moreau::soft

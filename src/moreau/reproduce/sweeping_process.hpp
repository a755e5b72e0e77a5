// Moreau's sweeping process: a point pushed along by a moving closed set Phi(t) = {q : f(t, q) <= 0},
//
//   -dq/dt in N_Phi(t)(q)                                        (Moreau 2003, eq. 6; 2004, eq. 5)
//
// The first-order model of unilateral dynamics: the point rests while inside, and moves with the least speed that keeps it inside
// once it is caught. Two time discretisations, both of order 1. Tested in tests/physics/sweeping_process_test.cpp.
#pragma once

#include "moreau/geometry/vec.hpp"

namespace moreau {

// Implicit ("catching-up"): q_f = nearest point of Phi(t_f) to q_i (Moreau 2003, eq. 7). Always ends inside; unique if Phi is
// convex. project(t, q) returns the nearest point of Phi(t) to q, and q itself when q is inside.
template <int D, class Projection>
inline Vec<D> catching_up_step(const Vec<D>& q, double t_final, Projection&& project) {
  return project(t_final, q);
}

// Value and derivatives of the constraint function at (t, q).
template <int D>
struct MovingConstraint {
  double value;     // f; <= 0 inside
  double rate;      // df/dt at fixed q: > 0 when the boundary comes in
  Vec<D> gradient;  // df/dq, nonzero near the boundary
};

// The velocity of least norm that keeps f <= 0 (Moreau 2003, sec. 3):
//   0                                     inside (f < 0), or the boundary recedes (df/dt <= 0)
//   -(df/dt / |grad f|^2) grad f          otherwise
template <int D>
inline Vec<D> lazy_selector(const MovingConstraint<D>& f) {
  if (f.value < 0.0 || f.rate <= 0.0) return {};
  return (-f.rate / dot(f.gradient, f.gradient)) * f.gradient;
}

// Explicit: q_f = q_i + h gamma(t_i, q_i). Ends outside by an error of order h where the boundary is curved.
// constraint(t, q) returns a MovingConstraint<D>.
template <int D, class Constraint>
inline Vec<D> lazy_selector_step(const Vec<D>& q, double t_initial, double h, Constraint&& constraint) {
  return q + h * lazy_selector<D>(constraint(t_initial, q));
}

}  // namespace moreau

// Bodies without inertia held apart by films: the velocities v of all freedoms and the forces f of all films over a time t,
//
//   Gt f + F = c v                       balance; c: a trace of drag, which holds what no film holds
//   h = h0 + t (G v + U)                 U: approach that is prescribed (walls, cell)
//   f >= 0,  h >= h0 / thinning(f),  one of them equal       (film.hpp)
//
// Newton's method on f and v together, the film rows as they are: [compliance  G; Gt  -c](df, dv). Films that are nearly closed
// have compliances of 1e-18 and become plain contacts G v = 0; eliminating them, Gt (1/compliance) G, would lose all digits
// (Combe 2001, sec. 1.3). Sparse LU (UMFPACK).
#pragma once

#include <vector>

#include "moreau/engines/lubricated/film.hpp"
#include "moreau/statics/contact_matrix.hpp"

namespace moreau::lubricated {

struct ViscousNetwork {
  statics::SparseRows G;  // one row per film: its opening
  std::vector<Film> film;
  Eigen::VectorXd prescribed;  // U [velocity], of every film
  Eigen::VectorXd F;           // on every freedom
  Eigen::VectorXd drag;        // c of every freedom
  double length = 1.0;         // of a body: thicknesses below 1e-16 of it are beyond what positions can tell
};

struct Flow {
  bool found = false;
  Eigen::VectorXd velocity;   // of every freedom
  Eigen::VectorXd force;      // of every film
  Eigen::VectorXd thickness;  // at the end, > 0
  double imbalance = 0.0;     // |Gt f + F - c v|, largest, over the largest force
  int iterations = 0;
};

// `guess`: forces to begin with.
Flow flow_over(const ViscousNetwork& network, double time, const Eigen::VectorXd& guess);

}  // namespace moreau::lubricated

// How far a load may grow before no forces within the friction cones balance it (static bound of limit analysis):
//
//   maximise s >= 0   subject to   Gt f + F0 + s F1 = 0,   |f_T| <= mu f_N  at every contact
//
// A linear program in the plane, and in space without friction; with round cones a conic one (diagnosis/cone_program.hpp). Bodies
// keep their places. A load beyond the bound cannot stay at rest; below it rest is possible but, with Coulomb's law, not sure.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "moreau/diagnosis/cone_program.hpp"
#include "moreau/statics/contact_matrix.hpp"

namespace moreau::statics {

struct LoadFactor {
  // nothing: no s >= 0 has balancing forces; unbounded: all have from some s on
  diagnosis::Found found = diagnosis::Found::failed;
  double value = 0.0, bound = 0.0;  // the largest s lies between them; equal where the program is linear
  Eigen::VectorXd force;            // of all contacts at `value`, D components each, normal first
  // Of every freedom, as it begins beyond the bound; where `nothing` is found, under the load as it is. No contact opposes it, if
  // slip opens contacts as the cones have it (associated rule). Empty where there is none.
  Eigen::VectorXd motion;
};

// `G` has all D components of every contact; those of `without` carry nothing.
LoadFactor load_factor(const SparseRows& G, int dimension, const std::vector<double>& friction, const Eigen::VectorXd& F0,
                       const Eigen::VectorXd& F1, const Stopwatch& watch = Stopwatch(), const std::vector<bool>& without = {});

}  // namespace moreau::statics

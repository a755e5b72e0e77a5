// The static bound of load_factor.hpp under laws that are more than cones (point_law.hpp):
//
//   maximise s >= 0   subject to   Gt f + Ht m + F0 + s F1 = 0,   (f, m) within the law of every contact
//
// where m are couples against rolling. One conic program, in the plane too.
#pragma once

#include "moreau/statics/load_factor.hpp"
#include "moreau/statics/point_law.hpp"

namespace moreau::statics {

// Freedoms must have spins; F0 and F1 are forces on them. Forces at the bound are not returned.
template <int D>
LoadFactor bounded_load_factor(const Freedoms<D>& freedoms, std::span<const double> radius, std::span<const Contact<D>> contacts,
                               std::span<const PointLaw> laws, const Eigen::VectorXd& F0, const Eigen::VectorXd& F1,
                               const Stopwatch& watch = Stopwatch(), const std::vector<bool>& without = {});

}  // namespace moreau::statics

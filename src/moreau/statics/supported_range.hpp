// The loads F0 + s F1 that an isostatic list of contacts supports without any motion (Combe 2001, eq. 3.32-3.34), and the motion
// with which it fails.
//
// The forces of the list are f0 + s f1, and none may pull: s lies between the largest of -f0/f1 over f1 > 0 and the smallest of
// f0/(-f1) over f1 < 0. At either end one contact carries nothing any more and opens.
#pragma once

#include <Eigen/Core>
#include <limits>

#include "moreau/statics/list_factor.hpp"

namespace moreau::statics {

struct SupportedRange {
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  int opens_below = -1, opens_above = -1;  // contacts of the list; -1: no bound
};

// A force that changes by less than `still` times the largest change does not change.
SupportedRange supported_range(const Eigen::VectorXd& f0, const Eigen::VectorXd& f1, double still = 1e-12);

// The velocity that opens contact `opened` with speed 1 and keeps all others (eq. 3.36); unique, as the list is isostatic.
bool failure_velocity(ListFactor& list, int opened, Eigen::VectorXd& v);

}  // namespace moreau::statics

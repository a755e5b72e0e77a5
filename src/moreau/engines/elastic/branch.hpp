// The branch of equilibria through one of them, while the load goes from where it is to F. In the plane only.
//
// There the force of a contact is a linear function of the displacement while it sticks, while it slides one way or the other
// and while it is open, and continuous where it passes from one to the next. So the equilibria of an increment,
//   Gt f(u) + F0 + s (F - F0) = 0,      s = 0 at the start, s = 1 at the end,
// lie on a polygon in the space of (u, s), with a corner wherever a contact passes. It is followed from corner to corner: in
// each piece du/ds = (Gt T G)^-1 (F - F0), and the contact that has passed says by the sign of its motion whether s grows or
// falls along the next piece. No iteration is involved that might not converge: where s reaches 1 there is an equilibrium
// under F, and where the polygon turns back for good its largest s is the largest load of this branch.
#pragma once

#include "moreau/engines/elastic/tangent_factor.hpp"

namespace moreau::elastic {

struct BranchLimits {
  int corners = 20000;    // after so many the branch is given up
  double farthest = 0.1;  // no freedom may move further [length]
  double deepest = 3.0;   // how far s may fall below 0 before the branch is left
};

struct BranchEnd {
  enum class Why { reached, turned_back, far_away, too_many_corners, singular };
  Why why = Why::singular;
  double load = 0.0;             // s: 1, or the largest on the way
  Eigen::VectorXd displacement;  // there
  int corners = 0, factorisations = 0;
};

// From u, which is in balance under F0 = - Gt f(u), in the network of the factor, which is used up.
BranchEnd follow_branch(TangentFactor& factor, const Eigen::VectorXd& slip, const Eigen::VectorXd& u, const Eigen::VectorXd& F,
                        const BranchLimits& limits);

}  // namespace moreau::elastic

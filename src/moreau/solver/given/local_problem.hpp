// A frictional contact problem in local form, the matrix given:
//
//   u = W r + q,    (u_a, r_a) on Coulomb's law with unilateral contact for every contact a
//
// Component order: contact by contact, normal first, then the tangent(s). W comes from anywhere: it may be rank deficient,
// slightly unsymmetric (gyroscopic terms) or, when its digits were cut, slightly indefinite.
#pragma once

#include <memory>
#include <vector>

#include "moreau/solver/given/block_matrix.hpp"
#include "moreau/solver/given/body_form.hpp"

namespace moreau::inline solver {

struct LocalProblem {
  BlockMatrix delassus;          // W [1/mass]
  Eigen::VectorXd free;          // q [velocity]: velocities if all impulses were zero
  std::vector<double> friction;  // one coefficient >= 0 per contact
  // Where they are known and few enough to be of use, the bodies behind W: W = H^T M^-1 H + shift.
  std::shared_ptr<const BodyForm> bodies{};
  double shift = 0.0;
  // A part of a problem is judged by the scales of the whole: what the natural map is divided by (0: max(|q|, |r|, |u|)), and
  // the largest velocity that the problem brings (0: the largest |q_a| of these contacts).
  double scale = 0.0, given = 0.0;

  int dimension() const { return delassus.dimension; }
  int contacts() const { return static_cast<int>(friction.size()); }
  Eigen::VectorXd velocity(const Eigen::VectorXd& impulse) const { return multiply_add(delassus, impulse, free); }
};

}  // namespace moreau::inline solver

// What is known about a candidate solution r of a LocalProblem, computed from r alone, whatever solver it came from.
//
// Two measures, and a solution must satisfy both. The first is that of the FCLIB collection; it divides by the impulses and so
// says little where they are large. The second is a velocity, contact by contact, over the largest velocity that the problem
// brings, max |q_a|, and no impulse can make it small: where every choice of impulses leaves a contact approaching, it says so.
#pragma once

#include "moreau/solver/given/local_problem.hpp"

namespace moreau::inline solver {

// The violation may be so many tolerances of the largest given velocity, and never more than this share of it.
inline constexpr double velocity_tolerances = 10.0, largest_violation = 0.1;

struct LocalCertificate {
  // Natural map F(r) = r - P_K(r - (u + mu |u_T| n)), u = W r + q, 2-norm over all contacts: the measure of the FCLIB collection.
  // It mixes impulses and velocities and so depends on units, but is what published comparisons use.
  double error = 0.0;            // |F| / max(|q|, |r|, |u|)
  double error_over_free = 0.0;  // |F| / |q|

  // Ours, in the units of the law (law/residual.hpp), each the largest over the contacts; w_a: compliance, trace of the block.
  double residual = 0.0;        // [velocity] natural residual with compliance w_a, w |r - P_K(r - (u + mu |u_T| n) / w)|
  double approach = 0.0;        // [velocity] max(0, -u_N)
  double cone = 0.0;            // [impulse] distance of r to the friction cone
  double power = 0.0;           // [energy] |u.r + mu |u_T| r_N|
  double power_velocity = 0.0;  // [velocity] power over max(|r|, max |q| / w_a): the velocity along r that does it
  double rounding = 0.0;        // [velocity] bound of what rounding may hide in u: 4 eps (|W| |r| + |q|)
  double violation = 0.0;       // [velocity] residual, approach, w_a cone or power_velocity, whichever is largest, and rounding
  int violation_contact = -1;   // where; -1 when there is no contact
  double given = 0.0;           // [velocity] largest |q_a|: what the violation is compared with
  int open = 0, stick = 0, slide = 0;  // contacts by status: r = 0; r inside the cone; r on its mantle (to 1e-9 of r_N)

  double relative_violation() const { return given > 0.0 ? violation / given : violation > 0.0 ? unreachable : 0.0; }
  bool reached(double tolerance) const {  // false for NaN
    const double most = velocity_tolerances * tolerance;
    return error <= tolerance && relative_violation() <= (most < largest_violation ? most : largest_violation);
  }

 private:
  static constexpr double unreachable = 1e300;
};

// The same two measures as the solvers look at while they work, without the rounding of W's other blocks.
struct NaturalError {
  double absolute = 0.0;  // |F|
  double relative = 0.0;  // |F| / max(|q|, |r|, |u|) or violation / (velocity_tolerances max |q_a|), whichever is larger
};

double given_velocity(const LocalProblem& problem);           // largest |q_a|, of the whole where the problem is a part
double compliance(const LocalProblem& problem, int contact);  // [1/mass] trace of the block; of the largest where it is zero
double largest_compliance(const LocalProblem& problem);

// `velocity` must be W r + q.
NaturalError natural_error(const LocalProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity);
LocalCertificate certify(const LocalProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity);

}  // namespace moreau::inline solver

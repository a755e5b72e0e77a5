// Linear programs over impulses in friction cones:
//
//   minimise c . r   subject to   B r = b,   |r_T| <= mu r_N at every contact
//
// In the plane this is one linear program (COIN-OR CLP). In space the round cone is cut out of a pyramid: where the optimum lies
// outside the cone, the tangent plane there is added and the program solved again, until it lies inside to 1e-9. What is found
// infeasible, or bounded from below, is so for the cones themselves, since the pyramid contains them.
#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <vector>

namespace moreau::diagnosis {

enum class Support : char {
  cone,  // |r_T| <= mu r_N
  line,  // r = r_N (1, t): it slides, and friction has one direction
  none,  // r = 0: it opens
};

struct ConeProblem {
  int dimension = 2;
  Eigen::SparseMatrix<double> balance;  // B, what impulses bring to the bodies; any number of rows, dimension * contacts columns
  Eigen::VectorXd right;                // b; empty: zero
  std::vector<double> friction;
  std::vector<Support> support;  // of each contact; empty: cones
  Eigen::VectorXd line;          // (1, t) of the contacts that have one

  int contacts() const { return static_cast<int>(friction.size()); }
  Support support_of(int contact) const { return support.empty() ? Support::cone : support[contact]; }
};

enum class Found { optimum, nothing, unbounded, failed };

struct Optimum {
  Found found = Found::failed;
  double value = 0.0;
  Eigen::VectorXd impulse;
};

// Which contacts may be loaded at all, and which may be strictly inside their cone, over all impulses of the problem.
struct Interior {
  Found found = Found::failed;
  Eigen::VectorXd impulse;  // a multiple of a point where all that may be so is so
  std::vector<bool> loaded, inside;
};

class ConeProgram {
 public:
  explicit ConeProgram(const ConeProblem& problem);
  ~ConeProgram();

  void normalise();                            // sum of r_N = 1 from now on
  Optimum minimise(const Eigen::VectorXd& c);  // each program starts from the optimum of the one before
  Interior interior();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace moreau::diagnosis

// Programs over impulses in friction cones:
//
//   minimise c . r   subject to   B r = b,   |r_T| <= mu r_N at every contact
//
// In the plane, and in space without friction, this is a linear program (COIN-OR CLP); with round cones a conic one
// (conic_program.hpp).
#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <vector>

#include "moreau/diagnosis/conic_program.hpp"

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
  bool round() const;  // some contact of three components has a cone with friction
};

struct Optimum {
  Found found = Found::failed;
  double value = 0.0, bound = 0.0;  // the optimum lies between `bound` and `value`
  Eigen::VectorXd impulse;
  // Of the dual program, a number for every row of B: at an optimum c + Bt v is in the dual cones; where there is `nothing`, Bt v
  // is and b . v < 0, a motion that no contact opposes and on which what is to be balanced works. May be empty.
  Eigen::VectorXd motion;
};

// Which contacts may be loaded at all, and which may be strictly inside their cone, over all impulses of the problem.
struct Interior {
  Found found = Found::failed;
  Eigen::VectorXd impulse;  // a multiple of a point where all that may be so is so
  std::vector<bool> loaded, inside;
};

class ConeProgram {
 public:
  explicit ConeProgram(const ConeProblem& problem, const Stopwatch& watch = Stopwatch());
  ~ConeProgram();

  void normalise();                            // sum of r_N = 1 from now on
  Optimum minimise(const Eigen::VectorXd& c);  // linear: each program starts from the optimum of the one before
  Interior interior();

 private:
  struct Linear;
  struct Round;
  bool usable_ = true;  // all numbers finite, and within 1e100 of one another
  std::unique_ptr<Linear> linear_;
  std::unique_ptr<Round> round_;
};

}  // namespace moreau::diagnosis

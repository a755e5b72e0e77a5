// The quadratic program of the normal impulses alone,  min 1/2 x.W x + q.x + alpha/2 |x - c|^2,  x >= 0,  by active sets.
//
// The set A of closed contacts is guessed from x - u / h > 0; (W + alpha)_AA x_A = (alpha c - q)_A is solved by sparse Cholesky,
// the others get 0, and the guess is renewed until it repeats (Newton's method for the complementarity problem).
#pragma once

#include "moreau/solver/given/local_problem.hpp"
#include "moreau/solver/stopwatch.hpp"

namespace moreau::inline solver {

class NormalProgram {
 public:
  explicit NormalProgram(const LocalProblem& problem);

  double stiffness() const { return stiffness_; }  // largest W_NN of a contact

  // x becomes the solution around `centre`; false if the sets did not settle. `steps` counts factorisations.
  bool settle(double alpha, const Eigen::VectorXd& centre, const Stopwatch& watch, Eigen::VectorXd& x, int& steps);

 private:
  bool solve(const std::vector<char>& closed, double alpha, const Eigen::VectorXd& centre, Eigen::VectorXd& x);

  Eigen::SparseMatrix<double> W_;
  Eigen::VectorXd q_;
  std::vector<int> position_;
  bool symmetric_ = true;
  double stiffness_ = 1.0;
};

}  // namespace moreau::inline solver

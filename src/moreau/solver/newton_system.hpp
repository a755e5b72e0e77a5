// The linear system of one Newton step for a LocalProblem: D equations per contact,
//
//   A_a dr_a + B_a (W dr)_a = c_a
//
// where A, B (D x D) and c come from the law linearised at the present r, u. Contacts with B = 0, A = 1 (open) are eliminated,
// the rest is solved by a sparse LU. The matrix is unsymmetric even where W is symmetric. Where the bodies are known, W = H^T
// M^-1 H + shift, the impulses are eliminated instead, contact by contact, and the matrix is over the bodies:
//
//   (M + H C H^T) dv = H E c,    dr = E c - C H^T dv,    E_a = (A_a + shift B_a)^-1,  C_a = E_a B_a
#pragma once

#include <Eigen/LU>
#include <Eigen/SparseCore>
#include <Eigen/UmfPackSupport>
#include <memory>
#include <vector>

#include "moreau/solver/local_problem.hpp"

namespace moreau {

template <int D>
struct NewtonRow {
  bool open = false;  // dr_a = c_a, A and B are not looked at
  double A[D][D]{}, B[D][D]{};
};

template <int D>
class NewtonSystem {
 public:
  explicit NewtonSystem(const LocalProblem& problem);

  // rho_a = D / trace(W_aa) [mass]: what a velocity is multiplied with to be compared with an impulse.
  double rho(int contact) const { return rho_[contact]; }
  double stiffness() const { return stiffness_; }  // [1/mass] largest mean diagonal of a block

  // False if the matrix cannot be factorised.
  bool factorise(const std::vector<NewtonRow<D>>& rows);
  // The step for other right-hand sides c than those of the rows, after factorise(rows). Not finite if the matrix is singular.
  Eigen::VectorXd solve(const std::vector<NewtonRow<D>>& rows, const Eigen::VectorXd& c);

 private:
  void assemble(const std::vector<NewtonRow<D>>& rows);
  bool factorise_bodies(const std::vector<NewtonRow<D>>& rows);
  Eigen::VectorXd solve_bodies(const Eigen::VectorXd& c);

  const LocalProblem& problem_;
  std::vector<double> rho_;
  double stiffness_ = 1.0;
  std::vector<int> active_;  // contacts that are not open
  std::vector<int> number_;  // place of a contact among the active, -1 if open
  Eigen::VectorXd zero_;
  Eigen::SparseMatrix<double> matrix_;
  std::unique_ptr<Eigen::UmfPackLU<Eigen::SparseMatrix<double>>> lu_;
  std::vector<double> inverse_, compliance_;    // E, C where the bodies are known
  Eigen::PartialPivLU<Eigen::MatrixXd> dense_;  // of their matrix, where they are few
};

}  // namespace moreau

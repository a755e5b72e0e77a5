// The linear system of one Newton step for a LocalProblem: D equations per contact,
//
//   A_a dr_a + B_a (W dr)_a = c_a
//
// where A, B (D x D) and c come from the law linearised at the present r, u. Contacts with B = 0, A = 1 are open. The matrix is
// unsymmetric even where W is symmetric. Where the graph of the contacts is loose it is factorised by blocks in an order found
// once (block_lu.hpp); else, or where those pivots lose too many digits, by a general sparse LU over the contacts that are not
// open. Where the bodies are known, W = H^T M^-1 H + shift, the impulses are eliminated instead, contact by contact, and the
// matrix is over the bodies:
//
//   (M + H C H^T) dv = H E c,    dr = E c - C H^T dv,    E_a = (A_a + shift B_a)^-1,  C_a = E_a B_a
#pragma once

#include <Eigen/LU>
#include <Eigen/SparseCore>
#include <Eigen/UmfPackSupport>
#include <memory>
#include <vector>

#include "moreau/solver/block_lu.hpp"
#include "moreau/solver/given/local_problem.hpp"

namespace moreau::inline solver {

template <int D>
struct NewtonRow {
  bool open = false;  // dr_a = c_a, A and B are not looked at
  double A[D][D]{}, B[D][D]{};
};

template <int D>
class NewtonSystem {
 public:
  // `searched`: matrices over bodies always by the general LU. The continuation needs it: by blocks it ended at 3e-10 of 1e-10.
  explicit NewtonSystem(const LocalProblem& problem, bool searched = false);

  void refresh();  // after W has changed, its pattern not

  // rho_a = D / trace(W_aa) [mass]: what a velocity is multiplied with to be compared with an impulse.
  double rho(int contact) const { return rho_[contact]; }
  double stiffness() const { return stiffness_; }  // [1/mass] largest mean diagonal of a block

  // False if the matrix cannot be factorised.
  bool factorise(const std::vector<NewtonRow<D>>& rows);
  // The step for other right-hand sides c than those of the rows, after factorise(rows). Not finite if the matrix is singular.
  Eigen::VectorXd solve(const std::vector<NewtonRow<D>>& rows, const Eigen::VectorXd& c);

 private:
  void assemble(const std::vector<NewtonRow<D>>& rows);
  bool factorise_blocks(const std::vector<NewtonRow<D>>& rows);
  bool solve_blocks(const Eigen::VectorXd& c, Eigen::VectorXd& dr) const;
  bool factorise_active(const std::vector<NewtonRow<D>>& rows);
  Eigen::VectorXd solve_active(const std::vector<NewtonRow<D>>& rows, const Eigen::VectorXd& c);
  Eigen::VectorXd left_over(const Eigen::VectorXd& dr, const Eigen::VectorXd& c) const;
  bool factorise_bodies(const std::vector<NewtonRow<D>>& rows);
  void analyse_bodies();
  bool factorise_body_blocks();
  bool factorise_body_matrix();
  Eigen::VectorXd solve_bodies(const Eigen::VectorXd& c);
  Eigen::VectorXd solve_body_matrix(const Eigen::VectorXd& push);

  const LocalProblem& problem_;
  const bool searched_;
  std::vector<double> rho_;
  double stiffness_ = 1.0;
  std::unique_ptr<BlockLu<D>> blocks_;  // if it is the cheaper way
  bool by_blocks_ = false;              // the factors of the last matrix are there
  std::vector<double> block_value_;     // the matrix, blocks as in W or over the bodies
  std::vector<char> open_;
  std::vector<int> active_;  // contacts that are not open
  std::vector<int> number_;  // place of a contact among the active, -1 if open
  Eigen::VectorXd zero_;
  Eigen::SparseMatrix<double> matrix_;
  std::unique_ptr<Eigen::UmfPackLU<Eigen::SparseMatrix<double>>> lu_;
  std::vector<double> inverse_, compliance_;       // E, C where the bodies are known
  static constexpr int freedoms = D == 3 ? 6 : 3;  // of a rigid body
  std::unique_ptr<BlockLu<freedoms>> body_blocks_;
  bool analysed_ = false;
  std::vector<int> body_place_;                 // of each entry of matrix_ in block_value_
  Eigen::PartialPivLU<Eigen::MatrixXd> dense_;  // of their matrix, where they are few
};

}  // namespace moreau::inline solver

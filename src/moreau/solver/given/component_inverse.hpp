// Solves K x = y for a sparse square K that falls apart into small independent parts, as the mass matrix of rigid bodies does, or
// does not, as the stiffness matrix of a mesh. Small parts are inverted densely and the inverse is kept sparse; otherwise a
// sparse LU serves. K need not be symmetric.
#pragma once

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <memory>

namespace moreau::inline solver {

class ComponentInverse {
 public:
  explicit ComponentInverse(const Eigen::SparseMatrix<double>& K);

  bool singular() const { return singular_; }  // to rounding; then nothing else may be asked
  Eigen::VectorXd solve(const Eigen::VectorXd& y) const;
  Eigen::SparseMatrix<double> solve(const Eigen::SparseMatrix<double>& Y) const;

 private:
  bool singular_ = false;
  Eigen::SparseMatrix<double> inverse_;  // of the parts, when all are small
  std::unique_ptr<Eigen::SparseLU<Eigen::SparseMatrix<double>>> lu_;
};

}  // namespace moreau::inline solver

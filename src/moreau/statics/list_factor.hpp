// The square operator G of an isostatic list of contacts, factorised once (sparse LU) and used for lists near by: rows that were
// replaced enter by the formula of Sherman, Morrison and Woodbury, normals that turned a little by iterative refinement. When
// neither is enough it factorises anew.
#pragma once

#include <Eigen/Dense>
#include <memory>
#include <vector>

#include "moreau/statics/contact_matrix.hpp"

namespace moreau::statics {

class ListFactor {
 public:
  ListFactor();
  ~ListFactor();
  ListFactor(ListFactor&&) noexcept;
  ListFactor& operator=(ListFactor&&) noexcept;

  // The matrix now, square. Its rows are those of the matrix before except for turned normals and the rows in `replaced`;
  // a matrix of another size is factorised.
  void set(SparseRows matrix, const std::vector<int>& replaced = {});
  void forget();  // factorise at the next call of set()

  // G x = b and Gt y = c, to about 1e-14 of what the condition of G allows. False: singular to working precision.
  bool solve(const Eigen::VectorXd& b, Eigen::VectorXd& x);
  bool solve_transposed(const Eigen::VectorXd& c, Eigen::VectorXd& y);

  int size() const { return static_cast<int>(now_.rows()); }
  int factorisations() const { return factorisations_; }

 private:
  struct Lu;
  bool factorise();
  bool update();
  Eigen::VectorXd apply_inverse(const Eigen::VectorXd& b) const;
  Eigen::VectorXd apply_inverse_transposed(const Eigen::VectorXd& c) const;
  template <class Inverse, class Product>
  bool refine(const Eigen::VectorXd& right, Eigen::VectorXd& x, Inverse&& inverse, Product&& product);

  std::unique_ptr<Lu> lu_;
  SparseRows now_;
  std::vector<int> replaced_;                   // rows of `now_` that are not those that were factorised
  Sparse difference_;                           // their differences, as columns
  Eigen::MatrixXd spread_;                      // inverse of the factorised matrix times the unit vectors of these rows
  Eigen::PartialPivLU<Eigen::MatrixXd> small_;  // 1 + differences . spread
  bool usable_ = false, fresh_ = false;
  int factorisations_ = 0;
};

}  // namespace moreau::statics

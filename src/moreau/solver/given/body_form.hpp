// A contact problem seen from its bodies: W = H^T M^-1 H. With many contacts per body (masonry) matrices over bodies are far
// smaller than W, and their factors sparser:
//
//   K = factor M + sum over contacts of H_a C_a H_a^T        C_a: D x D, given per contact
//
// The pattern of K is found once; filling it costs a few hundred multiplications per contact.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

namespace moreau::inline solver {

class BodyForm {
 public:
  BodyForm(Eigen::SparseMatrix<double> M, Eigen::SparseMatrix<double> H, int dimension);

  const Eigen::SparseMatrix<double>& mass() const { return M_; }
  const Eigen::SparseMatrix<double>& contacts() const { return H_; }
  bool symmetric() const { return symmetric_; }  // of M

  // K, for D x D numbers per contact, row by row.
  Eigen::SparseMatrix<double> assemble(double factor, const std::vector<double>& blocks) const;

 private:
  int dimension_;
  bool symmetric_ = true;
  Eigen::SparseMatrix<double> M_, H_;
  Eigen::SparseMatrix<double> pattern_;  // of K, all zero
  std::vector<int> mass_place_;          // where each entry of M goes in K
  std::vector<int> start_;               // rows that contact a acts on: row_[start_[a]] ... row_[start_[a + 1] - 1]
  std::vector<int> row_;
  std::vector<double> entry_;             // D numbers per row: H at that row, for the D columns of the contact
  std::vector<int> place_;                // of each pair of rows of a contact in K, contact by contact
  std::vector<std::size_t> place_start_;  // of each contact in place_
};

}  // namespace moreau::inline solver

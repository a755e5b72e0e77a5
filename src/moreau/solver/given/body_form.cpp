#include "moreau/solver/given/body_form.hpp"

#include <algorithm>

namespace moreau::inline solver {
namespace {

int place_in(const Eigen::SparseMatrix<double>& matrix, int row, int column) {
  const int* begin = matrix.innerIndexPtr() + matrix.outerIndexPtr()[column];
  const int* end = matrix.innerIndexPtr() + matrix.outerIndexPtr()[column + 1];
  return static_cast<int>(std::lower_bound(begin, end, row) - matrix.innerIndexPtr());
}

}  // namespace

BodyForm::BodyForm(Eigen::SparseMatrix<double> M, Eigen::SparseMatrix<double> H, int dimension)
    : dimension_(dimension), M_(std::move(M)), H_(std::move(H)) {
  const int D = dimension, contacts = static_cast<int>(H_.cols()) / D;
  M_.makeCompressed(), H_.makeCompressed();
  symmetric_ = Eigen::SparseMatrix<double>(M_ - Eigen::SparseMatrix<double>(M_.transpose())).norm() <= 1e-12 * M_.norm();
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < M_.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator e(M_, j); e; ++e) entries.emplace_back(e.row(), e.col(), 0.0);
  start_.push_back(0);
  for (int a = 0; a < contacts; ++a) {
    for (int k = 0; k < D; ++k)
      for (Eigen::SparseMatrix<double>::InnerIterator e(H_, D * a + k); e; ++e) row_.push_back(static_cast<int>(e.row()));
    std::sort(row_.begin() + start_[a], row_.end());
    row_.erase(std::unique(row_.begin() + start_[a], row_.end()), row_.end());
    start_.push_back(static_cast<int>(row_.size()));
    entry_.resize(row_.size() * D, 0.0);
    for (int k = 0; k < D; ++k)
      for (Eigen::SparseMatrix<double>::InnerIterator e(H_, D * a + k); e; ++e) {
        const auto at = std::lower_bound(row_.begin() + start_[a], row_.end(), static_cast<int>(e.row())) - row_.begin();
        entry_[static_cast<std::size_t>(at) * D + k] = e.value();
      }
    for (int i = start_[a]; i < start_[a + 1]; ++i)
      for (int j = start_[a]; j < start_[a + 1]; ++j) entries.emplace_back(row_[i], row_[j], 0.0);
  }
  pattern_.resize(M_.rows(), M_.cols());
  pattern_.setFromTriplets(entries.begin(), entries.end());
  pattern_.makeCompressed();
  for (int j = 0; j < M_.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator e(M_, j); e; ++e)
      mass_place_.push_back(place_in(pattern_, static_cast<int>(e.row()), static_cast<int>(e.col())));
  for (int a = 0; a < contacts; ++a) {
    place_start_.push_back(place_.size());
    for (int i = start_[a]; i < start_[a + 1]; ++i)
      for (int j = start_[a]; j < start_[a + 1]; ++j) place_.push_back(place_in(pattern_, row_[i], row_[j]));
  }
}

Eigen::SparseMatrix<double> BodyForm::assemble(double factor, const std::vector<double>& blocks) const {
  const int D = dimension_, contacts = static_cast<int>(start_.size()) - 1;
  Eigen::SparseMatrix<double> K = pattern_;
  double* value = K.valuePtr();
  for (std::size_t k = 0; k < mass_place_.size(); ++k) value[mass_place_[k]] += factor * M_.valuePtr()[k];
  for (int a = 0; a < contacts; ++a) {
    const double* C = blocks.data() + static_cast<std::size_t>(a) * D * D;
    if (std::all_of(C, C + D * D, [](double c) { return c == 0.0; })) continue;
    const int* place = place_.data() + place_start_[a];
    for (int i = start_[a]; i < start_[a + 1]; ++i) {
      double left[3] = {0.0, 0.0, 0.0};  // row i of H_a C_a
      for (int l = 0; l < D; ++l)
        for (int k = 0; k < D; ++k) left[k] += entry_[static_cast<std::size_t>(i) * D + l] * C[D * l + k];
      for (int j = start_[a]; j < start_[a + 1]; ++j) {
        double sum = 0.0;
        for (int k = 0; k < D; ++k) sum += left[k] * entry_[static_cast<std::size_t>(j) * D + k];
        value[*place++] += sum;
      }
    }
  }
  return K;
}

}  // namespace moreau::inline solver

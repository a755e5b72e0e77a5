#include "moreau/solver/given/component_inverse.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "moreau/solver/connected_parts.hpp"

namespace moreau::inline solver {
namespace {

constexpr int largest_dense_part = 60;  // rows: ten bodies tied together

// Rows of each part, parts by their first row.
std::vector<std::vector<int>> parts_of(const Eigen::SparseMatrix<double>& K) {
  ConnectedParts joined(static_cast<int>(K.rows()));
  for (int j = 0; j < K.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(K, j); entry; ++entry)
      if (entry.value() != 0.0) joined.join(j, static_cast<int>(entry.row()));
  return joined.parts();
}

// Rows and columns scaled to largest entry 1 before the rank is judged: mass and inertia may differ by many orders.
bool invert(Eigen::MatrixXd& part) {
  const Eigen::VectorXd rows = part.cwiseAbs().rowwise().maxCoeff();
  if (!(rows.minCoeff() > 0.0)) return false;
  Eigen::MatrixXd scaled = rows.cwiseInverse().asDiagonal() * part;
  const Eigen::VectorXd columns = scaled.cwiseAbs().colwise().maxCoeff();
  if (!(columns.minCoeff() > 0.0)) return false;
  scaled = scaled * columns.cwiseInverse().asDiagonal();
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(scaled);
  if (!lu.isInvertible()) return false;
  part = columns.cwiseInverse().asDiagonal() * lu.inverse() * rows.cwiseInverse().asDiagonal();
  return part.allFinite();
}

}  // namespace

ComponentInverse::ComponentInverse(const Eigen::SparseMatrix<double>& K) {
  const auto parts = parts_of(K);
  std::size_t largest = 0;
  for (const auto& part : parts) largest = std::max(largest, part.size());
  if (largest > static_cast<std::size_t>(largest_dense_part)) {
    lu_ = std::make_unique<Eigen::SparseLU<Eigen::SparseMatrix<double>>>();
    Eigen::SparseMatrix<double> compressed = K;
    compressed.makeCompressed();
    lu_->compute(compressed);
    singular_ = lu_->info() != Eigen::Success || !std::isfinite(lu_->logAbsDeterminant());
    return;
  }
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<int> place(K.rows(), 0);
  for (const auto& part : parts) {
    const int size = static_cast<int>(part.size());
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size, size);
    for (int j = 0; j < size; ++j) place[part[j]] = j;
    for (int j = 0; j < size; ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(K, part[j]); entry; ++entry)
        if (entry.value() != 0.0) dense(place[entry.row()], j) += entry.value();
    if (!invert(dense)) {
      singular_ = true;
      return;
    }
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i)
        if (dense(i, j) != 0.0) entries.emplace_back(part[i], part[j], dense(i, j));
  }
  inverse_.resize(K.rows(), K.cols());
  inverse_.setFromTriplets(entries.begin(), entries.end());
}

Eigen::VectorXd ComponentInverse::solve(const Eigen::VectorXd& y) const {
  return lu_ ? Eigen::VectorXd(lu_->solve(y)) : Eigen::VectorXd(inverse_ * y);
}

Eigen::SparseMatrix<double> ComponentInverse::solve(const Eigen::SparseMatrix<double>& Y) const {
  if (!lu_) return inverse_ * Y;
  Eigen::SparseMatrix<double> X(Y.rows(), Y.cols());
  for (int j = 0; j < Y.cols(); ++j) {
    const Eigen::VectorXd x = lu_->solve(Eigen::VectorXd(Y.col(j)));
    X.startVec(j);
    for (int i = 0; i < x.size(); ++i)
      if (x[i] != 0.0) X.insertBack(i, j) = x[i];
  }
  X.finalize();
  return X;
}

}  // namespace moreau::inline solver

#include "moreau/solver/newton_system.hpp"

#include <algorithm>

namespace moreau {

template <int D>
NewtonSystem<D>::NewtonSystem(const LocalProblem& problem)
    : problem_(problem),
      rho_(problem.contacts()),
      number_(problem.contacts()),
      zero_(Eigen::VectorXd::Zero(problem.free.size())) {
  double largest = 0.0;
  for (int a = 0; a < problem.contacts(); ++a) {
    const DelassusBlock<D> block = problem.delassus.diagonal_block<D>(a);
    for (int i = 0; i < D; ++i) rho_[a] += block.c[i][i];
    largest = std::max(largest, rho_[a]);
  }
  if (!(largest > 0.0)) largest = 1.0;
  stiffness_ = largest / D;
  for (double& rho : rho_) rho = D / std::max(rho, 1e-12 * largest);
}

template <int D>
void NewtonSystem<D>::assemble(const std::vector<NewtonRow<D>>& rows) {
  const BlockMatrix& W = problem_.delassus;
  const int size = D * static_cast<int>(active_.size());
  Eigen::SparseMatrix<double, Eigen::RowMajor> J(size, size);
  Eigen::Index entries = 0;
  for (const int a : active_) entries += static_cast<Eigen::Index>(W.start[a + 1] - W.start[a]) * D * D;
  J.reserve(entries);
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const int a = active_[k];
    const NewtonRow<D>& row = rows[a];
    for (int i = 0; i < D; ++i) {
      const int line = D * static_cast<int>(k) + i;
      J.startVec(line);
      for (int place = W.start[a]; place < W.start[a + 1]; ++place) {
        const int b = W.column[place];
        if (number_[b] < 0) continue;
        const double* block = W.block(place);
        for (int j = 0; j < D; ++j) {
          double sum = b == a ? row.A[i][j] : 0.0;
          for (int l = 0; l < D; ++l) sum += row.B[i][l] * block[D * l + j];
          J.insertBack(line, D * number_[b] + j) = sum;
        }
      }
    }
  }
  J.finalize();
  matrix_ = J;
  matrix_.makeCompressed();
}

template <int D>
bool NewtonSystem<D>::factorise(const std::vector<NewtonRow<D>>& rows) {
  active_.clear();
  for (int a = 0; a < problem_.contacts(); ++a) {
    number_[a] = rows[a].open ? -1 : static_cast<int>(active_.size());
    if (!rows[a].open) active_.push_back(a);
  }
  if (active_.empty()) return true;
  assemble(rows);
  lu_ = std::make_unique<Eigen::UmfPackLU<Eigen::SparseMatrix<double>>>();
  lu_->umfpackControl()(UMFPACK_STRATEGY) = UMFPACK_STRATEGY_SYMMETRIC;
  lu_->umfpackControl()(UMFPACK_IRSTEP) = 1;
  lu_->compute(matrix_);
  return lu_->info() == Eigen::Success;
}

template <int D>
Eigen::VectorXd NewtonSystem<D>::solve(const std::vector<NewtonRow<D>>& rows, const Eigen::VectorXd& c) {
  Eigen::VectorXd dr = Eigen::VectorXd::Zero(c.size());
  for (int a = 0; a < problem_.contacts(); ++a)
    if (rows[a].open) dr.segment(D * a, D) = c.segment(D * a, D);
  if (active_.empty()) return dr;
  Eigen::VectorXd right(D * static_cast<Eigen::Index>(active_.size()));
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const int a = active_[k];
    const Vec<D> shift = problem_.delassus.row_times<D>(a, dr.data(), zero_.data());  // from contacts whose step is already known
    for (int i = 0; i < D; ++i) {
      double value = c[D * a + i];
      for (int l = 0; l < D; ++l) value -= rows[a].B[i][l] * shift[l];
      right[D * static_cast<Eigen::Index>(k) + i] = value;
    }
  }
  const Eigen::VectorXd x = lu_->solve(right);
  for (std::size_t k = 0; k < active_.size(); ++k) dr.segment(D * active_[k], D) = x.segment(D * static_cast<Eigen::Index>(k), D);
  return dr;
}

template class NewtonSystem<2>;
template class NewtonSystem<3>;

}  // namespace moreau

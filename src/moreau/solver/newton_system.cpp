#include "moreau/solver/newton_system.hpp"

#include <algorithm>

#include "moreau/solver/blas_threads.hpp"

namespace moreau {
namespace {

constexpr int few = 60;  // rows of a matrix over bodies that a dense factorisation treats faster

}  // namespace

template <int D>
NewtonSystem<D>::NewtonSystem(const LocalProblem& problem)
    : problem_(problem),
      rho_(problem.contacts()),
      number_(problem.contacts()),
      zero_(Eigen::VectorXd::Zero(problem.free.size())) {
  one_blas_thread();
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
bool NewtonSystem<D>::factorise_bodies(const std::vector<NewtonRow<D>>& rows) {
  using Block = Eigen::Matrix<double, D, D, Eigen::RowMajor>;
  inverse_.assign(rows.size() * D * D, 0.0), compliance_.assign(rows.size() * D * D, 0.0);
  for (std::size_t a = 0; a < rows.size(); ++a) {
    Eigen::Map<Block> E(inverse_.data() + a * D * D), C(compliance_.data() + a * D * D);
    E.setIdentity();
    if (rows[a].open) continue;
    const Eigen::Map<const Block> A(&rows[a].A[0][0]), B(&rows[a].B[0][0]);
    E = Block(A + problem_.shift * B).inverse();
    C = E * B;
    if (!E.allFinite()) return false;
  }
  matrix_ = problem_.bodies->assemble(1.0, compliance_);
  if (matrix_.rows() <= few) {
    dense_.compute(Eigen::MatrixXd(matrix_));
    return true;  // if singular, the step is not finite
  }
  if (!lu_) {  // the pattern stays
    lu_ = std::make_unique<Eigen::UmfPackLU<Eigen::SparseMatrix<double>>>();
    lu_->umfpackControl()(UMFPACK_STRATEGY) = UMFPACK_STRATEGY_SYMMETRIC;
    lu_->umfpackControl()(UMFPACK_IRSTEP) = 1;
    lu_->analyzePattern(matrix_);
  }
  lu_->factorize(matrix_);
  return lu_->info() == Eigen::Success;
}

template <int D>
Eigen::VectorXd NewtonSystem<D>::solve_bodies(const Eigen::VectorXd& c) {
  using Block = Eigen::Matrix<double, D, D, Eigen::RowMajor>;
  const Eigen::SparseMatrix<double>& H = problem_.bodies->contacts();
  Eigen::VectorXd dr(c.size());
  for (int a = 0; a < problem_.contacts(); ++a)
    dr.segment(D * a, D) = Eigen::Map<const Block>(inverse_.data() + static_cast<std::size_t>(a) * D * D) * c.segment(D * a, D);
  const Eigen::VectorXd push = H * dr;
  const Eigen::VectorXd dv = matrix_.rows() <= few ? Eigen::VectorXd(dense_.solve(push)) : Eigen::VectorXd(lu_->solve(push));
  const Eigen::VectorXd du = H.transpose() * dv;
  for (int a = 0; a < problem_.contacts(); ++a)
    dr.segment(D * a, D) -=
        Eigen::Map<const Block>(compliance_.data() + static_cast<std::size_t>(a) * D * D) * du.segment(D * a, D);
  return dr;
}

template <int D>
bool NewtonSystem<D>::factorise(const std::vector<NewtonRow<D>>& rows) {
  if (problem_.bodies) return factorise_bodies(rows);
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
  if (problem_.bodies) return solve_bodies(c);
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

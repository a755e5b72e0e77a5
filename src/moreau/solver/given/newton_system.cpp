#include "moreau/solver/given/newton_system.hpp"

#include <algorithm>

#include "moreau/solver/given/blas_threads.hpp"

namespace moreau::inline solver {
namespace {

constexpr int few = 60;           // rows of a matrix over bodies that a dense factorisation treats faster
constexpr double cheap = 2000.0;  // multiplications per entry of the matrix up to which factors by blocks are faster
constexpr int refinements = 2;
constexpr double loss = 1e-6;  // part of the right-hand side that factors by blocks may leave over

// Corrects x by what it leaves over of the right-hand side, as long as that helps; false if too many digits are lost.
template <class Solve, class Left>
bool refine(const Eigen::VectorXd& right, const Solve& solve, const Left& left_over, Eigen::VectorXd& x) {
  Eigen::VectorXd left = left_over(x);
  double size = left.norm();
  if (!(size <= loss * right.norm())) return false;
  for (int k = 0; k < refinements && size > 0.0; ++k) {
    const Eigen::VectorXd better = x + solve(left);
    left = left_over(better);
    const double before = size;
    size = left.norm();
    if (!(size <= 2.0 * before)) break;  // one that is no smaller as a whole is still smaller row by row
    x = better;
  }
  return true;
}

}  // namespace

template <int D>
NewtonSystem<D>::NewtonSystem(const LocalProblem& problem, bool searched)
    : problem_(problem),
      searched_(searched),
      rho_(problem.contacts()),
      number_(problem.contacts()),
      zero_(Eigen::VectorXd::Zero(problem.free.size())) {
  one_blas_thread();
  refresh();
  if (problem.bodies || problem.contacts() == 0) return;
  const BlockMatrix& W = problem.delassus;
  blocks_ = std::make_unique<BlockLu<D>>(W.start, W.column);
  if (blocks_->work() > cheap * static_cast<double>(W.value.size())) blocks_.reset();
}

template <int D>
void NewtonSystem<D>::refresh() {
  const LocalProblem& problem = problem_;
  std::fill(rho_.begin(), rho_.end(), 0.0);
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
  by_blocks_ = !searched_ && factorise_body_blocks();
  return by_blocks_ || factorise_body_matrix();
}

// Rows of M are taken by as many as a rigid body has freedoms; where the bodies are others, blocks are only less well filled.
template <int D>
void NewtonSystem<D>::analyse_bodies() {
  constexpr int B = freedoms;
  if (matrix_.rows() % B != 0) return;
  std::vector<std::vector<int>> columns(matrix_.rows() / B);
  for (int j = 0; j < matrix_.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator e(matrix_, j); e; ++e) columns[e.row() / B].push_back(j / B);
  std::vector<int> start{0}, column;
  for (std::vector<int>& row : columns) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    column.insert(column.end(), row.begin(), row.end());
    start.push_back(static_cast<int>(column.size()));
  }
  for (int j = 0; j < matrix_.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator e(matrix_, j); e; ++e) {
      const std::vector<int>& row = columns[e.row() / B];
      const auto block = start[e.row() / B] + (std::lower_bound(row.begin(), row.end(), j / B) - row.begin());
      body_place_.push_back(static_cast<int>((block * B + e.row() % B) * B + j % B));
    }
  body_blocks_ = std::make_unique<BlockLu<B>>(start, column);
  if (body_blocks_->work() > cheap * static_cast<double>(matrix_.nonZeros())) body_blocks_.reset();
  block_value_.assign(column.size() * B * B, 0.0), open_.assign(columns.size(), 0);
}

template <int D>
bool NewtonSystem<D>::factorise_body_blocks() {
  if (!analysed_) analyse_bodies();  // the pattern stays
  analysed_ = true;
  if (!body_blocks_) return false;
  for (std::size_t k = 0; k < body_place_.size(); ++k) block_value_[body_place_[k]] = matrix_.valuePtr()[k];
  return body_blocks_->factorise(block_value_, open_);
}

template <int D>
bool NewtonSystem<D>::factorise_body_matrix() {
  if (!lu_) {
    lu_ = std::make_unique<Eigen::UmfPackLU<Eigen::SparseMatrix<double>>>();
    lu_->umfpackControl()(UMFPACK_STRATEGY) = UMFPACK_STRATEGY_SYMMETRIC;
    lu_->umfpackControl()(UMFPACK_IRSTEP) = 1;
    lu_->analyzePattern(matrix_);
  }
  lu_->factorize(matrix_);
  return lu_->info() == Eigen::Success;
}

template <int D>
Eigen::VectorXd NewtonSystem<D>::solve_body_matrix(const Eigen::VectorXd& push) {
  if (matrix_.rows() <= few) return dense_.solve(push);
  if (by_blocks_) {
    Eigen::VectorXd dv = body_blocks_->solve(push);
    const auto solve = [&](const Eigen::VectorXd& right) { return body_blocks_->solve(right); };
    const auto left_over = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd { return push - matrix_ * x; };
    if (refine(push, solve, left_over, dv)) return dv;
    by_blocks_ = false;
    if (!factorise_body_matrix()) return dv;
  }
  return lu_->solve(push);
}

template <int D>
Eigen::VectorXd NewtonSystem<D>::solve_bodies(const Eigen::VectorXd& c) {
  using Block = Eigen::Matrix<double, D, D, Eigen::RowMajor>;
  const Eigen::SparseMatrix<double>& H = problem_.bodies->contacts();
  Eigen::VectorXd dr(c.size());
  for (int a = 0; a < problem_.contacts(); ++a)
    dr.segment(D * a, D) = Eigen::Map<const Block>(inverse_.data() + static_cast<std::size_t>(a) * D * D) * c.segment(D * a, D);
  const Eigen::VectorXd push = H * dr;
  const Eigen::VectorXd dv = solve_body_matrix(push);
  const Eigen::VectorXd du = H.transpose() * dv;
  for (int a = 0; a < problem_.contacts(); ++a)
    dr.segment(D * a, D) -=
        Eigen::Map<const Block>(compliance_.data() + static_cast<std::size_t>(a) * D * D) * du.segment(D * a, D);
  return dr;
}

template <int D>
bool NewtonSystem<D>::factorise_blocks(const std::vector<NewtonRow<D>>& rows) {
  const BlockMatrix& W = problem_.delassus;
  block_value_.resize(W.value.size()), open_.resize(rows.size());
  for (int a = 0; a < problem_.contacts(); ++a) {
    const NewtonRow<D>& row = rows[a];
    open_[a] = row.open;
    if (row.open) continue;
    for (int place = W.start[a]; place < W.start[a + 1]; ++place) {
      const double* block = W.block(place);
      double* to = block_value_.data() + static_cast<std::size_t>(place) * D * D;
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) {
          double sum = W.column[place] == a ? row.A[i][j] : 0.0;
          for (int l = 0; l < D; ++l) sum += row.B[i][l] * block[D * l + j];
          to[D * i + j] = sum;
        }
    }
  }
  return blocks_->factorise(block_value_, open_);
}

// c - J dr
template <int D>
Eigen::VectorXd NewtonSystem<D>::left_over(const Eigen::VectorXd& dr, const Eigen::VectorXd& c) const {
  const BlockMatrix& W = problem_.delassus;
  Eigen::VectorXd left = c;
  for (int a = 0; a < problem_.contacts(); ++a) {
    if (open_[a]) {
      left.segment<D>(D * a) -= dr.segment<D>(D * a);
      continue;
    }
    for (int place = W.start[a]; place < W.start[a + 1]; ++place) {
      const double *block = block_value_.data() + static_cast<std::size_t>(place) * D * D, *x = dr.data() + D * W.column[place];
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) left[D * a + i] -= block[D * i + j] * x[j];
    }
  }
  return left;
}

// False if too many digits are lost.
template <int D>
bool NewtonSystem<D>::solve_blocks(const Eigen::VectorXd& c, Eigen::VectorXd& dr) const {
  dr = blocks_->solve(c);
  return refine(
      c, [&](const Eigen::VectorXd& right) { return blocks_->solve(right); },
      [&](const Eigen::VectorXd& x) { return left_over(x, c); }, dr);
}

template <int D>
bool NewtonSystem<D>::factorise(const std::vector<NewtonRow<D>>& rows) {
  if (problem_.bodies) return factorise_bodies(rows);
  by_blocks_ = blocks_ && factorise_blocks(rows);
  return by_blocks_ || factorise_active(rows);
}

template <int D>
Eigen::VectorXd NewtonSystem<D>::solve(const std::vector<NewtonRow<D>>& rows, const Eigen::VectorXd& c) {
  if (problem_.bodies) return solve_bodies(c);
  Eigen::VectorXd dr;
  if (by_blocks_ && solve_blocks(c, dr)) return dr;
  if (by_blocks_ && !factorise_active(rows)) return dr;
  by_blocks_ = false;
  return solve_active(rows, c);
}

template <int D>
bool NewtonSystem<D>::factorise_active(const std::vector<NewtonRow<D>>& rows) {
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
Eigen::VectorXd NewtonSystem<D>::solve_active(const std::vector<NewtonRow<D>>& rows, const Eigen::VectorXd& c) {
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

}  // namespace moreau::inline solver

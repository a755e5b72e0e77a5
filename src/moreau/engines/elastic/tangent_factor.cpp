#include "moreau/engines/elastic/tangent_factor.hpp"

#include <Eigen/LU>
#include <Eigen/UmfPackSupport>
#include <algorithm>

namespace moreau::elastic {

namespace {
constexpr std::size_t most_changed = 24;
}

struct TangentFactor::Lu {
  Sparse matrix;  // refinement of solutions reads it
  Eigen::UmfPackLU<Sparse> umfpack;
};

TangentFactor::TangentFactor(const Network& network, const Sparse& held) : network_(network), held_(held) {}
TangentFactor::~TangentFactor() = default;

// All entries that may ever be there are: the pattern stays the same from one factorisation to the next.
Sparse TangentFactor::matrix() const {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(4 * blocks_.size());
  for (std::size_t c = 0; c < blocks_.size(); ++c)
    for (int k = 0; k < 2; ++k)
      for (int l = 0; l < 2; ++l)
        entries.emplace_back(static_cast<int>(2 * c) + k, static_cast<int>(2 * c) + l, blocks_[c](k, l));
  Sparse T(network_.G.rows(), network_.G.rows());
  T.setFromTriplets(entries.begin(), entries.end());
  const Sparse G(network_.G);
  return Sparse(Sparse(G.transpose() * Sparse(T * G)) + held_);
}

bool TangentFactor::compute(std::vector<Block> blocks) {
  blocks_ = std::move(blocks);
  factored_ = blocks_;
  changed_.clear();
  ++factorisations_;
  const bool first = lu_ == nullptr;
  if (first) lu_ = std::make_unique<Lu>();
  lu_->matrix = matrix();
  lu_->umfpack.umfpackControl()[UMFPACK_IRSTEP] = 0;  // what rounding leaves is put right by who asks
  if (first) lu_->umfpack.analyzePattern(lu_->matrix);
  lu_->umfpack.factorize(lu_->matrix);
  return lu_->umfpack.info() == Eigen::Success;
}

Eigen::VectorXd TangentFactor::row(Eigen::Index r) const {
  Eigen::VectorXd dense = Eigen::VectorXd::Zero(network_.G.cols());
  for (SparseRows::InnerIterator it(network_.G, r); it; ++it) dense[it.col()] = it.value();
  return dense;
}

bool TangentFactor::change(std::size_t contact, const Block& block) {
  blocks_[contact] = block;
  if (std::find(changed_.begin(), changed_.end(), contact) != changed_.end()) return true;
  if (changed_.size() == most_changed) return compute(std::move(blocks_));
  changed_.push_back(contact);
  const Eigen::Index n = network_.G.cols(), m = 2 * static_cast<Eigen::Index>(changed_.size());
  if (response_.rows() != n) response_.resize(n, 2 * most_changed), coupling_.resize(2 * most_changed, 2 * most_changed);
  for (int k = 0; k < 2; ++k)
    response_.col(m - 2 + k) = lu_->umfpack.solve(row(2 * static_cast<Eigen::Index>(contact) + k));
  const auto times = [&](Eigen::Index r, Eigen::Index column) {
    double sum = 0.0;
    for (SparseRows::InnerIterator it(network_.G, r); it; ++it) sum += it.value() * response_(it.col(), column);
    return sum;
  };
  for (Eigen::Index i = 0; i < m; ++i) {
    const Eigen::Index r = 2 * static_cast<Eigen::Index>(changed_[static_cast<std::size_t>(i / 2)]) + i % 2;
    for (Eigen::Index j = i < m - 2 ? m - 2 : 0; j < m; ++j) coupling_(i, j) = times(r, j);
  }
  return true;
}

// (T0 + Gt D G) x = b, D the change of the blocks: x = x0 - Y w, Y = T0^-1 Gt of the changed rows, (1 + D G Y) w = D G x0.
Eigen::VectorXd TangentFactor::solve(const Eigen::VectorXd& b) const {
  Eigen::VectorXd x = lu_->umfpack.solve(b);
  const Eigen::Index m = 2 * static_cast<Eigen::Index>(changed_.size());
  if (m == 0) return x;
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(m, m);
  Eigen::VectorXd there(m);
  for (Eigen::Index i = 0; i < m; i += 2) {
    const std::size_t c = changed_[static_cast<std::size_t>(i / 2)];
    D.block<2, 2>(i, i) = blocks_[c] - factored_[c];
    for (Eigen::Index k = 0; k < 2; ++k) there[i + k] = network_.G.row(2 * static_cast<Eigen::Index>(c) + k).dot(x);
  }
  const Eigen::MatrixXd small = Eigen::MatrixXd::Identity(m, m) + D * coupling_.topLeftCorner(m, m);
  const Eigen::VectorXd w = small.partialPivLu().solve(D * there);
  return x - response_.leftCols(m) * w;
}

}  // namespace moreau::elastic

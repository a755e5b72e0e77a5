#include "moreau/engines/elastic/tangent_factor.hpp"

#include <Eigen/UmfPackSupport>
#include <algorithm>

namespace moreau::elastic {

namespace {
constexpr std::size_t most_changed = 40;  // a factorisation costs as much as some forty solutions
}

struct TangentFactor::Lu {
  Lu(const Network& network, const Sparse& held) : matrix(network, held) {}
  TangentMatrix matrix;
  Eigen::UmfPackLU<Sparse> umfpack;
};

TangentFactor::TangentFactor(const Network& network, const Sparse& held) : network_(network), held_(held) {}
TangentFactor::~TangentFactor() = default;

bool TangentFactor::compute(std::vector<Block> blocks) {
  blocks_ = std::move(blocks);
  factored_ = blocks_;
  changed_.clear(), rows_.clear();
  ++factorisations_;
  const bool first = lu_ == nullptr;
  if (first) {
    lu_ = std::make_unique<Lu>(network_, held_);
    response_.resize(network_.G.cols(), 2 * most_changed), coupling_.resize(2 * most_changed, 2 * most_changed);
  }
  std::vector<double> numbers;
  numbers.reserve(4 * blocks_.size());
  for (const Block& b : blocks_) numbers.insert(numbers.end(), {b(0, 0), b(0, 1), b(1, 0), b(1, 1)});
  const Sparse& matrix = lu_->matrix.set(numbers);
  lu_->umfpack.umfpackControl()[UMFPACK_IRSTEP] = 0;  // what rounding leaves is put right by who asks
  if (first) lu_->umfpack.analyzePattern(matrix);
  lu_->umfpack.factorize(matrix);
  return lu_->umfpack.info() == Eigen::Success;
}

Eigen::VectorXd TangentFactor::row(Eigen::Index r) const {
  Eigen::VectorXd dense = Eigen::VectorXd::Zero(network_.G.cols());
  for (SparseRows::InnerIterator it(network_.G, r); it; ++it) dense[it.col()] = it.value();
  return dense;
}

double TangentFactor::along(Eigen::Index r, Eigen::Index column) const {
  double sum = 0.0;
  for (SparseRows::InnerIterator it(network_.G, r); it; ++it) sum += it.value() * response_(it.col(), column);
  return sum;
}

void TangentFactor::add_row(std::size_t changed, int component) {
  const Eigen::Index column = static_cast<Eigen::Index>(rows_.size());
  rows_.push_back({changed, component});
  response_.col(column) = lu_->umfpack.solve(row(2 * static_cast<Eigen::Index>(changed_[changed]) + component));
  for (std::size_t p = 0; p < changed_.size(); ++p)
    for (Eigen::Index k = 0; k < 2; ++k)
      coupling_(2 * static_cast<Eigen::Index>(p) + k, column) = along(2 * static_cast<Eigen::Index>(changed_[p]) + k, column);
}

bool TangentFactor::change(std::size_t contact, const Block& block) {
  blocks_[contact] = block;
  const std::size_t place = static_cast<std::size_t>(std::find(changed_.begin(), changed_.end(), contact) - changed_.begin());
  if (place == changed_.size()) {
    if (changed_.size() == most_changed) return compute(std::move(blocks_));
    changed_.push_back(contact);
    for (Eigen::Index k = 0; k < 2; ++k)
      for (std::size_t i = 0; i < rows_.size(); ++i)
        coupling_(2 * static_cast<Eigen::Index>(place) + k, static_cast<Eigen::Index>(i)) =
            along(2 * static_cast<Eigen::Index>(contact) + k, static_cast<Eigen::Index>(i));
  }
  const Block difference = block - factored_[contact];
  for (int k = 0; k < 2; ++k)
    if (!difference.row(k).isZero(0.0) &&
        std::none_of(rows_.begin(), rows_.end(), [&](const Row& r) { return r.changed == place && r.component == k; }))
      add_row(place, k);
  const Eigen::Index m = static_cast<Eigen::Index>(rows_.size());
  Eigen::MatrixXd small = Eigen::MatrixXd::Identity(m, m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const auto [p, k] = rows_[static_cast<std::size_t>(i)];
    const Block D = blocks_[changed_[p]] - factored_[changed_[p]];
    for (Eigen::Index l = 0; l < 2; ++l)
      if (D(k, l) != 0.0) small.row(i) += D(k, l) * coupling_.row(2 * static_cast<Eigen::Index>(p) + l).head(m);
  }
  if (m > 0) small_.compute(small);
  return true;
}

Eigen::VectorXd TangentFactor::unchanged(const Eigen::VectorXd& b) const { return lu_->umfpack.solve(b); }

// (T0 + Gt D G) x = b, D the change of the blocks: x = x0 - Y w, Y = T0^-1 Gt of the rows where D is not zero,
// (1 + D G Y) w = D G x0.
Eigen::VectorXd TangentFactor::changed(const Eigen::VectorXd& x) const {
  const Eigen::Index m = static_cast<Eigen::Index>(rows_.size());
  if (m == 0) return x;
  Eigen::VectorXd there = Eigen::VectorXd::Zero(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const auto [p, k] = rows_[static_cast<std::size_t>(i)];
    const std::size_t c = changed_[p];
    for (Eigen::Index l = 0; l < 2; ++l)
      there[i] += (blocks_[c](k, l) - factored_[c](k, l)) * network_.G.row(2 * static_cast<Eigen::Index>(c) + l).dot(x);
  }
  return x - response_.leftCols(m) * small_.solve(there);
}

}  // namespace moreau::elastic

#include "moreau/statics/list_factor.hpp"

#include <umfpack.h>

#include <algorithm>
#include <limits>

#include "moreau/solver/given/blas_threads.hpp"

namespace moreau::statics {

namespace {

constexpr std::size_t most_replaced = 24;  // beyond, the dense part costs more than a factorisation
constexpr int most_refinements = 12;

}  // namespace

// UMFPACK takes columns; the rows of G are the columns of Gt, so Gt is what it factorises.
struct ListFactor::Lu {
  void* numeric = nullptr;
  double control[UMFPACK_CONTROL];
  SparseRows matrix;  // UMFPACK looks at it again when it solves

  explicit Lu(const SparseRows& m) : matrix(m) {
    matrix.makeCompressed();
    umfpack_di_defaults(control);
    control[UMFPACK_IRSTEP] = 0;  // refinement is ours
    void* symbolic = nullptr;
    const int n = static_cast<int>(matrix.rows());
    const int *start = matrix.outerIndexPtr(), *column = matrix.innerIndexPtr();
    umfpack_di_symbolic(n, n, start, column, matrix.valuePtr(), &symbolic, control, nullptr);
    if (symbolic) {
      const int status = umfpack_di_numeric(start, column, matrix.valuePtr(), symbolic, &numeric, control, nullptr);
      if (status != UMFPACK_OK && numeric) umfpack_di_free_numeric(&numeric);
      umfpack_di_free_symbolic(&symbolic);
    }
  }
  ~Lu() {
    if (numeric) umfpack_di_free_numeric(&numeric);
  }
  Lu(const Lu&) = delete;
  Lu& operator=(const Lu&) = delete;

  Eigen::VectorXd solve(const Eigen::VectorXd& b, bool transposed = false) const {
    Eigen::VectorXd x(b.size());
    umfpack_di_solve(transposed ? UMFPACK_A : UMFPACK_At, matrix.outerIndexPtr(), matrix.innerIndexPtr(), matrix.valuePtr(),
                     x.data(), b.data(), numeric, control, nullptr);
    return x;
  }
};

ListFactor::ListFactor() = default;
ListFactor::~ListFactor() = default;
ListFactor::ListFactor(ListFactor&&) noexcept = default;
ListFactor& ListFactor::operator=(ListFactor&&) noexcept = default;

void ListFactor::forget() { lu_.reset(), replaced_.clear(), usable_ = false; }

bool ListFactor::factorise() {
  one_blas_thread();
  lu_ = std::make_unique<Lu>(now_);
  ++factorisations_;
  replaced_.clear();
  spread_.resize(0, 0);
  fresh_ = true;
  return usable_ = lu_->numeric != nullptr;
}

void ListFactor::set(SparseRows matrix, const std::vector<int>& replaced) {
  const bool same_size = lu_ && matrix.rows() == now_.rows();
  now_ = std::move(matrix);
  for (const int row : replaced)
    if (std::find(replaced_.begin(), replaced_.end(), row) == replaced_.end()) replaced_.push_back(row);
  fresh_ = false;
  if (!same_size || !usable_ || replaced_.size() > most_replaced || !update()) factorise();
}

// The differences of replaced rows, and what they bring. Solutions for rows that were replaced before are still good.
bool ListFactor::update() {
  const int n = static_cast<int>(now_.rows()), k = static_cast<int>(replaced_.size());
  if (k == 0) return true;
  std::vector<Eigen::Triplet<double>> entries;
  const int known = static_cast<int>(spread_.cols());
  spread_.conservativeResize(n, k);
  for (int r = 0; r < k; ++r) {
    for (SparseRows::InnerIterator e(now_, replaced_[r]); e; ++e) entries.emplace_back(e.col(), r, e.value());
    for (SparseRows::InnerIterator e(lu_->matrix, replaced_[r]); e; ++e) entries.emplace_back(e.col(), r, -e.value());
    if (r < known) continue;
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(n);
    unit[replaced_[r]] = 1.0;
    spread_.col(r) = lu_->solve(unit);
  }
  difference_.resize(n, k);
  difference_.setFromTriplets(entries.begin(), entries.end());
  small_.compute(Eigen::MatrixXd::Identity(k, k) + difference_.transpose() * spread_);
  return small_.rcond() > 1e-10;
}

Eigen::VectorXd ListFactor::apply_inverse(const Eigen::VectorXd& b) const {
  Eigen::VectorXd x = lu_->solve(b);
  if (!replaced_.empty()) x -= spread_ * small_.solve(difference_.transpose() * x);
  return x;
}

Eigen::VectorXd ListFactor::apply_inverse_transposed(const Eigen::VectorXd& c) const {
  Eigen::VectorXd right = c;
  if (!replaced_.empty()) right -= difference_ * small_.transpose().solve(spread_.transpose() * c);
  return lu_->solve(right, true);
}

template <class Inverse, class Product>
bool ListFactor::refine(const Eigen::VectorXd& right, Eigen::VectorXd& x, Inverse&& inverse, Product&& product) {
  if (!usable_) return false;
  const double wanted = 8.0 * std::numeric_limits<double>::epsilon();
  for (;;) {
    x = inverse(right);
    Eigen::VectorXd rest = right - product(x);
    double left = rest.lpNorm<Eigen::Infinity>();
    for (int k = 0; k < most_refinements; ++k) {
      // Rounding of the product itself: |G| |x| is of the order of the largest entry of x.
      if (!(left > wanted * (right.lpNorm<Eigen::Infinity>() + x.lpNorm<Eigen::Infinity>()))) break;
      const Eigen::VectorXd better = x + inverse(rest);
      rest = right - product(better);
      const double now = rest.lpNorm<Eigen::Infinity>();
      if (!(now < 0.3 * left)) break;
      x = better, left = now;
    }
    const bool good = left <= 1e-11 * (right.lpNorm<Eigen::Infinity>() + x.lpNorm<Eigen::Infinity>());  // false for NaN too
    if (good || fresh_) return good && x.allFinite();
    if (!factorise()) return false;
  }
}

bool ListFactor::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) {
  return refine(
      b, x, [this](const Eigen::VectorXd& v) { return apply_inverse(v); },
      [this](const Eigen::VectorXd& v) -> Eigen::VectorXd { return now_ * v; });
}

bool ListFactor::solve_transposed(const Eigen::VectorXd& c, Eigen::VectorXd& y) {
  return refine(
      c, y, [this](const Eigen::VectorXd& v) { return apply_inverse_transposed(v); },
      [this](const Eigen::VectorXd& v) -> Eigen::VectorXd { return now_.transpose() * v; });
}

}  // namespace moreau::statics

#include "moreau/statics/list_factor.hpp"

#include <umfpack.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "moreau/solver/given/blas_threads.hpp"
#include "moreau/statics/rows_in_order.hpp"

namespace moreau::statics {

namespace {

// A factorisation costs about as much as forty solutions with it. Beyond these numbers updates are the dearer way.
constexpr std::size_t most_replaced = 40;
constexpr int worth_a_factor = 600;  // iterations since the last factorisation
constexpr double turned = 0.05;      // rows that differ by more are replaced
constexpr int most_iterations = 40;  // of GMRES in one solution
constexpr int most_rounds = 4;       // of refinement, each with iterations of its own

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

bool ListFactor::factorise() {
  one_blas_thread();
  lu_ = std::make_unique<Lu>(now_);
  ++factorisations_;
  factored_row_.clear(), column_place_.clear(), row_place_.clear(), held_place_.clear(), held_.clear(), replaced_.clear();
  for (std::size_t i = 0; i < names_.row.size(); ++i) factored_row_.emplace(names_.row[i], static_cast<int>(i));
  for (std::size_t j = 0; j < names_.column.size(); ++j) column_place_.emplace(names_.column[j], static_cast<int>(j));
  joined_ = 0, iterations_ = 0;
  spread_.resize(now_.rows(), 0);
  placed_ = now_;
  row_at_.resize(static_cast<std::size_t>(now_.rows())), column_at_.resize(row_at_.size());
  std::iota(row_at_.begin(), row_at_.end(), 0), std::iota(column_at_.begin(), column_at_.end(), 0);
  fresh_ = true;
  return usable_ = lu_->numeric != nullptr;
}

void ListFactor::set(SparseRows matrix, ListNames names) {
  now_ = std::move(matrix);
  if (names.row.empty())
    for (int i = 0; i < size(); ++i) names.row.push_back({i, i, 0, 0}), names.column.push_back(i);
  const bool same_list = names == names_;
  names_ = std::move(names);
  fresh_ = false;
  if (!usable_) {
    factorise();
    return;
  }
  if (!same_list) place_rows_and_columns();
  put_in_place();
  if (iterations_ > worth_a_factor || !update()) factorise();
}

// Rows that were factorised take their own places, as do those that were placed before; the others the places that are left.
void ListFactor::place_rows_and_columns() {
  const int factored = static_cast<int>(lu_->matrix.rows());
  column_at_.clear();
  for (const int name : names_.column) {
    const auto [known, is_new] = column_place_.emplace(name, factored + joined_);
    joined_ += is_new;
    column_at_.push_back(known->second);
  }
  const int n = factored + joined_;
  std::vector<bool> present(static_cast<std::size_t>(n), false), taken(static_cast<std::size_t>(n), false);
  for (const int j : column_at_) present[static_cast<std::size_t>(j)] = true;
  const auto take = [&](int place) {
    if (place < 0 || taken[static_cast<std::size_t>(place)]) return -1;
    taken[static_cast<std::size_t>(place)] = true;
    return place;
  };
  const auto known = [](const auto& places, const auto& name) {
    const auto at = places.find(name);
    return at == places.end() ? -1 : at->second;
  };
  row_at_.clear();
  for (const Pair& name : names_.row) row_at_.push_back(take(known(factored_row_, name)));
  held_.clear();
  for (int j = 0; j < n; ++j)
    if (!present[static_cast<std::size_t>(j)]) held_.push_back({j, j >= factored ? take(j) : -1});
  for (std::size_t i = 0; i < row_at_.size(); ++i)
    if (row_at_[i] < 0) row_at_[i] = take(known(row_place_, names_.row[i]));
  for (auto& [column, at] : held_)
    if (at < 0) at = take(known(held_place_, column));
  int next = 0;
  const auto place_left = [&] {
    while (taken[static_cast<std::size_t>(next)]) ++next;
    return take(next);
  };
  row_place_.clear(), held_place_.clear();
  for (std::size_t i = 0; i < row_at_.size(); ++i) {
    if (row_at_[i] < 0) row_at_[i] = place_left();
    if (row_at_[i] != known(factored_row_, names_.row[i])) row_place_.emplace(names_.row[i], row_at_[i]);
  }
  for (auto& [column, at] : held_) {
    if (at < 0) at = place_left();
    held_place_.emplace(column, at);
  }
}

void ListFactor::put_in_place() {
  const int n = static_cast<int>(lu_->matrix.rows()) + joined_;
  std::vector<int> row_of(static_cast<std::size_t>(n), -1), held(static_cast<std::size_t>(n), -1);  // by place
  for (std::size_t i = 0; i < row_at_.size(); ++i) row_of[static_cast<std::size_t>(row_at_[i])] = static_cast<int>(i);
  for (const auto& [column, at] : held_) held[static_cast<std::size_t>(at)] = column;
  RowsInOrder rows(n, n, now_.nonZeros() + static_cast<Eigen::Index>(held_.size()));
  for (std::size_t at = 0; at < row_of.size(); ++at) {
    if (held[at] >= 0) rows.put(held[at], 1.0);
    if (row_of[at] >= 0)
      for (SparseRows::InnerIterator e(now_, row_of[at]); e; ++e) rows.put(column_at_[static_cast<std::size_t>(e.col())], e.value());
    rows.end_row();
  }
  placed_ = rows.take();
}

// The differences of replaced rows, and what they bring. Solutions for rows that were replaced before are still good. False if
// they are too many, or leave no digits.
bool ListFactor::update() {
  const int n = static_cast<int>(placed_.rows()), factored = static_cast<int>(lu_->matrix.rows());
  Eigen::VectorXd row = Eigen::VectorXd::Zero(n);
  const auto subtract_factored = [&](int i) {
    if (i >= factored) {
      row[i] -= 1.0;
      return;
    }
    for (SparseRows::InnerIterator e(lu_->matrix, i); e; ++e) row[e.col()] -= e.value();
  };
  std::vector<bool> is_replaced(static_cast<std::size_t>(n), false);
  for (const int i : replaced_) is_replaced[static_cast<std::size_t>(i)] = true;
  for (int i = 0; i < n; ++i) {
    if (is_replaced[static_cast<std::size_t>(i)]) continue;
    for (SparseRows::InnerIterator e(placed_, i); e; ++e) row[e.col()] = e.value();
    subtract_factored(i);
    double most = 0.0;
    const auto clear = [&](int j) { most = std::max(most, std::abs(row[j])), row[j] = 0.0; };
    for (SparseRows::InnerIterator e(placed_, i); e; ++e) clear(static_cast<int>(e.col()));
    if (i < factored)
      for (SparseRows::InnerIterator e(lu_->matrix, i); e; ++e) clear(static_cast<int>(e.col()));
    clear(i);
    if (most > turned) replaced_.push_back(i);
  }
  if (replaced_.size() > most_replaced) return false;
  const int k = static_cast<int>(replaced_.size()), known = static_cast<int>(spread_.cols());
  const int rows_before = static_cast<int>(spread_.rows());
  spread_.conservativeResize(n, k);
  spread_.bottomRows(n - rows_before).setZero();
  std::vector<Eigen::Triplet<double>> entries;
  for (int r = 0; r < k; ++r) {
    const int i = replaced_[static_cast<std::size_t>(r)];
    for (SparseRows::InnerIterator e(placed_, i); e; ++e) entries.emplace_back(static_cast<int>(e.col()), r, e.value());
    if (i >= factored) entries.emplace_back(i, r, -1.0);
    if (i < factored)
      for (SparseRows::InnerIterator e(lu_->matrix, i); e; ++e) entries.emplace_back(static_cast<int>(e.col()), r, -e.value());
    if (r < known) continue;
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(n);
    unit[i] = 1.0;
    spread_.col(r) = factored_inverse(unit, false);
  }
  difference_.resize(n, k);
  difference_.setFromTriplets(entries.begin(), entries.end());
  if (k == 0) return true;
  small_.compute(Eigen::MatrixXd::Identity(k, k) + difference_.transpose() * spread_);
  return small_.rcond() > 1e-12;
}

Eigen::VectorXd ListFactor::factored_inverse(const Eigen::VectorXd& b, bool transposed) const {
  const Eigen::Index factored = lu_->matrix.rows();
  Eigen::VectorXd x = b;
  x.head(factored) = lu_->solve(b.head(factored), transposed);
  return x;
}

Eigen::VectorXd ListFactor::inverse(const Eigen::VectorXd& b, bool transposed) const {
  if (replaced_.empty()) return factored_inverse(b, transposed);
  if (transposed) return factored_inverse(b - difference_ * small_.transpose().solve(spread_.transpose() * b), true);
  const Eigen::VectorXd x = factored_inverse(b, false);
  return x - spread_ * small_.solve(difference_.transpose() * x);
}

Eigen::VectorXd ListFactor::product(const Eigen::VectorXd& x, bool transposed) const {
  if (transposed) return placed_.transpose() * x;
  return placed_ * x;
}

// GMRES (Saad and Schultz 1986) on the preconditioned problem of what is left of its right side: x becomes better, until the
// residual has fallen to `enough` of what it was, by at most so many iterations. Returns how many it took.
int ListFactor::minimise(Eigen::VectorXd& x, const Eigen::VectorXd& rest, bool transposed, double enough, int most) const {
  Eigen::MatrixXd basis(x.size(), most + 1), H = Eigen::MatrixXd::Zero(most + 1, most);
  basis.col(0) = inverse(rest, transposed);
  const double begin = basis.col(0).norm();
  if (!(begin > 0.0) || !std::isfinite(begin)) return 1;
  basis.col(0) /= begin;
  Eigen::VectorXd g = Eigen::VectorXd::Zero(most + 1), cosine(most), sine(most);
  g[0] = begin;
  int k = 0;
  while (k < most) {
    Eigen::VectorXd w = inverse(product(basis.col(k), transposed), transposed);
    for (int pass = 0; pass < 2; ++pass) {  // orthogonal to the last digit
      const Eigen::VectorXd along = basis.leftCols(k + 1).transpose() * w;
      w.noalias() -= basis.leftCols(k + 1) * along;
      H.col(k).head(k + 1) += along;
    }
    const double beyond = w.norm();
    for (int i = 0; i < k; ++i) {
      const double h = cosine[i] * H(i, k) + sine[i] * H(i + 1, k);
      H(i + 1, k) = cosine[i] * H(i + 1, k) - sine[i] * H(i, k), H(i, k) = h;
    }
    const double length = std::hypot(H(k, k), beyond);
    if (!(length > 0.0)) break;
    cosine[k] = H(k, k) / length, sine[k] = beyond / length, H(k, k) = length;
    g[k + 1] = -sine[k] * g[k], g[k] *= cosine[k];
    ++k;
    if (std::abs(g[k]) <= enough * begin || !(beyond > 0.0)) break;
    basis.col(k) = w / beyond;
  }
  x += basis.leftCols(k) * H.topLeftCorner(k, k).triangularView<Eigen::Upper>().solve(g.head(k));
  return k + 1;
}

bool ListFactor::solve(const Eigen::VectorXd& given, Eigen::VectorXd& x, bool transposed, double precision) {
  if (!usable_) return false;
  const double rounding = 8.0 * std::numeric_limits<double>::epsilon();
  for (;;) {
    const std::vector<int>&from = transposed ? column_at_ : row_at_, &to = transposed ? row_at_ : column_at_;
    Eigen::VectorXd right = Eigen::VectorXd::Zero(placed_.rows());
    for (std::size_t i = 0; i < from.size(); ++i) right[from[i]] = given[static_cast<Eigen::Index>(i)];
    Eigen::VectorXd placed = inverse(right, transposed), rest = right - product(placed, transposed);
    // Rounding of the product itself: |G| |x| is of the order of the largest entry of x.
    const auto scale = [&] { return right.lpNorm<Eigen::Infinity>() + placed.lpNorm<Eigen::Infinity>(); };
    double left = rest.lpNorm<Eigen::Infinity>();
    int iterations = 0;
    const auto reached = [&] { return left <= rounding * scale() || left <= precision * right.lpNorm<Eigen::Infinity>(); };
    for (int round = 0; round < most_rounds && !reached() && iterations < most_iterations; ++round) {
      Eigen::VectorXd better = placed;
      iterations += minimise(better, rest, transposed, std::max(0.1 * precision, 1e-12), most_iterations - iterations);
      const Eigen::VectorXd rest_now = right - product(better, transposed);
      const double now = rest_now.lpNorm<Eigen::Infinity>();
      if (!(now < left)) break;
      const bool slow = now > 0.3 * left;
      placed = better, rest = rest_now, left = now;
      if (slow) break;
    }
    iterations_ += iterations;
    const bool good = (left <= 1e-11 * scale() || left <= precision * right.lpNorm<Eigen::Infinity>()) &&
                      placed.allFinite();  // false for NaN too
    if (good || fresh_) {
      x.resize(static_cast<Eigen::Index>(to.size()));
      for (std::size_t i = 0; i < to.size(); ++i) x[static_cast<Eigen::Index>(i)] = placed[to[i]];
      return good;
    }
    if (!factorise()) return false;
  }
}

bool ListFactor::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x, double precision) { return solve(b, x, false, precision); }
bool ListFactor::solve_transposed(const Eigen::VectorXd& c, Eigen::VectorXd& y) { return solve(c, y, true, 0.0); }

}  // namespace moreau::statics

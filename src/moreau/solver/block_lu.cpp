#include "moreau/solver/block_lu.hpp"

#include <Eigen/LU>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

namespace moreau::inline solver {
namespace {

typedef double Pair __attribute__((vector_size(2 * sizeof(double)), aligned(8)));

// c -= a b, blocks of B rows of W numbers.
template <int B, int W>
inline void subtract_product(double* c, const double* a, const double* b) {
  for (int i = 0; i < B; ++i)
    for (int j = 0; j < W; j += 2) {
      Pair sum = *reinterpret_cast<const Pair*>(c + W * i + j);
      for (int k = 0; k < B; ++k) sum -= a[W * i + k] * *reinterpret_cast<const Pair*>(b + W * k + j);
      *reinterpret_cast<Pair*>(c + W * i + j) = sum;
    }
}

std::vector<int> minimum_degree(const std::vector<std::vector<int>>& neighbours) {
  const int n = static_cast<int>(neighbours.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (int a = 0; a < n; ++a)
    for (const int b : neighbours[a]) entries.emplace_back(a, b, 1.0);
  Eigen::SparseMatrix<double> graph(n, n);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(graph, permutation);
  return {permutation.indices().data(), permutation.indices().data() + n};
}

}  // namespace

template <int B>
BlockLu<B>::BlockLu(const std::vector<int>& start, const std::vector<int>& column, double most_work)
    : start_(start), column_(column) {
  const std::vector<std::vector<int>> graph = neighbours();
  order_ = minimum_degree(graph);
  place_.resize(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) place_[order_[i]] = static_cast<int>(i);
  count_work(graph, most_work);
}

template <int B>
std::vector<std::vector<int>> BlockLu<B>::neighbours() const {
  const int n = static_cast<int>(start_.size()) - 1;
  std::vector<std::vector<int>> neighbours(n);
  for (int a = 0; a < n; ++a)
    for (int k = start_[a]; k < start_[a + 1]; ++k) neighbours[a].push_back(column_[k]), neighbours[column_[k]].push_back(a);
  return neighbours;
}

// Row by row: the columns of L are found by climbing the elimination tree from each entry of the row until a row already seen
// from here. Takes no memory for the factors, and ends where the work is too much.
template <int B>
void BlockLu<B>::count_work(const std::vector<std::vector<int>>& neighbours, double most) {
  const int n = static_cast<int>(order_.size());
  std::vector<int> parent(n, -1), seen(n, -1), size(n, 0);
  work_ = static_cast<double>(n) * B * B * B;
  for (int i = 0; i < n && work_ <= most; ++i) {
    seen[i] = i;
    for (const int b : neighbours[order_[i]])
      for (int k = place_[b]; k < i && seen[k] != i; k = parent[k]) {
        if (parent[k] < 0) parent[k] = i;
        seen[k] = i;
        work_ += B * B * B * (2.0 + 2.0 * size[k]++);  // 1 + s + s^2 in all
      }
  }
}

template <int B>
void BlockLu<B>::find_pattern() {
  const int n = static_cast<int>(order_.size());
  const std::vector<std::vector<int>> graph = neighbours();
  // What row i holds right of the diagonal, the rows eliminated before it that hold i first hand on to it.
  std::vector<std::vector<int>> upper(n), lower(n), heirs(n);
  for (int i = 0; i < n; ++i) {
    std::vector<int>& row = upper[i];
    for (const int b : graph[order_[i]])
      if (place_[b] > i) row.push_back(place_[b]);
    for (const int k : heirs[i])
      for (const int j : upper[k])
        if (j > i) row.push_back(j);
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    if (!row.empty()) heirs[row.front()].push_back(i);
    for (const int j : row) lower[j].push_back(i);
  }
  upper_start_.push_back(0), lower_start_.push_back(0);
  for (int i = 0; i < n; ++i) {
    upper_.insert(upper_.end(), upper[i].begin(), upper[i].end());
    lower_.insert(lower_.end(), lower[i].begin(), lower[i].end());
    upper_start_.push_back(static_cast<int>(upper_.size())), lower_start_.push_back(static_cast<int>(lower_.size()));
  }
  upper_block_.resize(upper_.size() * block), lower_block_.resize(lower_.size() * block);
  pivot_.resize(static_cast<std::size_t>(n) * block), unit_.resize(n);
}

// Row `row` of L from `line`, which holds the row of the matrix and is left with that of U, not yet divided by the pivot.
template <int B>
void BlockLu<B>::eliminate(int row, Blocks& line) {
  for (int l = lower_start_[row]; l < lower_start_[row + 1]; ++l) {
    const int k = lower_[l];
    double *from = line.data() + static_cast<std::size_t>(k) * block,
           *L = lower_block_.data() + static_cast<std::size_t>(l) * block;
    for (int e = 0; e < block; ++e) L[e] = from[e], from[e] = 0.0;
    if (unit_[k]) continue;
    for (int u = upper_start_[k]; u < upper_start_[k + 1]; ++u)
      subtract_product<B, width>(line.data() + static_cast<std::size_t>(upper_[u]) * block, L,
                                 upper_block_.data() + static_cast<std::size_t>(u) * block);
  }
}

// Row `row` of U, divided by its pivot from the left; `line` is left empty but for the pivot.
template <int B>
void BlockLu<B>::divide(int row, Blocks& line) {
  const double* pivot = pivot_.data() + static_cast<std::size_t>(row) * block;
  for (int u = upper_start_[row]; u < upper_start_[row + 1]; ++u) {
    double *from = line.data() + static_cast<std::size_t>(upper_[u]) * block,
           *U = upper_block_.data() + static_cast<std::size_t>(u) * block;
    double minus[block] = {};
    subtract_product<B, width>(minus, pivot, from);
    for (int e = 0; e < block; ++e) U[e] = -minus[e], from[e] = 0.0;
  }
}

template <int B>
bool BlockLu<B>::factorise(const std::vector<double>& value, const std::vector<char>& unit) {
  using Stored = Eigen::Matrix<double, B, width, Eigen::RowMajor | Eigen::DontAlign>;
  const int n = static_cast<int>(order_.size());
  if (upper_start_.empty()) find_pattern();
  Blocks line(static_cast<std::size_t>(n) * block, 0.0);
  for (int i = 0; i < n; ++i) {
    const int a = order_[i];
    Eigen::Map<Stored> pivot(pivot_.data() + static_cast<std::size_t>(i) * block);
    unit_[i] = unit[a];
    pivot.setZero();
    if (unit_[i]) {
      pivot.template leftCols<B>().setIdentity();
      continue;
    }
    for (int k = start_[a]; k < start_[a + 1]; ++k) {
      double* to = line.data() + static_cast<std::size_t>(place_[column_[k]]) * block;
      for (int r = 0; r < B; ++r)
        for (int c = 0; c < B; ++c) to[width * r + c] = value[(static_cast<std::size_t>(k) * B + r) * B + c];
    }
    eliminate(i, line);
    Eigen::Map<Stored> diagonal(line.data() + static_cast<std::size_t>(i) * block);
    pivot.template leftCols<B>() = Eigen::PartialPivLU<Eigen::Matrix<double, B, B>>(diagonal.template leftCols<B>()).inverse();
    diagonal.setZero();
    if (!pivot.allFinite()) return false;
    divide(i, line);
  }
  return true;
}

template <int B>
Eigen::VectorXd BlockLu<B>::solve(const Eigen::VectorXd& right) const {
  using Part = Eigen::Matrix<double, B, 1>;
  const int n = static_cast<int>(order_.size());
  Eigen::VectorXd y(right.size()), x(right.size());
  const auto subtract = [](Part& sum, const double* M, const double* v) {
    for (int r = 0; r < B; ++r)
      for (int c = 0; c < B; ++c) sum[r] -= M[width * r + c] * v[c];
  };
  for (int i = 0; i < n; ++i) {
    Part sum = right.segment<B>(B * order_[i]), minus = Part::Zero();
    if (!unit_[i])
      for (int l = lower_start_[i]; l < lower_start_[i + 1]; ++l)
        subtract(sum, lower_block_.data() + static_cast<std::size_t>(l) * block, y.data() + B * lower_[l]);
    subtract(minus, pivot_.data() + static_cast<std::size_t>(i) * block, sum.data());
    y.segment<B>(B * i) = -minus;
  }
  for (int i = n - 1; i >= 0; --i) {
    Part sum = y.segment<B>(B * i);
    if (!unit_[i])
      for (int u = upper_start_[i]; u < upper_start_[i + 1]; ++u)
        subtract(sum, upper_block_.data() + static_cast<std::size_t>(u) * block, y.data() + B * upper_[u]);
    y.segment<B>(B * i) = sum;
    x.segment<B>(B * order_[i]) = sum;
  }
  return x;
}

template class BlockLu<2>;
template class BlockLu<3>;
template class BlockLu<6>;

}  // namespace moreau::inline solver

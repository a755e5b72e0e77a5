#include "moreau/engines/elastic/tangent_matrix.hpp"

#include <algorithm>

namespace moreau::elastic {

TangentMatrix::TangentMatrix(const Network& network, const Sparse& held) : held_(held), dimension_(network.dimension()) {
  const SparseRows& G = network.G;
  const std::size_t D = static_cast<std::size_t>(dimension_);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t c = 0; c < network.spring.size(); ++c) {
    std::vector<int> own;
    for (std::size_t k = 0; k < D; ++k)
      for (SparseRows::InnerIterator e(G, static_cast<Eigen::Index>(D * c + k)); e; ++e) own.push_back(static_cast<int>(e.col()));
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    share_.push_back({static_cast<int>(own.size()), static_cast<int>(entries.size())});
    const auto at = [&](Eigen::Index column) {
      return static_cast<std::size_t>(std::lower_bound(own.begin(), own.end(), static_cast<int>(column)) - own.begin());
    };
    const std::size_t first = value_.size();
    value_.resize(first + D * own.size(), 0.0);
    for (std::size_t k = 0; k < D; ++k)
      for (SparseRows::InnerIterator e(G, static_cast<Eigen::Index>(D * c + k)); e; ++e)
        value_[first + k * own.size() + at(e.col())] = e.value();
    for (const int i : own)
      for (const int j : own) entries.emplace_back(i, j, 0.0);
  }
  const std::size_t products = entries.size();
  for (int j = 0; j < held.cols(); ++j) entries.emplace_back(j, j, 0.0);
  matrix_.resize(G.cols(), G.cols());
  matrix_.setFromTriplets(entries.begin(), entries.end());
  matrix_.makeCompressed();
  const auto place_of = [&](int i, int j) {
    const int *begin = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[j], *end = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[j + 1];
    return static_cast<int>(std::lower_bound(begin, end, i) - matrix_.innerIndexPtr());
  };
  for (std::size_t e = 0; e < products; ++e) place_.push_back(place_of(entries[e].row(), entries[e].col()));
  for (int j = 0; j < held.cols(); ++j) diagonal_.push_back(place_of(j, j));
}

const Sparse& TangentMatrix::set(const std::vector<double>& blocks) {
  double* to = matrix_.valuePtr();
  std::fill(to, to + matrix_.nonZeros(), 0.0);
  for (std::size_t j = 0; j < diagonal_.size(); ++j)
    to[diagonal_[j]] = held_.coeff(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(j));
  const int D = dimension_;
  const double* g = value_.data();
  const double* T = blocks.data();
  for (const Share& s : share_) {
    const int* place = place_.data() + s.place;
    for (int i = 0; i < s.columns; ++i) {
      double left[3] = {};  // column i of G, transposed, times the block
      for (int k = 0; k < D; ++k)
        for (int l = 0; l < D; ++l) left[l] += g[k * s.columns + i] * T[k * D + l];
      for (int j = 0; j < s.columns; ++j) {
        double sum = 0.0;
        for (int l = 0; l < D; ++l) sum += left[l] * g[l * s.columns + j];
        to[*place++] += sum;
      }
    }
    g += D * s.columns, T += D * D;
  }
  return matrix_;
}

}  // namespace moreau::elastic

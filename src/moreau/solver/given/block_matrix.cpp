#include "moreau/solver/given/block_matrix.hpp"

#include <algorithm>

namespace moreau::inline solver {

BlockMatrix block_matrix(const Eigen::SparseMatrix<double, Eigen::RowMajor>& matrix, int dimension) {
  const int d = dimension, rows = static_cast<int>(matrix.rows()) / d;
  BlockMatrix blocks;
  blocks.dimension = d;
  blocks.diagonal.resize(rows);
  std::vector<int> place_of(rows, -1), columns;
  for (int a = 0; a < rows; ++a) {
    columns.assign(1, a);
    place_of[a] = 0;
    for (int i = d * a; i < d * (a + 1); ++i)
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator entry(matrix, i); entry; ++entry) {
        const int b = static_cast<int>(entry.col()) / d;
        if (place_of[b] >= 0 || entry.value() == 0.0) continue;
        place_of[b] = 0;
        columns.push_back(b);
      }
    std::sort(columns.begin(), columns.end());
    for (const int b : columns) {
      place_of[b] = static_cast<int>(blocks.column.size());
      blocks.column.push_back(b);
    }
    blocks.diagonal[a] = place_of[a];
    blocks.value.resize(blocks.column.size() * d * d, 0.0);
    for (int i = 0; i < d; ++i)
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator entry(matrix, d * a + i); entry; ++entry)
        if (entry.value() != 0.0) {
          const int b = static_cast<int>(entry.col()) / d, j = static_cast<int>(entry.col()) % d;
          blocks.value[(static_cast<std::size_t>(place_of[b]) * d + i) * d + j] += entry.value();
        }
    for (const int b : columns) place_of[b] = -1;
    blocks.start.push_back(static_cast<int>(blocks.column.size()));
  }
  return blocks;
}

Eigen::SparseMatrix<double> column_major(const BlockMatrix& matrix) {
  const int d = matrix.dimension;
  Eigen::SparseMatrix<double, Eigen::RowMajor> rows(matrix.size(), matrix.size());
  rows.reserve(static_cast<Eigen::Index>(matrix.value.size()));
  for (int a = 0; a < matrix.rows(); ++a)
    for (int i = 0; i < d; ++i) {
      rows.startVec(d * a + i);
      for (int place = matrix.start[a]; place < matrix.start[a + 1]; ++place)
        for (int j = 0; j < d; ++j) rows.insertBack(d * a + i, d * matrix.column[place] + j) = matrix.block(place)[d * i + j];
    }
  rows.finalize();
  return rows;
}

namespace {

template <int D>
Eigen::VectorXd multiply(const BlockMatrix& matrix, const Eigen::VectorXd& x, const Eigen::VectorXd& first) {
  Eigen::VectorXd sum(matrix.size());
  for (int a = 0; a < matrix.rows(); ++a) {
    const Vec<D> part = matrix.row_times<D>(a, x.data(), first.data());
    for (int i = 0; i < D; ++i) sum[D * a + i] = part[i];
  }
  return sum;
}

}  // namespace

Eigen::VectorXd multiply_add(const BlockMatrix& matrix, const Eigen::VectorXd& x, const Eigen::VectorXd& first) {
  return matrix.dimension == 2 ? multiply<2>(matrix, x, first) : multiply<3>(matrix, x, first);
}

}  // namespace moreau::inline solver

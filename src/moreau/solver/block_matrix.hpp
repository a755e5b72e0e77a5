// Square sparse matrix of D x D blocks, stored by rows of blocks: block (a, b) is the velocity that unit impulses at contact b
// bring to contact a. Every diagonal block is stored. D is 2 or 3, known when the program runs.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "moreau/law/delassus_block.hpp"

namespace moreau {

struct BlockMatrix {
  int dimension = 3;          // D
  std::vector<int> start{0};  // blocks of row a: start[a] .. start[a + 1] - 1, by rising column
  std::vector<int> column;    // of each block
  std::vector<double> value;  // D * D numbers per block, row by row
  std::vector<int> diagonal;  // place of block (a, a)

  int rows() const { return static_cast<int>(start.size()) - 1; }  // of blocks
  int size() const { return dimension * rows(); }                  // of numbers
  const double* block(int place) const { return value.data() + static_cast<std::size_t>(place) * dimension * dimension; }

  template <int D>
  DelassusBlock<D> diagonal_block(int row) const {  // symmetric part
    DelassusBlock<D> H;
    const double* b = block(diagonal[row]);
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) H.c[i][j] = 0.5 * (b[D * i + j] + b[D * j + i]);
    return H;
  }

  // Row a of (start + W x): what the sweeps of Gauss-Seidel need.
  template <int D>
  Vec<D> row_times(int row, const double* x, const double* first) const {
    Vec<D> sum;
    for (int i = 0; i < D; ++i) sum[i] = first[D * row + i];
    for (int place = start[row]; place < start[row + 1]; ++place) {
      const double* b = value.data() + static_cast<std::size_t>(place) * D * D;
      const double* part = x + D * column[place];
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) sum[i] += b[D * i + j] * part[j];
    }
    return sum;
  }
};

BlockMatrix block_matrix(const Eigen::SparseMatrix<double, Eigen::RowMajor>& matrix, int dimension);
Eigen::SparseMatrix<double> column_major(const BlockMatrix& matrix);  // zeros inside blocks are kept: one pattern for all uses
Eigen::VectorXd multiply_add(const BlockMatrix& matrix, const Eigen::VectorXd& x, const Eigen::VectorXd& first);  // first + W x

}  // namespace moreau

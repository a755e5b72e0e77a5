// Square sparse matrix of D x D blocks, stored by rows of blocks: block (a, b) is the velocity that unit impulses at contact b
// bring to contact a. Every diagonal block is stored. D is 2 or 3, known when the program runs.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "moreau/law/delassus_block.hpp"

namespace moreau::inline solver {

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

  // Row a of (first + W x): what the sweeps of Gauss-Seidel need. Two numbers at a time, five (plane: two) sums that do not wait
  // for one another; the order of additions is fixed.
  template <int D>
  Vec<D> row_times(int row, const double* x, const double* first) const {
    Pair sum[D] = {};
    double rest = 0.0;
    [[maybe_unused]] Pair crossing = {};  // space: end of the first row of the block, begin of the second
    const double* b = value.data() + static_cast<std::size_t>(start[row]) * D * D;
    for (int place = start[row]; place < start[row + 1]; ++place, b += D * D) {
      const double* part = x + D * column[place];
      const Pair head = pair(part);
      if constexpr (D == 2) {
        sum[0] += pair(b) * head;
        sum[1] += pair(b + 2) * head;
      } else {
        sum[0] += pair(b) * head;
        crossing += pair(b + 2) * Pair{part[2], part[0]};
        sum[1] += pair(b + 4) * pair(part + 1);
        sum[2] += pair(b + 6) * head;
        rest += b[8] * part[2];
      }
    }
    Vec<D> total;
    for (int i = 0; i < D; ++i) total[i] = first[D * row + i] + (sum[i][0] + sum[i][1]);
    if constexpr (D == 3) total[0] += crossing[0], total[1] += crossing[1], total[2] += rest;
    return total;
  }

 private:
  typedef double Pair __attribute__((vector_size(2 * sizeof(double))));
  static Pair pair(const double* p) { return Pair{p[0], p[1]}; }
};

BlockMatrix block_matrix(const Eigen::SparseMatrix<double, Eigen::RowMajor>& matrix, int dimension);
Eigen::SparseMatrix<double> column_major(const BlockMatrix& matrix);  // zeros inside blocks are kept: one pattern for all uses
Eigen::VectorXd multiply_add(const BlockMatrix& matrix, const Eigen::VectorXd& x, const Eigen::VectorXd& first);  // first + W x

}  // namespace moreau::inline solver

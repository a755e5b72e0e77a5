// LU factors (diagonal of U: ones) of a sparse matrix of B x B blocks, for Newton steps: one pattern, factorised hundreds of
// times. The order of elimination (minimum degree) and the pattern of the factors are found once; pivots are the diagonal blocks
// in that order. Where the graph of the contacts is loose (piles of rocks, grains in the plane) this costs a small part of a
// general sparse LU, which searches its pivots and plans its fronts each time.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <vector>

namespace moreau::inline solver {

template <int B>
class BlockLu {
 public:
  // Blocks of row a: columns column[start[a]] ... column[start[a + 1] - 1], the diagonal among them. Memory for the factors is
  // taken by the first factorisation.
  BlockLu(const std::vector<int>& start, const std::vector<int>& column, double most_work = HUGE_VAL);

  double work() const { return work_; }  // multiplications of one factorisation; where it exceeds `most_work`, that or more

  // B x B numbers per block, row by row. Rows in `unit` are those of the identity, whatever is in `value`. False if a pivot is
  // singular.
  bool factorise(const std::vector<double>& value, const std::vector<char>& unit);
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;

 private:
  static constexpr int width = B % 2 == 0 ? B : B + 1;  // numbers per row of a stored block: even
  static constexpr int block = B * width;
  using Blocks = std::vector<double>;

  void count_work(const std::vector<std::vector<int>>& neighbours, double most);
  void find_pattern();
  std::vector<std::vector<int>> neighbours() const;  // of each row, in the symmetric pattern
  void eliminate(int row, Blocks& line);
  void divide(int row, Blocks& line);

  const std::vector<int> start_, column_;
  std::vector<int> order_, place_;            // old number of each row in the order of elimination, and the inverse
  std::vector<int> upper_start_, upper_;      // columns of U right of the diagonal
  std::vector<int> lower_start_, lower_;      // columns of L
  Blocks upper_block_, lower_block_, pivot_;  // pivot_: inverses of the diagonal blocks of L
  std::vector<char> unit_;                    // in the order of elimination
  double work_ = 0.0;
};

}  // namespace moreau::inline solver

// A sparse matrix written row after row, each with few entries in any order; entries of the same column add up.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "moreau/statics/contact_matrix.hpp"

namespace moreau::statics {

class RowsInOrder {
 public:
  RowsInOrder(int rows, int columns, Eigen::Index entries) : matrix_(rows, columns) { matrix_.reserve(entries); }

  void put(int column, double value) { row_.emplace_back(column, value); }
  void end_row() {
    std::stable_sort(row_.begin(), row_.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
    matrix_.startVec(at_);
    for (std::size_t k = 0; k < row_.size(); ++k)
      if (k > 0 && row_[k].first == row_[k - 1].first)
        matrix_.valuePtr()[matrix_.outerIndexPtr()[at_ + 1] - 1] += row_[k].second;
      else
        matrix_.insertBack(at_, row_[k].first) = row_[k].second;
    row_.clear(), ++at_;
  }
  SparseRows take() {
    matrix_.finalize();
    return std::move(matrix_);
  }

 private:
  SparseRows matrix_;
  std::vector<std::pair<int, double>> row_;
  int at_ = 0;
};

}  // namespace moreau::statics

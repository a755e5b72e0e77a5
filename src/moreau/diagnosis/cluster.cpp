#include "moreau/diagnosis/cluster.hpp"

#include "moreau/diagnosis/cone_program.hpp"

namespace moreau::diagnosis {

ConeProblem part_of(const ConeProblem& whole, const std::vector<int>& contacts) {
  const int D = whole.dimension;
  std::vector<int> number(static_cast<std::size_t>(whole.balance.rows()), -1);
  std::vector<Eigen::Triplet<double>> entries;
  int rows = 0;
  ConeProblem part;
  part.dimension = D;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    part.friction.push_back(whole.friction[static_cast<std::size_t>(contacts[k])]);
    for (int d = 0; d < D; ++d)
      for (Eigen::SparseMatrix<double>::InnerIterator e(whole.balance, D * contacts[k] + d); e; ++e) {
        int& row = number[static_cast<std::size_t>(e.row())];
        if (row < 0) row = rows++;
        entries.emplace_back(row, D * static_cast<int>(k) + d, e.value());
      }
  }
  part.balance.resize(rows, D * static_cast<Eigen::Index>(contacts.size()));
  part.balance.setFromTriplets(entries.begin(), entries.end());
  return part;
}

}  // namespace moreau::diagnosis

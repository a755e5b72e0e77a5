#include "moreau/solver/given/local_parts.hpp"

#include <algorithm>

#include "moreau/solver/connected_parts.hpp"

namespace moreau::inline solver {
namespace {

// Rows of M that these contacts act on, and those tied to them by M.
std::vector<int> rows_behind(const BodyForm& bodies, const std::vector<int>& contacts, int dimension) {
  const Eigen::SparseMatrix<double>&M = bodies.mass(), &H = bodies.contacts();
  std::vector<char> met(M.rows(), 0);
  std::vector<int> rows;
  const auto meet = [&](Eigen::Index row) {
    if (!met[row]) met[row] = 1, rows.push_back(static_cast<int>(row));
  };
  for (const int a : contacts)
    for (int k = 0; k < dimension; ++k)
      for (Eigen::SparseMatrix<double>::InnerIterator e(H, dimension * a + k); e; ++e) meet(e.row());
  for (std::size_t next = 0; next < rows.size(); ++next)
    for (Eigen::SparseMatrix<double>::InnerIterator e(M, rows[next]); e; ++e) meet(e.row());
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::shared_ptr<const BodyForm> bodies_of(const BodyForm& bodies, const std::vector<int>& contacts, int dimension) {
  const std::vector<int> rows = rows_behind(bodies, contacts, dimension);
  std::vector<int> place(bodies.mass().rows(), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) place[rows[i]] = static_cast<int>(i);
  const int size = static_cast<int>(rows.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < size; ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator e(bodies.mass(), rows[j]); e; ++e)
      entries.emplace_back(place[e.row()], j, e.value());
  Eigen::SparseMatrix<double> M(size, size), H(size, dimension * static_cast<int>(contacts.size()));
  M.setFromTriplets(entries.begin(), entries.end());
  entries.clear();
  for (std::size_t k = 0; k < contacts.size(); ++k)
    for (int i = 0; i < dimension; ++i)
      for (Eigen::SparseMatrix<double>::InnerIterator e(bodies.contacts(), dimension * contacts[k] + i); e; ++e)
        entries.emplace_back(place[e.row()], dimension * static_cast<int>(k) + i, e.value());
  H.setFromTriplets(entries.begin(), entries.end());
  return std::make_shared<const BodyForm>(M, H, dimension);
}

}  // namespace

std::vector<std::vector<int>> parts_of(const BlockMatrix& matrix) {
  ConnectedParts joined(matrix.rows());
  for (int a = 0; a < matrix.rows(); ++a)
    for (int place = matrix.start[a]; place < matrix.start[a + 1]; ++place) joined.join(a, matrix.column[place]);
  return joined.parts();
}

LocalProblem part_of(const LocalProblem& problem, const std::vector<int>& contacts) {
  const BlockMatrix& W = problem.delassus;
  const int d = problem.dimension();
  LocalProblem part;
  part.shift = problem.shift;
  part.free = gather(problem.free, contacts, d);
  part.delassus.dimension = d;
  for (const int a : contacts) {
    part.friction.push_back(problem.friction[a]);
    for (int place = W.start[a]; place < W.start[a + 1]; ++place) {
      const int column = static_cast<int>(std::lower_bound(contacts.begin(), contacts.end(), W.column[place]) - contacts.begin());
      if (W.column[place] == a) part.delassus.diagonal.push_back(static_cast<int>(part.delassus.column.size()));
      part.delassus.column.push_back(column);
      part.delassus.value.insert(part.delassus.value.end(), W.block(place), W.block(place) + d * d);
    }
    part.delassus.start.push_back(static_cast<int>(part.delassus.column.size()));
  }
  if (problem.bodies) part.bodies = bodies_of(*problem.bodies, contacts, d);
  return part;
}

Eigen::VectorXd gather(const Eigen::VectorXd& all, const std::vector<int>& contacts, int dimension) {
  Eigen::VectorXd part(dimension * static_cast<Eigen::Index>(contacts.size()));
  for (std::size_t k = 0; k < contacts.size(); ++k)
    part.segment(dimension * static_cast<Eigen::Index>(k), dimension) = all.segment(dimension * contacts[k], dimension);
  return part;
}

void scatter(const Eigen::VectorXd& part, const std::vector<int>& contacts, int dimension, Eigen::VectorXd& all) {
  for (std::size_t k = 0; k < contacts.size(); ++k)
    all.segment(dimension * contacts[k], dimension) = part.segment(dimension * static_cast<Eigen::Index>(k), dimension);
}

}  // namespace moreau::inline solver

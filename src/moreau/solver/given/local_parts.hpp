// Parts of a problem: sets of contacts between which W has no entry. They do not feel one another, so each can be solved by the
// method it needs, for as long as it needs; in a pile most are small.
#pragma once

#include <vector>

#include "moreau/solver/given/local_problem.hpp"

namespace moreau::inline solver {

// The contacts of each part, rising; parts in the order of their first contact.
std::vector<std::vector<int>> parts_of(const BlockMatrix& matrix);

// The problem of these contacts alone, which must be a part. Contacts keep their order.
LocalProblem part_of(const LocalProblem& problem, const std::vector<int>& contacts);

// The components of these contacts out of a vector over all, and back.
Eigen::VectorXd gather(const Eigen::VectorXd& all, const std::vector<int>& contacts, int dimension);
void scatter(const Eigen::VectorXd& part, const std::vector<int>& contacts, int dimension, Eigen::VectorXd& all);

}  // namespace moreau::inline solver

#include "moreau/statics/load_factor.hpp"

namespace moreau::statics {

LoadFactor load_factor(const SparseRows& G, int dimension, const std::vector<double>& friction, const Eigen::VectorXd& F0,
                       const Eigen::VectorXd& F1, const Stopwatch& watch, const std::vector<bool>& without) {
  const int contacts = static_cast<int>(friction.size()), forces = dimension * contacts;
  // The factor enters as the normal force of one more contact, without friction, that brings F1.
  diagnosis::ConeProblem problem;
  problem.dimension = dimension;
  problem.friction = friction;
  problem.friction.push_back(0.0);
  if (!without.empty()) {
    problem.support.assign(friction.size() + 1, diagnosis::Support::cone);
    for (std::size_t c = 0; c < without.size(); ++c)
      if (without[c]) problem.support[c] = diagnosis::Support::none;
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (int row = 0; row < G.rows(); ++row)
    for (SparseRows::InnerIterator e(G, row); e; ++e)
      if (e.value() != 0.0) entries.emplace_back(static_cast<int>(e.col()), row, e.value());
  for (int j = 0; j < F1.size(); ++j)
    if (F1[j] != 0.0) entries.emplace_back(j, forces, F1[j]);
  problem.balance.resize(G.cols(), forces + dimension);
  problem.balance.setFromTriplets(entries.begin(), entries.end());
  problem.right = -F0;
  Eigen::VectorXd cost = Eigen::VectorXd::Zero(forces + dimension);
  cost[forces] = -1.0;
  const diagnosis::Optimum best = diagnosis::ConeProgram(problem, watch).minimise(cost);
  LoadFactor factor;
  factor.found = best.found, factor.motion = best.motion;
  if (best.found != diagnosis::Found::optimum) return factor;
  factor.value = -best.value, factor.bound = -best.bound;
  factor.force = best.impulse.head(forces);
  return factor;
}

}  // namespace moreau::statics

// Equilibrium of a network under a load: u with Gt f(u) + F = 0, from an equilibrium near by.
//
//   Newton:  (Gt T G) du = Gt f + F     T = df/dd; sparse LU, as T is not symmetric where contacts slide by Coulomb's rule
//   Nguyen:  (Gt k G) du = Gt f + F     the elastic operator, sparse Cholesky, factorised once (Nguyen 1977)
//
// Steps of Newton are halved until the imbalance falls. Where no halving helps, by Coulomb's rule a round follows with friction
// bounded by the normal forces as they are (a convex problem), and in the plane, from where it ends, the branch of equilibria
// that leads to the load (branch.hpp); where none of them helps, a round of the second kind, slower and surer. Motions that no
// spring opposes (loose bodies, a periodic packing as a whole) are held by a trace of stiffness that enters the operators only,
// not the imbalance: it slows convergence and does not change what is converged to.
#pragma once

#include <memory>

#include "moreau/engines/elastic/network.hpp"

namespace moreau::elastic {

struct Settings {
  double tolerance = 1e-9;  // largest imbalance of a freedom, relative to the largest contact force or load
  int most_newton = 60;     // steps of Newton
  int most_nguyen = 2000;   // steps with the elastic operator
  double farthest = 0.1;    // no freedom may move further [length]: beyond it displacements are not small
  int most_bounded = 200;   // rounds with friction bounded by the normal forces of the round before
  int most_corners = 2000;  // of a branch of equilibria, in the plane
};

struct Found {
  bool converged = false;
  Rest rest;
  Answer contacts;
  double imbalance = 0.0;  // largest component, relative as in the settings
  int newton = 0, bounded = 0, nguyen = 0, corners = 0;
};

// How long an equilibrium is looked for by Coulomb's rule: rounds go on as long as they gain, and for so many more. Who can ask for
// a smaller increment instead asks briefly.
enum class Search : std::uint8_t { brief, thorough };

class Equilibrium {
 public:
  Equilibrium(const Network& network, const Settings& settings);
  ~Equilibrium();
  const Network& network() const { return network_; }

  // Slips count from `start`; `guess`, if given, is where the search begins.
  Found find(const Rest& start, const Eigen::VectorXd& F, const Eigen::VectorXd* guess = nullptr, Search search = Search::thorough) const;
  // How all would answer to a load if every contact stuck: displacement.
  Eigen::VectorXd elastic_response(const Eigen::VectorXd& F) const;

 private:
  struct Factors;
  bool newton_step(const Eigen::VectorXd& slip, const Eigen::VectorXd& F, Found& found, Eigen::VectorXd& imbalance) const;

  bool take_branch(const Eigen::VectorXd& slip, const Eigen::VectorXd& F, Found& found, Eigen::VectorXd& imbalance) const;
  void bounded_round(const Eigen::VectorXd& slip, const Eigen::VectorXd& F, Found& found, Eigen::VectorXd& imbalance) const;

  const Network& network_;
  Settings settings_;
  Sparse held_;  // the trace of stiffness
  std::unique_ptr<Factors> factors_;
};

}  // namespace moreau::elastic

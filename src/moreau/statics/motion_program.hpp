// Small motions under constant loads as a linear program (Combe 2001, sec. 4.3.5, in the words of linear programming):
//
//   maximise  F . u    subject to   G u >= -gap  at every near pair,    |u| <= reach  for every freedom
//
// Its multipliers are contact forces: Gt f + F = 0 wherever `reach` does not bind, f >= 0, f gap = 0. A vertex has as many tight
// rows as freedoms: an isostatic list. Solved by COIN-OR CLP; a program starts from the basis of the one before, pair by pair.
#pragma once

#include <Eigen/Core>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "moreau/statics/contact_matrix.hpp"

namespace moreau::statics {

struct Motion {
  bool found = false;
  Eigen::VectorXd displacement;  // u
  Eigen::VectorXd force;         // f of every pair
  double gain = 0.0;             // F . u: by so much the potential energy falls
  int pivots = 0;
};

class MotionProgram {
 public:
  // `reach` of every freedom.
  Motion solve(const SparseRows& G, const Eigen::VectorXd& gap, const Eigen::VectorXd& F, const Eigen::VectorXd& reach,
               std::span<const Pair> pairs);

 private:
  std::map<Pair, unsigned char> row_status_;
  std::vector<unsigned char> column_status_;
};

}  // namespace moreau::statics

// The method under the hypothesis of small perturbations (Combe 2001, sec. 4.3.5): normals stay as they are at the equilibrium it
// starts from. One contact opens, the bodies move on a straight line until the first linearised gap closes, and the new list
// always supports the load. Each step is one pivot of the linear program
//
//   maximise  F(s) . u    subject to   G u >= -gap  at all pairs of bodies that carry
//
// whose optimal vertex is the displacement u since the start: beyond the supported range an edge, G v = 0 on the list but for the
// contact that opens, leads to the next vertex. Bodies that carry nothing at the start take no part; loads stay as large as the
// faces at the start make them.
#pragma once

#include "moreau/engines/geometric/support.hpp"

namespace moreau::geometric {

struct Pivot {
  double from = 0.0, at = 0.0;  // load parameter: supported from ... at
  bool moved = false;           // false: supported to the end of the path
  bool endless = false;         // nothing closes: the load is not supported however far the bodies move
  Pair opened, closed;
  double length = 0.0;  // of the edge: opening of the contact that opened [length]
};

template <int D>
class SmallPerturbations {
 public:
  // The state is an equilibrium; pairs within `distance` may close.
  SmallPerturbations(const Model<D>& model, const State<D>& state, const Load<D>& from, const Load<D>& to, double distance);

  // The next pivot at parameters from `at` to 1.
  Pivot next(double at);

  const statics::Freedoms<D>& freedoms() const { return freedoms_; }
  const Eigen::VectorXd& displacement() const { return u_; }
  Eigen::VectorXd force(double at) const { return from_ + at * change_; }  // F
  // All pairs, their operator and gaps at the start: the linear program.
  const std::vector<Pair>& pairs() const { return pairs_; }
  const statics::SparseRows& matrix() const { return G_; }
  const Eigen::VectorXd& gap() const { return gap_; }
  const std::vector<int>& list() const { return list_; }  // of the pairs, those that hold

 private:
  void set_factor();

  statics::Freedoms<D> freedoms_;
  std::vector<Pair> pairs_;
  statics::SparseRows G_;
  Eigen::VectorXd gap_, from_, change_, u_;
  std::vector<int> list_;
  statics::ListFactor factor_;
};

}  // namespace moreau::geometric

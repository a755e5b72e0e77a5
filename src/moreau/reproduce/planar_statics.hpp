// A small planar assembly at rest, written out: balance of its bodies as a matrix, so that all its admissible contact forces can
// be described exactly (linear programs) and found one by one (dense Gauss-Seidel from any start, in any order).
//
//   forces f of a step [impulse], contact by contact, normal then tangential:   G^T f + p = 0   and   |f_T| <= mu f_N
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "moreau/scene/scene.hpp"
#include "moreau/solver/dense_problem.hpp"

namespace moreau::reproduce {

struct PlanarStatics {
  Eigen::MatrixXd G;             // 2 rows per contact, 3 columns per free body (x, y, rotation)
  Eigen::VectorXd inertia;       // m, m, I per free body
  Eigen::VectorXd load;          // p: h times weight
  std::vector<double> friction;  // per contact
  double weight = 0.0;           // of all free bodies, over a step [impulse]
  std::vector<Vec<2>> point, normal;
  std::vector<std::int32_t> a, b;  // bodies of the contacts; b < 0 is a wall

  int contacts() const { return static_cast<int>(friction.size()); }
  DenseProblem problem() const;
  // Largest speed that the forces leave, over h g.
  double unrest(const Eigen::VectorXd& force) const;
};

// The contacts of the scene where its bodies stand at the start.
PlanarStatics planar_statics(const Scene<2>& scene);

// Vertices of the exact set of (f_N, f_T) of one contact over all admissible forces, in order around it: support points in
// `directions` directions, by linear programs (COIN-OR CLP). Empty if nothing is admissible or the set is unbounded.
std::vector<Vec<2>> admissible_set(const PlanarStatics& statics, int contact, int directions);

}  // namespace moreau::reproduce

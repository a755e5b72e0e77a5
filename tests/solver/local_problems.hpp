// Random problems for the solvers of given matrices.
#pragma once

#include "moreau/base/random.hpp"
#include "moreau/solver/given/dense_problem.hpp"
#include "oracle/rigid_system.hpp"

namespace moreau {

inline Eigen::MatrixXd random_entries(RandomStream& random, int rows, int columns) {
  Eigen::MatrixXd m(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) m(i, j) = random.uniform(-1, 1);
  return m;
}

// W = B B^T + 0.05: contacts of arbitrary bodies, every impulse unique.
inline DenseProblem coupled_contacts(RandomStream& random, int dimension, int contacts, double largest_friction) {
  const int size = dimension * contacts;
  const Eigen::MatrixXd B = random_entries(random, size, size);
  DenseProblem p;
  p.dimension = dimension;
  p.delassus = B * B.transpose() / size + 0.05 * Eigen::MatrixXd::Identity(size, size);
  p.free = random_entries(random, size, 1);
  for (int a = 0; a < contacts; ++a) p.friction.push_back(largest_friction * random.uniform());
  return p;
}

// A stone on `feet` feet, pushed: W has rank 3, hyperstatic beyond one foot and a half.
//
//      ______________
//     |      G  ->   |
//     |______________|
//     o    o    o    o
inline DenseProblem stone(int feet, double mu, const Eigen::Vector3d& push) {
  oracle::RigidSystem body;
  body.add_body(1.0, 0.5);
  for (int k = 0; k < feet; ++k) body.add_contact(0, {-1.0 + 2.0 * k / (feet - 1), -0.5}, {0, 1}, {mu, 0, 0});
  return body.problem(Eigen::Vector3d::Zero(), push);
}

// A wall of bricks in running bond, pushed sideways by a fraction `tilt` of its weight: hyperstatic masonry in the plane. Two
// contacts where bricks lie on each other; weight m g h = 1 each, bricks 2 x 1.
//
//   |___|___|
//   _|___|___|_
inline DenseProblem wall(int courses, int bricks, double mu, double tilt) {
  oracle::RigidSystem masonry;
  for (int b = 0; b < courses * bricks; ++b) masonry.add_body(1.0, (4.0 + 1.0) / 12.0);
  const auto centre = [&](int course, int k) { return 2.0 * k + (course % 2); };
  for (int course = 0; course < courses; ++course)
    for (int k = 0; k < bricks; ++k) {
      const int body = course * bricks + k;
      const double x = centre(course, k);
      if (course == 0) {
        for (const double arm : {-1.0, 1.0}) masonry.add_contact(body, {arm, -0.5}, {0, 1}, {mu, 0, 0});
        continue;
      }
      for (int below = 0; below < bricks; ++below) {
        const double left = std::max(x, centre(course - 1, below)) - 1.0, right = std::min(x, centre(course - 1, below)) + 1.0;
        if (right - left < 0.1) continue;
        for (const double at : {left, right})
          masonry.add_contact(body, {at - x, -0.5}, {0, 1}, {mu, 0, 0}, (course - 1) * bricks + below,
                              {at - centre(course - 1, below), 0.5});
      }
    }
  const int size = 3 * courses * bricks;
  Eigen::VectorXd free = Eigen::VectorXd::Zero(size);
  for (int b = 0; b < courses * bricks; ++b) free[3 * b] = tilt, free[3 * b + 1] = -1.0;
  return masonry.problem(Eigen::VectorXd::Zero(size), free);
}

}  // namespace moreau

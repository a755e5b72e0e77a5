// Rigid bodies in the plane and their contact points, written out as matrices: A (diagonal), G, script W, and from them the dense
// problem of one Moreau step with formal velocities. Degrees of freedom per body: x, y, rotation (counter-clockwise).
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "moreau/law/pair_law.hpp"
#include "moreau/solver/given/dense_problem.hpp"

namespace moreau::oracle {

struct RigidSystem {
  std::vector<double> inertia;          // diagonal of A: m, m, I for each body
  std::vector<Eigen::RowVectorXd> row;  // rows of G, normal then tangent for each contact
  std::vector<double> drift;            // script W: minus the velocity of the obstacle, same order
  std::vector<PairLaw> law;             // one per contact

  int add_body(double mass, double moment) {
    for (const double value : {mass, mass, moment}) inertia.push_back(value);
    return static_cast<int>(inertia.size() / 3) - 1;
  }

  // Contact of `body` at `arm` from its centre; unit normal toward the body; tangent = normal turned by -90 degrees, so that a
  // floor (normal up) has its tangent to the right. `other` < 0: an obstacle whose point moves with obstacle_velocity.
  void add_contact(int body, Eigen::Vector2d arm, Eigen::Vector2d normal, PairLaw contact_law, int other = -1,
                   Eigen::Vector2d other_arm = {0, 0}, Eigen::Vector2d obstacle_velocity = {0, 0}) {
    const Eigen::Vector2d tangent(normal.y(), -normal.x());
    for (const Eigen::Vector2d& d : {normal, tangent}) {
      Eigen::RowVectorXd g = Eigen::RowVectorXd::Zero(static_cast<int>(inertia.size()));
      g.segment<3>(3 * body) << d.x(), d.y(), arm.x() * d.y() - arm.y() * d.x();
      if (other >= 0) g.segment<3>(3 * other) << -d.x(), -d.y(), -(other_arm.x() * d.y() - other_arm.y() * d.x());
      row.push_back(g);
      drift.push_back(-d.dot(obstacle_velocity));
    }
    law.push_back(contact_law);
  }

  Eigen::VectorXd A() const { return Eigen::Map<const Eigen::VectorXd>(inertia.data(), static_cast<int>(inertia.size())); }
  Eigen::MatrixXd G() const {
    Eigen::MatrixXd g = Eigen::MatrixXd::Zero(static_cast<int>(row.size()), static_cast<int>(inertia.size()));
    for (std::size_t i = 0; i < row.size(); ++i) g.row(i).head(row[i].size()) = row[i];
    return g;
  }

  // u_free: velocity at the end of the step if there were no contact, u_i + h A^-1 F. Moreau 2003, eq. 40.
  DenseProblem problem(const Eigen::VectorXd& u_initial, const Eigen::VectorXd& u_free) const {
    const Eigen::MatrixXd g = G();
    DenseProblem p;
    p.delassus = g * A().cwiseInverse().asDiagonal() * g.transpose();
    p.free = g * u_free;
    const Eigen::VectorXd before = g * u_initial;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const PairLaw& l = law[i / 2];
      const double e = i % 2 == 0 ? l.normal_restitution : l.tangential_restitution;
      p.free[i] += e * before[i] + (1.0 + e) * drift[i];
    }
    for (const PairLaw& l : law) p.friction.push_back(l.friction);
    return p;
  }

  Eigen::VectorXd velocity_after(const Eigen::VectorXd& u_free, const Eigen::VectorXd& impulse) const {
    return u_free + A().cwiseInverse().asDiagonal() * (G().transpose() * impulse);
  }

  double kinetic_energy(const Eigen::VectorXd& u) const { return 0.5 * u.dot(A().cwiseProduct(u)); }
};

}  // namespace moreau::oracle

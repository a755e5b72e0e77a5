// Balls (discs in the plane, spheres in space) and their contacts with one another and with driven walls, written out in full:
// H (contacts to bodies, transposed), masses, and from them W = H^T M^-1 H and q. Axes of a contact: normal toward `ball`, then
// tangents, turned about the normal by any angle.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "moreau/solver/given/dense_problem.hpp"

namespace moreau::oracle {

template <int D>
class BallSystem {
 public:
  using Vector = Eigen::Matrix<double, D, 1>;
  static constexpr int spins = D == 2 ? 1 : 3, freedoms = D + spins;

  int add_ball(double mass, double radius, const Vector& velocity) {
    for (int k = 0; k < D; ++k) inertia_.push_back(mass), velocity_.push_back(velocity[k]);
    for (int k = 0; k < spins; ++k) inertia_.push_back((D == 2 ? 0.5 : 0.4) * mass * radius * radius), velocity_.push_back(0.0);
    radius_.push_back(radius);
    return static_cast<int>(radius_.size()) - 1;
  }

  // Returns the number of the contact. `other` < 0: a wall that comes along the normal at `speed`.
  int add_contact(int ball, const Vector& normal, double friction, int other = -1, double speed = 0.0, double turned = 0.0) {
    Contact c{ball, other, speed, friction, {}};
    c.axes.col(0) = normal;
    if constexpr (D == 2) {
      c.axes.col(1) << normal[1], -normal[0];
    } else {
      const Vector aside = std::abs(normal[0]) < 0.5 ? Vector(1, 0, 0) : Vector(0, 1, 0);
      const Vector s = normal.cross(aside).normalized(), t = normal.cross(s);
      c.axes.col(1) = std::cos(turned) * s + std::sin(turned) * t, c.axes.col(2) = normal.cross(Vector(c.axes.col(1)));
    }
    contacts_.push_back(c);
    return static_cast<int>(contacts_.size()) - 1;
  }

  Eigen::MatrixXd H() const {
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(static_cast<int>(inertia_.size()), D * static_cast<int>(contacts_.size()));
    for (std::size_t c = 0; c < contacts_.size(); ++c)
      for (int k = 0; k < D; ++k) {
        const Contact& contact = contacts_[c];
        const Vector axis = contact.axes.col(k), normal = contact.axes.col(0);
        const int column = D * static_cast<int>(c) + k;
        put(all, contact.ball, column, axis, -radius_[contact.ball] * normal);
        if (contact.other >= 0) put(all, contact.other, column, -axis, radius_[contact.other] * normal);
      }
    return all;
  }

  DenseProblem problem() const {
    const Eigen::MatrixXd h = H();
    const Eigen::Map<const Eigen::VectorXd> inertia(inertia_.data(), static_cast<int>(inertia_.size())),
        velocity(velocity_.data(), static_cast<int>(velocity_.size()));
    DenseProblem p;
    p.dimension = D;
    p.delassus = h.transpose() * inertia.cwiseInverse().asDiagonal() * h;
    p.free = h.transpose() * velocity;
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      p.free[D * static_cast<int>(c)] -= contacts_[c].speed;
      p.friction.push_back(contacts_[c].friction);
    }
    return p;
  }

 private:
  struct Contact {
    int ball, other;
    double speed, friction;
    Eigen::Matrix<double, D, D> axes;
  };

  static void put(Eigen::MatrixXd& all, int ball, int column, const Vector& axis, const Vector& arm) {
    all.template block<D, 1>(freedoms * ball, column) += axis;
    if constexpr (D == 2)
      all(freedoms * ball + 2, column) += arm[0] * axis[1] - arm[1] * axis[0];
    else
      all.template block<3, 1>(freedoms * ball + 3, column) += arm.cross(axis);
  }

  std::vector<double> inertia_, velocity_, radius_;
  std::vector<Contact> contacts_;
};

}  // namespace moreau::oracle

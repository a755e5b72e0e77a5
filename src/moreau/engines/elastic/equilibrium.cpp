#include "moreau/engines/elastic/equilibrium.hpp"

#include <Eigen/CholmodSupport>
#include <Eigen/UmfPackSupport>

#include "moreau/solver/blas_threads.hpp"

namespace moreau::elastic {

namespace {

constexpr double trace = 1e-9;  // of the largest stiffness of a freedom

double largest(const Eigen::VectorXd& v) { return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0; }

// What an imbalance is measured against.
double scale_of(const Answer& contacts, const Eigen::VectorXd& F) {
  const double scale = std::max(largest(contacts.force), largest(F));
  return scale > 0.0 ? scale : 1.0;
}

}  // namespace

struct Equilibrium::Factor {
  Eigen::CholmodSimplicialLDLT<Sparse> cholesky;
};

Equilibrium::Equilibrium(const Network& network, const Settings& settings)
    : network_(network), settings_(settings), elastic_(std::make_unique<Factor>()) {
  one_blas_thread();
  const Sparse K = stiffness(network);
  double stiffest = 0.0;
  for (Eigen::Index j = 0; j < K.cols(); ++j) stiffest = std::max(stiffest, K.coeff(j, j));
  held_.resize(K.rows(), K.cols());
  held_.setIdentity();
  held_ *= trace * (stiffest > 0.0 ? stiffest : 1.0);
  elastic_->cholesky.compute(Sparse(K + held_));
}

Equilibrium::~Equilibrium() = default;

Eigen::VectorXd Equilibrium::elastic_response(const Eigen::VectorXd& F) const {
  const Sparse K = stiffness(network_);
  Eigen::VectorXd u = elastic_->cholesky.solve(F);
  for (int k = 0; k < 4; ++k) u += elastic_->cholesky.solve(Eigen::VectorXd(F - K * u));  // what the trace of stiffness took
  return u;
}

bool Equilibrium::newton_step(const Eigen::VectorXd& slip, const Eigen::VectorXd& F, Found& found,
                              Eigen::VectorXd& imbalance) const {
  constexpr double shortest = 1.0 / 256.0;
  const Sparse T = tangent(network_, slip, found.rest.displacement) + held_;
  const Eigen::UmfPackLU<Sparse> lu(T);
  if (lu.info() != Eigen::Success) return false;
  const Eigen::VectorXd step = lu.solve(imbalance);
  if (!step.allFinite()) return false;
  for (double length = 1.0; length >= shortest; length *= 0.5) {
    const Eigen::VectorXd u = found.rest.displacement + length * step;
    if (largest(u) > settings_.farthest) continue;
    Answer there = answer(network_, slip, u);
    Eigen::VectorXd left = network_.G.transpose() * there.force + F;
    if (!(left.norm() < (1.0 - 0.01 * length) * imbalance.norm())) continue;
    found.rest.displacement = u;
    found.contacts = std::move(there);
    imbalance = std::move(left);
    return true;
  }
  return false;
}

Found Equilibrium::find(const Rest& start, const Eigen::VectorXd& F, const Eigen::VectorXd* guess) const {
  constexpr int round = 25;  // steps with the elastic operator between trials of Newton; more each time
  Found found;
  found.rest = start;
  if (guess) found.rest.displacement = *guess;
  Eigen::VectorXd& u = found.rest.displacement;
  found.contacts = answer(network_, start.slip, u);
  Eigen::VectorXd left = network_.G.transpose() * found.contacts.force + F;
  const auto there = [&] {
    found.imbalance = largest(left) / scale_of(found.contacts, F);
    return found.imbalance <= settings_.tolerance;
  };
  int next_round = round;
  while (!(found.converged = there())) {
    if (found.newton < settings_.most_newton) {
      ++found.newton;
      if (newton_step(start.slip, F, found, left)) continue;
    }
    for (int k = 0; k < next_round && found.nguyen < settings_.most_nguyen && !there(); ++k) {
      ++found.nguyen;
      u += elastic_->cholesky.solve(left);
      found.contacts = answer(network_, start.slip, u);
      left = network_.G.transpose() * found.contacts.force + F;
    }
    next_round *= 2;
    if (!u.allFinite() || largest(u) > settings_.farthest) break;
    if (found.nguyen >= settings_.most_nguyen && !there()) break;
  }
  found.rest.slip = found.contacts.slip;
  return found;
}

}  // namespace moreau::elastic

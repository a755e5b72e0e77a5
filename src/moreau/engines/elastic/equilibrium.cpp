#include "moreau/engines/elastic/equilibrium.hpp"

#include <Eigen/CholmodSupport>
#include <Eigen/UmfPackSupport>
#include <utility>

#include "moreau/engines/elastic/branch.hpp"
#include "moreau/solver/given/blas_threads.hpp"

namespace moreau::elastic {

namespace {

constexpr double trace = 1e-9;  // of the largest stiffness of a freedom

double largest(const Eigen::VectorXd& v) { return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0; }

// What an imbalance is measured against.
double scale_of(const Answer& contacts, const Eigen::VectorXd& F) {
  const double scale = std::max(largest(contacts.force), largest(F));
  return scale > 0.0 ? scale : 1.0;
}

// By the associated rule equilibrium is the minimum of a convex energy, whose slope along a line is minus the power
// `slope(length)` of the imbalance: it falls with the length and is sought to a tenth of its start.
template <class Slope>
void search_valley(double at_start, Slope&& slope) {
  constexpr double enough = 0.1;
  constexpr int most = 30;
  double below = 0.0, above = 0.0, length = 1.0;
  for (int k = 0; k < most; ++k) {
    const double here = slope(length);
    if (std::abs(here) <= enough * at_start) return;
    (here > 0.0 ? below : above) = length;
    length = above > 0.0 ? 0.5 * (below + above) : 2.0 * length;
  }
}

}  // namespace

// Patterns are those of the network and stay: orders of elimination are found once.
struct Equilibrium::Factors {
  Factors(const Network& network, const Sparse& held) : tangent(network, held), branch(network, held) {}

  TangentMatrix tangent;
  Eigen::CholmodSimplicialLDLT<Sparse> elastic, bounded;
  Eigen::UmfPackLU<Sparse> newton;
  TangentFactor branch;
};

Equilibrium::Equilibrium(const Network& network, const Settings& settings)
    : network_(network), settings_(settings) {
  one_blas_thread();
  const Sparse K = stiffness(network);
  double stiffest = 0.0;
  for (Eigen::Index j = 0; j < K.cols(); ++j) stiffest = std::max(stiffest, K.coeff(j, j));
  held_.resize(K.rows(), K.cols());
  held_.setIdentity();
  held_ *= trace * (stiffest > 0.0 ? stiffest : 1.0);
  factors_ = std::make_unique<Factors>(network, held_);
  factors_->elastic.compute(Sparse(K + held_));
  const Rest reference = at_reference(network);
  factors_->tangent.set(tangents(network, reference.slip, reference.displacement));
  factors_->bounded.analyzePattern(factors_->tangent.matrix());
  factors_->newton.analyzePattern(factors_->tangent.matrix());
}

Equilibrium::~Equilibrium() = default;

Eigen::VectorXd Equilibrium::elastic_response(const Eigen::VectorXd& F) const {
  const Sparse K = stiffness(network_);
  Eigen::VectorXd u = factors_->elastic.solve(F);
  for (int k = 0; k < 4; ++k) u += factors_->elastic.solve(Eigen::VectorXd(F - K * u));  // what the trace of stiffness took
  return u;
}

bool Equilibrium::newton_step(const Eigen::VectorXd& slip, const Eigen::VectorXd& F, Found& found,
                              Eigen::VectorXd& imbalance) const {
  auto& lu = factors_->newton;
  lu.factorize(factors_->tangent.set(tangents(network_, slip, found.rest.displacement)));
  if (lu.info() != Eigen::Success) return false;
  const Eigen::VectorXd step = lu.solve(imbalance);
  if (!step.allFinite()) return false;
  Answer there;
  Eigen::VectorXd u, left;
  const auto look = [&](double length) {
    u = found.rest.displacement + length * step;
    there = answer(network_, slip, u);
    left = network_.G.transpose() * there.force + F;
    return step.dot(left);
  };
  const auto accept = [&] {
    if (largest(u) > settings_.farthest) return false;
    found.rest.displacement = u;
    found.contacts = std::move(there);
    imbalance = std::move(left);
    return true;
  };
  if (network_.flow == Flow::associated) {
    search_valley(step.dot(imbalance), look);
    return accept();
  }
  constexpr double shortest = 1.0 / 256.0;
  for (double length = 1.0; length >= shortest; length *= 0.5) {
    look(length);
    if (left.norm() < (1.0 - 0.01 * length) * imbalance.norm() && accept()) return true;
  }
  return false;
}

// Friction bounded by the normal forces as they are: the minimum of a convex energy, by Newton's method with a search along each
// step. What it leaves out of balance is what the normal forces have changed since.
void Equilibrium::bounded_round(const Eigen::VectorXd& slip, const Eigen::VectorXd& F, Found& found,
                                Eigen::VectorXd& imbalance) const {
  constexpr int most = 8;
  constexpr double enough = 0.03;  // of the imbalance at the start
  const int D = network_.dimension();
  Eigen::VectorXd& u = found.rest.displacement;
  Eigen::VectorXd bound(static_cast<Eigen::Index>(network_.spring.size()));
  for (Eigen::Index c = 0; c < bound.size(); ++c)
    bound[c] = network_.spring[static_cast<std::size_t>(c)].friction * std::max(0.0, found.contacts.force[D * c]);
  const double begin = imbalance.norm();
  Eigen::VectorXd left = network_.G.transpose() * answer(network_, slip, u, &bound).force + F;
  auto& cholesky = factors_->bounded;
  for (int k = 0; k < most && left.norm() > enough * begin; ++k) {
    cholesky.factorize(factors_->tangent.set(tangents(network_, slip, u, &bound)));
    if (cholesky.info() != Eigen::Success) break;
    const Eigen::VectorXd step = cholesky.solve(left);
    if (!step.allFinite()) break;
    Eigen::VectorXd there = u;
    search_valley(step.dot(left), [&](double length) {
      there = u + length * step;
      left = network_.G.transpose() * answer(network_, slip, there, &bound).force + F;
      return step.dot(left);
    });
    u = there;
    if (largest(u) > settings_.farthest) break;
  }
  found.contacts = answer(network_, slip, u);
  imbalance = network_.G.transpose() * found.contacts.force + F;
}

// From where the search is to the load F, by way of equilibria under other loads.
bool Equilibrium::take_branch(const Eigen::VectorXd& slip, const Eigen::VectorXd& F, Found& found,
                              Eigen::VectorXd& imbalance) const {
  const BranchEnd end =
      follow_branch(factors_->branch, slip, found.rest.displacement, F, {settings_.most_corners, settings_.farthest});
  found.corners += end.corners;
  if (end.why != BranchEnd::Why::reached) return false;
  found.rest.displacement = end.displacement;
  found.contacts = answer(network_, slip, end.displacement);
  imbalance = network_.G.transpose() * found.contacts.force + F;
  constexpr int polish = 10;  // steps of Newton that are left for the last digits
  found.newton = std::min(found.newton, settings_.most_newton - polish);
  return true;
}

Found Equilibrium::find(const Rest& start, const Eigen::VectorXd& F, const Eigen::VectorXd* guess, Search search) const {
  constexpr int round = 25;  // steps with the elastic operator between trials of Newton; more each time
  Found found;
  found.rest = start;
  if (guess) found.rest.displacement = *guess;
  Eigen::VectorXd& u = found.rest.displacement;
  found.contacts = answer(network_, start.slip, u);
  Eigen::VectorXd left = network_.G.transpose() * found.contacts.force + F;
  double smallest = HUGE_VAL;  // imbalance, and where it was
  Eigen::VectorXd nearest = u;
  const auto there = [&] {
    found.imbalance = largest(left) / scale_of(found.contacts, F);
    if (found.imbalance < smallest) smallest = found.imbalance, nearest = u;
    return found.imbalance <= settings_.tolerance;
  };
  const bool brief = search == Search::brief && network_.flow == Flow::coulomb;
  const int longest_idle = brief ? 10 : 40;  // bounded rounds without any gain before the last resort
  double least = HUGE_VAL;
  int next_branch = 1;  // bounded round after which the branch is tried
  int next_round = round, idle = 0;
  while (!(found.converged = there())) {
    if (found.newton < settings_.most_newton) {
      ++found.newton;
      if (newton_step(start.slip, F, found, left)) continue;
    }
    if (network_.flow == Flow::associated && network_.dimension() == 2 && std::exchange(next_branch, 0) > 0)
      if (take_branch(start.slip, F, found, left)) continue;
    if (network_.flow == Flow::coulomb && found.bounded < settings_.most_bounded) {
      ++found.bounded;
      bounded_round(start.slip, F, found, left);
      if (!u.allFinite() || largest(u) > settings_.farthest) break;
      if (network_.dimension() == 2 && found.bounded == next_branch) {
        next_branch *= 2;
        if (take_branch(start.slip, F, found, left)) continue;
      }
      if (const double size = left.norm(); size < 0.9 * least) least = size, idle = 0;
      if (++idle < longest_idle) continue;
    }
    if (brief) break;
    for (int k = 0; k < next_round && found.nguyen < settings_.most_nguyen && !there(); ++k) {
      ++found.nguyen;
      u += factors_->elastic.solve(left);
      found.contacts = answer(network_, start.slip, u);
      left = network_.G.transpose() * found.contacts.force + F;
    }
    next_round *= 2;
    if (!u.allFinite() || largest(u) > settings_.farthest) break;
    if (found.nguyen >= settings_.most_nguyen && !there()) break;
  }
  if (!found.converged && smallest < HUGE_VAL) {  // the search may have left the best that it met
    u = nearest;
    found.contacts = answer(network_, start.slip, u);
    found.imbalance = smallest;
  }
  found.rest.slip = found.contacts.slip;
  return found;
}

}  // namespace moreau::elastic

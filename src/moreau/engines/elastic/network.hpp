// Contacts with springs between all that may move, and what they do under a displacement.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "moreau/engines/elastic/spring.hpp"
#include "moreau/statics/contact_matrix.hpp"

namespace moreau::elastic {

using statics::Sparse;
using statics::SparseRows;

struct Network {
  SparseRows G;                // D rows of every contact, normal first
  std::vector<Spring> spring;  // of every contact
  Eigen::VectorXd force;       // at u = 0 before any slip; negative normal force: a gap of that over the stiffness
  Flow flow = Flow::coulomb;

  int dimension() const { return spring.empty() ? 0 : static_cast<int>(G.rows() / static_cast<Eigen::Index>(spring.size())); }
};

// All that the network remembers. Displacements count from the reference state in which the contacts were found.
struct Rest {
  Eigen::VectorXd displacement;  // of every freedom
  Eigen::VectorXd slip;          // D components of every contact
};

Rest at_reference(const Network& network);

// What the contacts answer at a displacement, having slipped as `before` says.
struct Answer {
  Eigen::VectorXd force, slip;  // slip: in all
  std::size_t sliding = 0, open = 0;
};

// `bound`, if given: the largest tangential force of every contact, instead of friction times its normal force.
Answer answer(const Network& network, const Eigen::VectorXd& slip_before, const Eigen::VectorXd& u,
              const Eigen::VectorXd* bound = nullptr);

// df/dd of every contact at a displacement, D x D row by row, in general not symmetric.
std::vector<double> tangents(const Network& network, const Eigen::VectorXd& slip_before, const Eigen::VectorXd& u,
                             const Eigen::VectorXd* bound = nullptr);

// K = Gt k G, all contacts closed and sticking.
Sparse stiffness(const Network& network);

}  // namespace moreau::elastic

// Solutions of (Gt T G) x = b while the blocks T of single contacts change. A sparse LU is kept and the contacts that changed
// since enter by the formula of Woodbury, two solutions each; it is computed anew when they are many, or digits are lost.
#pragma once

#include <memory>

#include "moreau/engines/elastic/network.hpp"

namespace moreau::elastic {

class TangentFactor {
 public:
  // `held` is added to the matrix and does not change. The plane only: blocks are 2 x 2.
  TangentFactor(const Network& network, const Sparse& held);
  ~TangentFactor();

  using Block = Eigen::Matrix2d;
  // False: the matrix is singular to working precision.
  bool compute(std::vector<Block> blocks);
  bool change(std::size_t contact, const Block& block);
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  const Block& block(std::size_t contact) const { return blocks_[contact]; }

  int factorisations() const { return factorisations_; }

 private:
  struct Lu;
  Eigen::VectorXd row(Eigen::Index r) const;
  Sparse matrix() const;

  const Network& network_;
  const Sparse& held_;
  std::unique_ptr<Lu> lu_;
  std::vector<Block> blocks_, factored_;
  // Of the contacts that changed: which, the solutions for their two rows of G, and these rows times them.
  std::vector<std::size_t> changed_;
  Eigen::MatrixXd response_, coupling_;
  int factorisations_ = 0;
};

}  // namespace moreau::elastic

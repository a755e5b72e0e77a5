// Solutions of (Gt T G + held) x = b while the blocks T of single contacts change. A sparse LU is kept and the contacts that changed
// since enter by the formula of Woodbury: one solution for every row of their blocks that is another, which is one for a contact
// that begins to slide or ceases to. It is computed anew when they are many.
#pragma once

#include <Eigen/LU>
#include <memory>

#include "moreau/engines/elastic/tangent_matrix.hpp"

namespace moreau::elastic {

class TangentFactor {
 public:
  // `held` is added to the matrix and does not change. The plane only: blocks are 2 x 2.
  TangentFactor(const Network& network, const Sparse& held);
  ~TangentFactor();
  const Network& network() const { return network_; }
  const Sparse& held() const { return held_; }

  using Block = Eigen::Matrix2d;
  // False: the matrix is singular to working precision.
  bool compute(std::vector<Block> blocks);
  bool change(std::size_t contact, const Block& block);
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const { return changed(unchanged(b)); }

  // The two parts of it: with the blocks as they were factorised, which is the same until `factorisations` grows, and what the
  // changes since make of that.
  Eigen::VectorXd unchanged(const Eigen::VectorXd& b) const;
  Eigen::VectorXd changed(const Eigen::VectorXd& x) const;

  int factorisations() const { return factorisations_; }

 private:
  struct Lu;
  Eigen::VectorXd row(Eigen::Index r) const;
  double along(Eigen::Index r, Eigen::Index column) const;  // row r of G times a response
  void add_row(std::size_t changed, int component);

  const Network& network_;
  const Sparse& held_;
  std::unique_ptr<Lu> lu_;
  std::vector<Block> blocks_, factored_;
  struct Row {
    std::size_t changed;  // place of its contact among those that changed
    int component;
  };
  std::vector<std::size_t> changed_;
  std::vector<Row> rows_;      // of blocks that are others now
  Eigen::MatrixXd response_;   // solutions for these rows of G
  Eigen::MatrixXd coupling_;   // both rows of G of every contact that changed, times the responses
  Eigen::PartialPivLU<Eigen::MatrixXd> small_;  // 1 + D G response, D the change of the blocks
  int factorisations_ = 0;
};

}  // namespace moreau::elastic

// The curve along which a mechanism with one freedom can move, all contacts of its list touching: its tangent, and the way back
// to it from a place near by.
#pragma once

#include "moreau/engines/geometric/support.hpp"

namespace moreau::geometric {

template <int D>
class MechanismPath {
 public:
  // `touch`: gaps of the list that count as closed [length].
  MechanismPath(const Model<D>& model, State<D>& state, const Mechanism<D>& mechanism, const Load<D>& load,
                statics::ListFactor& factor, double diameter, double touch);

  // G t = 0 on the list, row . t > 0; the fastest freedom moves with 1. False if there is none.
  bool find_tangent(const Eigen::VectorXd& row);
  const Eigen::VectorXd& tangent() const { return tangent_; }
  bool uphill() const { return uphill_; }  // the load works against the motion
  Eigen::VectorXd fastest_row() const;     // along the freedom that moves fastest

  // Newton's method on the gaps of the list, `row` . u = 0; no step longer than `longest`.
  bool correct(const Eigen::VectorXd& row, double longest);

  // Speed of a body, if all freedoms move at most by 1: its components, what the cell adds.
  double fastest() const { return std::sqrt(static_cast<double>(D)) * (freedoms_.gradient.empty() ? 1.0 : 1.0 + D); }

 private:
  statics::SparseRows matrix_with(const Eigen::VectorXd& row) const;
  double speed(const Eigen::VectorXd& u, int freedom) const;  // strains count over the extent of the cell
  double size_of(const Eigen::VectorXd& u) const;

  const Model<D>& model_;
  State<D>& state_;
  const Mechanism<D>& mechanism_;
  const Load<D>& load_;
  statics::ListFactor& factor_;
  const statics::Freedoms<D> freedoms_;
  double extent_, touch_;
  bool uphill_ = false;
  Eigen::VectorXd tangent_;
};

}  // namespace moreau::geometric

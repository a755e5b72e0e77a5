#include "moreau/engines/geometric/mechanism_path.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/statics/rows_in_order.hpp"

namespace moreau::geometric {

using statics::SparseRows;

template <int D>
MechanismPath<D>::MechanismPath(const Model<D>& model, State<D>& state, const Mechanism<D>& mechanism, const Load<D>& load,
                                statics::ListFactor& factor, double diameter, double touch)
    : model_(model),
      state_(state),
      mechanism_(mechanism),
      load_(load),
      factor_(factor),
      freedoms_(mechanism.list.freedoms),
      extent_(diameter),
      touch_(touch) {
  for (int p = 0; p < D; ++p)
    for (int q = 0; q < D; ++q) extent_ = std::max(extent_, std::abs(state.cell.vectors.row[p][q]));
}

template <int D>
double MechanismPath<D>::speed(const Eigen::VectorXd& u, int freedom) const {
  return std::abs(u[freedom]) * (freedom < freedoms_.column_of_gradient(0) ? 1.0 : extent_);
}

template <int D>
double MechanismPath<D>::size_of(const Eigen::VectorXd& u) const {
  double most = 0.0;
  for (int j = 0; j < u.size(); ++j) most = std::max(most, speed(u, j));
  return most;
}

// Rows are compressed: rebuilt with the one row exchanged.
template <int D>
SparseRows MechanismPath<D>::matrix_with(const Eigen::VectorXd& row) const {
  const SparseRows G = matrix_of(model_, state_, mechanism_.list);
  statics::RowsInOrder rows(static_cast<int>(G.rows()), static_cast<int>(G.cols()), G.nonZeros() + 8);
  for (int i = 0; i < G.rows(); ++i) {
    if (i != mechanism_.row)
      for (SparseRows::InnerIterator e(G, i); e; ++e) rows.put(static_cast<int>(e.col()), e.value());
    else
      for (int j = 0; j < row.size(); ++j)
        if (row[j] != 0.0) rows.put(j, row[j]);
    rows.end_row();
  }
  return rows.take();
}

template <int D>
bool MechanismPath<D>::find_tangent(const Eigen::VectorXd& row) {
  factor_.set(matrix_with(row / row.cwiseAbs().maxCoeff()), names_of(mechanism_.list));
  Eigen::VectorXd right = Eigen::VectorXd::Zero(freedoms_.size());
  right[mechanism_.row] = 1.0;
  if (!factor_.solve(right, tangent_)) return false;
  tangent_ /= size_of(tangent_);
  const Eigen::VectorXd F = force_of(model_, state_, freedoms_, load_);
  uphill_ = F.dot(tangent_) < -1e-9 * F.cwiseAbs().maxCoeff();
  return tangent_.allFinite();
}

template <int D>
Eigen::VectorXd MechanismPath<D>::fastest_row() const {
  int fastest = 0;
  for (int j = 1; j < tangent_.size(); ++j)
    if (speed(tangent_, j) > speed(tangent_, fastest)) fastest = j;
  Eigen::VectorXd row = Eigen::VectorXd::Zero(freedoms_.size());
  row[fastest] = tangent_[fastest] > 0.0 ? 1.0 : -1.0;
  return row;
}

template <int D>
bool MechanismPath<D>::correct(const Eigen::VectorXd& row, double longest) {
  for (int k = 0; k < 12; ++k) {
    Eigen::VectorXd gap = Eigen::VectorXd::Zero(freedoms_.size()), u;
    const auto contacts = contacts_of(model_, state_, std::span<const Pair>(mechanism_.list.pairs));
    for (std::size_t l = 0; l < contacts.size(); ++l)
      if (static_cast<int>(l) != mechanism_.row) gap[static_cast<Eigen::Index>(l)] = contacts[l].gap;
    if (gap.cwiseAbs().maxCoeff() <= touch_) return true;
    factor_.set(matrix_with(row), names_of(mechanism_.list));
    if (!factor_.solve(-gap, u, statics::newton_precision) || !(size_of(u) <= longest)) return false;
    displace(state_, freedoms_, u);
  }
  return false;
}

template class MechanismPath<2>;
template class MechanismPath<3>;

}  // namespace moreau::geometric

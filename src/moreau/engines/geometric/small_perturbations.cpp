#include "moreau/engines/geometric/small_perturbations.hpp"

#include <algorithm>

#include "moreau/statics/supported_range.hpp"

namespace moreau::geometric {

template <int D>
SmallPerturbations<D>::SmallPerturbations(const Model<D>& model, const State<D>& state, const Load<D>& from, const Load<D>& to,
                                          double distance) {
  const IsostaticList<D> list = list_of(model, state, statics::pushing_pairs(state), from + (to - from));
  freedoms_ = list.freedoms;
  const auto carries = [&](std::int32_t b) {
    return is_wall(b) || !state.bodies.is_free(static_cast<std::size_t>(b)) || freedoms_.takes_part(static_cast<std::size_t>(b));
  };
  Neighbours<D> neighbours;
  std::vector<Contact<D>> near;
  for (const Contact<D>& c : statics::contacts_within(model, state, neighbours, distance))
    if (carries(c.pair.a) && carries(c.pair.b)) near.push_back(c), pairs_.push_back(c.pair);
  G_ = statics::contact_matrix<D>(freedoms_, state.bodies.parameters.radius, near);
  gap_.resize(static_cast<Eigen::Index>(near.size()));
  for (std::size_t k = 0; k < near.size(); ++k) gap_[static_cast<Eigen::Index>(k)] = near[k].gap;
  for (const Pair& p : list.pairs)
    list_.push_back(static_cast<int>(std::lower_bound(pairs_.begin(), pairs_.end(), p) - pairs_.begin()));
  for (const int l : list_) gap_[l] = 0.0;  // to rounding
  from_ = force_of(model, state, freedoms_, from), change_ = force_of(model, state, freedoms_, to) - from_;
  u_ = Eigen::VectorXd::Zero(freedoms_.size());
  set_factor();
}

template <int D>
void SmallPerturbations<D>::set_factor() {
  std::vector<Pair> pairs;
  for (const int l : list_) pairs.push_back(pairs_[static_cast<std::size_t>(l)]);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t r = 0; r < list_.size(); ++r)
    for (statics::SparseRows::InnerIterator e(G_, list_[r]); e; ++e)
      entries.emplace_back(static_cast<int>(r), static_cast<int>(e.col()), e.value());
  statics::SparseRows A(static_cast<Eigen::Index>(list_.size()), G_.cols());
  A.setFromTriplets(entries.begin(), entries.end());
  factor_.set(std::move(A), statics::names_of(freedoms_, std::move(pairs)));
}

template <int D>
Pivot SmallPerturbations<D>::next(double at) {
  Pivot pivot;
  pivot.from = pivot.at = at;
  Eigen::VectorXd f0, f1, v;
  if (!balancing_forces(factor_, force(at), f0) || !balancing_forces(factor_, change_, f1)) return pivot.endless = true, pivot;
  const statics::SupportedRange range = statics::supported_range(f0, f1);
  pivot.at = std::min(1.0, at + std::max(0.0, range.most));
  if (range.opens_above < 0 || pivot.at >= 1.0) return pivot;
  pivot.moved = true;
  const int row = range.opens_above;
  pivot.opened = pairs_[static_cast<std::size_t>(list_[row])];
  if (!failure_velocity(factor_, row, v)) return pivot.endless = true, pivot;
  const Eigen::VectorXd gap = gap_ + G_ * u_, rate = G_ * v;
  std::vector<bool> holds(pairs_.size(), false);
  for (const int l : list_) holds[static_cast<std::size_t>(l)] = true;
  double length = HUGE_VAL;
  int closes = -1;
  const double still = 1e-12 * rate.cwiseAbs().maxCoeff();
  for (int k = 0; k < gap.size(); ++k) {
    if (holds[static_cast<std::size_t>(k)] || !(rate[k] < -still)) continue;
    if (const double s = std::max(0.0, gap[k]) / -rate[k]; s < length) length = s, closes = k;
  }
  if (closes < 0) return pivot.endless = true, pivot;
  u_ += length * v;
  list_[row] = closes;
  set_factor();
  pivot.closed = pairs_[static_cast<std::size_t>(closes)], pivot.length = length;
  return pivot;
}

template class SmallPerturbations<2>;
template class SmallPerturbations<3>;

}  // namespace moreau::geometric

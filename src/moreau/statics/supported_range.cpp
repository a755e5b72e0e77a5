#include "moreau/statics/supported_range.hpp"

namespace moreau::statics {

SupportedRange supported_range(const Eigen::VectorXd& f0, const Eigen::VectorXd& f1, double still) {
  SupportedRange range;
  const double least_change = f1.size() > 0 ? still * f1.cwiseAbs().maxCoeff() : 0.0;
  for (int l = 0; l < f0.size(); ++l) {
    if (!(std::abs(f1[l]) > least_change)) continue;
    const double s = -f0[l] / f1[l];
    if (f1[l] < 0.0 && s < range.most) range.most = s, range.opens_above = l;
    if (f1[l] > 0.0 && s > range.least) range.least = s, range.opens_below = l;
  }
  return range;
}

bool failure_velocity(ListFactor& list, int opened, Eigen::VectorXd& v) {
  Eigen::VectorXd opening = Eigen::VectorXd::Zero(list.size());
  opening[opened] = 1.0;
  return list.solve(opening, v);
}

}  // namespace moreau::statics

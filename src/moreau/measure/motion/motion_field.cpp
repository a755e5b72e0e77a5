#include "moreau/measure/motion/motion_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace moreau::measure {

template <int D>
MotionField<D> velocities(const Sample<D>& sample, const Region<D>& region) {
  MotionField<D> field;
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_free(i) && region.contains(sample.state->position[i])) {
      field.body.push_back(i);
      field.place.push_back(sample.state->position[i]);
      field.motion.push_back(sample.state->velocity[i]);
    }
  return field;
}

template <int D>
MotionField<D> displacements(const Sample<D>& before, const Sample<D>& after, const Region<D>& region) {
  MotionField<D> field;
  for (std::size_t i = 0; i < std::min(before.bodies(), after.bodies()); ++i)
    if (before.is_free(i) && after.is_free(i) && region.contains(before.state->position[i])) {
      field.body.push_back(i);
      field.place.push_back(before.state->position[i]);
      field.motion.push_back(after.state->position[i] - before.state->position[i]);
    }
  return field;
}

template <int D>
double MeanMotion<D>::rotation() const {
  return 0.5 * (gradient(1, 0) - gradient(0, 1));
}

template <int D>
MeanMotion<D> mean_motion(const MotionField<D>& field) {
  MeanMotion<D> m;
  m.bodies = field.body.size();
  m.fluctuation.resize(m.bodies);
  if (m.bodies == 0) return m;
  const double n = static_cast<double>(m.bodies);
  Vec<D> centre{};
  for (std::size_t i = 0; i < m.bodies; ++i) centre += (1.0 / n) * field.place[i], m.mean += (1.0 / n) * field.motion[i];
  Tensor<D> spread = Tensor<D>::Zero(), mixed = Tensor<D>::Zero();
  for (std::size_t i = 0; i < m.bodies; ++i) {
    const Vec<D> x = field.place[i] - centre;
    spread += outer(x, x);
    mixed += outer(field.motion[i] - m.mean, x);
  }
  const Eigen::SelfAdjointEigenSolver<Tensor<D>> solver(spread);
  if (solver.eigenvalues()[0] > 1e-12 * solver.eigenvalues()[D - 1]) m.gradient = mixed * spread.inverse();
  double sum = 0.0;
  for (std::size_t i = 0; i < m.bodies; ++i) {
    const Eigen::Matrix<double, D, 1> affine = m.gradient * column(field.place[i] - centre);
    m.fluctuation[i] = field.motion[i] - m.mean;
    for (int d = 0; d < D; ++d) m.fluctuation[i][d] -= affine[d];
    sum += dot(m.fluctuation[i], m.fluctuation[i]);
  }
  m.fluctuation_rms = std::sqrt(sum / n);
  return m;
}

template <int D>
CellAverages<D> average_in_cells(const MotionField<D>& field, const Extent<D>& shape, double cell) {
  struct Sum {
    Vec<D> motion{};
    std::size_t bodies = 0;
  };
  std::map<std::array<long, D>, Sum> cells;  // in order, so that the table is too
  for (std::size_t i = 0; i < field.body.size(); ++i) {
    std::array<long, D> key;
    const Vec<D> place = shape.lattice.any() ? shape.folded(field.place[i]) : field.place[i];
    for (int d = 0; d < D; ++d)  // the last axis first: rows of the table go along x
      key[static_cast<std::size_t>(D - 1 - d)] = static_cast<long>(std::floor((place[d] - shape.lower(d)) / cell));
    Sum& sum = cells[key];
    sum.motion += field.motion[i];
    ++sum.bodies;
  }
  CellAverages<D> result;
  for (const auto& [key, sum] : cells) {
    Vec<D> centre;
    for (int d = 0; d < D; ++d)
      centre[d] = shape.lower(d) + (static_cast<double>(key[static_cast<std::size_t>(D - 1 - d)]) + 0.5) * cell;
    result.centre.push_back(centre);
    result.mean.push_back((1.0 / static_cast<double>(sum.bodies)) * sum.motion);
    result.bodies.push_back(sum.bodies);
  }
  return result;
}

template <int D>
Vec<D> wall_strain(const Sample<D>& before, const Sample<D>& after) {
  const Domain<D> from = domain_of(before), to = domain_of(after);
  const auto length = [](const Sample<D>& sample, const Domain<D>& domain, int d) {
    if (sample.lattice.periodic[d]) return sample.lattice.vectors.row[d][d];
    return domain.low_wall[d] && domain.high_wall[d] ? domain.shape.high[d] - domain.shape.low[d]
                                                     : std::numeric_limits<double>::quiet_NaN();
  };
  Vec<D> strain;
  for (int d = 0; d < D; ++d) strain[d] = -std::log(length(after, to, d) / length(before, from, d));
  return strain;
}

std::optional<std::size_t> nearest_instant(const std::vector<double>& times, double wanted, double tolerance) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (std::abs(times[i] - wanted) <= tolerance && (!best || std::abs(times[i] - wanted) < std::abs(times[*best] - wanted)))
      best = i;
  return best;
}

template MotionField<2> velocities(const Sample<2>&, const Region<2>&);
template MotionField<3> velocities(const Sample<3>&, const Region<3>&);
template MotionField<2> displacements(const Sample<2>&, const Sample<2>&, const Region<2>&);
template MotionField<3> displacements(const Sample<3>&, const Sample<3>&, const Region<3>&);
template struct MeanMotion<2>;
template struct MeanMotion<3>;
template MeanMotion<2> mean_motion(const MotionField<2>&);
template MeanMotion<3> mean_motion(const MotionField<3>&);
template CellAverages<2> average_in_cells(const MotionField<2>&, const Extent<2>&, double);
template CellAverages<3> average_in_cells(const MotionField<3>&, const Extent<3>&, double);
template Vec<2> wall_strain(const Sample<2>&, const Sample<2>&);
template Vec<3> wall_strain(const Sample<3>&, const Sample<3>&);

}  // namespace moreau::measure

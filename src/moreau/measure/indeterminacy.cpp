#include "moreau/measure/indeterminacy.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "moreau/diagnosis/confinement.hpp"
#include "moreau/geometry/tangent.hpp"

namespace moreau::measure {

namespace {

// Two unit vectors across the normal (plane: one).
template <int D>
std::array<Vec<D>, D - 1> tangents(const Vec<D>& normal) {
  if constexpr (D == 2) {
    return {Vec<2>{{-normal[1], normal[0]}}};
  } else {
    const Vec<3> first = any_tangent(normal);
    return {first, moment(normal, first)};
  }
}

// Rows: balance of every free body, moments over its radius. Forces over their mean; `now` as they are, brought into the cones.
template <int D>
diagnosis::ConeProblem forces_of(const Sample<D>& sample, double scale, Eigen::VectorXd& now) {
  constexpr int S = spin_dimension<D>, each = D + S;
  const ContactRecords<D>& contacts = *sample.contacts;
  const int n = static_cast<int>(contacts.size());
  std::vector<int> number(sample.bodies(), -1);
  int free = 0;
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_free(i)) number[i] = free++;
  std::vector<Eigen::Triplet<double>> entries;
  const auto act = [&](std::size_t body, const Vec<D>& arm, const Vec<D>& axis, double sign, int column) {
    const Spin<D> turn = (1.0 / sample.parameters->radius[body]) * moment(arm, axis);
    for (int k = 0; k < each; ++k) {
      const double v = sign * (k < D ? axis[k] : turn[k - D]);
      if (std::abs(v) >= 1e-12) entries.emplace_back(each * number[body] + k, column, v);
    }
  };
  diagnosis::ConeProblem problem;
  problem.dimension = D;
  now = Eigen::VectorXd::Zero(D * n);
  for (int c = 0; c < n; ++c) {
    const std::size_t k = static_cast<std::size_t>(c);
    const Vec<D>& normal = contacts.normal[k];
    const auto across = tangents<D>(normal);
    problem.friction.push_back(sample.friction[k]);
    now[D * c] = std::max(0.0, sample.normal_force(k)) / scale;
    double shear = 0.0;
    for (int i = 1; i < D; ++i) {
      now[D * c + i] = dot(contacts.force[k], across[i - 1]) / scale;
      shear = std::hypot(shear, now[D * c + i]);
    }
    if (const double most = sample.friction[k] * now[D * c]; shear > most)
      for (int i = 1; i < D; ++i) now[D * c + i] *= most / shear;
    for (int i = 0; i < D; ++i) {
      const Vec<D> axis = i == 0 ? normal : across[i - 1];
      act(sample.a(k), contacts.point[k] - sample.middle[sample.a(k)], axis, 1.0, D * c + i);
      if (!sample.at_obstacle(k)) act(sample.b(k), contacts.point[k] - sample.middle_b(k), axis, -1.0, D * c + i);
    }
  }
  problem.balance.resize(each * free, D * n);
  problem.balance.setFromTriplets(entries.begin(), entries.end());
  problem.right = problem.balance * now;
  return problem;
}

}  // namespace

template <int D>
std::vector<ForceRange> indeterminacy(const Sample<D>& sample, const std::vector<std::size_t>& contacts) {
  const double mean = mean_normal_force(sample), scale = mean > 0.0 ? mean : 1.0;
  Eigen::VectorXd now;
  const diagnosis::ConeProblem problem = forces_of(sample, scale, now);
  std::vector<ForceRange> ranges;
  const std::vector<int> wanted(contacts.begin(), contacts.end());
  for (const diagnosis::NormalRange& r : diagnosis::normal_ranges(problem, now, wanted)) {
    const std::size_t c = static_cast<std::size_t>(r.contact);
    ranges.push_back({c, sample.normal_force(c), scale * r.least, scale * r.most});
  }
  return ranges;
}

template std::vector<ForceRange> indeterminacy(const Sample<2>&, const std::vector<std::size_t>&);
template std::vector<ForceRange> indeterminacy(const Sample<3>&, const std::vector<std::size_t>&);

}  // namespace moreau::measure

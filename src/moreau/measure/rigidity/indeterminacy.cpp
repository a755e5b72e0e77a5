#include "moreau/measure/rigidity/indeterminacy.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/diagnosis/confinement.hpp"
#include "moreau/measure/rigidity/rigidity.hpp"

namespace moreau::measure {

namespace {

// Rows: balance of every free body, moments over its radius. Forces over their mean; `now` as they are, brought into the cones.
template <int D>
diagnosis::ConeProblem forces_of(const Sample<D>& sample, double scale, Eigen::VectorXd& now) {
  const ContactRecords<D>& records = *sample.contacts;
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_free(i)) free.push_back(i);
  statics::Freedoms<D> freedoms = freedoms_of(sample, free, true);
  std::fill(freedoms.wall_piston.begin(), freedoms.wall_piston.end(), -1);  // pistons and cell take what comes
  freedoms.piston.clear(), freedoms.gradient.clear();
  diagnosis::ConeProblem problem;
  problem.dimension = D;
  now = Eigen::VectorXd::Zero(D * static_cast<int>(records.size()));
  std::vector<statics::Contact<D>> contacts;
  for (std::size_t c = 0; c < records.size(); ++c) {
    const int first = D * static_cast<int>(c);
    contacts.push_back(statics_contact(sample, c));
    const auto axes = statics::axes_of(records.normal[c]);
    problem.friction.push_back(sample.friction[c]);
    now[first] = std::max(0.0, sample.normal_force(c)) / scale;
    double shear = 0.0;
    for (int k = 1; k < D; ++k) {
      now[first + k] = dot(records.force[c], axes[static_cast<std::size_t>(k)]) / scale;
      shear = std::hypot(shear, now[first + k]);
    }
    if (const double most = sample.friction[c] * now[first]; shear > most)
      for (int k = 1; k < D; ++k) now[first + k] *= most / shear;
  }
  problem.balance =
      statics::contact_matrix<D>(freedoms, sample.parameters->radius, contacts, std::vector<bool>(contacts.size(), true))
          .transpose();
  problem.balance.prune([](int, int, double v) { return std::abs(v) >= 1e-12; });
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

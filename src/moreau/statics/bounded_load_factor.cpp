#include "moreau/statics/bounded_load_factor.hpp"

#include "moreau/diagnosis/conic_program.hpp"

namespace moreau::statics {

namespace {

using diagnosis::Found;

// Tangents in whose components the bound is round, and what a unit of such a component is as a force.
template <int D>
std::array<Vec<D>, D> round_axes(const Contact<D>& contact, const PointLaw& law) {
  auto axes = axes_of(contact.normal);
  if constexpr (D == 3)
    if (law.along != 1.0) {
      const Vec<3> first = tangent_along(law.direction, contact.normal);
      axes[1] = law.along * first, axes[2] = (1.0 / law.along) * cross(contact.normal, first);
    }
  return axes;
}

template <int D>
class Program {
 public:
  Program(const Freedoms<D>& freedoms, std::span<const double> radius, const Eigen::VectorXd& F0)
      : freedoms_(freedoms), radius_(radius), right_(static_cast<std::size_t>(F0.size())) {
    for (Eigen::Index j = 0; j < F0.size(); ++j) right_[static_cast<std::size_t>(j)] = -F0[j];
  }

  void add(const Contact<D>& contact, const PointLaw& law) {
    const auto axes = round_axes(contact, law);
    const int normal = cone(1);
    act(contact, axes[0], [&](int column, double value) {
      put(column, normal, value);
      right_[static_cast<std::size_t>(column)] += law.tension * value;
    });
    if ((law.friction > 0.0 || law.shear > 0.0) && law.cap > 0.0) {
      const int x = multiple(law.friction, normal, law.shear, D);
      for (int k = 1; k < D; ++k)
        act(contact, axes[static_cast<std::size_t>(k)], [&](int column, double value) { put(column, x + k, value); });
      if (law.cap < HUGE_VAL) {  // the same tangents within another cone
        const int y = multiple(0.0, normal, law.cap, D);
        for (int k = 1; k < D; ++k) {
          const int same = row(0.0);
          put(same, y + k, 1.0), put(same, x + k, -1.0);
        }
      }
    }
    if constexpr (D == 2) {
      if (law.rolling > 0.0) turn(contact, law, Vec<1>{{1.0}}, multiple(law.rolling, normal, 0.0, 2) + 1);
    } else {
      const auto plain = axes_of(contact.normal);
      if (law.rolling > 0.0) {
        const int x = multiple(law.rolling, normal, 0.0, 3);
        turn(contact, law, plain[1], x + 1), turn(contact, law, plain[2], x + 2);
      }
      if (law.pivoting > 0.0) turn(contact, law, plain[0], multiple(law.pivoting, normal, 0.0, 2) + 1);
    }
  }

  LoadFactor maximise(const Eigen::VectorXd& F1, const Stopwatch& watch) {
    // Numbers of about 1: rows over their largest entry, forces over the largest given one, the factor over what it takes to
    // reach that.
    std::vector<double> largest(right_.size(), 0.0);
    for (const auto& e : entries_)
      largest[static_cast<std::size_t>(e.row())] = std::max(largest[static_cast<std::size_t>(e.row())], std::abs(e.value()));
    const auto scale = [&](int row) {
      return largest[static_cast<std::size_t>(row)] > 0.0 ? largest[static_cast<std::size_t>(row)] : 1.0;
    };
    for (auto& e : entries_) e = {e.row(), e.col(), e.value() / scale(e.row())};
    for (std::size_t j = 0; j < right_.size(); ++j) right_[j] /= scale(static_cast<int>(j));
    Eigen::VectorXd load = F1;
    for (int j = 0; j < load.size(); ++j) load[j] /= scale(j);
    double force = 0.0;
    for (const double b : right_) force = std::max(force, std::abs(b));
    const double most = load.size() > 0 ? load.cwiseAbs().maxCoeff() : 0.0;
    if (!(force > 0.0)) force = most > 0.0 ? most : 1.0;
    const double unit = most > 0.0 ? force / most : 1.0;
    const int factor = cone(1);
    for (int j = 0; j < load.size(); ++j)
      if (load[j] != 0.0) put(j, factor, load[j] * unit / force);
    diagnosis::ConicProblem problem;
    problem.cones = cones_;
    problem.A.resize(static_cast<int>(right_.size()), columns_);
    problem.A.setFromTriplets(entries_.begin(), entries_.end());
    problem.b = Eigen::Map<const Eigen::VectorXd>(right_.data(), static_cast<Eigen::Index>(right_.size())) / force;
    problem.c = Eigen::VectorXd::Zero(columns_);
    problem.c[factor] = -1.0;
    const diagnosis::ConicOptimum best = diagnosis::solve_conic(problem, watch);
    LoadFactor found;
    found.found = best.found;
    if (best.y.size() > 0) {
      found.motion = -best.y.head(load.size());
      for (int j = 0; j < load.size(); ++j) found.motion[j] /= scale(j);
    }
    if (best.found == Found::optimum) found.value = -best.value * unit, found.bound = -best.bound * unit;
    return found;
  }

 private:
  // First variable of a new cone |x_1 ..| <= x_0.
  int cone(int components) {
    cones_.push_back(components), columns_ += components;
    return columns_ - components;
  }
  // A cone with x_0 = factor n + rest.
  int multiple(double factor, int normal, double rest, int components) {
    const int x = cone(components), same = row(rest);
    put(same, x, 1.0);
    if (factor > 0.0) put(same, normal, -factor);
    return x;
  }
  int row(double value) {
    right_.push_back(value);
    return static_cast<int>(right_.size()) - 1;
  }
  void put(int row, int column, double value) { entries_.emplace_back(row, column, value); }

  template <class Put>
  void act(const Contact<D>& contact, const Vec<D>& axis, Put&& put) const {
    contact_row(freedoms_, radius_, contact, axis, [&](int column, double value) {
      if (value != 0.0) put(column, value);
    });
  }
  // The variable is a couple over the reduced radius.
  void turn(const Contact<D>& contact, const PointLaw& law, const Spin<D>& axis, int variable) {
    const auto on = [&](std::int32_t body, double sign) {
      const std::size_t i = static_cast<std::size_t>(body);
      for (int s = 0; s < spin_dimension<D> && freedoms_.takes_part(i); ++s)
        if (axis[s] != 0.0) put(freedoms_.column_of_spin(i, s), variable, sign * law.radius / radius_[i] * axis[s]);
    };
    on(contact.pair.a, 1.0);
    if (!is_wall(contact.pair.b)) on(contact.pair.b, -1.0);
  }

  const Freedoms<D>& freedoms_;
  std::span<const double> radius_;
  std::vector<double> right_;
  std::vector<Eigen::Triplet<double>> entries_;
  std::vector<int> cones_;
  int columns_ = 0;
};

}  // namespace

template <int D>
LoadFactor bounded_load_factor(const Freedoms<D>& freedoms, std::span<const double> radius, std::span<const Contact<D>> contacts,
                               std::span<const PointLaw> laws, const Eigen::VectorXd& F0, const Eigen::VectorXd& F1,
                               const Stopwatch& watch, const std::vector<bool>& without) {
  Program<D> program(freedoms, radius, F0);
  for (std::size_t c = 0; c < contacts.size(); ++c)
    if (without.empty() || !without[c]) program.add(contacts[c], laws[c]);
  return program.maximise(F1, watch);
}

#define MOREAU_INSTANTIATE(D)                                                                                        \
  template LoadFactor bounded_load_factor(const Freedoms<D>&, std::span<const double>, std::span<const Contact<D>>,  \
                                          std::span<const PointLaw>, const Eigen::VectorXd&, const Eigen::VectorXd&, \
                                          const Stopwatch&, const std::vector<bool>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::statics

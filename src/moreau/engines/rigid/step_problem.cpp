#include "moreau/engines/rigid/step_problem.hpp"

#include "moreau/dynamics/drag.hpp"
#include "moreau/engines/rigid/stages.hpp"

namespace moreau::inline engines {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

// Normal first, then the tangent(s): the normal turned left, or any two that complete it.
std::array<Vec<2>, 2> axes_of(const Vec<2>& n) { return {n, Vec<2>{{-n[1], n[0]}}}; }
std::array<Vec<3>, 3> axes_of(const Vec<3>& n) {
  int least = 0;
  for (int d = 1; d < 3; ++d)
    if (std::abs(n[d]) < std::abs(n[least])) least = d;
  Vec<3> axis{};
  axis[least] = 1.0;
  const Vec<3> t = normalized(cross(axis, n));
  return {n, t, cross(n, t)};
}

template <class Axes, int D>
void set_components(Eigen::VectorXd& all, std::size_t contact, const Axes& axes, const Vec<D>& v) {
  for (int k = 0; k < D; ++k) all[static_cast<Eigen::Index>(D * contact) + k] = dot(axes[k], v);
}

// I = R diag(principal) R^T.
Eigen::Matrix<double, 1, 1> inertia_of(const Bodies<2>& bodies, std::size_t i, const std::vector<Pose<2>>&) {
  return Eigen::Matrix<double, 1, 1>(bodies.parameters.inertia[i]);
}
Eigen::Matrix3d inertia_of(const Bodies<3>& bodies, std::size_t i, const std::vector<Pose<3>>& poses) {
  const Vec<3> principal = bodies.principal_inertia(i);
  const Eigen::Vector3d diagonal(principal[0], principal[1], principal[2]);
  if (bodies.is_round(i)) return diagonal.asDiagonal();
  Eigen::Matrix3d R;
  for (int p = 0; p < 3; ++p)
    for (int q = 0; q < 3; ++q) R(p, q) = poses[i].rotation.row[p][q];
  return R * diagonal.asDiagonal() * R.transpose();
}

}  // namespace

template <int D>
StepProblem step_problem(const StepView<D>& view) {
  const Model<D>& model = view.model;
  const State<D>& state = view.state;
  const Workspace<D>& work = view.work;
  constexpr int S = spin_dimension<D>, each = D + S;
  const Bodies<D>& bodies = state.bodies;
  const std::size_t contacts = work.detector.found.size();
  StepProblem p;
  p.step = state.step + 1, p.time = state.time + model.time_step;
  p.form.dimension = D;
  std::vector<int> part(bodies.size(), -1);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_free(i)) part[i] = static_cast<int>(p.body.size()), p.body.push_back(static_cast<std::int32_t>(i));
  const Eigen::Index rows = each * static_cast<Eigen::Index>(p.body.size()), columns = D * static_cast<Eigen::Index>(contacts);

  const Vec<D> brought = model.time_step * model.gravity_at(state.time + 0.5 * model.time_step);  // by a tilted gravity too
  const double felt = 1.0 / drag_factor(model);  // masses that impulses meet, over those of the bodies
  p.form.f.resize(rows), p.velocity.resize(rows);
  Triplets mass;
  for (std::size_t k = 0; k < p.body.size(); ++k) {
    const std::size_t i = static_cast<std::size_t>(p.body[k]);
    const int first = each * static_cast<int>(k);
    const auto inertia = inertia_of(bodies, i, work.poses);
    const Vec<D> v = work.problem.solved_velocity(i);
    const Spin<D> spin = work.problem.solved_spin(i);
    for (int d = 0; d < D; ++d) {
      mass.emplace_back(first + d, first + d, felt * bodies.parameters.mass[i]);
      p.form.f[first + d] = felt * bodies.parameters.mass[i] * bodies.state.velocity[i][d] + bodies.parameters.mass[i] * brought[d];
      p.velocity[first + d] = v[d];
    }
    for (int c = 0; c < S; ++c) {
      p.form.f[first + D + c] = 0.0, p.velocity[first + D + c] = spin[c];
      for (int e = 0; e < S; ++e) {
        if (inertia(c, e) != 0.0) mass.emplace_back(first + D + c, first + D + e, felt * inertia(c, e));
        p.form.f[first + D + c] += felt * inertia(c, e) * bodies.state.spin[i][e];
      }
    }
  }
  p.form.M.resize(rows, rows);
  p.form.M.setFromTriplets(mass.begin(), mass.end());

  p.form.w.resize(columns), p.recalled.resize(columns), p.solved.resize(columns);
  Triplets entries;
  for (std::size_t i = 0; i < contacts; ++i) {
    const FoundContact& found = work.detector.found[i];
    const ContactGeometry<D> geometry = view.geometry_of(i);
    const PairLaw& law = view.law_of(found.a, found.b);
    const auto contact = view.formal_contact(
        found, geometry,
        work.step_laws.empty() ? StepLaw{law.friction, law.normal_restitution, law.tangential_restitution} : work.step_laws[i],
        false);
    const std::array<Vec<D>, D> axes = axes_of(contact.normal);
    const auto acts_on = [&](std::int32_t body, const Vec<D>& arm, double sign) {
      const int first = each * part[static_cast<std::size_t>(body)];
      for (int k = 0; k < D; ++k) {
        const int column = static_cast<int>(D * i) + k;
        const Spin<D> turn = moment(arm, axes[k]);
        for (int d = 0; d < D; ++d)
          if (axes[k][d] != 0.0) entries.emplace_back(first + d, column, sign * axes[k][d]);
        for (int d = 0; d < S; ++d)
          if (turn[d] != 0.0) entries.emplace_back(first + D + d, column, sign * turn[d]);
      }
    };
    acts_on(found.a, geometry.arm_a, 1.0);
    if (!view.is_obstacle(found.b)) acts_on(found.b, geometry.arm_b, -1.0);
    set_components(p.form.w, i, axes, contact.bias);
    set_components(p.recalled, i, axes, contact.impulse);
    set_components(p.solved, i, axes, work.problem.impulse(i));
    p.form.friction.push_back(contact.friction);
    p.bodies.push_back({found.a, found.b});
  }
  p.form.H.resize(rows, columns);
  p.form.H.setFromTriplets(entries.begin(), entries.end());
  return p;
}

template <int D>
std::string no_step_problem(const Model<D>& model) {
  if (!model.pistons.empty()) return "pistons";
  if (model.cell.deforms) return "a deforming cell";
  for (const PairLaw& law : model.pair_laws)
    if (law.bounded()) return "a contact law beyond Coulomb's cone";
  return {};
}

template std::string no_step_problem(const Model<2>&);
template std::string no_step_problem(const Model<3>&);
template StepProblem step_problem(const StepView<2>&);
template StepProblem step_problem(const StepView<3>&);

}  // namespace moreau::inline engines

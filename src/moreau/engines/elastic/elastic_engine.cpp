#include "moreau/engines/elastic/elastic_engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "moreau/drive/standing.hpp"
#include "moreau/dynamics/apparatus.hpp"
#include "moreau/dynamics/body_energy.hpp"
#include "moreau/dynamics/body_sizes.hpp"
#include "moreau/dynamics/stage_clock.hpp"
#include "moreau/engines/elastic/contact_springs.hpp"
#include "moreau/engines/elastic/load_path.hpp"
#include "moreau/engines/no_arrivals.hpp"
#include "moreau/statics/placement.hpp"

namespace moreau::elastic {

namespace {

constexpr int most_rounds = 10;

template <int D>
bool has_stress(const Model<D>& model, const Structure<D>& structure) {
  return !structure.freedoms.gradient.empty() ||
         std::any_of(structure.freedoms.piston.begin(), structure.freedoms.piston.end(),
                     [&](std::size_t p) { return model.pistons[p].control == PistonControl::stress; });
}

// Of the springs, since the list began.
template <int D>
void report_overlaps(const State<D>& state, StepReport& report) {
  const ContactTable<D>& table = state.contacts;
  const std::vector<double>& radius = state.bodies.parameters.radius;
  double sum = 0.0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    double smaller = radius[static_cast<std::size_t>(table.a[i])];
    if (!is_wall(table.b[i])) smaller = std::min(smaller, radius[static_cast<std::size_t>(table.b[i])]);
    const double overlap = std::max(0.0, -table.gap[i]) / (2.0 * smaller);
    sum += overlap, report.max_penetration = std::max(report.max_penetration, overlap);
  }
  if (table.size() > 0) report.mean_penetration = sum / static_cast<double>(table.size());
}

}  // namespace

template <int D>
std::string refusal(const Model<D>& model, const Bodies<D>& bodies) {
  const std::size_t n = model.materials.size();
  if (model.soft_laws.size() != model.pair_laws.size()) return "the laws of the model have no stiffness";
  std::vector<bool> present(n, false);
  for (std::size_t i = 0; i < bodies.size(); ++i) present[static_cast<std::size_t>(bodies.parameters.material[i])] = true;
  for (const Wall<D>& wall : model.walls) present[static_cast<std::size_t>(wall.material)] = true;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a; b < n; ++b) {
      if (!present[a] || !present[b]) continue;
      const std::string who = fmt::format("'{}' and '{}'", model.materials[a].name, model.materials[b].name);
      if (!(model.soft_laws[a * n + b].stiffness > 0.0)) return fmt::format("the law between {} has no stiffness", who);
      if (model.pair_laws[a * n + b].varies() || model.pair_laws[a * n + b].bounded())
        return fmt::format("the law between {} is more than one coefficient of friction", who);
    }
  for (const Piston<D>& piston : model.pistons)
    if (piston.control == PistonControl::velocity && !is_zero(piston.target))
      return fmt::format("the piston '{}' is given a velocity", piston.name);
  for (int p = 0; p < D && model.cell.deforms; ++p)
    for (int q = p; q < D; ++q)
      if (!model.cell.component[p][q].stress && !is_zero(model.cell.component[p][q].target)) return "the cell is given a rate";
  return {};
}

template <int D>
StepReport ElasticEngine<D>::step(const Model<D>& model, State<D>& state) {
  if (const std::string why = refusal(model, state.bodies); !why.empty())
    throw EngineRefusal(fmt::format("the elastic engine cannot take this scene: {}", why));
  refuse_arrivals(model, state);
  StepReport report;
  StageClock watch;
  const double h = model.time_step;
  const statics::Load<D> from = statics::load_at(model, state, state.time), to = statics::load_at(model, state, state.time + h);
  state.pistons.resize(model.pistons.size());
  EnergyLedger& energy = state.energy;
  if (state.contacts.apart.empty()) begin_list(model, state, from + to);
  const Structure<D> structure = structure_of_list(model, state, from + to);
  if (structure.contacts.empty())
    throw EngineRefusal(
        "the elastic engine needs contacts that carry; accepted: a phase before it that brings the bodies to rest");
  if (energy.elastic == 0.0) {
    energy.elastic = energy_of(structure.network, structure.network.force);
    energy.initial += energy.elastic;
  }
  const Eigen::VectorXd pushing =
      answer(structure.network, Eigen::VectorXd::Zero(structure.network.G.rows()), Eigen::VectorXd::Zero(structure.network.G.cols())).force;
  const Eigen::VectorXd F0 = force_there(model, state, structure, from, pushing);
  Eigen::VectorXd F1 = force_there(model, state, structure, to, pushing) - F0;
  watch.lap(report.timings.assemble);
  Settings settings;
  settings.tolerance = model.elastic.tolerance;
  settings.farthest = 0.2 * smallest_radius(state.bodies);
  const Equilibrium equilibrium(structure.network, settings);
  // Stresses act on faces and cell as large as they are at the end of the step: the path is made again with what it has found of
  // them. What a round leaves is the strain of the step times that of the one before.
  LoadPath path;
  double missed = 0.0;
  for (int round = 0;; ++round) {
    path = follow(equilibrium, at_reference(structure.network), F0, F1, {1.0, 1.0, model.elastic.finest});
    if (!path.complete || !has_stress(model, structure)) break;
    const Found& end = path.points.back().found;
    State<D> there = state;
    statics::displace(there, structure.freedoms, end.rest.displacement);
    const Eigen::VectorXd F = force_there(model, there, structure, to, end.contacts.force);
    missed = (F - F0 - F1).lpNorm<Eigen::Infinity>() / F.lpNorm<Eigen::Infinity>();
    if (!(missed > settings.tolerance) || round == most_rounds) break;
    F1 = F - F0;
  }
  watch.lap(report.timings.solve);

  const Vec<D> gravity_before = model.gravity_at(state.time), gravity = model.gravity_at(state.time + h);
  const double before = potential_energy(state.bodies, gravity_before);
  double work = 0.0, last = 0.0;
  const Eigen::VectorXd* place = nullptr;
  for (const Point& p : path.points) {
    const Eigen::VectorXd& u = p.found.rest.displacement;
    const Eigen::VectorXd way = place ? Eigen::VectorXd(u - *place) : u;
    work += way.dot(F0 + (0.5 * (last + p.load)) * F1);
    place = &u, last = p.load;
    report.certificate.factorisations += p.found.newton;
    report.certificate.sweeps += p.found.nguyen;
  }
  report.certificate.converged = path.complete;
  if (path.points.empty())
    report.reason = "no equilibrium of the contacts was found even under the load at which the step begins";
  else if (!path.complete)
    report.reason = fmt::format(
        "the last equilibrium of the contacts is at {:.4g} of the load of this step; that none was found beyond does not say "
        "that "
        "there is none",
        path.points.back().load);
  if (!path.points.empty()) {
    const Found& end = path.points.back().found;
    settle(model, state, structure, end.rest, end.contacts);
    report.slide = end.contacts.sliding, report.open = end.contacts.open;
    report.certificate.unbalanced = std::max(end.imbalance, path.complete ? missed : 0.0);
  }
  report_overlaps(state, report);
  state.time += h;
  ++state.step;
  const double after = potential_energy(state.bodies, gravity), stored = energy_of(structure.network, structure.network.force);
  energy.gravity_work += potential_energy(state.bodies, gravity) - potential_energy(state.bodies, gravity_before);
  const double fallen = before - potential_energy(state.bodies, gravity_before);
  const double kept = path.points.empty() ? stored : energy_of(structure.network, path.points.back().found.contacts.force);
  energy.wall_work += work - fallen;
  energy.dissipated += work - (kept - stored) + energy.kinetic;
  energy.kinetic = 0.0, energy.potential += after - before, energy.elastic = kept;
  report.step = state.step, report.time = state.time, report.energy = energy;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) report.bodies += state.bodies.is_present(i);
  report.contacts = report.recalled = state.contacts.size();
  report.stick = report.contacts - report.slide - report.open;
  report.finite = std::isfinite(energy.error());
  watch.lap(report.timings.update);
  return report;
}

template std::string refusal(const Model<2>&, const Bodies<2>&);
template std::string refusal(const Model<3>&, const Bodies<3>&);
template class ElasticEngine<2>;
template class ElasticEngine<3>;

}  // namespace moreau::elastic

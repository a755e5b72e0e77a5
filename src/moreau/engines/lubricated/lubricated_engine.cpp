#include "moreau/engines/lubricated/lubricated_engine.hpp"

#include <fmt/format.h>

#include <optional>

#include "moreau/base/giving_up.hpp"
#include "moreau/dynamics/apparatus.hpp"
#include "moreau/dynamics/body_energy.hpp"
#include "moreau/dynamics/stage_clock.hpp"
#include "moreau/dynamics/take_over.hpp"
#include "moreau/engines/lubricated/drift.hpp"
#include "moreau/engines/lubricated/viscous_network.hpp"
#include "moreau/engines/refusal.hpp"
#include "moreau/engines/step_opening.hpp"
#include "moreau/statics/load.hpp"

namespace moreau::lubricated {

namespace {

constexpr double trace_of_drag = 1e-9;  // of the resistance of a film as thick as a body
constexpr double carries = 1e-9;        // of the largest force: films that push less count as open
constexpr int most_parts = 1000;        // of a step
constexpr double shortest_part = 1e-9;  // of a step: what moves faster is held by nothing

// What a step adds up.
struct Sums {
  double work = 0.0, dissipated = 0.0;
  int iterations = 0, parts = 0;
  double imbalance = 0.0;
};

// The network of a state over a time; kept together with what it was made of.
template <int D>
struct Part {
  statics::Freedoms<D> freedoms;
  Films<D> films;
  Drift<D> drift;
  ViscousNetwork network;
  double diameter, extent;

  Part(const Model<D>& model, const State<D>& state, Neighbours<D>& neighbours, double time)
      : freedoms(statics::freedoms_of(model, state.bodies, false)),
        films(films_of(model, state, neighbours)),
        drift(model, state, time),
        diameter(mean_diameter(state.bodies)),
        extent(diameter) {
    for (int p = 0; p < D; ++p)
      for (int q = 0; q < D; ++q) extent = std::max(extent, std::abs(state.cell.vectors.row[p][q]));
    network.G = statics::contact_matrix<D>(freedoms, state.bodies.parameters.radius, films.contact);
    network.film = films.film;
    network.length = diameter;
    network.prescribed.resize(static_cast<Eigen::Index>(films.contact.size()));
    for (std::size_t l = 0; l < films.contact.size(); ++l)
      network.prescribed[static_cast<Eigen::Index>(l)] = drift.opening(films.contact[l]);
    network.F = force_of(model, state, freedoms, statics::load_at(model, state, state.time + time));
    set_drag(model, state);
  }

  // A trace, and the drag of the scene.
  void set_drag(const Model<D>& model, const State<D>& state) {
    const Film usual = film_of(model.lubricated, 0.25 * diameter, diameter);
    const double diameter_to_beta = usual.exponent == 1.0 ? diameter : diameter * std::sqrt(diameter);
    const double trace = trace_of_drag * usual.resistance / diameter_to_beta;
    network.drag = Eigen::VectorXd::Constant(freedoms.size(), trace);
    for (const std::size_t i : freedoms.body)
      for (int d = 0; d < D; ++d) network.drag[freedoms.column(i, d)] += model.damping * state.bodies.parameters.mass[i];
    for (std::size_t k = 0; k < freedoms.piston.size(); ++k) {
      const Piston<D>& piston = model.pistons[freedoms.piston[k]];
      network.drag[freedoms.column_of_piston(static_cast<int>(k))] +=
          model.damping * piston.mass * static_cast<double>(piston.walls.size());
    }
    for (std::size_t k = 0; k < freedoms.gradient.size(); ++k)
      network.drag[freedoms.column_of_gradient(static_cast<int>(k))] = trace * extent * extent + model.damping * model.cell.mass;
  }

  // Farthest way of a body or piston, and of what the cell's answer adds between neighbours.
  double farthest(const Flow& flow, double time) const {
    double most = 0.0;
    const int lengths = freedoms.column_of_gradient(0);
    for (int j = 0; j < flow.velocity.size(); ++j)
      most = std::max(most, std::abs(flow.velocity[j]) * (j < lengths ? 1.0 : diameter));
    return time * most;
  }
};

// Bodies, pistons, cell and films go on with the flow.
template <int D>
void move(const Model<D>& model, State<D>& state, const Part<D>& part, const Flow& flow, double time) {
  const statics::Freedoms<D>& freedoms = part.freedoms;
  Matrix<D> gradient = part.drift.gradient();
  for (std::size_t k = 0; k < freedoms.gradient.size(); ++k)
    gradient.row[freedoms.gradient[k].first][freedoms.gradient[k].second] =
        flow.velocity[freedoms.column_of_gradient(static_cast<int>(k))];
  const auto own = [&](std::size_t i) {  // apart from what the cell does
    Vec<D> v = part.drift.body(i);
    for (int d = 0; d < D && freedoms.takes_part(i); ++d) v[d] = flow.velocity[freedoms.column(i, d)];
    return v;
  };
  ContactTable<D>& table = state.contacts;
  table.resize(part.films.contact.size(), false, model.cell.start.any());
  table.resize_law_rows(false, false);
  table.apart.resize(table.size());
  for (std::size_t l = 0; l < table.size(); ++l) {
    const statics::Contact<D>& c = part.films.contact[l];
    const Eigen::Index row = static_cast<Eigen::Index>(l);
    double thickness = flow.thickness[row];
    if (!is_wall(c.pair.b)) {  // motion along the tangent opens: |r + dr| > |r| + n . dr
      const Vec<D> dr =
          time * (own(static_cast<std::size_t>(c.pair.a)) - own(static_cast<std::size_t>(c.pair.b)) + gradient * c.branch);
      const Vec<D> across = dr - dot(dr, c.normal) * c.normal;
      const double along = norm(c.branch) + dot(dr, c.normal), square = dot(across, across);
      thickness += square / (along + std::sqrt(along * along + square));
    }
    table.a[l] = c.pair.a, table.b[l] = c.pair.b;
    if (!table.image.empty()) table.image[l] = c.pair.image;
    table.gap[l] = table.apart[l] = thickness;
    table.normal[l] = c.normal;
    table.impulse[l] = (model.time_step * flow.force[row]) * c.normal;
  }
  BodyState<D>& s = state.bodies.state;
  const bool deforms = model.cell.deforms;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    if (!state.bodies.is_free(i)) continue;
    s.velocity[i] = own(i) + (deforms ? gradient * s.position[i] : Vec<D>{});
    s.position[i] += time * s.velocity[i];
    s.spin[i] = {};
  }
  if (deforms) {
    state.cell.rate = gradient * state.cell.vectors;
    state.cell.vectors = state.cell.vectors + time * state.cell.rate;
  }
  for (std::size_t k = 0; k < freedoms.piston.size(); ++k) {
    PistonState& piston = state.pistons[freedoms.piston[k]];
    piston.speed = flow.velocity[freedoms.column_of_piston(static_cast<int>(k))];
    piston.displacement += time * piston.speed;
  }
  part.drift.apply(model, state);
  state.impulse_time_step = model.time_step;
}

// One part after the other until the time of the step has passed; why not, if it has not. A cell that nothing opposes becomes so narrow
// on the way that each body has any number of images: `cell_holds` is false then, and the state somewhere on its way.
template <int D>
std::string squeeze(const Model<D>& model, State<D>& state, Neighbours<D>& neighbours, Sums& sums, bool& cell_holds) {
  const double h = model.time_step, end = state.time + h, limit = 0.5 * reach_of(model, state.bodies);
  double time = h;
  for (sums.parts = 0; end - state.time > 1e-12 * h; ++sums.parts) {
    if (sums.parts == most_parts)
      return fmt::format(
          "bodies would move by more than {} times half the reach of films; accepted: a smaller step, or 'damping'", most_parts);
    give_up_if_asked();
    const bool last = time >= end - state.time;
    if (last) time = end - state.time;
    const Part<D> part(model, state, neighbours, time);
    const Flow flow = flow_over(part.network, time, part.films.force);
    sums.iterations += flow.iterations;
    if (!flow.found) {
      if ((time *= 0.25) < shortest_part * h) return "no flow through the films was found";
      continue;
    }
    if (const double way = part.farthest(flow, time); way > limit) {
      time *= std::max(0.9 * limit / way, 1e-3);
      if (time < shortest_part * h)
        return "something that is loaded is held by no film; accepted: 'damping', or a preparation in which films hold all that "
               "is loaded";
      continue;
    }
    const Eigen::VectorXd moved = time * flow.velocity;
    const int bodies = part.freedoms.column_of_piston(0);  // their freedoms come first, and gravity is their load
    const double gravity_work = part.network.F.head(bodies).dot(moved.head(bodies));
    const double drag = moved.dot(part.network.drag.cwiseProduct(flow.velocity)),
                 prescribed = time * flow.force.dot(part.network.prescribed);
    sums.work += part.network.F.dot(moved) - gravity_work - prescribed;
    sums.dissipated += drag - flow.force.dot(part.network.G * moved) - prescribed;
    sums.imbalance = flow.imbalance;
    move(model, state, part, flow, time);
    cell_holds = !model.cell.deforms || dynamics::cell_holds(lattice_of(model, state), state.bodies);
    if (!cell_holds) return "the periodic cell became narrower than two of the largest bodies";
    if (last) state.time = end;
    time *= 2.0;
  }
  return {};
}

}  // namespace

template <int D>
StepReport LubricatedEngine<D>::step(const Model<D>& model, State<D>& state) {
  StepReport report;
  StageClock watch;
  if (exchange_bodies(model, state, report)) neighbours_.invalidate();
  watch.lap(report.timings.insert);
  state.pistons.resize(model.pistons.size());
  if (cell_is_too_narrow(model, lattice_of(model, state), state, report)) return report;
  if (const std::string why = refusal(model, state.bodies); !why.empty())
    throw EngineRefusal(fmt::format("the lubricated engine cannot take this scene: {}", why));
  std::optional<State<D>> kept;  // should the cell collapse on the way
  if (model.cell.deforms) kept = state;
  const std::vector<Vec<D>> before = state.bodies.state.position;
  const Vec<D> gravity = model.gravity_at(state.time);
  const double begin = state.time;
  EnergyLedger& energy = state.energy;
  if (state.contacts.apart.empty() || report.inserted > 0) {
    const double before_parting = potential_energy(state.bodies, gravity);
    report.reason = part(model, state, neighbours_);
    const double lifted = potential_energy(state.bodies, gravity) - before_parting;
    energy.potential += lifted, energy.initial += lifted;
  }
  const double potential_before = potential_energy(state.bodies, gravity);
  watch.lap(report.timings.assemble);
  Sums sums;
  if (report.reason.empty()) report.reason = squeeze(model, state, neighbours_, sums, report.cell_holds);
  if (!report.cell_holds) {
    neighbours_.invalidate();
    take_over(state, std::move(*kept));
    leave_out(state, report);
    return report;
  }
  watch.lap(report.timings.solve);
  report.certificate.converged = report.reason.empty();
  report.certificate.factorisations = sums.iterations;
  report.certificate.unbalanced = sums.imbalance;
  state.time = begin + model.time_step;
  ++state.step;

  const double potential_after = potential_energy(state.bodies, model.gravity_at(state.time));
  energy.dissipated += sums.dissipated + energy.kinetic + energy.elastic;  // what another engine left ends at once
  energy.wall_work += sums.work;
  energy.kinetic = 0.0, energy.elastic = 0.0;
  energy.gravity_work += potential_after - potential_energy(state.bodies, gravity);
  energy.potential += potential_after - potential_before;
  report.step = state.step, report.time = state.time, report.energy = energy;
  double way = 0.0, free = 0.0;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    report.bodies += state.bodies.is_present(i);
    if (!state.bodies.is_free(i)) continue;
    way += norm(state.bodies.state.position[i] - before[i]), free += 1.0;
    report.max_speed = std::max(report.max_speed, norm(state.bodies.state.velocity[i]));
    report.finite &= is_finite(state.bodies.state.position[i]);
  }
  state.travelled += free > 0.0 ? way / free : 0.0;
  const ContactTable<D>& table = state.contacts;
  report.contacts = table.size();
  double largest = 0.0;
  for (const Vec<D>& impulse : table.impulse) largest = std::max(largest, norm(impulse));
  for (const Vec<D>& impulse : table.impulse) report.stick += norm(impulse) > carries * largest;
  report.open = report.contacts - report.stick;
  report.finite &= std::isfinite(energy.error());
  watch.lap(report.timings.update);
  return report;
}

template class LubricatedEngine<2>;
template class LubricatedEngine<3>;

}  // namespace moreau::lubricated

#include "moreau/engines/rigid/card_steps.hpp"

#include <algorithm>

#include "moreau/dynamics/drag.hpp"
#include "moreau/dynamics/driven_bodies.hpp"
#include "moreau/dynamics/exchange.hpp"
#include "moreau/engines/rigid/finishing_rest.hpp"
#include "moreau/engines/rigid/look_ahead.hpp"
#include "moreau/engines/rigid/periods.hpp"
#include "moreau/engines/rigid/stages.hpp"
#include "moreau/gpu/card_shapes.hpp"
#include "moreau/solver/gauss_seidel.hpp"

namespace moreau::inline engines {

namespace {

constexpr std::uint64_t longest_rest_of_card = 64;  // steps

template <int D>
std::vector<gpu::WallRow<D>> wall_rows(const Model<D>& model, const Workspace<D>& work) {
  std::vector<gpu::WallRow<D>> rows;
  for (std::size_t w = 0; w < model.walls.size(); ++w) {
    const WallGeometry<D>& g = model.walls[w].geometry;
    const auto& side = work.apparatus.side(w);
    rows.push_back({g.shape, g.point, g.direction, g.radius, work.apparatus.wall_shift[w], work.apparatus.wall_velocity[w],
                    work.wall_surface[w], model.walls[w].surface >= 0, model.walls[w].material, side.motion, side.direction});
  }
  return rows;
}

template <int D>
std::vector<gpu::DrivenRow<D>> driven_rows(const Model<D>& model, const Bodies<D>& bodies) {
  std::vector<gpu::DrivenRow<D>> rows;
  if (model.motions.empty()) return rows;
  const BodyState<D>& s = bodies.state;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.parameters.kind[i] == BodyKind::driven)
      rows.push_back({static_cast<std::uint32_t>(i), s.position[i], s.velocity[i], s.spin[i], s.orientation[i]});
  return rows;
}

// What the card is told of a cell that deforms. False: so fast that pairs far apart would meet within a step.
template <int D>
bool set_cell(const Apparatus<D>& apparatus, gpu::StepTask<D>& task) {
  task.cell.deforms = task.ahead.deforms = true;
  task.cell.gradient = task.ahead.gradient = apparatus.gradient;
  const double longest = std::max(task.ahead.time, task.time_step);  // contacts that a step throws together: its own length
  if (!(longest * task.ahead.size() < 0.5)) return false;
  task.ahead = task.ahead.for_time(task.ahead.time, task.ahead.distance);
  for (const auto& [motion, p, q] : apparatus.cell_motions()) {
    if (task.cell.motions == gpu::most_cell_motions<D>) return false;
    task.cell.motion[task.cell.motions++] = {p, q, 0.0, apparatus.motions()[static_cast<std::size_t>(motion)].inverse_mass};
  }
  return true;
}

template <int D>
bool has_yielding_pistons(const Model<D>& model) {
  return std::ranges::any_of(model.pistons, [](const Piston<D>& piston) { return piston.control != PistonControl::velocity; });
}

}  // namespace

template <int D>
std::string what_keeps_steps_here(const Model<D>& model, const Bodies<D>& bodies) {
  if (model.engine != EngineKind::rigid) return "another engine than the rigid one";
  if (any_mesh<D>(model.walls)) return "walls that are meshes";
  if (model.shocks != ShockRule::together) return "shocks one after the other";
  for (const PairLaw& law : model.pair_laws) {
    if (law.joint.exists()) return "joints between bodies";
    if (law.cross_friction > 0.0) return "friction that depends on the direction";
    if (!bodies.all_round() && (law.bounded() || law.varies())) return "a law beyond Coulomb's beside bodies that are not round";
  }
  if (bodies.all_round()) return {};
  if (!gpu::are_small(bodies.shapes)) return "bodies with more corners than a card takes";
  if (model.cell.deforms) return "bodies that are not round in a periodic cell that deforms";
  return {};
}

template <int D>
std::string what_no_card_takes(const Model<D>& model, const Bodies<D>& bodies) {
  const std::string here = what_keeps_steps_here(model, bodies);
  if (here.empty() || model.engine != EngineKind::rigid) return here;
  // The sweeps of steps that are made here.
  if (model.cell.deforms || has_yielding_pistons(model)) {
    const char* const place = model.cell.deforms ? " in a periodic cell that deforms" : " beside pistons under force or stress";
    return here.ends_with(place) ? here : here + place;
  }
  for (const PairLaw& law : model.pair_laws) {
    if (law.cross_friction > 0.0) return "friction that depends on the direction";
    if (law.bounded() && !bodies.all_round()) return "a law beyond Coulomb's between bodies that are not round";
  }
  return {};
}

template <int D>
bool CardSteps<D>::takes(const Model<D>& model, const State<D>& state) const {
  if (state.order.empty() || state.order.size() > state.bodies.size()) return false;
  if ((ahead_ ? contacts_ : state.contacts.size()) < card_->sweeps().fewest_contacts()) return false;
  if (!known_ && std::ranges::any_of(state.contacts.condition, &ContactCondition::bonded)) return false;  // joints of a phase before
  return what_keeps_steps_here(model, state.bodies).empty();
}

// As exchange_bodies; sinks first.
template <int D>
bool CardSteps<D>::exchange(const Model<D>& model, State<D>& state, StepReport& report) {
  if (!model.sinks.empty()) {
    const std::vector<SinkRegion<D>> regions(model.sinks.begin(), model.sinks.end());
    report.removed = remove_into_sinks(model, state, card_->caught(regions, state));
    card_->remove();
  }
  if (insertion_is_due(model, state)) {
    report.inserted = insert_from_sources(model, state, card_->held(state));
    card_->append(state);
    mean_radius_ = mean_radius(state.bodies);
  }
  return report.removed + report.inserted > 0;
}

template <int D>
void CardSteps<D>::bring_home(State<D>& state) {
  if (ahead_) card_->fetch(state);
  ahead_ = false;
}

template <int D>
void CardSteps<D>::put(State<D>& state) {
  if (known_) return;
  for (std::size_t i = state.order.size(); i < state.bodies.size(); ++i) state.order.push_back(static_cast<std::int32_t>(i));
  card_->put(state);
  mean_radius_ = mean_radius(state.bodies);
  known_ = true, ahead_ = false;
}

template <int D>
bool CardSteps<D>::step(const Model<D>& model, State<D>& state, Workspace<D>& work, StepReport& report) {
  if (!card_) return false;
  StageClock watch;
  if (rests_ > 0) {
    --rests_;
    return false;
  }
  if (!takes(model, state) || !instant_of_step(model, state).is_middle) return false;
  const StepReport begun = report;
  const std::uint64_t failures = state.finishing_failures, rests_until = state.finishing_rests_until;
  const std::vector<PistonState> pistons = state.pistons;
  const EnergyLedger energy = state.energy;
  const CellState<D> cell = state.cell;
  put(state);
  const bool changes_velocities = model.damping > 0.0 || model.cell.deforms || !state.bodies.all_round();
  if (changes_velocities) card_->keep_velocities();
  work.given = 0.0;
  if (model.damping > 0.0) {
    work.kinetic_before = card_->damp(drag_factor(model)).value();
    damp_apparatus(model, state);
  }
  const bool made = attempt(model, state, work, report, watch);
  ahead_ = true;  // if it was not made, the card still is at its beginning, and driven bodies are on their way here
  if (made) {
    failures_ = 0;
    return report.on_card = true;
  }
  if (changes_velocities) card_->recall_velocities();
  report = begun;
  state.finishing_failures = failures, state.finishing_rests_until = rests_until;
  state.pistons = pistons, state.energy = energy, state.cell = cell;
  rests_ = std::min<std::uint64_t>(std::uint64_t{1} << std::min<std::uint64_t>(failures_++, 6), longest_rest_of_card) - 1;
  return false;
}

// As change_gradient.
template <int D>
void CardSteps<D>::follow_gradient(State<D>& state, Workspace<D>& work, const Matrix<D>& change, bool at_midpoint) {
  const auto followed = card_->follow_gradient(change, at_midpoint);
  const double given = followed.work.value();
  work.centre = followed.centre;
  state.energy.wall_work += given, work.given += given;
}

template <int D>
bool CardSteps<D>::attempt(const Model<D>& model, State<D>& state, Workspace<D>& work, StepReport& report, StageClock& watch) {
  const double h = model.time_step;
  if (model.cell.deforms) follow_gradient(state, work, begin_prescribed_rates(model, state), false);
  predict_surroundings(model, state, work);
  if (model.cell.deforms && !cell_holds(work.apparatus.lattice, state.bodies)) return false;
  place_driven_bodies(model, state, state.time, state.time + 0.5 * h, state.time + 0.5 * h);
  const std::vector<gpu::WallRow<D>> walls = wall_rows(model, work);
  const LookAhead ahead = look_ahead(model, mean_radius_);
  gpu::StepTask<D> task;
  task.time_step = h, task.impulse_scale = h / state.impulse_time_step;
  task.kept = drag_factor(model), task.gained = task.kept * (h * model.gravity_at(state.time + 0.5 * h));
  task.ahead = {ahead.time, ahead.distance}, task.slack = ahead.slack;
  task.fall = drag_factor(model) * h * model.gravity_at(state.time + 0.5 * h);  // as Surroundings
  if (model.cell.deforms && !set_cell(work.apparatus, task)) return false;
  task.rule = {true, model.rule == ContactRule::predictive, h, norm(model.gravity), mean_radius_, state.left_overlap};
  task.renew_order = state.step % reorder_period == 0;
  task.motions = work.apparatus.motions();
  task.first_cell_motion = static_cast<std::int32_t>(task.motions.size()) - task.cell.motions;
  task.walls = walls, task.laws = &model.pair_laws, task.materials = model.materials.size();
  task.contact_distance = model.contact_distance;
  task.space = gpu::PeriodicSpace<D>(work.apparatus.lattice);
  if (model.tilt.acts()) work.moment_before = card_->moment().value();
  card_->predict(task, driven_rows(model, state.bodies));
  if (model.cell.deforms) follow_gradient(state, work, work.apparatus.prescribed_change, true);
  watch.lap(report.timings.predict);

  const std::optional<std::size_t> found = card_->detect();
  if (!found) return false;
  contacts_ = *found;
  watch.lap(report.timings.detect);
  if (contacts_ < card_->sweeps().fewest_contacts()) return false;
  for (int round = 0;; ++round) {
    if (!card_->assemble()) return false;
    watch.lap(report.timings.assemble);
    std::ranges::copy(card_->sharing_sums(), work.sharing_sum);
    const SolverTask solver{reference_velocity(model, state, work), is_looked_at(state.step, card_->contacts()),
                            state.step >= state.finishing_rests_until};
    const auto bring = [&](ProblemThere<D>& problem) { card_->bring(problem); };
    const int sweeps = report.certificate.sweeps;
    report.certificate =
        solve_there<D>(work.problem, card_->sweeps(), card_->size(), bring, model.solver, solver, work.sweep_memory);
    report.certificate.sweeps += sweeps;
    note_finishing(state, report.certificate);
    if (report.certificate.unbounded && !report.certificate.converged)
      return false;  // whoever inspects it asks for the step here
    work.apparatus.note_changes(card_->changes_of_speed());
    card_->note_gradient_change(work.apparatus.gradient_change());
    watch.lap(report.timings.solve);
    if (model.rule != ContactRule::predictive || round == most_repetitions) break;
    const gpu::Missed missed = card_->include_missed(tolerated_overlap);
    if (missed == gpu::Missed::not_known) return false;
    if (missed == gpu::Missed::none) break;
    watch.lap(report.timings.detect);
  }
  watch.lap(report.timings.detect);
  contacts_ = report.contacts = card_->contacts();

  card_->advance(model.gravity_at(state.time + h));
  if (model.tilt.acts()) work.moment_after = card_->moment().value();
  watch.lap(report.timings.update);
  const gpu::BodyTotals bodies = account(model, state, work, report);
  watch.lap(report.timings.certify);
  BodySums sums;
  sums.resultant = bodies.resultant, sums.mass = bodies.mass, sums.speeds = bodies.speeds;
  sums.kinetic = bodies.kinetic, sums.potential = bodies.potential, sums.cell_work = bodies.cell_work;
  sums.fastest = bodies.fastest, sums.free = bodies.free, sums.present = bodies.present, sums.finite = bodies.not_finite == 0;
  conclude(model, state, work, sums, report);
  report.fastest_surface = bodies.fastest_surface;
  card_->conclude(driven_rows(model, state.bodies));
  watch.lap(report.timings.update);
  return true;
}

// As accounts.cpp.
template <int D>
gpu::BodyTotals CardSteps<D>::account(const Model<D>& model, State<D>& state, const Workspace<D>& work, StepReport& report) {
  std::vector<Vec<D>> changes;
  for (std::size_t w = 0; w < model.walls.size(); ++w) changes.push_back(work.apparatus.wall_velocity_change(w));
  const gpu::StepTotals totals = card_->account(changes);
  const gpu::ContactTotals& contacts = totals.contacts;
  const gpu::Depths& depths = totals.depths;
  report.recalled = totals.recalled;
  const double wall_work = contacts.wall_work.value();
  state.energy.wall_work += wall_work;
  state.energy.dissipated += wall_work - contacts.work.value();
  report.stick = contacts.stick, report.slide = contacts.slide;
  report.open = report.contacts - report.stick - report.slide;
  report.max_penetration = depths.deepest;
  report.mean_penetration = report.contacts == 0 ? 0.0 : depths.sum.value() / static_cast<double>(report.contacts);
  const std::size_t closed = report.stick + report.slide;
  report.unbalanced_force = closed > 0 ? contacts.force.value() / static_cast<double>(closed) : 0.0;
  return totals.bodies;
}

template std::string what_keeps_steps_here(const Model<2>&, const Bodies<2>&);
template std::string what_keeps_steps_here(const Model<3>&, const Bodies<3>&);
template std::string what_no_card_takes(const Model<2>&, const Bodies<2>&);
template std::string what_no_card_takes(const Model<3>&, const Bodies<3>&);
template class CardSteps<2>;
template class CardSteps<3>;

}  // namespace moreau::inline engines

#include "moreau/engines/rigid/rigid_engine.hpp"

#include <algorithm>
#include <optional>

#include "moreau/base/team.hpp"
#include "moreau/dynamics/drag.hpp"
#include "moreau/dynamics/stage_clock.hpp"
#include "moreau/engines/rigid/broken_joints.hpp"
#include "moreau/engines/rigid/card_steps.hpp"
#include "moreau/engines/rigid/finishing_rest.hpp"
#include "moreau/engines/rigid/look_ahead.hpp"
#include "moreau/engines/rigid/periods.hpp"
#include "moreau/engines/rigid/stages.hpp"
#include "moreau/engines/step_opening.hpp"
#include "moreau/geometry/space_filling.hpp"
#include "moreau/gpu/device.hpp"
#include "moreau/solver/gauss_seidel.hpp"

namespace moreau::inline engines {

namespace {

constexpr std::size_t fewest_for_team = 500;  // bodies: with less there is nothing to share

// New bodies come last until the next renewal. Renewals depend on the step number alone, so that a resumed run has them too.
template <int D>
void renew_order(State<D>& state) {
  std::vector<std::int32_t>& order = state.order;
  const std::vector<Vec<D>>& position = state.bodies.state.position;
  if (order.empty() || order.size() > position.size() || is_reordered(state.step)) {
    order = morton_order(position);
    state.contacts.colour.clear();  // given anew, so that colours stay few
  } else {
    for (std::size_t i = order.size(); i < position.size(); ++i) order.push_back(static_cast<std::int32_t>(i));
  }
}

}  // namespace

template <int D>
RigidEngine<D>::RigidEngine() : card_(std::make_unique<CardSteps<D>>(gpu::make_resident<D>())) {
  work_.accelerator = card_->accelerator();
}
template <int D>
RigidEngine<D>::~RigidEngine() = default;
template <int D>
void RigidEngine<D>::forget() {
  work_.neighbours.invalidate(), card_->forget();
}
template <int D>
void RigidEngine<D>::bring_home(State<D>& state) {
  card_->bring_home(state);
}
template <int D>
void RigidEngine<D>::leave(State<D>& state) {
  card_->leave(state);
}

template <int D>
StepReport RigidEngine<D>::step(const Model<D>& model, State<D>& state) {
  StepReport report;
  StageClock watch;
  if (!work_.together && exchange_is_due(model, state)) {
    if (card_->holds_state()) {
      if (card_->exchange(model, state, report)) work_.neighbours.invalidate();
    } else if (exchange_bodies(model, state, report)) {
      work_.neighbours.invalidate();
    }
  }
  watch.lap(report.timings.insert);
  const bool inspected = inspector_ && inspected_ && inspected_(state.step + 1);
  if (!work_.together && !inspected && card_->step(model, state, work_, report)) return report;
  card_->leave(state);

  std::optional<Team> team;
  if (state.bodies.size() >= fewest_for_team) team.emplace();

  work_.given = 0.0;
  if (model.damping > 0.0) work_.kinetic_before = work_.over_ranks(damp(model, state, work_.own())).value();
  if (model.cell.deforms) change_gradient(model, state, work_, begin_prescribed_rates(model, state));
  predict_surroundings(model, state, work_);
  if (!work_.together && cell_is_too_narrow(model, work_.apparatus.lattice, state, report)) return report;
  if (work_.together && model.cell.deforms && !work_.together->holds(work_.apparatus.lattice)) {
    report.cell_holds = false, report.step = state.step, report.time = state.time, report.energy = state.energy;
    return report;
  }
  predict_bodies(model, state, work_);
  if (work_.together)
    work_.together->renew_order(state, is_reordered(state.step));
  else
    renew_order(state);
  const Apparatus<D>& apparatus = work_.apparatus;
  work_.around = {model.walls,        apparatus.wall_shift, apparatus.wall_velocity, apparatus.lattice,
                  apparatus.gradient, work_.centre,         apparatus.wall_turn,     work_.wall_surface,
                  drag_factor(model) * model.time_step * model.gravity_at(state.time + 0.5 * model.time_step)};
  watch.lap(report.timings.predict);

  const std::vector<Vec<D>>& midpoint = state.bodies.state.position;
  work_.mean_radius = work_.together ? work_.together->mean_radius() : mean_radius(state.bodies);
  LookAhead ahead = look_ahead(model, work_.mean_radius);
  ahead.step = work_.instant.reach;
  if (work_.together) work_.together->demand_reach(ahead, apparatus.lattice, apparatus.gradient);
  work_.neighbours.only(work_.own());
  work_.neighbours.update(state.bodies, midpoint, work_.around, model.time_step, ahead);
  watch.lap(report.timings.search);

  work_.detector.detect(state.bodies, midpoint, work_.poses, work_.around, work_.neighbours, ahead, state.contacts);
  Count recalled;
  for (const FoundContact& c : work_.detector.found) recalled.value += c.recalled >= 0 ? 1 : 0;
  report.recalled = work_.over_ranks(recalled).value;
  watch.lap(report.timings.detect);

  std::vector<Vec<D>> begun;  // impulses from which a repeated solution goes on
  for (int round = 0;; ++round) {
    evaluate_laws(model, state, work_);
    strike_contacts(model, state, work_, report);
    choose_kinds(model, state, work_);
    assemble(model, state, work_);
    for (std::size_t i = 0; i < begun.size(); ++i) work_.problem.begin_from(i, begun[i]);
    watch.lap(report.timings.assemble);

    const SolverTask task{reference_velocity(model, state, work_), is_looked_at(state.step, work_.problem.contacts()),
                          state.step >= state.finishing_rests_until};
    const std::size_t sweeps = report.certificate.sweeps;
    const std::uint64_t sent = work_.accelerator ? work_.accelerator->problems() : 0;
    report.certificate = solve(work_.problem, model.solver, task, work_.sweep_memory, work_.accelerator);
    report.swept_on_card = work_.accelerator && work_.accelerator->problems() > sent;
    report.certificate.sweeps += sweeps;
    note_finishing(state, report.certificate);
    work_.apparatus.note_changes(work_.problem.changes_of_speed());
    watch.lap(report.timings.solve);
    if (round == most_repetitions || !include_missed(model, state, work_, ahead, begun)) break;
    watch.lap(report.timings.detect);
  }
  // Whether a joint breaks depends on how wrong the velocities may be (account_contacts).
  if (report.certificate.error < 0.0 && work_.needs.beyond &&
      work_.over_ranks(Largest<bool>{is_joint_at_strength(StepView<D>{model, state, work_})}).value)
    estimate_end(work_.problem, work_.sweep_memory, report.certificate);
  report.contacts = work_.over_ranks(Count{work_.detector.found.size()}).value;
  if (inspector_) inspector_({model, state, work_}, report.certificate);

  recall_velocities(model, state, work_);
  const BodySums sums = advance(model, state, work_);
  watch.lap(report.timings.update);
  account_contacts(model, state, work_, report);
  watch.lap(report.timings.certify);
  conclude(model, state, work_, sums, report);
  watch.lap(report.timings.update);
  return report;
}

template <int D>
EngineMemory RigidEngine<D>::memory() const {
  const auto size = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return {size(work_.poses) + work_.neighbours.bytes() + work_.problem.body_bytes() + work_.sweep_memory.body_bytes(),
          size(work_.step_laws) + size(work_.joints) + size(work_.joint_areas) + size(work_.kinds) +
              work_.problem.contact_bytes() + work_.sweep_memory.contact_bytes() + work_.detector.bytes()};
}

template class RigidEngine<2>;
template class RigidEngine<3>;

}  // namespace moreau::inline engines

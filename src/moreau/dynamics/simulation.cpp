#include "moreau/dynamics/simulation.hpp"

#include <algorithm>
#include <optional>

#include "moreau/base/parallel.hpp"
#include "moreau/base/team.hpp"
#include "moreau/dynamics/body_energy.hpp"
#include "moreau/geometry/space_filling.hpp"

namespace moreau {

namespace {

constexpr std::size_t body_chunk = 1024;
constexpr std::size_t fewest_for_team = 500;   // bodies: with less there is nothing to share
constexpr std::uint64_t look_period = 50;      // steps between two estimates of the error where sweeps are expected to do well
constexpr std::uint64_t longest_rest = 9;      // of the finishing solver: a power of two, in steps
constexpr std::uint64_t reorder_period = 500;  // steps between two orderings of the bodies in space

// The predictive rule looks at pairs that could close their gap within this many steps, or nearer than this fraction of the mean
// radius.
constexpr double predictive_steps = 2.0;
constexpr double predictive_distance = 1e-3;

struct Energies {
  double kinetic = 0.0, potential = 0.0;
  Energies& operator+=(const Energies& o) { return kinetic += o.kinetic, potential += o.potential, *this; }
};

template <int D>
Energies energies(const Bodies<D>& bodies, const Vec<D>& gravity) {
  return reduce_chunks<Energies>(bodies.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
    Energies sum;
    for (std::size_t i = begin; i < end; ++i) {
      if (!bodies.is_free(i)) continue;
      sum.kinetic += kinetic_energy(bodies, i);
      sum.potential += potential_energy(bodies, i, gravity);
    }
    return sum;
  });
}

}  // namespace

template <int D>
Simulation<D>::Simulation(Model<D> model, Bodies<D> bodies, std::uint64_t seed) : model_(std::move(model)) {
  state_.bodies = std::move(bodies);
  state_.bodies.shrink_to_fit();
  state_.impulse_time_step = model_.time_step;
  state_.pistons.resize(model_.pistons.size());
  state_.cell.vectors = state_.cell.phase_vectors = model_.cell.start.vectors;
  state_.sources.resize(model_.sources.size());
  for (std::size_t k = 0; k < state_.sources.size(); ++k) state_.sources[k].random = RandomStream(seed + 0x5eed * (k + 1));
  place_driven_bodies(state_.time, state_.time);
  touch();
}

template <int D>
Simulation<D>::Simulation(Model<D> model, State<D> state)
    : model_(std::move(model)), state_(std::move(state)), needs_(law_needs(model_.pair_laws)) {}

template <int D>
void Simulation<D>::touch() {
  neighbours_.invalidate();
  needs_ = law_needs(model_.pair_laws);
  const Energies now = energies(state_.bodies, model_.gravity_at(state_.time));
  state_.energy.kinetic = now.kinetic;
  state_.energy.potential = now.potential;
  state_.energy.initial += state_.energy.error();
}

template <int D>
StepReport Simulation<D>::step() {
  StepReport report;
  StageClock watch;
  std::optional<Team> team;
  if (state_.bodies.size() >= fewest_for_team) team.emplace();

  report.removed = remove_into_sinks();
  report.inserted = insert_from_sources();
  watch.lap(report.timings.insert);

  if (model_.damping > 0.0) damp();
  predict_surroundings();
  report.cell_holds = !model_.cell.deforms || cell_holds();
  if (!report.cell_holds) {
    report.step = state_.step, report.time = state_.time, report.bodies = state_.bodies.size(), report.energy = state_.energy;
    return report;
  }
  predict_bodies();
  renew_order();
  around_ = surroundings();
  watch.lap(report.timings.predict);

  const LookAhead ahead = look_ahead();
  neighbours_.update(state_.bodies, midpoint(), around_, model_.time_step, ahead);
  watch.lap(report.timings.search);

  detect(report, ahead);
  watch.lap(report.timings.detect);

  evaluate_laws();
  strike_contacts(report);
  choose_kinds();
  assemble();
  watch.lap(report.timings.assemble);

  report.certificate = problem_.solve(model_.solver, {reference_velocity(), state_.step % look_period == 0, state_.step >= state_.finishing_rests_until});
  note_finishing(report.certificate);
  apparatus_.note_changes(problem_.changes_of_speed());
  watch.lap(report.timings.solve);
  if (inspector_) inspector_(*this, report.certificate);

  recall_velocities();
  const BodySums sums = advance();
  watch.lap(report.timings.update);
  account_contacts(report);
  watch.lap(report.timings.certify);
  finish(sums, report);
  watch.lap(report.timings.update);
  return report;
}

// Where large parts were not brought to their end, the finishing solver rests: twice as long after each failure.
template <int D>
void Simulation<D>::note_finishing(const Certificate& certificate) {
  if (certificate.finishing_failed)
    state_.finishing_rests_until = state_.step + (std::uint64_t{1} << std::min<std::uint64_t>(++state_.finishing_failures, longest_rest));
  else if (certificate.factorisations > 0)
    state_.finishing_failures = 0;
}

// New bodies come last until the next renewal. Renewals depend on the step number alone, so that a resumed run has them too.
template <int D>
void Simulation<D>::renew_order() {
  std::vector<std::int32_t>& order = state_.order;
  if (order.empty() || order.size() > midpoint().size() || state_.step % reorder_period == 0) {
    order = morton_order(midpoint());
  } else {
    for (std::size_t i = order.size(); i < midpoint().size(); ++i) order.push_back(static_cast<std::int32_t>(i));
  }
}

template <int D>
LookAhead Simulation<D>::look_ahead() const {
  if (model_.rule == ContactRule::midpoint) return {0.0, model_.contact_distance};
  double sum = 0.0;
  for (double r : state_.bodies.parameters.radius) sum += r;
  const double mean = sum / static_cast<double>(std::max<std::size_t>(1, state_.bodies.size()));
  const double h = model_.time_step, fall = h * h * norm(model_.gravity);  // in one step, from rest
  return {predictive_steps * h, std::max({model_.contact_distance, predictive_distance * mean, predictive_steps * fall})};
}

template <int D>
void Simulation<D>::detect(StepReport& report, LookAhead ahead) {
  detector_.detect(state_.bodies, midpoint(), poses_, around_, neighbours_, ahead, state_.contacts);
  report.contacts = detector_.found.size();
  for (const FoundContact& c : detector_.found) report.recalled += c.recalled >= 0 ? 1 : 0;
}

template <int D>
typename Simulation<D>::Memory Simulation<D>::memory() const {
  const auto size = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  const BodyParameters<D>& p = state_.bodies.parameters;
  const BodyState<D>& s = state_.bodies.state;
  const ContactTable<D>& t = state_.contacts;
  Memory m;
  m.body_bytes = size(p.radius) + size(p.mass) + size(p.inertia) + size(p.material) + size(p.motion) + size(p.kind) +
                 size(p.birth) + size(p.origin) + size(s.position) + size(s.orientation) + size(s.velocity) + size(s.spin) +
                 size(poses_) + size(p.shape) + size(state_.order) + neighbours_.bytes() + problem_.body_bytes();
  m.contact_bytes = size(t.a) + size(t.b) + size(t.gap) + size(t.normal) + size(t.impulse) + size(t.point) + size(t.feature) +
                    size(t.image) + size(t.condition) + size(t.couple) + size(step_laws_) + size(bonded_) + size(kinds_) +
                    problem_.contact_bytes() + detector_.bytes();
  return m;
}

template class Simulation<2>;
template class Simulation<3>;

}  // namespace moreau

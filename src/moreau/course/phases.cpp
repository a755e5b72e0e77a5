#include "moreau/course/phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "moreau/drive/standing.hpp"
#include "moreau/dynamics/apparatus.hpp"
#include "moreau/dynamics/contact_records.hpp"
#include "moreau/measure/stress/balance.hpp"
#include "moreau/statics/finish.hpp"

namespace moreau::inline course {

namespace {

// Balances of all grains cost as much as a sweep or two, so they are looked at now and then.
constexpr std::uint64_t balance_period = 10;  // steps
// The finisher takes a second or more for a thousand bodies.
constexpr std::uint64_t finish_period = 100;  // steps

template <int D>
double cell_strain(const State<D>& state, int p, int q) {
  const Matrix<D> gradient = state.cell.vectors * inverse(state.cell.phase_vectors);
  return std::abs(gradient.row[p][q] - (p == q ? 1.0 : 0.0));
}

// The first condition that does not hold.
struct Unmet {
  const char* condition;
  double value = 0.0;
  const char* asked = "";  // "at most ", "at least "
  double bound = 0.0;
};

// Looked at last: the finisher is tried when all else holds.
constexpr const char* isostatic_condition = "the number of contacts that carry, less that of freedoms,";

template <int D>
std::optional<Unmet> not_isostatic(const Phase<D>& phase, const State<D>& state) {
  if (!phase.end.isostatic) return std::nullopt;
  const int surplus = statics::surplus_at_rest(phase.model, state, statics::load_at(phase.model, state, state.time));
  if (surplus == 0) return std::nullopt;
  return Unmet{isostatic_condition, static_cast<double>(surplus), "exactly ", 0.0};
}

// `at_once`: look at all of them now, not only now and then.
template <int D>
std::optional<Unmet> unmet_condition(const Phase<D>& phase, const State<D>& state, const StepReport& report, bool at_once) {
  const EndConditions& end = phase.end;
  const Model<D>& model = phase.model;
  const double lasted = state.time - state.phase_start, earliest = std::max(end.at_least, model.time_step);  // its first step
  if (lasted < earliest - 0.5 * model.time_step) return Unmet{"at_least", lasted, "at least ", earliest};
  std::size_t free = 0;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) free += state.bodies.is_free(i) ? 1 : 0;
  const double count = static_cast<double>(std::max<std::size_t>(1, free));
  const auto at_most = [](const char* name, double value, const std::optional<double>& bound) -> std::optional<Unmet> {
    if (!bound || value <= *bound) return std::nullopt;
    return Unmet{name, value, "at most ", *bound};
  };
  const auto at_least = [](const char* name, double value, const std::optional<double>& bound) -> std::optional<Unmet> {
    if (!bound || !(value < *bound)) return std::nullopt;
    return Unmet{name, value, "at least ", *bound};
  };
  if (end.bodies && free < *end.bodies)
    return Unmet{"bodies", static_cast<double>(free), "at least ", static_cast<double>(*end.bodies)};
  if (auto u = at_most("kinetic_energy", state.energy.kinetic / count, end.kinetic_energy)) return u;
  if (auto u = at_most("unbalanced_force", report.unbalanced_force, end.unbalanced_force)) return u;
  if (auto u = at_least("travelled", state.travelled, end.travelled)) return u;
  if (end.strain)
    if (auto u = at_least("strain", reached_strain(phase, state), end.strain)) return u;
  if (!end.greatest_energy && !end.force_residual && !end.moment_residual && !end.no_monovalent)
    return not_isostatic(phase, state);
  if (!at_once && state.step % balance_period != 0) return Unmet{"balance"};
  const ContactRecords<D> contacts = contact_records(model, state);
  const measure::Sample<D> sample =
      measure::sample_of(model, state.bodies.shapes, state.time, state.bodies.parameters, state.bodies.state, contacts,
                         wall_shifts(model, state), lattice_of(model, state));
  const measure::Balance b = measure::balance(sample);
  if (auto u = at_most("greatest_energy", b.greatest_energy, end.greatest_energy)) return u;
  const double unloaded = b.loaded > 0 ? 0.0 : HUGE_VAL;  // bodies that carry nothing are in no balance
  if (auto u = at_most("force_residual", std::max(b.force_residual, unloaded), end.force_residual)) return u;
  if (auto u = at_most("moment_residual", std::max(b.moment_residual, unloaded), end.moment_residual)) return u;
  if (end.no_monovalent && b.monovalent > 0)
    return Unmet{"the number of bodies held by one contact", static_cast<double>(b.monovalent), "", 0.0};
  return not_isostatic(phase, state);
}

template <int D>
bool time_is_over(const Phase<D>& phase, const State<D>& state) {
  return state.time >= state.phase_start + phase.duration - 0.5 * phase.model.time_step;
}

constexpr std::uint64_t endless_period = 1000;  // steps
constexpr double most_steps = 1e12;             // no run makes so many

template <int D>
bool stands(const Cell<D>& cell, const CellState<D>& now) {
  return !cell.deforms && std::ranges::all_of(now.rate.row, [](const Vec<D>& row) { return norm(row) == 0.0; });
}

template <int D>
bool stands(const Piston<D>& piston, const PistonState& now) {
  return piston.control == PistonControl::velocity && is_zero(piston.target) && now.speed == 0.0;
}

template <int D>
bool brings_more(const Source<D>& source, const SourceState& now, double time) {
  return now.emitted < source.count && time < source.end;
}

// Nothing gives the bodies any energy: it can only go from one to another, and become less.
template <int D>
bool is_left_alone(const Model<D>& model, const State<D>& state, const StepReport& report) {
  if (norm(model.gravity) > 0.0 || !stands(model.cell, state.cell)) return false;
  // What springs hold may throw bodies again; other engines have no velocities.
  if (model.engine != EngineKind::rigid && (model.engine != EngineKind::soft || report.contacts > 0)) return false;
  for (const Motion<D>& motion : model.motions)
    if (motion.kind != MotionKind::rest) return false;
  for (std::size_t k = 0; k < model.pistons.size(); ++k)
    if (!stands(model.pistons[k], state.pistons[k])) return false;
  for (std::size_t k = 0; k < model.sources.size(); ++k)
    if (brings_more(model.sources[k], state.sources[k], state.time)) return false;
  return true;
}

// What none but free bodies bring, where there are none: empty if the end asks for no such thing.
std::string asks_for_bodies(const EndConditions& end) {
  if (end.travelled) return fmt::format("a mean path of {:g}", *end.travelled);
  if (end.force_residual || end.moment_residual) return "balanced forces";
  return end.isostatic ? "an isostatic list of contacts" : "";
}

// At most, with the energy that they have: sum |v| <= sqrt(sum m v^2) sqrt(sum 1/m).
template <int D>
double mean_speed(const State<D>& state) {
  double inverse = 0.0, free = 0.0;
  for (std::size_t i = 0; i < state.bodies.size(); ++i)
    if (state.bodies.is_free(i)) inverse += 1.0 / state.bodies.parameters.mass[i], free += 1.0;
  return free > 0.0 ? std::sqrt(2.0 * state.energy.kinetic * inverse) / free : 0.0;
}

}  // namespace

template <int D>
double piston_strain(const Model<D>& model, const State<D>& state, std::int32_t number) {
  const Piston<D>& piston = model.pistons[static_cast<std::size_t>(number)];
  const PistonState& now = state.pistons[static_cast<std::size_t>(number)];
  const std::size_t first = static_cast<std::size_t>(piston.walls[0].wall);
  const WallGeometry<D>& wall = model.walls[first].geometry;
  const std::vector<Vec<D>> shift = wall_shifts(model, state);
  double distance = HUGE_VAL;  // to the nearest wall that faces this one
  for (std::size_t w = 0; w < model.walls.size(); ++w) {
    const WallGeometry<D>& other = model.walls[w].geometry;
    if (w == first || other.shape != WallShape::plane || dot(other.direction, wall.direction) > -1.0 + 1e-9) continue;
    const double across = dot(other.point + shift[w] - wall.point - shift[first], wall.direction);
    if (across > 0.0) distance = std::min(distance, across);
  }
  const double moved = (now.displacement - now.phase_displacement) * static_cast<double>(piston.walls.size());
  return moved / (distance + moved);
}

template <int D>
double reached_strain(const Phase<D>& phase, const State<D>& state) {
  const EndConditions& end = phase.end;
  return end.strain_piston >= 0 ? std::abs(piston_strain(phase.model, state, end.strain_piston))
                                : cell_strain(state, end.strain_p, end.strain_q);
}

template <int D>
void grow(Bodies<D>& bodies, double factor) {
  if (factor == 1.0) return;
  BodyParameters<D>& p = bodies.parameters;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_free(i) && bodies.is_round(i)) p.radius[i] *= factor, p.inertia[i] *= factor * factor;
}

template <int D>
Bodies<D> bodies_of_first_phase(const Scene<D>& scene) {
  Bodies<D> bodies = scene.bodies;
  grow(bodies, scene.phases[0].radii);
  return bodies;
}

namespace {

// The largest overlap that contacts will have at the midpoint of the next step.
template <int D>
double deepest_overlap(const State<D>& state, double time_step) {
  double deepest = 0.0;
  const ContactTable<D>& table = state.contacts;
  for (std::size_t i = 0; i < table.size(); ++i) {
    Vec<D> velocity = state.bodies.state.velocity[static_cast<std::size_t>(table.a[i])];
    if (!is_wall(table.b[i])) velocity -= state.bodies.state.velocity[static_cast<std::size_t>(table.b[i])];
    deepest = std::max(deepest, 0.5 * time_step * std::max(0.0, -dot(velocity, table.normal[i])) - table.gap[i]);
  }
  return deepest;
}

// What contacts that yield leave to the rigid engine, and take back from it: the energy of their springs is lost, their overlaps stay.
template <int D>
void change_contacts(EngineKind from, EngineKind to, double time_step, State<D>& state) {
  state.contacts.apart.clear();  // another engine means another thing by it
  if (contacts_yield(to)) state.left_overlap = 0.0;
  if (!contacts_yield(from) || to != EngineKind::rigid) return;
  state.left_overlap = deepest_overlap(state, time_step);
  state.energy.dissipated += state.energy.elastic, state.energy.elastic = 0.0;
}

}  // namespace

template <int D>
void begin_phase(const Scene<D>& scene, std::uint64_t number, Simulation<D>& simulation) {
  const Phase<D>& phase = scene.phases[number];
  State<D>& state = simulation.mutable_state();
  std::vector<Vec<D>> reached;
  std::vector<double> turned;
  for (const std::int32_t m : phase.new_motions) {
    reached.push_back(displacement_of(simulation.model(), state, m, state.time));
    turned.push_back(angle_of(simulation.model(), state, m, state.time));
  }
  if (const EngineKind before = simulation.model().engine; before != phase.model.engine)
    change_contacts(before, phase.model.engine, phase.model.time_step, state);
  simulation.mutable_model() = phase.model;
  state.phase = number;
  state.phase_start = state.time;
  state.travelled = 0.0;
  for (PistonState& piston : state.pistons) piston.phase_displacement = piston.displacement;
  state.cell.phase_vectors = state.cell.vectors;
  if (!phase.new_motions.empty()) state.motion_starts.resize(phase.model.motions.size());
  for (std::size_t k = 0; k < phase.new_motions.size(); ++k) {
    const std::size_t m = static_cast<std::size_t>(phase.new_motions[k]);
    state.motion_starts[m] = {state.time, reached[k] - displacement(phase.model.motions[m], 0.0), turned[k]};
  }
  grow(state.bodies, phase.radii);
  simulation.changed_by_hand();  // another gravity gives the bodies another potential energy, other radii another energy of turning
}

template <int D>
bool finish_is_due(const Scene<D>& scene, const State<D>& state, const StepReport& report) {
  const Phase<D>& phase = scene.phases[state.phase];
  if (!phase.end.isostatic) return false;
  const bool last = time_is_over(phase, state);
  if (!last && state.step % finish_period != 0) return false;
  const std::optional<Unmet> unmet = unmet_condition(phase, state, report, true);
  return unmet && (last || unmet->condition == isostatic_condition);
}

template <int D>
std::string why_over(const Scene<D>& scene, const State<D>& state, const StepReport& report) {
  const Phase<D>& phase = scene.phases[state.phase];
  if (time_is_over(phase, state)) return fmt::format("its duration of {:g} has passed", phase.duration);
  return phase.end.any() && !unmet_condition(phase, state, report, false) ? "its conditions hold" : "";
}

template <int D>
std::optional<Warning> condition_missed(const Scene<D>& scene, const State<D>& state, const StepReport& report,
                                        const std::string& why_not_finished) {
  const Phase<D>& phase = scene.phases[state.phase];
  if (!phase.end.any() || !time_is_over(phase, state)) return std::nullopt;
  const std::optional<Unmet> unmet = unmet_condition(phase, state, report, true);
  if (!unmet) return std::nullopt;
  const std::string condition =
      unmet->condition == isostatic_condition && !why_not_finished.empty()
          ? fmt::format("it was to end isostatic: {}", why_not_finished)
          : fmt::format("{} was {:.3g} (asked: {}{:g})", unmet->condition, unmet->value, unmet->asked, unmet->bound);
  return Warning{WarningKind::time_limit,
                 phase.duration,
                 0.0,
                 fmt::format("phase '{}' ended after its duration of {:g} although {}", phase.name, phase.duration, condition),
                 report.step,
                 report.time};
}

template <int D>
bool looks_for_end(const Scene<D>& scene, const State<D>& state) {
  const Phase<D>& phase = scene.phases[state.phase];
  return !std::isfinite(phase.duration) &&
         (state.step % endless_period == 0 || state.time - state.phase_start < 1.5 * phase.model.time_step);
}

template <int D>
std::string why_endless(const Scene<D>& scene, const State<D>& state, const StepReport& report) {
  const Phase<D>& phase = scene.phases[state.phase];
  const Model<D>& model = phase.model;
  const EndConditions& end = phase.end;
  if (std::isfinite(phase.duration) || !end.any()) return {};
  const auto sentence = [&](const std::string& asked, const std::string& why) {
    return fmt::format(
        "phase '{}' can never end: it asks for {}, and {} (step {}, t = {:.6g}); give it a duration, or another end", phase.name,
        asked, why, report.step, report.time);
  };
  std::size_t free = 0, sources = 0;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) free += state.bodies.is_free(i) ? 1 : 0;
  for (std::size_t k = 0; k < model.sources.size(); ++k)
    sources += brings_more(model.sources[k], state.sources[k], state.time) ? 1 : 0;
  if (end.bodies && free < *end.bodies && sources == 0)
    return sentence(fmt::format("at least {} free bodies", *end.bodies),
                    fmt::format("there are {} and no source brings more", free));
  if (const std::string asked = asks_for_bodies(end); free == 0 && sources == 0 && !asked.empty() && !(end.travelled && state.travelled >= *end.travelled))
    return sentence(asked, "there is no free body left and no source brings any");
  if (end.strain && reached_strain(phase, state) < *end.strain) {
    if (end.strain_piston >= 0) {
      const std::size_t k = static_cast<std::size_t>(end.strain_piston);
      if (stands(model.pistons[k], state.pistons[k]))
        return sentence(fmt::format("a strain of {:g} of the piston '{}'", *end.strain, model.pistons[k].name),
                        "the velocity of that piston is zero");
    } else if (stands(model.cell, state.cell)) {
      return sentence(fmt::format("a strain of {:g} of the cell", *end.strain),
                      "no component of the cell has a rate or a stress");
    }
  }
  // Overlaps that are pushed apart at the beginning are over by then.
  if (state.time - state.phase_start < (static_cast<double>(endless_period) - 0.5) * model.time_step) return {};
  if (!is_left_alone(model, state, report)) return {};
  const char* alone = "without gravity and with nothing that is driven nothing will";
  if (end.travelled &&
      state.travelled<*end.travelled&& * end.travelled - state.travelled> most_steps * model.time_step * mean_speed(state))
    return sentence(fmt::format("a mean path of {:g}", *end.travelled),
                    fmt::format("after {:.3g} no body moves any more (kinetic energy {:.2g}); {} set them in motion",
                                state.travelled, state.energy.kinetic, alone));
  if (state.energy.kinetic > 0.0) return {};
  const std::optional<Unmet> unmet = unmet_condition(phase, state, report, true);
  if (!unmet || std::string_view(unmet->condition) == "at_least") return {};
  return sentence(fmt::format("{} of {}{:g}", unmet->condition, unmet->asked, unmet->bound),
                  fmt::format("it stays {:.3g}: no body moves, and {} set them in motion", unmet->value, alone));
}

template <int D>
bool is_complete(const Scene<D>& scene, const State<D>& state, const StepReport& report) {
  return state.phase + 1 == scene.phases.size() && !why_over(scene, state, report).empty();
}

#define MOREAU_INSTANTIATE(D)                                                                            \
  template Bodies<D> bodies_of_first_phase(const Scene<D>&);                                             \
  template void begin_phase(const Scene<D>&, std::uint64_t, Simulation<D>&);                             \
  template double piston_strain(const Model<D>&, const State<D>&, std::int32_t);                         \
  template double reached_strain(const Phase<D>&, const State<D>&);                                      \
  template bool finish_is_due(const Scene<D>&, const State<D>&, const StepReport&);                      \
  template std::string why_over(const Scene<D>&, const State<D>&, const StepReport&);                    \
  template std::optional<Warning> condition_missed(const Scene<D>&, const State<D>&, const StepReport&, \
                                                   const std::string&);                                  \
  template bool looks_for_end(const Scene<D>&, const State<D>&);                                         \
  template std::string why_endless(const Scene<D>&, const State<D>&, const StepReport&);                 \
  template bool is_complete(const Scene<D>&, const State<D>&, const StepReport&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline course

#include "moreau/course/step_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "moreau/geometry/thickness.hpp"

namespace moreau::inline course {

namespace {

// Energy that contacts create is spoken of from here on: these shares of what lifts the heaviest body by its diameter, and of
// what the run has turned over. Below, bodies that turn round within a step do it, now and then.
constexpr double share_of_lifting = 0.02, share_of_turnover = 0.01;

template <int D>
std::string words(const Vec<D>& v) {
  std::string text = "(";
  for (int i = 0; i < D; ++i) text += (i == 0 ? "" : ", ") + fmt::format("{:.4g}", v[i]);
  return text + ")";
}

}  // namespace

// "body 12 ('arch.key') at (0.1, 2)"
template <int D>
std::string StepWatch<D>::body_words(const State<D>& state, std::int32_t body) const {
  const std::size_t i = static_cast<std::size_t>(body);
  std::string name;
  for (const NamedBodies& named : scene_.named)
    if (i >= named.first && i < named.first + named.count && name.empty())
      name = named.count == 1 ? fmt::format(" ('{}')", named.name) : fmt::format(" ('{}' {})", named.name, i - named.first + 1);
  return fmt::format("body {}{} at {}", body, name, words(state.bodies.state.position[i]));
}

// Diameter of a round body, thickness of another.
template <int D>
double StepWatch<D>::breadth(const State<D>& state, std::int32_t body) const {
  const BodyParameters<D>& p = state.bodies.parameters;
  const std::size_t i = static_cast<std::size_t>(body);
  return p.shape[i] < 0 ? 2.0 * p.radius[i] : thickness_[static_cast<std::size_t>(p.shape[i])];
}

// Anew when bodies have come, or radii have changed.
template <int D>
void StepWatch<D>::measure_bodies(const State<D>& state) {
  const Bodies<D>& bodies = state.bodies;
  if (bodies_ == bodies.size() && phase_ == state.phase) return;
  bodies_ = bodies.size(), phase_ = state.phase;
  thickness_.clear();
  for (const Shape<D>& shape : bodies.shapes) thickness_.push_back(thickness(shape));
  smallest_radius_ = HUGE_VAL, thinnest_ = 1.0, free_mass_ = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double width = breadth(state, static_cast<std::int32_t>(i));
    if (bodies.is_free(i)) smallest_radius_ = std::min(smallest_radius_, 0.5 * width), free_mass_ += bodies.parameters.mass[i];
    thinnest_ = std::min(thinnest_, width / (2.0 * bodies.parameters.radius[i]));
  }
}

// The report compares overlaps with the ball that holds the smaller body: of thin bodies it says too little.
template <int D>
std::optional<Warning> StepWatch<D>::penetration(const Simulation<D>& simulation, const StepReport& report,
                                                 const Warnings& said) const {
  if (!(report.max_penetration > penetration_warned * thinnest_)) return std::nullopt;
  const State<D>& state = simulation.state();
  // Springs yield as they must; what is wrong with a deep overlap there is another thing.
  const WarningKind kind = contacts_yield(simulation.model().engine) ? WarningKind::squeezed : WarningKind::penetration;
  const bool predictive = simulation.model().rule == ContactRule::predictive;
  const ContactTable<D>& table = state.contacts;
  double deepest = 0.0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    double smaller = breadth(state, table.a[i]);
    if (!is_wall(table.b[i])) smaller = std::min(smaller, breadth(state, table.b[i]));
    if (const double depth = -table.gap[i] / smaller; depth > deepest) deepest = depth, at = i;
  }
  if (!(deepest > penetration_warned)) return std::nullopt;
  const Warning* before = said.find(kind);
  if (before && !(deepest > before->value)) return Warning{kind, deepest, predictive ? 0.0 : 1.0, ""};
  const std::int32_t b = table.b[at];
  const std::string other = is_wall(b)
                                ? fmt::format("wall '{}'", simulation.model().walls[static_cast<std::size_t>(wall_index(b))].name)
                                : fmt::format("body {}", b);
  // beside: 1 where the predictive rule is not in force, and could be advised
  return Warning{kind, deepest, predictive ? 0.0 : 1.0, body_words(state, table.a[at]) + " and " + other};
}

// The path of the fastest point of a body: a thin one that turns may sweep past another.
template <int D>
std::optional<Warning> StepWatch<D>::travel(const Simulation<D>& simulation, const StepReport& report) {
  const double h = simulation.model().time_step;
  const double farthest = travel_warned * smallest_radius_;
  if (simulation.present().bodies.all_round() && !(h * report.max_speed > farthest)) return std::nullopt;
  if (report.on_card && !(h * report.fastest_surface > farthest)) return std::nullopt;  // else all bodies were fetched
  const State<D>& state = simulation.state();
  const Bodies<D>& bodies = state.bodies;
  double worst = 0.0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    double speed = norm(bodies.state.velocity[i]);
    if (!bodies.is_round(i)) speed += norm(bodies.state.spin[i]) * bodies.parameters.radius[i];
    // One that is driven passes through others only: the smallest of them counts as well.
    const double more = bodies.is_free(i) ? 0.0 : 2.0 * smallest_radius_;
    const double path = 2.0 * h * speed / (breadth(state, static_cast<std::int32_t>(i)) + more);
    if (path > worst) worst = path, at = i;
  }
  if (!(worst > travel_warned)) return std::nullopt;
  return Warning{WarningKind::travel, worst, travel_warned, body_words(state, static_cast<std::int32_t>(at))};
}

// What contacts have created since dissipation was at its highest, less what inexact contact laws may have: impulses P_i where
// the velocities are off by r_i do a work of sum |P_i| |r_i| <= sqrt(sum P_i^2) sqrt(n) rms(r), in steps that converged.
template <int D>
std::optional<Warning> StepWatch<D>::created_energy(const Simulation<D>& simulation, const StepReport& report) {
  const EnergyLedger& e = report.energy;
  // What the forces of one step would bring to bodies that nothing holds has been exchanged too: under a piston, without gravity,
  // nothing else may be, and all that is created is rounding.
  const double scale = report.certificate.velocity_scale;
  energy_.turnover =
      std::max({energy_.turnover, e.kinetic, std::abs(e.dissipated), std::abs(e.wall_work), 0.5 * free_mass_ * scale * scale});
  if (e.dissipated >= energy_.most_dissipated) {
    energy_.most_dissipated = e.dissipated, energy_.explained = 0.0;
    return std::nullopt;
  }
  const State<D>& state = simulation.state();
  // Residuals of a step that did not converge are no excuse: large impulses times large residuals would explain anything.
  if (report.certificate.converged) {
    double squares = 0.0;
    for (const Vec<D>& p : state.contacts.impulse) squares += dot(p, p);
    energy_.explained += report.certificate.residual_rms * std::sqrt(squares * static_cast<double>(state.contacts.size()));
  }
  const double created = energy_.most_dissipated - e.dissipated;
  if (!(created - energy_.explained > share_of_turnover * energy_.turnover)) return std::nullopt;
  const BodyParameters<D>& p = state.bodies.parameters;
  double lifting = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (state.bodies.is_free(i)) lifting = std::max(lifting, 2.0 * p.radius[i] * p.mass[i]);
  lifting *= norm(simulation.model().gravity);
  if (!(created - energy_.explained > share_of_turnover * energy_.turnover + share_of_lifting * lifting)) return std::nullopt;
  return Warning{WarningKind::energy, created, energy_.explained, ""};
}

template <int D>
std::vector<Warning> StepWatch<D>::look(const Simulation<D>& simulation, const StepReport& report, const Warnings& said) {
  std::vector<Warning> found;
  measure_bodies(simulation.present());
  if (auto warning = penetration(simulation, report, said)) found.push_back(*warning);
  if (auto warning = travel(simulation, report)) found.push_back(*warning);
  if (auto warning = created_energy(simulation, report)) found.push_back(*warning);
  if (!report.shocks_ended) found.push_back({WarningKind::shocks, static_cast<double>(report.shocks), 0.0, ""});
  for (Warning& warning : found) warning.step = report.step, warning.time = report.time;
  return found;
}

template class StepWatch<2>;
template class StepWatch<3>;

}  // namespace moreau::inline course

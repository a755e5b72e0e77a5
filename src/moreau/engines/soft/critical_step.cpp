#include "moreau/engines/soft/critical_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace moreau::soft {

namespace {

// Bodies of radius `other` that fit around one of radius `own`; in space the discs that they cover lie at most as densely as
// equal discs in the plane.
template <int D>
double most_around(double own, double other) {
  const double sine = other / (own + other);
  if (D == 2) return std::numbers::pi / std::asin(sine);
  return std::numbers::pi / std::sqrt(12.0) * 2.0 / (1.0 - std::sqrt(1.0 - sine * sine));
}

// Which materials free bodies have, and which any body or wall has.
struct Presence {
  std::vector<bool> free, any;
};
template <int D>
Presence presence(const Model<D>& model, const Bodies<D>& bodies) {
  Presence p{std::vector<bool>(model.materials.size(), false), std::vector<bool>(model.materials.size(), false)};
  const auto mark = [&](std::int32_t material, bool free) {
    p.any[static_cast<std::size_t>(material)] = true;
    if (free) p.free[static_cast<std::size_t>(material)] = true;
  };
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_present(i)) mark(bodies.parameters.material[i], bodies.is_free(i));
  for (const Wall<D>& wall : model.walls) mark(wall.material, false);
  for (const Source<D>& source : model.sources) mark(source.material, true);
  return p;
}

struct Extremes {
  double smallest = HUGE_VAL, heaviest = 0.0;
};
template <int D>
Extremes extremes(const Model<D>& model, const Bodies<D>& bodies) {
  Extremes e;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.is_present(i)) continue;
    e.smallest = std::min(e.smallest, bodies.parameters.radius[i]);
    if (bodies.is_free(i)) e.heaviest = std::max(e.heaviest, bodies.parameters.mass[i]);
  }
  for (const Source<D>& source : model.sources) e.smallest = std::min(e.smallest, source.sizes.smallest());
  return e;
}

}  // namespace

// Positive root of (1 or 2) s^2 + b s = c.
double stable_phase(Integrator integrator, double damping_ratio, bool sheared) {
  const bool verlet = integrator == Integrator::verlet;
  const double a = sheared && !verlet ? 2.0 : 1.0, b = (verlet ? 8.0 : 22.0 / 3.0) * damping_ratio, c = verlet ? 4.0 : 2.0;
  return 2.0 * c / (b + std::sqrt(b * b + 4.0 * a * c));
}

namespace {
// Of a symmetric matrix with this diagonal, `square` the square of its other entry.
double larger_eigenvalue(double a, double c, double square) {
  return 0.5 * (a + c) + std::sqrt(0.25 * (a - c) * (a - c) + square);
}
}  // namespace

template <int D>
CriticalStep critical_step(const Model<D>& model, const Bodies<D>& bodies) {
  const Presence present = presence(model, bodies);
  const Extremes extreme = extremes(model, bodies);
  CriticalStep worst{HUGE_VAL, 0.0, 0.0, HUGE_VAL};
  const auto consider = [&](double radius, double mass, double inertia, std::int32_t material) {
    const double reduced = mass * extreme.heaviest / (mass + extreme.heaviest);
    double normal = 0.0, tangential = 0.0, normal_dashpot = 0.0, tangential_dashpot = 0.0, stiffest = 0.0;
    for (std::size_t other = 0; other < present.any.size(); ++other) {
      if (!present.any[other]) continue;
      const std::size_t pair = static_cast<std::size_t>(material) * present.any.size() + other;
      const SoftLaw& soft = model.soft_laws[pair];
      const double k = std::max(soft.stiffness, soft.unloading_stiffness);
      const double k_t = model.pair_laws[pair].friction > 0.0 ? soft.tangential_stiffness : 0.0;
      stiffest = std::max(stiffest, soft.stiffness);
      normal = std::max(normal, k), tangential = std::max(tangential, k_t);
      normal_dashpot = std::max(normal_dashpot, 2.0 * soft.damping_ratio * std::sqrt(soft.stiffness * reduced));
      tangential_dashpot = std::max(tangential_dashpot, 2.0 * soft.tangential_damping_ratio * std::sqrt(k_t * reduced));
    }
    const double z = 2.0 * most_around<D>(radius, extreme.smallest), along = 1.0 / D, across = 1.0 - along;
    const double lever = radius * radius / inertia * (D == 2 ? 1.0 : 2.0 / 3.0);
    const auto fastest = [&](double k_n, double k_t) {
      const double turning = z * k_t * lever;
      return larger_eigenvalue(z * (k_n * along + k_t * across) / mass, turning, turning * z * k_t * across / mass);
    };
    const double omega = std::sqrt(fastest(normal, tangential));
    const double damping = fastest(normal_dashpot, tangential_dashpot) + model.damping,
                 ratio = omega > 0.0 ? 0.5 * damping / omega : 0.0;
    const double step = omega > 0.0 ? stable_phase(model.soft.integrator, ratio, tangential > 0.0) / omega : HUGE_VAL;
    if (step < worst.step) worst.step = step, worst.frequency = omega, worst.damping_ratio = ratio;
    worst.contact_time = std::min(worst.contact_time, std::numbers::pi * std::sqrt(0.5 * mass / stiffest));
  };
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_free(i))
      consider(bodies.parameters.radius[i], bodies.parameters.mass[i], bodies.parameters.inertia[i],
               bodies.parameters.material[i]);
  for (const Source<D>& source : model.sources) {
    const double radius = source.sizes.smallest(), mass = ball_mass<D>(radius, source.density);
    consider(radius, mass, ball_inertia<D>(radius, mass), source.material);
  }
  return worst;
}

template <int D>
std::string refusal(const Model<D>& model, const Bodies<D>& bodies) {
  const auto blocks =
      std::count_if(bodies.parameters.shape.begin(), bodies.parameters.shape.end(), [](std::int32_t s) { return s >= 0; });
  if (blocks > 0)
    return fmt::format("the soft engine knows {} only, and {} of the bodies are blocks; accepted: engine = \"rigid\"",
                       D == 2 ? "discs" : "balls", blocks);
  const Presence present = presence(model, bodies);
  const std::size_t n = model.materials.size();
  if (model.soft_laws.size() != model.pair_laws.size())
    return "the laws of the model have no stiffness, which the soft engine needs; accepted: 'stiffness' in each law, or 'level' "
           "and "
           "'pressure' under [soft]";
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a; b < n; ++b) {
      if (!present.any[a] || !present.any[b] || (!present.free[a] && !present.free[b])) continue;
      const PairLaw& law = model.pair_laws[a * n + b];
      const std::string who = fmt::format("materials '{}' and '{}'", model.materials[a].name, model.materials[b].name);
      if (!(model.soft_laws[a * n + b].stiffness > 0.0))
        return fmt::format(
            "{} can meet but have no stiffness, which the soft engine needs; accepted: 'stiffness' in their law, or "
            "'level' and 'pressure' under [soft]",
            who);
      if (law.varies() || law.bounded())
        return fmt::format(
            "{} have a law that the soft engine does not know; accepted: one coefficient of friction, without cap, "
            "cohesion, joint, rolling or pivoting friction",
            who);
    }
  const CriticalStep critical = critical_step(model, bodies);
  if (model.time_step > critical.step)
    return fmt::format(
        "the time step is {:.6g}, with which the soft engine is not stable; accepted: at most {:.4g} (the fastest "
        "motion has the frequency {:.4g} rad per time and the damping ratio {:.3g})",
        model.time_step, critical.step, critical.frequency, critical.damping_ratio);
  return {};
}

#define MOREAU_INSTANTIATE(D)                                             \
  template CriticalStep critical_step(const Model<D>&, const Bodies<D>&); \
  template std::string refusal(const Model<D>&, const Bodies<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::soft

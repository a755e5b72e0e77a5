#include "moreau/engines/soft/critical_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "moreau/dynamics/apparatus.hpp"

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

// The largest value, over directions e, of the sum of (e.n)^2 over z bodies that just fit around one (z need not be whole): z/D
// where they lie evenly. In the plane a whole number of them may leave a gap and gather around e and -e.
template <int D>
double most_along(double z) {
  if (D == 3) return z / 3.0;
  const double whole = std::floor(z * (1.0 + 1e-12)), apart = 2.0 * std::numbers::pi / z;
  return 0.5 * whole + 0.5 * std::max(0.0, z - whole) * apart / std::sin(apart);
}

struct Extremes {
  double smallest = HUGE_VAL, heaviest = 0.0;  // radius of any body, mass of a free one
  double radius = 0.0, mass = 0.0;             // means over free bodies
};
template <int D>
Extremes extremes(const Model<D>& model, const Bodies<D>& bodies) {
  Extremes e;
  double free = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.is_present(i)) continue;
    e.smallest = std::min(e.smallest, bodies.parameters.radius[i]);
    if (!bodies.is_free(i)) continue;
    e.heaviest = std::max(e.heaviest, bodies.parameters.mass[i]);
    e.radius += bodies.parameters.radius[i], e.mass += bodies.parameters.mass[i], free += 1.0;
  }
  if (free > 0.0) e.radius /= free, e.mass /= free;
  for (const Source<D>& source : model.sources) {
    e.smallest = std::min(e.smallest, source.sizes.smallest());
    e.heaviest = std::max(e.heaviest, ball_mass<D>(source.sizes.largest(), source.density));  // dashpots go with the reduced mass
  }
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

namespace {

// Springs and dashpots of the contacts of a material with all others that are present.
struct Stiffest {
  double normal = 0.0, tangential = 0.0, normal_dashpot = 0.0, tangential_dashpot = 0.0;
  double loading = 0.0;  // k_n, without the slope of unloading
};
template <int D>
Stiffest stiffest_of(const Model<D>& model, const Presence& present, std::size_t material, double reduced_mass) {
  Stiffest s;
  for (std::size_t other = 0; other < present.any.size(); ++other) {
    if (!present.any[other]) continue;
    const std::size_t pair = material * present.any.size() + other;
    const SoftLaw& soft = model.soft_laws[pair];
    const double k_t = model.pair_laws[pair].friction > 0.0 ? soft.tangential_stiffness : 0.0;
    s.loading = std::max(s.loading, soft.stiffness);
    s.normal = std::max({s.normal, soft.stiffness, soft.unloading_stiffness}), s.tangential = std::max(s.tangential, k_t);
    s.normal_dashpot = std::max(s.normal_dashpot, 2.0 * soft.damping_ratio * std::sqrt(soft.stiffness * reduced_mass));
    s.tangential_dashpot = std::max(s.tangential_dashpot, 2.0 * soft.tangential_damping_ratio * std::sqrt(k_t * reduced_mass));
  }
  return s;
}

// omega^2 of a motion, and the rate 2 zeta omega at which dashpots damp it.
struct Tempo {
  double square = 0.0, damping = 0.0;
};

// What the cell adds to the fastest motion of any body: sum over contacts of k l^2 / M. In the plane they are at most three per
// body (Euler's formula), in space at most seven (half of what fits around a ball).
template <int D>
Tempo tempo_of_cell(const Model<D>& model, const Bodies<D>& bodies, const Presence& present, const Extremes& extreme) {
  Tempo pace;
  bool yields = false;
  for (const auto& row : model.cell.component)
    for (const CellComponent& component : row) yields = yields || component.stress;
  if (!model.cell.deforms || !yields) return pace;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.is_free(i)) continue;
    const double radius = bodies.parameters.radius[i], branch = 2.0 * radius;
    const Stiffest s =
        stiffest_of(model, present, static_cast<std::size_t>(bodies.parameters.material[i]), 0.5 * extreme.heaviest);
    const double share = (D == 2 ? 3.0 : 7.0) * branch * branch / model.cell.mass;
    pace.square += share * std::max(s.normal, s.tangential);
    pace.damping += share * std::max(s.normal_dashpot, s.tangential_dashpot);
  }
  return pace;
}

// A piston with as many bodies as lie side by side on its walls, on springs twice as stiff; of mean size, as they are many.
template <int D>
Tempo tempo_of_piston(const Model<D>& model, const Bodies<D>& bodies, const Presence& present, const Extremes& extreme,
                      const Piston<D>& piston) {
  Tempo pace;
  const double count = static_cast<double>(bodies.size()), r = extreme.radius;
  const double room = D == 2 ? 2.0 * r : std::sqrt(12.0) * r * r;  // of a body on the wall
  const double fit = piston.control == PistonControl::stress
                         ? face_area(model, std::vector<Vec<D>>(model.walls.size()), piston) / room
                         : 2.0 * std::pow(count, 1.0 - 1.0 / D);  // of a wall of unknown extent: two layers
  const double contacts = std::min(count, std::max(1.0, fit));
  for (const PistonWall<D>& side : piston.walls) {
    const Wall<D>& wall = model.walls[static_cast<std::size_t>(side.wall)];
    const Stiffest s = stiffest_of(model, present, static_cast<std::size_t>(wall.material), extreme.mass);
    pace.square = std::max(pace.square, 2.0 * contacts * std::max(s.normal, s.tangential) / piston.mass);
    pace.damping = std::max(pace.damping, 2.0 * contacts * std::max(s.normal_dashpot, s.tangential_dashpot) / piston.mass);
  }
  return pace;
}

}  // namespace

template <int D>
CriticalStep critical_step(const Model<D>& model, const Bodies<D>& bodies) {
  const Presence present = presence(model, bodies);
  const Extremes extreme = extremes(model, bodies);
  const Tempo cell = tempo_of_cell(model, bodies, present, extreme);
  CriticalStep worst{HUGE_VAL, 0.0, 0.0, {}, HUGE_VAL};
  const auto judge = [&](const Tempo& pace, bool sheared, std::string what) {
    const double omega = std::sqrt(pace.square), ratio = omega > 0.0 ? 0.5 * (pace.damping + model.damping) / omega : 0.0;
    const double step = omega > 0.0 ? stable_phase(model.soft.integrator, ratio, sheared) / omega : HUGE_VAL;
    if (step < worst.step) worst.step = step, worst.frequency = omega, worst.damping_ratio = ratio, worst.of = std::move(what);
  };
  const auto consider = [&](double radius, double mass, double inertia, std::int32_t material) {
    const double reduced = mass * extreme.heaviest / (mass + extreme.heaviest);
    const Stiffest s = stiffest_of(model, present, static_cast<std::size_t>(material), reduced);
    const double fit = most_around<D>(radius, extreme.smallest), z = 2.0 * fit, along = most_along<D>(fit) / fit;
    const double lever = radius * radius / inertia * (D == 2 ? 1.0 : 2.0 / 3.0), across = 1.0 - 1.0 / D;
    const auto fastest = [&](double k_n, double k_t) {
      const double turning = z * k_t * lever, moving = k_t + std::max(k_n - k_t, 0.0) * along - std::max(k_t - k_n, 0.0) / D;
      return larger_eigenvalue(z * moving / mass, turning, turning * z * k_t * across / mass);
    };
    judge({fastest(s.normal, s.tangential) + cell.square, fastest(s.normal_dashpot, s.tangential_dashpot) + cell.damping},
          s.tangential > 0.0, "a body among others");
    worst.contact_time = std::min(worst.contact_time, std::numbers::pi * std::sqrt(0.5 * mass / s.loading));
  };
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_free(i))
      consider(bodies.parameters.radius[i], bodies.parameters.mass[i], bodies.parameters.inertia[i],
               bodies.parameters.material[i]);
  for (const Source<D>& source : model.sources) {
    const double radius = source.sizes.smallest(), mass = ball_mass<D>(radius, source.density);
    consider(radius, mass, ball_inertia<D>(radius, mass), source.material);
  }
  for (const Piston<D>& piston : model.pistons)
    if (piston.control != PistonControl::velocity)
      judge(tempo_of_piston(model, bodies, present, extreme, piston), false,
            fmt::format("the piston '{}' of mass {:.4g}, which a larger mass slows down", piston.name, piston.mass));
  return worst;
}

double said_step(double step) {
  const double unit = std::pow(10.0, std::floor(std::log10(step)) - 3.0);
  return std::floor(step / unit) * unit;
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
  if (model.soft.small_displacements) {
    if (!model.sources.empty())
      return "soft.small_displacements keeps the contacts of the beginning, and the scene has a source; accepted: one of them";
    for (const Wall<D>& wall : model.walls)
      if (wall.geometry.shape != WallShape::plane)
        return fmt::format("soft.small_displacements keeps normals, which the curved wall '{}' has not; accepted: planes",
                           wall.name);
  }
  if (model.cell.deforms && !model.walls.empty())
    return "the scene has walls beside a cell that deforms, which the soft engine does not know; accepted: engine = \"rigid\"";
  const CriticalStep critical = critical_step(model, bodies);
  if (model.time_step > critical.step)
    return fmt::format(
        "the time step is {:.6g}, with which the soft engine is not stable; accepted: at most {:.4g} (the fastest "
        "motion, of {}, has the frequency {:.4g} rad per time and the damping ratio {:.3g})",
        model.time_step, said_step(critical.step), critical.of, critical.frequency, critical.damping_ratio);
  return {};
}

#define MOREAU_INSTANTIATE(D)                                             \
  template CriticalStep critical_step(const Model<D>&, const Bodies<D>&); \
  template std::string refusal(const Model<D>&, const Bodies<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::soft

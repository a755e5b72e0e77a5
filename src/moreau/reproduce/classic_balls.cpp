// Balls: superball and three-parameter collisions, accumulation of bounces, Newton's chain.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "moreau/base/random.hpp"
#include "moreau/draw/plot.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/reproduce/classics.hpp"

namespace moreau::reproduce {

namespace {

struct Bounce {
  Vec<3> velocity{}, contact{};
  double spin = 0.0, energy = 0.0;  // spin about y; kinetic energy after / before
};

// A ball of radius and mass 1 arrives at (1, 0, -1) without spin.
Bounce bounce(PairLaw law) {
  Scene<3> scene = scene_of<3>(scene_text("classics", "ball"), "ball.toml");
  scene.model.pair_laws[0] = law;
  const Vec<3> arrival{{1.0, 0.0, -1.0}};
  scene.bodies.state.velocity[0] = arrival;
  scene.bodies.state.position[0] -= (0.5 * scene.model.time_step) * arrival;  // touches at the midpoint
  Simulation<3> simulation(scene.model, scene.bodies);
  const double before = simulation.state().energy.kinetic;
  simulation.step();
  const auto& s = simulation.state().bodies.state;
  Bounce b{s.velocity[0], s.velocity[0] - cross(s.spin[0], Vec<3>{{0, 0, 1}}), s.spin[0][1], 0.0};
  b.energy = simulation.state().energy.kinetic / before;
  return b;
}

// Largest deviation from the closed form over random impacts of two free balls, and the share of them that stick.
struct Impacts {
  double deviation = 0.0, stuck = 0.0, momentum = 0.0;
};
Impacts random_impacts(int count) {
  const Scene<3> scene = scene_of<3>(scene_text("classics", "ball"), "ball.toml");
  RandomStream random(5);
  Impacts result;
  for (int n = 0; n < count; ++n) {
    Model<3> model = scene.model;
    model.walls.clear();
    const PairLaw law{random.uniform(), random.uniform(), random.uniform()};
    model.pair_laws[0] = law;
    Vec<3> normal;  // towards ball 0
    do
      for (int d = 0; d < 3; ++d) normal[d] = random.uniform(-1, 1);
    while (norm(normal) > 1.0 || norm(normal) < 0.1);
    normal = normalized(normal);
    Bodies<3> bodies;
    for (int k = 0; k < 2; ++k) {
      const double radius = random.uniform(0.2, 2.0);
      bodies.append(homogeneous_ball<3>({}, radius, random.uniform(0.5, 2.0)));
      for (int d = 0; d < 3; ++d) {
        bodies.state.velocity.back()[d] = random.uniform(-1, 1);
        bodies.state.spin.back()[d] = random.uniform(-1, 1) / radius;
      }
    }
    const auto& p = bodies.parameters;
    const auto relative = [&](const BodyState<3>& s) {
      return s.velocity[0] - cross(p.radius[0] * s.spin[0], normal) - s.velocity[1] - cross(p.radius[1] * s.spin[1], normal);
    };
    if (dot(relative(bodies.state), normal) > 0.0) std::swap(bodies.state.velocity[0], bodies.state.velocity[1]);
    const Vec<3> before = relative(bodies.state);
    if (dot(before, normal) > -1e-3) continue;
    for (int k = 0; k < 2; ++k)  // at the midpoint the two touch, overlapping by next to nothing
      bodies.state.position[static_cast<std::size_t>(k)] =
          (k == 0 ? p.radius[0] + p.radius[1] - 1e-12 : 0.0) * normal -
          (0.5 * model.time_step) * bodies.state.velocity[static_cast<std::size_t>(k)];
    const Vec<3> momentum_before = p.mass[0] * bodies.state.velocity[0] + p.mass[1] * bodies.state.velocity[1];
    Simulation<3> simulation(model, bodies);
    simulation.step();
    const auto& s = simulation.state().bodies.state;
    const Vec<3> after = relative(s), slip = before - dot(before, normal) * normal;
    const double approach = -dot(before, normal), grip = 3.5 * law.friction * (1 + law.normal_restitution) * approach;
    const bool sticks = (1 + law.tangential_restitution) * norm(slip) <= grip;
    result.stuck += sticks ? 1.0 / count : 0.0;
    const Vec<3> expected = (law.normal_restitution * approach) * normal +
                            (sticks ? -law.tangential_restitution * slip : (1.0 - grip / norm(slip)) * slip);
    result.deviation = std::max(result.deviation, norm(after - expected));
    result.momentum = std::max(result.momentum, norm(p.mass[0] * s.velocity[0] + p.mass[1] * s.velocity[1] - momentum_before));
  }
  return result;
}

struct Fall {
  Curve energy;
  double end = 0.0;  // last time at which nothing touches
  int bounces = 0;
};
Fall ping_pong(double h) {
  const Scene<3> scene = scene_of<3>(with(scene_text("classics", "ping-pong"), "step", fmt::format("{}", h)), "ping-pong.toml");
  Simulation<3> simulation(scene.model, scene.bodies);
  const double start = simulation.state().energy.potential, rest = start * 0.5 / 1.5;
  Fall fall{{fmt::format("h = {}", h)}};
  bool touched = false;
  while (simulation.state().time < scene.duration - 0.5 * h) {
    const StepReport report = simulation.step();
    if (report.contacts == 0) fall.end = report.time;
    fall.bounces += touched && report.contacts == 0;  // it has left the floor
    touched = report.contacts > 0;
    fall.energy.x.push_back(report.time);
    fall.energy.y.push_back((report.energy.kinetic + report.energy.potential - rest) / (start - rest));
  }
  return fall;
}

// Velocities along the row after all impacts; the balls are `gap` apart.
std::vector<double> strike(double restitution, double gap, std::size_t count, std::size_t strikers, double duration) {
  Scene<3> scene = scene_of<3>(scene_text("classics", "row"), "row.toml");
  scene.model.pair_laws[0].normal_restitution = restitution;
  Bodies<3> bodies;
  for (std::size_t i = 0; i < count; ++i) {
    const double speed = i < strikers ? 1.0 : 0.0, x = static_cast<double>(i) * (1.0 + gap);
    bodies.append(homogeneous_ball<3>({{x - (gap == 0.0 ? 0.5 * scene.model.time_step * speed : 0.0), 0, 0}}, 0.5,
                                      1.0 / ball_mass<3>(0.5, 1.0)));
    bodies.state.velocity.back() = {{speed, 0, 0}};
  }
  Simulation<3> simulation(scene.model, bodies);
  do simulation.step();
  while (simulation.state().time < duration);
  std::vector<double> v;
  for (const Vec<3>& u : simulation.state().bodies.state.velocity) v.push_back(u[0]);
  return v;
}

}  // namespace

Section superball(const Workshop&) {
  Section section{"Superball and other bounces"};
  section.paragraphs = {
      "A ball (I = 2/5 m r²) without spin meets a fixed floor at velocity (1, -1), horizontal and vertical. With both "
      "restitutions "
      "and friction 1 its spin and its horizontal velocity exchange and no energy is lost: the superball."};
  const Bounce super = bounce({1, 1, 1}), slides = bounce({0.1, 0.8, 0.4}), sticks = bounce({0.3, 0.5, 0});
  section.rows = {
      compared("superball: horizontal velocity after", 3.0 / 7.0, super.velocity[0], 1e-12),
      compared("superball: spin after", 10.0 / 7.0, super.spin, 1e-12),
      compared("superball: kinetic energy after / before", 1.0, super.energy, 1e-12),
      compared("ρ 0.8, τ 0.4, friction 0.1 (slides): velocity of the contact point", 0.37, slides.contact[0], 1e-12),
      compared("ρ 0.5, τ 0, friction 0.3 (sticks): horizontal velocity", 5.0 / 7.0, sticks.velocity[0], 1e-12),
      compared("ρ 0.5, τ 0, friction 0.3 (sticks): velocity of the contact point", 0.0, sticks.contact[0], 1e-12),
  };
  return section;
}

Section bead_impacts(const Workshop& workshop) {
  Section section{"Impacts of two beads"};
  section.paragraphs = {
      "Two free balls of different sizes and masses meet with random velocities, spins and coefficients. For balls the formal "
      "velocity is the three-parameter law of Walton and of Foerster and others: the approach is reversed to the share ρ; the "
      "contact point's slip is reversed to the share τ if friction suffices, else reduced by 7/2 μ (1 + ρ) times the approach."};
  const int count = workshop.quick ? 500 : 5000;
  const Impacts impacts = random_impacts(count);
  section.rows = {
      compared(fmt::format("{} random impacts: largest deviation of the relative velocity", count), 0.0, impacts.deviation,
               1e-12),
      compared("largest change of the total momentum", 0.0, impacts.momentum, 1e-12),
      measured("share of impacts that stick", impacts.stuck),
  };
  return section;
}

Section bounce_accumulation(const Workshop& workshop) {
  Section section{"Ping-pong ball: accumulation of bounces"};
  section.paragraphs = {
      "A ball dropped from a height H that keeps the share ρ of its speed at each bounce makes infinitely many bounces in the "
      "time "
      "sqrt(2H/g) (1 + ρ)/(1 - ρ). A time step that holds many of them treats them as one. Moreau's check: repeat with half the "
      "step; if the curve of energy does not change, no harm was done."};
  const double exact = std::sqrt(2.0 / 9.81) * 9.0;
  Plot plot{
      .title = "Energy of the ball above its rest", .x_label = "time [s]", .y_label = "energy / initial energy", .shape = 0.5};
  std::vector<Fall> falls;
  for (const double h : {8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4}) falls.push_back(ping_pong(h));
  for (const Fall& fall : falls) {
    const double h = fall.energy.x[0];
    section.rows.push_back(compared(fmt::format("{}: end of the bouncing [s]", fall.energy.label), exact, fall.end, 25 * h));
  }
  const auto integral = [](const Fall& fall) {
    double sum = 0.0;
    for (const double e : fall.energy.y) sum += e * fall.energy.x[0];
    return sum;
  };
  // Each flight k has the energy ρ^2k and lasts 2 ρ^k sqrt(2H/g); the fall lasts half of that.
  const double area = std::sqrt(2.0 / 9.81) * (1.0 + 2.0 * 0.512 / (1.0 - 0.512));
  for (std::size_t k = 1; k < falls.size(); ++k)
    section.rows.push_back(measured(
        fmt::format("area between the curves of {} and half of it, over that of the exact curve", falls[k - 1].energy.label),
        std::abs(integral(falls[k]) - integral(falls[k - 1])) / area, "tends to 0"));
  section.rows.push_back(compared("area under the energy curve, h = 2.5e-4 [s]", area, integral(falls.back()), 0.01 * area));
  section.rows.push_back(measured("bounces told apart, h = 2.5e-4", falls.back().bounces, "infinitely many"));
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{2}, falls.size() - 1})
    plot.curves.push_back(falls[k].energy);
  const auto file = workshop.figure("ping-pong.svg");
  draw_plot(plot, file);
  section.figures.push_back({file, "Step halving: the curves of energy approach each other."});
  return section;
}

Section newtons_chain(const Workshop&) {
  Section section{"Newton's chain"};
  section.paragraphs = {
      "A ball strikes a row of equal balls that touch. All contacts are active in the same step; the formal velocity shares the "
      "blow among all, v = 1 - (1 + ρ)(n - 1)/n for the striker and (1 + ρ)/n for the others. Newton's cradle, where the last "
      "ball "
      "alone leaves, is not obtained (Alart 2015) unless small gaps make the contacts act one after the other."};
  const auto three = strike(1.0, 0.0, 3, 1, 0.0), five = strike(1.0, 0.0, 5, 1, 0.0), half = strike(0.5, 0.0, 3, 1, 0.0),
             two = strike(1.0, 0.0, 5, 2, 0.0), gaps = strike(1.0, 0.01, 5, 1, 1.0), soft = strike(0.9, 0.01, 5, 1, 1.0);
  double energy = 0.0;
  for (const double v : five) energy += v * v;
  section.rows = {
      compared("3 balls, ρ = 1: striker", -1.0 / 3.0, three[0], 1e-10),
      compared("3 balls, ρ = 1: last ball", 2.0 / 3.0, three[2], 1e-10),
      compared("3 balls, ρ = 0.5: striker", 0.0, half[0], 1e-10),
      compared("5 balls, ρ = 1: striker", -0.6, five[0], 1e-10),
      compared("5 balls, ρ = 1: last ball (cradle: 1)", 0.4, five[4], 1e-10),
      compared("5 balls, ρ = 1: kinetic energy after / before", 1.0, energy, 1e-10),
      compared("2 strikers of 5, ρ = 1: strikers", -0.2, two[0], 1e-10),
      compared("2 strikers of 5, ρ = 1: last ball", 0.8, two[4], 1e-10),
      compared("5 balls with gaps of 1 %, ρ = 1: last ball", 1.0, gaps[4], 1e-10),
      compared("5 balls with gaps of 1 %, ρ = 0.9: last ball, (1.9/2)^4", std::pow(0.95, 4), soft[4], 1e-10),
  };
  return section;
}

}  // namespace moreau::reproduce

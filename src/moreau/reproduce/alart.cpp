// Alart 2015: problems without solution, or with too many; propagation of shocks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "moreau/draw/plot.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/reproduce/experiment.hpp"

namespace moreau::reproduce {

namespace {

constexpr double kappa = 0.5;  // I / (m r^2) of the disc

struct Push {
  double friction = 0.5;
  double speed = 2.0;                    // of the wall towards the ball, over g h
  double beta = 0.5 * std::numbers::pi;  // interior angle between floor and wall
  double pinch = 0.0;                    // impulses the ball is pinched with before the step, over m g h
  double cap = HUGE_VAL;                 // on tangential impulses, over m g h (Coulomb-Orowan)
  int sweeps = 3000;
};

struct Answer {
  Certificate certificate;
  double floor_normal = 0.0, floor_tangential = 0.0, wall_normal = 0.0, wall_tangential = 0.0;  // impulses over m g h
};

// One step of the ball at rest in the corner; both contacts are there with the impulses of a pinched ball.
Answer push(const Scene<2>& scene, const Push& p) {
  Model<2> model = scene.model;
  model.pair_laws[0].friction = p.friction;
  model.pair_laws[0].friction_cap = p.cap / model.time_step;  // a force; m = 1 and g h = 1
  model.solver.max_sweeps = p.sweeps;
  const Vec<2> n{{-std::sin(p.beta), -std::cos(p.beta)}}, tangent{{-n[1], n[0]}};  // tangent: along the wall
  const Vec<2> centre = scene.bodies.state.position[0];
  model.walls[1].geometry.point = centre - 0.5 * n;
  model.walls[1].geometry.direction = n;
  model.motions[0].velocity = p.speed * n;
  // The wall is at this place at the middle of the step, when contacts are looked for.
  model.walls[1].geometry.point -= (0.5 * model.time_step) * model.motions[0].velocity;
  model.contact_distance = 1e-12;
  State<2> state = Simulation<2>(model, scene.bodies).state();
  if (p.pinch > 0.0) {
    const double t = std::tan(0.5 * p.beta);  // the chord between the contact points makes this slope with both normals
    state.contacts.resize(2);
    state.contacts.a = {0, 0}, state.contacts.b = {~1, ~0};
    state.contacts.gap = {0.0, 0.0};
    state.contacts.normal = {n, {{0, 1}}};
    const Vec<2> on_floor{{t * p.pinch, p.pinch}};
    state.contacts.impulse = {-on_floor, on_floor + Vec<2>{{0, 1}}};
    state.impulse_time_step = model.time_step;
  }
  Simulation<2> simulation(model, state);
  Answer answer;
  answer.certificate = simulation.step().certificate;
  const ContactTable<2>& table = simulation.state().contacts;
  for (std::size_t i = 0; i < table.size(); ++i)
    if (wall_index(table.b[i]) == 0)
      answer.floor_normal = table.impulse[i][1], answer.floor_tangential = table.impulse[i][0];
    else
      answer.wall_normal = dot(table.impulse[i], n), answer.wall_tangential = dot(table.impulse[i], tangent);
  return answer;
}

enum class Kind { unique, indeterminate, unsolvable, undecided };

Kind kind_of(const Scene<2>& scene, Push p) {
  const Answer cold = push(scene, p);
  if (cold.certificate.unbounded) return Kind::unsolvable;
  if (!cold.certificate.converged) return Kind::undecided;
  p.pinch = 1.0;
  const Answer warm = push(scene, p);
  if (!warm.certificate.converged) return Kind::undecided;
  return std::abs(warm.wall_normal - cold.wall_normal) > 1e-6 ? Kind::indeterminate : Kind::unique;
}

Section map_of_solutions(const Workshop& workshop, const Scene<2>& scene) {
  Section section{"The ball between walls: which problems have solutions"};
  section.paragraphs = {
      "A ball lies in the corner of a fixed floor and a wall that is driven towards it. The kernel of the Delassus operator is "
      "the "
      "pair of opposite forces along the chord between the contact points; it lies in both friction cones once friction reaches "
      "1. "
      "Exact: friction below 1, one solution; 1 and above, none if the wall moves, and infinitely many if it rests."};
  Plot map{.title = "Ball between floor and wall",
           .x_label = "friction",
           .y_label = "velocity of the wall / (g h)",
           .curves = {{"one solution"}, {"indeterminate"}, {"no bounded solution"}, {"undecided"}},
           .shape = 0.6};
  const double step = workshop.quick ? 0.2 : 0.1;
  int wrong = 0, all = 0;
  for (double friction = 0.05; friction < 2.0; friction += step)
    for (double speed = 0.0; speed < 3.05; speed += workshop.quick ? 0.5 : 0.25) {
      Push p;
      p.friction = friction, p.speed = speed;
      const Kind kind = kind_of(scene, p);
      const Kind exact = friction < 1.0 ? Kind::unique : speed == 0.0 ? Kind::indeterminate : Kind::unsolvable;
      wrong += kind != exact, ++all;
      Curve& curve = map.curves[static_cast<std::size_t>(kind)];
      curve.points = true;
      curve.x.push_back(friction), curve.y.push_back(speed);
    }
  std::erase_if(map.curves, [](const Curve& c) { return c.x.empty(); });
  section.rows.push_back(compared(fmt::format("points of the map, {} in all, that differ from theory", all), 0.0, wrong, 0.5));
  const auto file = workshop.figure("map.svg");
  draw_plot(map, file);
  section.figures.push_back({file,
                             "What the solver says of each problem: it converges to the same impulses from a free and from a "
                             "pinched start, to different ones, or its impulses grow without bound."});

  Plot growth{.title = "Impulse on the floor, wall at 2 g h",
              .x_label = "friction",
              .y_label = "normal impulse / (m g h)",
              .log_y = true,
              .curves = {{"1 / (1 - friction)"}, {"computed"}},
              .shape = 0.5};
  growth.curves[1].points = true;
  for (double friction = 0.0; friction < 0.995; friction += 0.01) {
    growth.curves[0].x.push_back(friction), growth.curves[0].y.push_back(1.0 / (1.0 - friction));
    if (std::lround(friction * 100) % 9 != 0) continue;
    Push p;
    p.friction = friction, p.sweeps = 20000;
    growth.curves[1].x.push_back(friction), growth.curves[1].y.push_back(push(scene, p).floor_normal);
  }
  const auto curve = workshop.figure("growth.svg");
  draw_plot(growth, curve);
  section.figures.push_back({curve, "Impulses tend to infinity as friction tends to 1."});
  for (const double friction : {0.5, 0.9, 0.99}) {
    Push p;
    p.friction = friction, p.sweeps = 20000;
    section.rows.push_back(compared(fmt::format("friction {}: normal impulse on the floor / (m g h)", friction),
                                    1.0 / (1.0 - friction), push(scene, p).floor_normal, 1e-6 / (1.0 - friction)));
  }
  Push beyond;
  beyond.friction = 1.5, beyond.sweeps = 1000;
  Push later = beyond;
  later.sweeps = 1001;
  section.rows.push_back(compared("friction 1.5: growth of the impulses per sweep / (m g h), V κ/(1 + 2κ)",
                                  2.0 * kappa / (1.0 + 2.0 * kappa),
                                  push(scene, later).wall_normal - push(scene, beyond).wall_normal, 1e-6));
  Push pinched;
  pinched.friction = 1.5, pinched.speed = 0.0, pinched.pinch = 7.0;
  section.rows.push_back(compared("wall at rest, friction 1.5, pinched with 7 m g h: impulse of the wall is kept", 7.0,
                                  push(scene, pinched).wall_normal, 1e-9));
  pinched.friction = 0.9;
  section.rows.push_back(compared("wall at rest, friction 0.9, pinched with 7 m g h: no pinching is left", 0.0,
                                  push(scene, pinched).wall_normal, 1e-6));
  return section;
}

Section wedge(const Workshop& workshop, const Scene<2>& scene) {
  Section section{"The wedge: lower critical friction"};
  section.paragraphs = {
      "With an interior angle beta between floor and wall the chord makes the slope tan(beta/2) with both normals: beyond "
      "this friction a wall that comes nearer meets no solution. The paper says that such examples exist and shows none."};
  Curve exact{"tan(beta/2)"}, found{"computed (bisection)"};
  found.points = true;
  for (int degrees = 5; degrees <= 90; ++degrees) {
    exact.x.push_back(degrees), exact.y.push_back(std::tan(degrees * std::numbers::pi / 360.0));
    if (degrees % 15 != 0) continue;
    Push p;
    p.beta = degrees * std::numbers::pi / 180.0, p.sweeps = 20000;
    double low = 0.0, high = 2.0;
    while (high - low > (workshop.quick ? 0.01 : 0.002)) {
      p.friction = 0.5 * (low + high);
      const Certificate c = push(scene, p).certificate;
      (c.converged ? low : high) = p.friction;
    }
    found.x.push_back(degrees), found.y.push_back(0.5 * (low + high));
    section.rows.push_back(compared(fmt::format("critical friction of a wedge of {} degrees", degrees), std::tan(0.5 * p.beta),
                                    found.y.back(), workshop.quick ? 0.02 : 0.005));
  }
  const auto file = workshop.figure("wedge.svg");
  draw_plot({.title = "Critical friction",
             .x_label = "angle of the wedge [degrees]",
             .y_label = "friction",
             .curves = {exact, found},
             .shape = 0.5},
            file);
  section.figures.push_back({file, "Largest friction for which the solver finds bounded impulses."});
  return section;
}

// The wall is pushed with a given impulse instead of a velocity: a piston with the mass of the ball.
struct Pushed {
  Certificate certificate;
  double speed = 0.0;  // of the ball away from the wall, over g h
  double floor_normal = 0.0, floor_tangential = 0.0;
};
Pushed push_with_impulse(const Scene<2>& scene, double friction, double impulse) {
  Model<2> model = scene.model;
  model.pair_laws[0].friction = friction;
  model.solver.max_sweeps = 20000;
  model.walls[1].motion = -1;
  Piston<2> piston;
  piston.walls = {{1, {{-1.0, 0.0}}}};
  piston.control = PistonControl::force;
  piston.target.mean = impulse / model.time_step;  // m = 1 and g h = 1
  piston.mass = 1.0;
  model.pistons = {piston};
  model.contact_distance = 1e-9;
  Simulation<2> simulation(model, scene.bodies);
  Pushed answer;
  answer.certificate = simulation.step().certificate;
  answer.speed = -simulation.state().bodies.state.velocity[0][0];
  const ContactTable<2>& table = simulation.state().contacts;
  for (std::size_t i = 0; i < table.size(); ++i)
    if (wall_index(table.b[i]) == 0) answer.floor_normal = table.impulse[i][1], answer.floor_tangential = table.impulse[i][0];
  return answer;
}

Section impulse_driven(const Scene<2>& scene) {
  Section section{"The wall driven by an impulse"};
  section.paragraphs = {
      "The same ball; the wall has its mass and is pushed with an impulse P. Exact: there is always one bounded solution. With "
      "friction mu below 1 and P large enough both leave at (P/m - mu g h/(1 - mu))/2; with friction of 1 and more they are "
      "jammed, and no impulse, however large, moves them: none in bounded impulses for a wall that is to move."};
  for (const double impulse : {4.0, 20.0}) {
    const Pushed leaves = push_with_impulse(scene, 0.5, impulse), jammed = push_with_impulse(scene, 1.5, impulse);
    section.rows.push_back(compared(fmt::format("friction 0.5, P = {} m g h: speed of the ball / (g h)", impulse),
                                    0.5 * (impulse - 1.0), leaves.speed, 1e-5 * impulse));
    section.rows.push_back(compared(fmt::format("friction 0.5, P = {} m g h: tangential impulse on the floor / (m g h)", impulse),
                                    1.0, leaves.floor_tangential, 1e-5 * impulse));
    section.rows.push_back(compared(fmt::format("friction 1.5, P = {} m g h: speed of the ball / (g h)", impulse), 0.0,
                                    jammed.speed, 1e-5 * impulse));
    section.rows.push_back(compared(fmt::format("friction 1.5, P = {} m g h: normal impulse on the floor / (m g h)", impulse),
                                    1.0 + impulse, jammed.floor_normal, 1e-5 * impulse));
  }
  return section;
}

// |P_T| <= min(mu P_N, K h): the chord is no longer free to carry any force, and solutions exist again.
Section orowan(const Scene<2>& scene) {
  Section section{"Coulomb-Orowan: the remedy"};
  section.paragraphs = {
      "Alart proposes to cap friction at high normal forces (Coulomb and Tresca together): |f_T| <= min(mu f_N, K). With the cap "
      "K h = "
      "5 m g h the problem that had no solution has one: both contacts slide at the cap, floor m g h + K h, wall m V + K h."};
  for (const double friction : {1.5, 3.0, 0.9}) {
    Push p;
    p.friction = friction, p.cap = 5.0, p.sweeps = 20000;
    const Answer a = push(scene, p);
    section.rows.push_back(
        compared(fmt::format("friction {}: normal impulse on the floor / (m g h)", friction), 6.0, a.floor_normal, 1e-6));
    section.rows.push_back(
        compared(fmt::format("friction {}: tangential impulse on the floor / (m g h)", friction), 5.0, a.floor_tangential, 1e-6));
    section.rows.push_back(
        compared(fmt::format("friction {}: normal impulse of the wall / (m g h)", friction), 7.0, a.wall_normal, 1e-6));
    section.rows.push_back(measured(fmt::format("friction {}: sweeps", friction), a.certificate.sweeps));
  }
  Push idle;
  idle.friction = 0.9, idle.cap = 50.0, idle.sweeps = 20000;
  section.rows.push_back(compared("friction 0.9, cap 50 (not reached): normal impulse on the floor / (m g h)", 10.0,
                                  push(scene, idle).floor_normal, 1e-5));
  return section;
}

// Balls in a row, shocks of two balls at a time, left to right, again until none approaches: what binary collisions would do.
std::vector<double> binary_shocks(std::vector<double> v, double restitution) {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i + 1 < v.size(); ++i)
      if (v[i] > v[i + 1] + 1e-13) {
        const double mean = 0.5 * (v[i] + v[i + 1]), half = 0.5 * restitution * (v[i] - v[i + 1]);
        v[i] = mean - half, v[i + 1] = mean + half, again = true;
      }
  }
  return v;
}

struct ChainResult {
  std::vector<double> velocity;
  Curve kinetic;  // where the kinetic energy is, as a mean place over time
};

// A row of n touching (gap 0) or nearly touching balls struck at the left end.
ChainResult strike(const Scene<2>& scene, std::size_t n, double restitution, double gap, double duration,
                   ShockRule shocks = ShockRule::together) {
  Model<2> model = scene.model;
  model.walls.clear(), model.motions.clear();
  model.gravity = {}, model.time_step = 1e-3, model.shocks = shocks;
  model.solver = {.tolerance = 1e-13, .unbalanced_tolerance = 1e-9, .max_sweeps = 100000};
  model.pair_laws[0] = {0.0, restitution, 0.0};
  Bodies<2> bodies;
  for (std::size_t i = 0; i < n; ++i) {
    const double speed = i == 0 ? 1.0 : 0.0;
    bodies.append(
        homogeneous_ball<2>({{static_cast<double>(i) * (1.0 + gap) - (gap == 0.0 ? 0.5e-3 * speed : 0.0), 0.0}}, 0.5, 1.0));
    bodies.state.velocity.back() = {{speed, 0.0}};
  }
  Simulation<2> simulation(model, bodies);
  ChainResult result;
  do {
    simulation.step();
    double place = 0.0, energy = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double v = simulation.state().bodies.state.velocity[i][0];
      place += static_cast<double>(i) * v * v, energy += v * v;
    }
    result.kinetic.x.push_back(simulation.state().time), result.kinetic.y.push_back(place / energy);
  } while (simulation.state().time < duration);
  for (const Vec<2>& v : simulation.state().bodies.state.velocity) result.velocity.push_back(v[0]);
  return result;
}

Section chain(const Workshop& workshop, const Scene<2>& scene) {
  Section section{"A shock along a chain"};
  section.paragraphs = {
      "A ball strikes a row of equal balls. If they touch, all contacts act in the same step, and the formal velocity shares the "
      "blow: no wave. With gaps of a thousandth of a diameter the contacts act one after the other and the shock travels. "
      "Compared "
      "with collisions two at a time, the reference for waves in chains."};
  const std::size_t n = 10;
  for (const double restitution : {1.0, 0.9}) {
    std::vector<double> before(n, 0.0);
    before[0] = 1.0;
    const std::vector<double> reference = binary_shocks(before, restitution);
    const ChainResult touching = strike(scene, n, restitution, 0.0, 0.0), apart = strike(scene, n, restitution, 1e-3, 0.5);
    const double size = static_cast<double>(n);
    section.rows.push_back(compared(fmt::format("{} touching balls, ρ = {}: last ball, (1 + ρ)/n", n, restitution),
                                    (1.0 + restitution) / size, touching.velocity.back(), 1e-9));
    section.rows.push_back(
        stated(fmt::format("{} touching balls, ρ = {}: the shock does not travel (Alart 2015)", n, restitution),
               fmt::format("not the {:.4f} of binary shocks", reference.back()),
               fmt::format("last ball {:.4f}, first {:.4f}", touching.velocity.back(), touching.velocity[0]),
               std::abs(touching.velocity.back() - reference.back()) > 0.1));
    const ChainResult sequential = strike(scene, n, restitution, 0.0, 0.0, ShockRule::sequential);
    section.rows.push_back(compared(fmt::format("{} touching balls, ρ = {}, sequential shocks: last ball", n, restitution),
                                    reference.back(), sequential.velocity.back(), 1e-9));
    section.rows.push_back(compared(fmt::format("{} touching balls, ρ = {}, sequential shocks: first ball", n, restitution),
                                    reference.front(), sequential.velocity.front(), 1e-9));
    section.rows.push_back(compared(fmt::format("{} balls a thousandth apart, ρ = {}: last ball, binary shocks", n, restitution),
                                    reference.back(), apart.velocity.back(), 1e-9));
    if (restitution == 1.0) {
      ChainResult spread = strike(scene, n, restitution, 0.0, 0.5);
      spread.kinetic.label = "touching", section.figures.push_back({workshop.figure("chain.svg"), ""});
      Curve travelling = apart.kinetic;
      travelling.label = "a thousandth apart";
      draw_plot({.title = "Mean place of the kinetic energy along the row",
                 .x_label = "time",
                 .y_label = "ball",
                 .curves = {spread.kinetic, travelling},
                 .shape = 0.45},
                section.figures.back().file);
      section.figures.back().caption =
          "ρ = 1, ten balls struck at the first: with small gaps the energy runs along the row as in "
          "Newton's cradle; touching balls share it in the first step.";
    }
  }
  return section;
}

// A triangular packing of touching discs, struck in the middle of its left side. Speeds along x, column by column.
struct Packing {
  std::vector<double> mean, largest;    // by column
  double energy = 0.0, momentum = 0.0;  // after / before
};
Packing strike_packing(const Scene<2>& scene, ShockRule shocks, double restitution) {
  Model<2> model = scene.model;
  model.walls.clear(), model.motions.clear();
  model.gravity = {}, model.time_step = 1e-3, model.shocks = shocks, model.contact_distance = 1e-9;
  model.solver = {.tolerance = 1e-10, .unbalanced_tolerance = 1e-7, .max_sweeps = 100000};
  model.pair_laws[0] = {0.0, restitution, 0.0};
  constexpr int columns = 8, rows = 9;
  Bodies<2> bodies;
  std::vector<int> column;
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < rows - i % 2; ++j) {
      bodies.append(homogeneous_ball<2>({{i * 0.5 * std::sqrt(3.0), j + 0.5 * (i % 2)}}, 0.5, 1.0));
      column.push_back(i);
    }
  const double speed = 1.0;
  bodies.append(homogeneous_ball<2>({{-1.0 - 0.5 * model.time_step * speed, 0.5 * (rows - 1)}}, 0.5, 1.0));
  bodies.state.velocity.back() = {{speed, 0.0}};
  Simulation<2> simulation(model, bodies);
  simulation.step();
  Packing p;
  p.mean.resize(columns), p.largest.resize(columns);
  const auto& velocity = simulation.state().bodies.state.velocity;
  for (std::size_t i = 0; i < column.size(); ++i) {
    const std::size_t c = static_cast<std::size_t>(column[i]);
    p.mean[c] += velocity[i][0] / (rows - column[i] % 2), p.largest[c] = std::max(p.largest[c], norm(velocity[i]));
  }
  for (const Vec<2>& v : velocity) p.energy += dot(v, v), p.momentum += v[0];
  return p;
}

Section packing(const Workshop& workshop, const Scene<2>& scene) {
  Section section{"A shock through a packing"};
  section.paragraphs = {
      "The same question in the plane: a disc strikes the middle of the left side of a triangular packing of touching discs, no "
      "friction, restitution 1. Velocities after the one step in which all contacts act."};
  Plot plot{.title = "Largest speed by column",
            .x_label = "column, from the struck side",
            .y_label = "speed / speed of the striker",
            .shape = 0.5};
  for (const ShockRule rule : {ShockRule::together, ShockRule::sequential}) {
    const std::string name = rule == ShockRule::together ? "formal velocity" : "sequential shocks";
    const Packing p = strike_packing(scene, rule, 1.0);
    section.rows.push_back(compared(name + ": momentum after / before", 1.0, p.momentum, 1e-6));
    section.rows.push_back(compared(name + ": kinetic energy after / before", 1.0, p.energy, 1e-5));
    section.rows.push_back(measured(name + ": largest speed in the last column / speed of the striker", p.largest.back()));
    section.rows.push_back(measured(name + ": largest speed in the first column / speed of the striker", p.largest.front()));
    Curve curve{name};
    for (std::size_t c = 0; c < p.largest.size(); ++c)
      curve.x.push_back(static_cast<double>(c) + 1.0), curve.y.push_back(p.largest[c]);
    plot.curves.push_back(curve);
  }
  const auto file = workshop.figure("packing.svg");
  draw_plot(plot, file);
  section.figures.push_back({file, "How far the blow reaches in one step with the two treatments."});
  return section;
}

}  // namespace

Report alart(const Workshop& workshop) {
  Report report;
  report.protocol = {
      "Alart's abstract names the example of a ball between two orthogonal walls, one of them driven, and says that its problem "
      "may "
      "have no solution, or none with bounded impulses; it gives no numbers. The exact answers used here follow from the "
      "equations of "
      "one step (README of this experiment). Every point is one step of the program, started from rest."};
  report.choices = {"Disc of mass 1; velocities in units of g h, impulses in units of m g h."};
  const Scene<2> scene = scene_of<2>(scene_text("alart", "ball"), "ball.toml");
  report.sections.push_back(map_of_solutions(workshop, scene));
  report.sections.push_back(impulse_driven(scene));
  report.sections.push_back(wedge(workshop, scene));
  report.sections.push_back(orowan(scene));
  report.sections.push_back(chain(workshop, scene));
  report.sections.push_back(packing(workshop, scene));
  return report;
}

}  // namespace moreau::reproduce

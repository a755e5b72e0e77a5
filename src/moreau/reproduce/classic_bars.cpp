// Bars: wedged between converging walls (Moreau 2003, sec. 8.1), and sliding on a tip (Painleve).
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "moreau/draw/plot.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/reproduce/classics.hpp"

namespace moreau::reproduce {

namespace {

struct Wedging {
  double speed = 0.0;   // after the steps
  double thrust = 0.0;  // horizontal force at the left end, over the weight
};

// The bar at rest with horizontal forces of `thrust` times its weight at both ends, half the weight each upwards; so many steps.
Wedging wedge(const Scene<2>& scene, double thrust, int steps) {
  Simulation<2> simulation(scene.model, scene.bodies);
  const Vec<2> gravity = scene.model.gravity;
  const double weight = scene.bodies.parameters.mass[0] * norm(gravity) * scene.model.time_step;  // of a step, an impulse
  simulation.mutable_model().gravity = {};
  simulation.step();  // finds the contacts, without loading them
  simulation.mutable_model().gravity = gravity;
  ContactTable<2>& contacts = simulation.mutable_state().contacts;
  if (contacts.size() != 2) throw std::logic_error("the bar touches the walls at its two ends");
  for (std::size_t i = 0; i < 2; ++i)
    contacts.impulse[i] = {{std::copysign(thrust * weight, contacts.normal[i][0]), 0.5 * weight}};
  for (int n = 0; n < steps; ++n) simulation.step();
  Wedging result{norm(simulation.state().bodies.state.velocity[0]), 0.0};
  const ContactTable<2>& now = simulation.state().contacts;
  if (now.size() == 2) result.thrust = std::abs(now.impulse[0][0]) / weight;
  return result;
}

struct Jam {
  Vec<2> impulse{}, velocity{};
  double spin = 0.0, energy = 0.0;
};

Jam first_step(Scene<2> scene, double friction, double h) {
  scene.model.pair_laws[0].friction = friction;
  scene.model.time_step = h;
  Simulation<2> simulation(scene.model, scene.bodies);
  simulation.step();
  const State<2>& state = simulation.state();
  return {state.contacts.size() == 1 ? state.contacts.impulse[0] : Vec<2>{}, state.bodies.state.velocity[0],
          state.bodies.state.spin[0][0], state.energy.kinetic};
}

}  // namespace

Section wedged_bar(const Workshop&) {
  Section section{"Wedged bar"};
  section.paragraphs = {
      "A heavy bar between two walls that converge upwards at 10 degrees from the vertical, friction 0.5, at rest. Rest and free "
      "fall are both solutions of the problem of one step; what decides is the degree of wedging, the contact forces that the "
      "bar "
      "brings from its past. It can rest if its ends are thrust outwards by at least X = mg / (2 tan(phi - beta)), phi the angle "
      "of friction and beta that of the walls. Here the impulses are given before the step, as a previous step would leave "
      "them."};
  const Scene<2> scene = scene_of<2>(scene_text("classics", "bar"), "bar.toml");
  const double beta = 10.0 * std::numbers::pi / 180.0, exact = 0.5 / std::tan(std::atan(0.5) - beta);
  const double fall = norm(scene.model.gravity) * scene.model.time_step;
  double low = 0.0, high = 4.0;  // falls at low, rests at high
  while (high - low > 1e-7) {
    const double middle = 0.5 * (low + high);
    (wedge(scene, middle, 1).speed < 1e-3 * fall ? high : low) = middle;
  }
  section.rows.push_back(compared("least thrust that holds the bar, over its weight (bisection)", exact, high, 1e-6));
  section.rows.push_back(compared("cold start: speed after one step, over g h", 1.0, wedge(scene, 0.0, 1).speed / fall, 1e-9));
  section.rows.push_back(
      compared("wedged by 0.99 X: speed after one step, over g h", 1.0, wedge(scene, 0.99 * exact, 1).speed / fall, 1e-6));
  const Wedging held = wedge(scene, 1.5 * exact, 100);
  section.rows.push_back(compared("wedged by 1.5 X: speed after 100 steps, over g h", 0.0, held.speed / fall, 1e-9));
  section.rows.push_back(compared("wedged by 1.5 X: thrust after 100 steps, over X", 1.5, held.thrust / exact, 1e-9));
  return section;
}

Section painleve_rod(const Workshop& workshop) {
  Section section{"Painlevé's rod"};
  section.paragraphs = {
      "A homogeneous rod (half-length 1, mass 1) slides at unit speed on its lower tip, leading with it, at tan(angle) = 2. "
      "Beyond "
      "friction 4/3 no continuous motion exists: the tip jams at once, by a finite impulse without any collision, however small "
      "the step (frictional catastrophe). The one-contact problem then has one solution, sticking: impulse (0.4, 0.3)."};
  const Scene<2> scene = scene_of<2>(scene_text("classics", "rod"), "rod.toml");
  const Jam jam = first_step(scene, 2.0, 1e-8);
  section.rows.push_back(compared("friction 2: tangential impulse, h -> 0", 0.4, jam.impulse[0], 1e-4));
  section.rows.push_back(compared("friction 2: normal impulse, h -> 0", 0.3, jam.impulse[1], 1e-4));
  section.rows.push_back(compared("friction 2: horizontal velocity after", -0.6, jam.velocity[0], 1e-4));
  section.rows.push_back(compared("friction 2: spin after (absolute)", 0.67082, std::abs(jam.spin), 1e-4));
  section.rows.push_back(compared("friction 2: kinetic energy after (0.5 before)", 0.3, jam.energy, 1e-4));
  double low = 0.5, high = 3.0;
  while (high - low > 1e-5) {
    const double middle = 0.5 * (low + high);
    (first_step(scene, middle, 1e-8).impulse[1] > 0.1 ? high : low) = middle;
  }
  section.rows.push_back(compared("critical friction (bisection, h = 1e-8)", 4.0 / 3.0, high, 1e-3));

  Plot plot{.title = "Normal impulse of the first step",
            .x_label = "time step h [s]",
            .y_label = "impulse [N s]",
            .log_x = true,
            .log_y = true};
  for (const double friction : {2.0, 1.5, 1.2, 1.0}) {
    Curve curve{fmt::format("friction {}", friction)};
    for (double h = 1e-8; h < 2e-2; h *= 10.0) {
      curve.x.push_back(h);
      curve.y.push_back(first_step(scene, friction, h).impulse[1]);
    }
    plot.curves.push_back(curve);
  }
  const Curve& slides = plot.curves.back();
  section.rows.push_back(compared("friction 1: normal impulse / (g h), at h = 1e-6", 1.0 / (1.6 - 1.2),
                                  slides.y[2] / (norm(scene.model.gravity) * slides.x[2]), 1e-3));
  const auto file = workshop.figure("painleve-rod.svg");
  draw_plot(plot, file);
  section.figures.push_back({file,
                             "Beyond friction 4/3 the impulse of the first step does not depend on the step: an impact "
                             "without collision. Below, it is that of a lasting force, proportional to h."});
  return section;
}

}  // namespace moreau::reproduce

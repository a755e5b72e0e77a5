// The rocking block (Moreau 1994, sec. 6; 2003, sec. 6; 2004, sec. 7.5): restitution 0 at both corners, and yet it rocks.
#include <fmt/format.h>

#include <cmath>

#include "moreau/draw/plot.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/reproduce/classics.hpp"

namespace moreau::reproduce {

namespace {

// Spin after / spin before when a block of half-width 1 that turns about its left corner lands on the right one.
double landing(double half_height, double friction) {
  const std::string text = with(with(with(scene_text("classics", "block"), "size", fmt::format("[2, {}]", 2.0 * half_height)),
                                     "position", fmt::format("[0, {}]", half_height)),
                                "friction", fmt::format("{}", friction));
  Scene<2> scene = scene_of<2>(text, "block.toml");
  const Spin<2> spin{{-1.0}};
  scene.bodies.state.spin[0] = spin;
  scene.bodies.state.velocity[0] = cross(spin, Vec<2>{{1.0, half_height}});
  Simulation<2> simulation(scene.model, scene.bodies);
  simulation.step();
  return simulation.state().bodies.state.spin[0][0] / spin[0];
}

double housner(double a, double b) { return 1.0 - 1.5 * b * b / (a * a + b * b); }

struct Rocking {
  Curve angle;
  std::vector<double> ratios;  // of spins, at the first impacts
};

// From a tilt on the left corner until the end of the scene.
Rocking rock(double half_width, double half_height) {
  const double tilt = 0.12;
  const double x = -half_width + half_width * std::cos(tilt) - half_height * std::sin(tilt);
  const double y = half_width * std::sin(tilt) + half_height * std::cos(tilt);
  const std::string text =
      with(with(scene_text("classics", "rocking"), "size", fmt::format("[{}, {}]", 2.0 * half_width, 2.0 * half_height)),
           "position", fmt::format("[{:.12f}, {:.12f}]", x, y + 1e-12));
  const Scene<2> scene = scene_of<2>(text, "rocking.toml");
  Simulation<2> simulation(scene.model, scene.bodies);
  Rocking r;
  double before = 0.0, spin = 0.0;
  while (simulation.state().time < scene.duration) {
    simulation.step();
    const auto& s = simulation.state().bodies.state;
    const double angle = s.orientation[0].angle, now = s.spin[0][0];
    // At an impact the spin changes at once; between impacts by g h at most.
    if (std::abs(angle) < 2e-3 && std::abs(before) > 0.05 && now / before < 0.995 && r.ratios.size() < 4)
      r.ratios.push_back(now / before);
    before = spin = now;
    r.angle.x.push_back(simulation.state().time), r.angle.y.push_back(angle);
  }
  return r;
}

}  // namespace

Section rocking_block(const Workshop& workshop) {
  Section section{"Rocking block"};
  section.paragraphs = {
      "A block turns about its left corner and lands on the right one; all restitutions are 0. Newton's rule at each corner "
      "would "
      "stop it. With the formal velocity the left contact may open: half-height a, half-width b, the block goes on with the "
      "share "
      "1 - (3/2) b²/(a² + b²) of its spin if friction holds the right corner (Housner), and (a² - 2b²)/(a² + 4b²) without "
      "friction. Below a/b = 1/√2 (√2 without friction) both corners stay."};
  section.rows = {
      compared("a/b = 2, friction 0: spin after / before", 0.25, landing(2.0, 0.0), 1e-5),
      compared("a/b = 2, friction 0.2: spin after / before", 0.470588, landing(2.0, 0.2), 1e-5),
      compared("a/b = 2, friction 0.36: spin after / before", 0.7, landing(2.0, 0.36), 1e-5),
      compared("a/b = 4, friction 0.2: spin after / before", housner(4, 1), landing(4.0, 0.2), 1e-5),
      compared("a/b = 0.70, friction 1: no rocking", 0.0, landing(0.70, 1.0), 1e-5),
      compared("a/b = 0.72, friction 1: rocks", housner(0.72, 1), landing(0.72, 1.0), 1e-5),
      compared("a/b = 1.40, friction 0: no rocking", 0.0, landing(1.40, 0.0), 1e-5),
  };
  const Rocking slender = rock(0.25, 1.0), squat = rock(0.5, 0.3);
  for (std::size_t i = 0; i < slender.ratios.size(); ++i)
    section.rows.push_back(compared(fmt::format("slender block let go: spin ratio at impact {}", i + 1), housner(1.0, 0.25),
                                    slender.ratios[i], 5e-3));
  double rebound = 0.0;
  for (const double a : squat.angle.y) rebound = std::min(rebound, a);
  section.rows.push_back(stated("squat block (a/b = 0.6) let go", "one episode, then permanent contact",
                                fmt::format("largest tilt to the other side {:.1e} rad", -rebound), rebound > -1e-4));
  Plot plot{.title = "Blocks let go from a tilt of 0.12 rad",
            .x_label = "time [s]",
            .y_label = "tilt [rad]",
            .curves = {slender.angle, squat.angle},
            .shape = 0.4};
  plot.curves[0].label = "a/b = 4", plot.curves[1].label = "a/b = 0.6";
  const auto file = workshop.figure("rocking-block.svg");
  draw_plot(plot, file);
  section.figures.push_back({file, "Damped rocking of a slender block; a squat one falls back and stays. Friction 0.8."});
  return section;
}

}  // namespace moreau::reproduce

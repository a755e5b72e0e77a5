// What the predictive rule promises: bodies that a step throws together do not overlap, and are not thrown apart for having done so.
#include <gtest/gtest.h>

#include <numbers>

#include "certificate/population.hpp"

namespace moreau {
namespace {

using namespace population;

// Three rings of discs that fly to the centre, without restitution.
TEST(Predictive, an_implosion_does_not_rebound) {
  std::string text = head(2, 0.0, "predictive");
  text.replace(text.find("gravity = 9.81"), 14, "gravity = 0");
  const double rings[3][2] = {{0.25, 10}, {0.4, 18}, {0.55, 26}};
  for (int ring = 0; ring < 3; ++ring)
    for (int k = 0; k < static_cast<int>(rings[ring][1]); ++k) {
      const double angle = 2.0 * std::numbers::pi * (k + 0.3 * ring) / rings[ring][1], x = std::cos(angle), y = std::sin(angle);
      text += fmt::format("[[grain]]\nposition = [{}, {}]\nradius = 0.05\nmass = 1\nvelocity = [{}, {}]\n", rings[ring][0] * x,
                          rings[ring][0] * y, -8.0 * x, -8.0 * y);
    }
  const Scene<2> scene = std::get<Scene<2>>(parse_scene(text, "implosion"));
  Simulation<2> simulation(scene.model, scene.bodies, scene.seed);
  const double begin = simulation.state().energy.kinetic;
  double kinetic = begin, created = 0.0, deepest = 0.0;
  for (int n = 0; n < 60; ++n) {
    const StepReport report = simulation.step();
    created = std::max(created, report.energy.kinetic - kinetic), kinetic = report.energy.kinetic;
    deepest = std::max(deepest, report.max_penetration);
  }
  EXPECT_LE(kinetic, 1e-6 * begin);
  EXPECT_LE(created, 1e-6 * begin);
  EXPECT_LE(deepest, 0.01);
}

// A ball strikes one at rest, which flies a twentieth of a diameter further on to a third, all in one step.
TEST(Predictive, a_ball_that_is_struck_stops_at_the_next_one) {
  std::string text = head(2, 0.0, "predictive");
  text.replace(text.find("gravity = 9.81"), 14, "gravity = 0");
  text += "[[grain]]\nposition = [-0.12, 0]\nradius = 0.05\nmass = 10\nvelocity = [30, 0]\n[[grain]]\nposition = [0, 0]\nradius = 0.05\nmass = 1\n"
          "[[grain]]\nposition = [0.105, 0]\nradius = 0.05\nmass = 1\n";
  const Scene<2> scene = std::get<Scene<2>>(parse_scene(text, "row"));
  Simulation<2> simulation(scene.model, scene.bodies, scene.seed);
  for (int n = 0; n < 10; ++n) EXPECT_LE(simulation.step().max_penetration, 5e-3) << n;
  for (const Vec<2>& v : simulation.state().bodies.state.velocity) EXPECT_NEAR(v[0], 25.0, 1e-3);  // they go on together
}

// A prescribed rate puts the cell where it belongs from the first step on, and the bodies with it.
TEST(PrescribedRate, cell_and_bodies_do_not_lag) {
  std::string text = head(2, 0.3, "predictive");
  text.replace(text.find("gravity = 9.81"), 14, "gravity = 0");
  text += "[cell]\nmin = [0, 0]\nmax = [2, 2]\nrate = { xy = 0.5 }\n[[grain]]\nposition = [0.5, 0.5]\nradius = 0.05\n[[grain]]\nposition = [1.5, 1.5]\nradius = 0.05\n";
  const Scene<2> scene = std::get<Scene<2>>(parse_scene(text, "cell"));
  Simulation<2> simulation(scene.model, scene.bodies, scene.seed);
  for (int n = 1; n <= 20; ++n) {
    simulation.step();
    const double strain = 0.5 * simulation.state().time;
    EXPECT_NEAR(simulation.state().cell.vectors.row[0][1], 2.0 * strain, 1e-14);
    const auto& position = simulation.state().bodies.state.position;
    EXPECT_NEAR(position[1][0] - position[0][0], 1.0 + strain, 1e-14);  // the affine field
  }
}

// A slab of up to 1e6 times the weight of a brick below.
TEST(LoadedWall, rests) {
  for (const std::string rule : {"midpoint", "predictive"})
    for (const double load : {1e3, 1e5, 1e6}) {
      const Scene<2> scene = std::get<Scene<2>>(parse_scene(loaded_wall(load, rule), "wall"));
      Simulation<2> simulation(scene.model, scene.bodies, scene.seed);
      StepReport report;
      int unconverged = 0;
      for (int n = 0; n < 100; ++n) {
        report = simulation.step();
        unconverged += report.certificate.converged ? 0 : 1;
      }
      EXPECT_EQ(unconverged, 0) << rule << ' ' << load;
      EXPECT_LE(report.max_speed, 1e-6 * 9.81e-3) << rule << ' ' << load;
      EXPECT_LE(report.max_penetration, 1e-6) << rule << ' ' << load;
    }
}

}  // namespace
}  // namespace moreau

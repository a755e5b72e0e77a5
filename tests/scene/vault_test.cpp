// A barrel vault as the scene makes it, under its own weight: it stands when thick enough and falls when thin. The least
// thickness of a semicircle of many stones is 0.107 of the mean radius.
#include "moreau/engines/simulation.hpp"
#include "scene/scene_text.hpp"

namespace moreau {
namespace {

// How far the key stone has come down after `steps` of 1 ms.
double fall_of_key(const std::string& thickness, int steps) {
  const auto scene = scene_of<3>(R"(dimension = 3
gravity = 9.81
[time]
step = 1e-3
duration = 1
[solver]
tolerance = 1e-5
max_sweeps = 5000
[material]
density = 2000
[law]
friction = 0.7
[arch]
radius = 1
stones = 13
depth = 0.5
thickness = )" + thickness + "\n");
  Simulation<3> simulation(scene.model, scene.bodies, scene.seed);
  const double before = simulation.state().bodies.state.position[6][2];
  for (int i = 0; i < steps; ++i) simulation.step();
  return before - simulation.state().bodies.state.position[6][2];
}

TEST(Vault, stands_above_the_least_thickness) { EXPECT_LT(std::abs(fall_of_key("0.14", 200)), 1e-6); }

TEST(Vault, falls_below_it) { EXPECT_GT(fall_of_key("0.09", 120), 1e-3); }

}  // namespace
}  // namespace moreau

// Stones that fill the space between supports exactly: somewhere they overlap by roundings, and have no room to be pushed apart. The
// forces of rigid bodies are not unique there, but nothing in these scenes brings any beyond the order of the weight.
#include <gtest/gtest.h>

#include <cmath>

#include "certificate/population.hpp"

namespace moreau {
namespace {

const std::string plane = "dimension = 2\ngravity = 9.81\ntime.step = 1e-3\ntime.duration = 1\nmaterial.density = 1000\nlaw.friction = 0.5\n";
const std::string space = "dimension = 3\ngravity = 9.81\ntime.step = 1e-3\ntime.duration = 1\nmaterial.density = 1000\nlaw.friction = 0.5\n";

std::string squares(const std::string& head, const std::string& box) {
  std::string text = head + "[[wall]]\nname = \"box\"\nbox = " + box + "\n";
  for (int i = 0; i < 9; ++i)
    text += "[[block]]\nsize = [1, 1]\nposition = [" + std::to_string(i % 3) + ".5, " + std::to_string(i / 3) + ".5]\n";
  return text;
}

std::string cubes() {
  std::string text = space + "[wall]\nbox = { min = [0, 0, 0], max = [1, 1, 2], open = [\"top\"] }\n";
  for (int i = 0; i < 8; ++i) {
    const auto at = [](bool far) { return std::string(far ? "0.75" : "0.25"); };
    text += "[[block]]\nsize = [0.5, 0.5, 0.5]\nposition = [" + at(i & 1) + ", " + at(i & 2) + ", " + at(i & 4) + "]\n";
  }
  return text;
}

struct Largest {
  double force = 0.0, carried = 0.0;  // over the weight; carried: vertical force of all obstacles
};

template <int D>
Largest forces(const Simulation<D>& simulation, const Scene<D>& scene) {
  const Bodies<D>& bodies = simulation.state().bodies;
  const ContactTable<D>& table = simulation.state().contacts;
  double weight = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_free(i)) weight += bodies.parameters.mass[i] * norm(scene.model.gravity);
  Largest largest;
  for (std::size_t i = 0; i < table.size(); ++i) {
    largest.force = std::max(largest.force, norm(table.impulse[i]));
    if (is_wall(table.b[i]) || !bodies.is_free(static_cast<std::size_t>(table.b[i])))
      largest.carried -= dot(table.impulse[i], scene.model.gravity) / norm(scene.model.gravity);
  }
  const double unit = weight * scene.model.time_step;
  return {largest.force / unit, largest.carried / unit};
}

template <int D>
void stands(const Scene<D>& scene, const std::string& name, int steps) {
  SCOPED_TRACE(name);
  Simulation<D> simulation(scene.model, scene.bodies, scene.seed);
  StepReport report;
  for (int n = 0; n < steps; ++n) {
    report = simulation.step();
    ASSERT_TRUE(report.certificate.converged) << "step " << n;
  }
  const Largest largest = forces(simulation, scene);
  EXPECT_LE(largest.force, 1.0);
  EXPECT_NEAR(largest.carried, 1.0, 2e-3);
  EXPECT_LE(report.max_speed, 1e-5);
}

TEST(Fitted, stones_that_fill_a_space_exactly_bear_their_weight_and_no_more) {
  const std::string piers =
      "[wall]\nplane = { normal = [0, 1] }\n[[block]]\nsize = [1, 3]\nposition = [-0.5, 1.5]\nfixed = true\n"
      "[[block]]\nsize = [1, 3]\nposition = [2.5, 1.5]\nfixed = true\n";
  for (const std::string rule : {"midpoint", "predictive"}) {
    const std::string chosen = "contact.rule = \"" + rule + "\"\n";
    const auto in_plane = [&](const std::string& name, const std::string& text) {
      stands(std::get<Scene<2>>(parse_scene(chosen + text, name)), rule + ", " + name, 400);
    };
    in_plane("bricks between piers", plane + piers + "[[brickwork]]\nbrick = [0.5, 0.25]\nlength = 2\ncourses = 8\n");
    in_plane("nine squares in a box", squares(plane, "{ min = [0, 0], max = [3, 4], open = [\"top\"] }"));
    in_plane("flat arch", plane + "[arch]\nshape = \"flat\"\nspan = 2\nthickness = 0.5\nstones = 7\n");
    stands(std::get<Scene<3>>(parse_scene(chosen + cubes(), "cubes")), rule + ", eight cubes in a box", 200);
  }
}

// 30 000 N on three squares side by side, without gravity: the bottom bears 30 000 N.
TEST(Fitted, squares_under_a_piston_pass_on_its_force) {
  const std::string text =
      squares("dimension = 2\ntime.step = 1e-3\ntime.duration = 1\nmaterial.density = 1000\nlaw.friction = 0.5\n",
              "{ min = [0, 0], max = [3, 3] }") +
      "[[piston]]\nname = \"top\"\nwalls = [\"box.top\"]\nstress = 1e4\n";
  Scene<2> scene = std::get<Scene<2>>(parse_scene(text, "squares"));
  Simulation<2> simulation(scene.model, scene.bodies, scene.seed);
  for (int n = 0; n < 300; ++n) ASSERT_TRUE(simulation.step().certificate.converged) << n;
  const ContactTable<2>& table = simulation.state().contacts;
  double largest = 0.0;
  for (std::size_t i = 0; i < table.size(); ++i) largest = std::max(largest, norm(table.impulse[i]));
  EXPECT_LE(largest, 30000.0 * 1e-3);
}

}  // namespace
}  // namespace moreau

// What stands on the ground at rest stays there, with default settings: chains with heavy balls on light ones, columns, stacks, a
// slab on columns, an arch, an incline near the angle of friction; both contact rules. After one second every body is slower than
// 1e-6 m/s, the ground carries the weight in every single step, nothing has sunk, no energy has come from nowhere.
#include <gtest/gtest.h>

#include <algorithm>

#include "certificate/population.hpp"

namespace moreau {
namespace {

using namespace population;

struct Resting {
  std::string name, scene;
  double size;  // of a body [m]
};

std::string slab() {
  std::string text = ground(3);
  for (const double x : {-0.4, 0.0, 0.4})
    for (const double y : {-0.4, 0.0, 0.4})
      for (int k = 0; k < 4; ++k)
        text += fmt::format("[[block]]\nsize = [0.1, 0.1, 0.1]\nposition = [{}, {}, {}]\nmass = 0.1\n", x, y, 0.05 + 0.1 * k);
  return text + "[[block]]\nsize = [1, 1, 0.1]\nposition = [0, 0, 0.45]\nmass = 1000\n";
}

std::string slab_of_steel_on_cork() {
  std::string text = "[[wall]]\nplane = { normal = [0, 1] }\n";
  for (const double x : {-0.4, 0.0, 0.4})
    for (int k = 0; k < 4; ++k) text += fmt::format("[[block]]\nsize = [0.1, 0.1]\nposition = [{}, {}]\nmass = 1\n", x, 0.05 + 0.1 * k);
  return text + "[[block]]\nsize = [1, 0.1]\nposition = [0, 0.45]\nmass = 1000\n";
}

std::vector<double> under(int count, double top) {
  std::vector<double> masses(static_cast<std::size_t>(count), 1.0);
  masses.push_back(top);
  return masses;
}

std::vector<Resting> scenes(const std::string& rule) {
  const std::string space = head(3, 0.4, rule), plane = head(2, 0.4, rule);
  const double angle = 0.98 * std::atan(0.4);
  std::string incline = boxes(3, rule);
  incline.replace(incline.find("9.81"), 4, fmt::format("[{}, 0, {}]", 9.81 * std::sin(angle), -9.81 * std::cos(angle)));
  return {
      {"five balls, 1 : 1e6", space + chain(3, under(4, 1e6)) + ground(3), 0.1},
      {"five balls, 1 : 1e8", space + chain(3, under(4, 1e8)) + ground(3), 0.1},
      {"nine balls, 1 : 1e4", space + chain(3, under(8, 1e4)) + ground(3), 0.1},
      {"thirteen balls, 1 : 100", space + chain(3, under(12, 100)) + ground(3), 0.1},
      {"column of 60 balls", space + chain(3, std::vector<double>(60, 1.0)) + ground(3), 0.1},
      {"column of 100 balls", space + chain(3, std::vector<double>(100, 1.0)) + ground(3), 0.1},
      {"column of 100 discs", plane + chain(2, std::vector<double>(100, 1.0)) + ground(2), 0.1},
      {"20 bricks", bricks(20, 0.4, rule), 0.1},
      {"80 bricks", bricks(80, 0.4, rule), 0.1},
      {"200 bricks", bricks(200, 0.4, rule), 0.1},
      {"50 boxes", boxes(50, rule), 0.1},
      {"slab on 9 columns", space + slab(), 0.1},
      {"steel slab on cork", plane + slab_of_steel_on_cork(), 0.1},
      {"arch", head(3, 0.7, rule) + "[[arch]]\nradius = 1.0\nthickness = 0.2\ndepth = 0.4\nstones = 15\n", 0.2},
      {"incline at 0.98 of the angle of friction", incline, 0.1},
  };
}

template <int D>
void rests(const Resting& resting, const Scene<D>& scene) {
  SCOPED_TRACE(resting.name);
  Simulation<D> simulation(scene.model, scene.bodies, scene.seed);
  const auto positions = simulation.state().bodies.state.position;
  double weight = 0.0;
  const Bodies<D>& bodies = simulation.state().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_free(i)) weight += bodies.parameters.mass[i];
  const Vec<D> g = scene.model.gravity;
  const double begin = simulation.state().energy.kinetic + simulation.state().energy.potential;
  double fastest = 0.0, least = HUGE_VAL, most = 0.0, created = 0.0;
  for (int step = 1; step <= 1000; ++step) {
    const StepReport r = simulation.step();
    ASSERT_TRUE(r.certificate.converged) << "step " << step;
    created = std::max(created, r.energy.kinetic + r.energy.potential - begin);
    if (step <= 900) continue;
    fastest = std::max(fastest, r.max_speed);
    const ContactTable<D>& table = simulation.state().contacts;
    double carried = 0.0;
    for (std::size_t i = 0; i < table.size(); ++i)
      if (is_wall(table.b[i]) || !bodies.is_free(static_cast<std::size_t>(table.b[i]))) carried -= dot(table.impulse[i], g);
    carried /= weight * dot(g, g) * scene.model.time_step;
    least = std::min(least, carried), most = std::max(most, carried);
  }
  EXPECT_LE(fastest, 1e-6);
  EXPECT_GE(least, 0.999);
  EXPECT_LE(most, 1.001);
  EXPECT_LE(created, 1e-6 * weight * norm(g) * resting.size);
  double sink = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) sink = std::max(sink, norm(bodies.state.position[i] - positions[i]));
  EXPECT_LE(sink, 1e-5 * resting.size);
}

void all_rest(const std::string& rule) {
  for (const Resting& resting : scenes(rule))
    std::visit([&](const auto& scene) { rests(resting, scene); }, parse_scene(resting.scene, resting.name));
}
TEST(Rest, what_stands_rests_with_default_settings_and_the_midpoint_rule) { all_rest("midpoint"); }
TEST(Rest, what_stands_rests_with_default_settings_and_the_predictive_rule) { all_rest("predictive"); }

}  // namespace
}  // namespace moreau

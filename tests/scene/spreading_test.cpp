// An arch on spreading supports: three hinges, where the thrust is least, and the crown follows the mechanism.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "moreau/dynamics/frame.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/measure/contacts/joint_openings.hpp"
#include "scene/scene_text.hpp"

namespace moreau {
namespace {

// Least thrust of the half arch with a hinge at the outer edge of the crown: the greatest, over all joints, of the thrust that
// keeps the part above from turning about the inner end of the joint. Weights of the stones at their centres, as the scene gives
// them.
struct LeastThrust {
  double thrust = 0.0;
  std::size_t joint = 0;  // between stone joint - 1 and joint, from the left
};
LeastThrust least_thrust(const Scene<2>& s, double inner, double outer, std::size_t first, std::size_t stones) {
  LeastThrust best;
  for (std::size_t j = 0; j < stones / 2; ++j) {
    const double angle = std::numbers::pi * (1.0 - static_cast<double>(j) / static_cast<double>(stones));
    const double x = inner * std::cos(angle), y = inner * std::sin(angle);
    double moment = 0.0;
    for (std::size_t i = j; i < stones / 2; ++i)
      moment += s.bodies.parameters.mass[first + i] * 9.81 * (s.bodies.state.position[first + i][0] - x);
    const double thrust = moment / (outer - y);
    if (thrust > best.thrust) best = {thrust, j};
  }
  return best;
}

TEST(SpreadingArch, opens_at_three_hinges_and_sinks_as_the_mechanism_says) {
  const auto scene = scene_of<2>(R"(dimension = 2
gravity = 9.81
[time]
step = 1e-3
duration = 1
[material]
density = 2000
[law]
friction = 0.8
[motion]
name = "spread"
kind = "velocity"
velocity = [0.01, 0]
[arch]
radius = 2
thickness = 0.4
stones = 20
abutments = false
[[block]]
size = [1.2, 0.5]
position = [-2, -0.25]
fixed = true
[[block]]
size = [1.2, 0.5]
position = [2, -0.25]
motion = "spread"
)");
  constexpr std::size_t stone = 2;  // the first of the arch: the two supports come before it
  const LeastThrust expected = least_thrust(scene, 1.8, 2.2, stone, 20);
  Simulation<2> simulation(scene.model, scene.bodies, scene.seed);
  const Frame<2> first = make_frame(scene.model, simulation.state());
  for (int i = 0; i < 300; ++i) simulation.step();
  const double spread = 0.003;
  const Frame<2> last = make_frame(scene.model, simulation.state());
  const auto sample = [&](const Frame<2>& f) {
    return measure::sample_of(scene.model, f.shapes, f.time, f.parameters, f.state, f.contacts, f.wall_shift, f.lattice);
  };
  const auto before = sample(first), after = sample(last);
  std::vector<std::size_t> open;  // the stone to the right of each joint that has opened, from the left
  for (const auto& joint : measure::joint_openings(before, after, 1e-4)) {
    if (joint.state == measure::JointState::whole) continue;
    EXPECT_EQ(joint.state, measure::JointState::open);
    const std::size_t b = static_cast<std::size_t>(joint.b);
    open.push_back(b >= stone ? std::max(joint.a, b) - stone : joint.a == stone ? 0 : 20);
  }
  std::ranges::sort(open);
  ASSERT_EQ(open.size(), 3u);
  EXPECT_EQ(open[0], expected.joint);
  EXPECT_EQ(open[1], 10u);
  EXPECT_EQ(open[2], 20 - expected.joint);

  // Thrust through the crown: that of the contacts between stones 9 and 10.
  double thrust = 0.0;
  for (std::size_t c = 0; c < last.contacts.size(); ++c)
    if (last.contacts.a[c] == static_cast<std::int32_t>(stone) + 9 && last.contacts.b[c] == static_cast<std::int32_t>(stone) + 10)
      thrust += std::abs(last.contacts.force[c][0]);
  EXPECT_NEAR(thrust / expected.thrust, 1.0, 0.01);

  const double angle = std::numbers::pi * static_cast<double>(expected.joint) / 20.0;
  const double across = 1.8 * std::cos(angle), up = 2.2 - 1.8 * std::sin(angle);
  const double fall = 0.5 * ((first.state.position[stone + 9][1] - last.state.position[stone + 9][1]) +
                             (first.state.position[stone + 10][1] - last.state.position[stone + 10][1]));
  // Centres of the two stones at the crown lie beside its hinge by x: they sink by x / across less.
  const double beside = std::abs(first.state.position[stone + 9][0]);
  EXPECT_NEAR(fall / (0.5 * spread * across / up * (1.0 - beside / across)), 1.0, 0.02);
}

}  // namespace
}  // namespace moreau

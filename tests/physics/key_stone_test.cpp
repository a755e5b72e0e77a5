// A stone arch whose key stone is forced down (Moreau 2004, sec. 9): the way it collapses depends on friction.
//
//          |_|  pushed down at constant speed
//        _-|_|-_
//      /  _____  \        segmental arch between fixed abutments, mean radius 1, from 15 to 165 degrees
//    _/_/       \_\_
//
// The paper gives friction 0.6 and 0.3 and no other number; here thickness 0.12, 15 stones, density 1, push 0.1 per unit time.
#include <gtest/gtest.h>

#include "moreau/engines/equilibrium.hpp"
#include "physics/block_sample.hpp"

namespace moreau {
namespace {

using namespace sample;

constexpr int stones = 15;  // the key stone is number 7
constexpr double inner = 0.94, outer = 1.06, from = M_PI / 12, to = 11 * M_PI / 12, push_speed = 0.1;

Vec<2> at_angle(double r, double angle) { return {{r * std::cos(angle), r * std::sin(angle)}}; }
double joint_angle(int k) { return from + k * (to - from) / stones; }

Sample<2> bridge(double friction, double h, bool with_pusher) {
  Sample<2> s(h, {friction, 0.0, 0.0});
  s.model.rule = ContactRule::predictive;
  s.model.solver = {.tolerance = 1e-4, .unbalanced_tolerance = 1e-2, .max_sweeps = 5000};
  for (int k = -1; k <= stones; ++k) {
    const double left = joint_angle(k), right = joint_angle(k + 1);
    const bool abutment = k < 0 || k == stones;
    add_stone<2>(s, {at_angle(inner, left), at_angle(outer, left), at_angle(outer, right), at_angle(inner, right)}, 1.0,
                 abutment ? BodyKind::fixed : BodyKind::free);
  }
  if (with_pusher) {
    // The push starts gently: an arch held between abutments answers a blow on its key stone with a shock.
    Motion<2> gentle;
    gentle.kind = MotionKind::table;
    for (int n = 0; n <= 100; ++n) {
      const double t = 0.01 * n;
      gentle.times.push_back(t), gentle.positions.push_back({{0.0, -0.5 * push_speed * t * t}});
    }
    gentle.times.push_back(100.0), gentle.positions.push_back({{0.0, -push_speed * (100.0 - 0.5)}});
    const int motion = s.motion(gentle);
    const std::size_t i =
        add_box<2>(s, {{0.06, 0.1}}, {{0.0, outer * std::cos(0.5 * (to - from) / stones) + 0.05}}, {}, 1.0, BodyKind::driven);
    s.bodies.parameters.motion[i] = motion;
  }
  return s;
}

struct Collapse {
  double slip = 0.0;     // largest sliding of a joint along itself
  double opening = 0.0;  // largest opening of a joint at one of its ends
  double hinge = 0.0;    // largest relative rotation of two neighbours [rad]
  double key_drop = 0.0, energy_error = 0.0;
  double deepest = 0.0;  // overlap met on the way, in diameters
  double created = 0.0;  // energy: the most by which what is dissipated went back
};

// Relative motion of neighbouring stones at their joint, from where they were to where they are.
Collapse joints_of(const Sample<2>& start, const Simulation<2>& now) {
  Collapse c;
  const auto carried = [&](std::size_t i, const Vec<2>& point) {
    const auto& s = now.state().bodies.state;
    return s.position[i] + rotate(Rotation<2>{s.orientation[i].angle - start.bodies.state.orientation[i].angle},
                                  point - start.bodies.state.position[i]);
  };
  for (int k = 0; k <= stones; ++k) {
    const std::size_t a = static_cast<std::size_t>(k), b = a + 1;  // bodies: the first abutment is number 0
    const double angle = joint_angle(k);
    const auto& s = now.state().bodies.state;
    const double turned_by = s.orientation[b].angle - s.orientation[a].angle;
    const Rotation<2> mean{0.5 * (s.orientation[a].angle + s.orientation[b].angle)};
    const Vec<2> along = rotate(mean, at_angle(1.0, angle)), across{{-along[1], along[0]}};
    for (const double r : {inner, outer}) {
      const Vec<2> apart = carried(b, at_angle(r, angle)) - carried(a, at_angle(r, angle));
      c.opening = std::max(c.opening, dot(apart, across));
      c.slip = std::max(c.slip, std::abs(dot(apart, along)) - std::abs((outer - inner) * (1 - std::cos(turned_by))));
    }
    c.hinge = std::max(c.hinge, std::abs(turned_by));
  }
  c.key_drop = start.bodies.state.position[8][1] - now.state().bodies.state.position[8][1];
  c.energy_error = now.state().energy.error();
  return c;
}

Collapse push(double friction, double down, double h) {
  const Sample<2> s = bridge(friction, h, true);
  auto simulation = s.start();
  double deepest = 0.0, created = 0.0, dissipated = 0.0;
  for (int n = 0; n < std::lround(std::sqrt(2 * down / push_speed) / h); ++n) {
    const StepReport report = simulation.step();
    deepest = std::max(deepest, report.max_penetration);
    created = std::max(created, dissipated - report.energy.dissipated);
    dissipated = std::max(dissipated, report.energy.dissipated);
  }
  Collapse c = joints_of(s, simulation);
  c.deepest = deepest, c.created = created;
  return c;
}

TEST(KeyStone, arch_is_in_equilibrium_before_the_push) {
  for (const double friction : {0.6, 0.3}) {
    const auto simulation = bridge(friction, 1e-3, false).start();
    EXPECT_TRUE(test_equilibrium(simulation.model(), simulation.state(), 1e-3).possible) << friction;
  }
}

TEST(KeyStone, forced_down_it_opens_hinges_with_rough_stones_and_slides_with_smooth_ones) {
  const double down = 0.032;  // at 0.05 the rough arch falls by itself: the key stone leaves the pusher behind
  for (const double h : {1e-3, 5e-4, 2.5e-4}) {
    const Collapse both[] = {push(0.6, down, h), push(0.3, down, h)};
    const Collapse &rough = both[0], &smooth = both[1];
    for (const Collapse& c : both) {
      const std::string of = "step " + std::to_string(h) + (&c == &rough ? ", friction 0.6: " : ", friction 0.3: ");
      RecordProperty(of + "slip, opening, hinge, overlap, energy created",
                     std::to_string(c.slip) + ", " + std::to_string(c.opening) + ", " + std::to_string(c.hinge) + ", " +
                         std::to_string(c.deepest) + ", " + std::to_string(c.created));
      EXPECT_NEAR(c.key_drop, down, 1e-3) << of;
      EXPECT_LE(std::abs(c.energy_error), 1e-10) << of;
      EXPECT_LE(c.deepest, 1e-3) << of;
      EXPECT_LE(c.created, 1e-5) << of;  // of a weight of 3 that sinks by 0.03
    }
    EXPECT_GE(rough.hinge, 0.05) << h;
    EXPECT_LE(rough.slip, 0.2 * rough.opening) << h;
    EXPECT_GE(smooth.slip, 0.01) << h;
    EXPECT_GE(smooth.slip, 3 * rough.slip) << h;
  }
}

}  // namespace
}  // namespace moreau

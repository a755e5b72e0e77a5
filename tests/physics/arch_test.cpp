// A circular arch of dry stones under its own weight (Couplet, Milankovitch, Heyman).
//
//        ___
//      /  _  \         mean radius R, thickness t; stones with radial joints, springing from the ground.
//     / /   \ \        It stands iff a line of thrust fits inside: t/R above about 0.1075 for a semicircle with many stones
//    | |     | |       (Milankovitch) when friction prevents sliding.
#include <gtest/gtest.h>

#include "moreau/engines/equilibrium.hpp"
#include "oracle/stone_statics.hpp"
#include "physics/block_sample.hpp"

namespace moreau {
namespace {

using namespace sample;

// Over some steps: the largest displacement of a stone at the end, and the greatest speed, overlap (in diameters) and energy
// above that of the beginning, met on the way.
struct Course {
  double moved = 0.0, fastest = 0.0, deepest = 0.0, gained = 0.0;
};
Course follow(const Sample<2>& s, int steps) {
  auto simulation = s.start();
  Course c;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = simulation.step();
    c.fastest = std::max(c.fastest, report.max_speed), c.deepest = std::max(c.deepest, report.max_penetration);
    c.gained = std::max(c.gained, report.energy.kinetic + report.energy.potential - report.energy.initial);
  }
  for (std::size_t i = 0; i < s.bodies.size(); ++i)
    c.moved = std::max(c.moved, norm(simulation.state().bodies.state.position[i] - s.bodies.state.position[i]));
  return c;
}

struct Arch {
  std::vector<std::vector<Vec<2>>> stones;
  double inner, outer;

  Arch(int count, double thickness) : inner(1.0 - 0.5 * thickness), outer(1.0 + 0.5 * thickness) {
    const auto at_angle = [](double r, double angle) { return Vec<2>{{r * std::cos(angle), r * std::sin(angle)}}; };
    for (int k = 0; k < count; ++k) {
      const double from = k * M_PI / count, to = (k + 1) * M_PI / count;
      stones.push_back({at_angle(inner, from), at_angle(outer, from), at_angle(outer, to), at_angle(inner, to)});
    }
    for (int d = 0; d < 2; ++d) stones.back()[2][1] = stones.back()[3][1] = 0.0;
  }

  Sample<2> sample(double friction, double h) const {
    Sample<2> s(h, {friction, 0.0, 0.0});
    s.model.contact_distance = 1e-9;
    s.floor();
    for (const auto& corners : stones) add_stone<2>(s, corners);
    return s;
  }

  bool stands_by_linear_program(double friction) const {
    const Sample<2> s = sample(friction, 1e-3);
    std::vector<oracle::Stone> weights;
    std::vector<oracle::JointPoint> joints;
    const int n = static_cast<int>(stones.size());
    for (int k = 0; k < n; ++k) {
      const std::size_t i = static_cast<std::size_t>(k);
      weights.push_back({s.bodies.parameters.mass[i] * g, s.bodies.state.position[i]});
      // The joint towards the previous stone (the ground for the first), seen from stone k; the last has the ground behind too.
      const double angle = k * M_PI / n;
      const Vec<2> along{{-std::sin(angle), std::cos(angle)}};
      for (int end = 0; end < 2; ++end) joints.push_back({k, k - 1, stones[i][static_cast<std::size_t>(end)], along});
    }
    for (int end = 2; end < 4; ++end)
      joints.push_back({n - 1, -1, stones.back()[static_cast<std::size_t>(end)], Vec<2>{{0.0, 1.0}}});
    return oracle::can_stand(weights, joints, friction);
  }

  bool stands_in_one_step(double friction) const {
    Sample<2> s = sample(friction, 1e-3);
    s.model.solver = {};
    const auto simulation = s.start();
    return test_equilibrium(simulation.model(), simulation.state(), 1e-4).possible;
  }

  // What happens in some time, by the predictive rule.
  Course course(double friction, double duration, double h) const {
    Sample<2> s = sample(friction, h);
    s.model.rule = ContactRule::predictive;
    s.model.solver = {.tolerance = 1e-6, .unbalanced_tolerance = 1e-4, .max_sweeps = 20000};
    return follow(s, static_cast<int>(std::lround(duration / h)));
  }
};

// Least thickness for which `stands` holds, by bisection to 1e-4.
template <class Stands>
double least_thickness(int stones, Stands&& stands) {
  double low = 0.05, high = 0.2;
  while (high - low > 1e-4) {
    const double middle = 0.5 * (low + high);
    (stands(Arch(stones, middle)) ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

constexpr double no_sliding = 1.0;

TEST(Arch, least_thickness_by_linear_program_tends_to_milankovitch) {
  const double least = least_thickness(60, [](const Arch& arch) { return arch.stands_by_linear_program(no_sliding); });
  EXPECT_NEAR(least, 0.1075, 0.02 * 0.1075);
}

TEST(Arch, one_step_test_finds_the_least_thickness) {
  for (const int stones : {9, 20, 40}) {
    const double exact = least_thickness(stones, [](const Arch& arch) { return arch.stands_by_linear_program(no_sliding); });
    EXPECT_TRUE(Arch(stones, 1.01 * exact).stands_in_one_step(no_sliding)) << stones;
    EXPECT_FALSE(Arch(stones, 0.99 * exact).stands_in_one_step(no_sliding)) << stones;
  }
}

TEST(Arch, stands_above_its_least_thickness_and_falls_below) {
  const int stones = 20;
  const double exact = least_thickness(stones, [](const Arch& arch) { return arch.stands_by_linear_program(no_sliding); });
  for (const double h : {2e-3, 5e-4}) {
    const Course stands = Arch(stones, 1.02 * exact).course(no_sliding, 2.0, h);
    EXPECT_LE(stands.moved, 1e-5) << h;
    EXPECT_LE(stands.fastest, 1e-3 * g * h) << h;
    EXPECT_LE(stands.deepest, 1e-6) << h;
    EXPECT_LE(stands.gained, 1e-9) << h;  // its weight is about 3
    const Course falls = Arch(stones, 0.98 * exact).course(no_sliding, 2.0, h);
    EXPECT_GE(falls.moved, 0.05) << h;
  }
}

// Eleven stones between abutments, at rest for three thousand steps: joints that are closed to rounding stay so.
TEST(Arch, between_abutments_stands_with_every_step) {
  for (const double h : {2e-3, 1e-3, 5e-4, 2.5e-4, 1e-4}) {
    Sample<2> s(h, {0.6, 0.0, 0.0});
    s.model.rule = ContactRule::predictive;
    s.model.solver = {.tolerance = 1e-4, .unbalanced_tolerance = 1e-2, .max_sweeps = 5000};
    const int stones = 11;
    const double inner = 0.9, outer = 1.1, from = M_PI / 12, to = 11 * M_PI / 12;
    const auto corner = [](double r, double angle) { return Vec<2>{{r * std::cos(angle), r * std::sin(angle)}}; };
    double weight = 0.0;
    for (int k = -1; k <= stones; ++k) {
      const double right = from + k * (to - from) / stones, left = from + (k + 1) * (to - from) / stones;
      const bool abutment = k < 0 || k == stones;
      const std::size_t i =
          add_stone<2>(s, {corner(inner, right), corner(outer, right), corner(outer, left), corner(inner, left)}, 2000.0,
                       abutment ? BodyKind::fixed : BodyKind::free);
      if (!abutment) weight += s.bodies.parameters.mass[i] * g;
    }
    const int steps = 3000;
    const double crawl = s.model.solver.tolerance * g * h;  // the speed that the tolerance allows
    const Course c = follow(s, steps);
    EXPECT_LE(c.gained, weight * crawl * steps * h) << h;
    EXPECT_LE(c.fastest, 0.1 * g * h) << h;
    EXPECT_LE(c.moved, 10.0 * crawl * steps * h) << h;
    EXPECT_LE(c.deepest, 1e-6) << h;
  }
}

TEST(Arch, slides_apart_below_its_critical_friction) {
  const Arch arch(20, 0.2);
  double low = 0.0, high = 1.0;
  while (high - low > 1e-4) {
    const double middle = 0.5 * (low + high);
    (arch.stands_by_linear_program(middle) ? high : low) = middle;
  }
  EXPECT_GT(low, 0.2);
  EXPECT_TRUE(arch.stands_in_one_step(1.02 * high));
  EXPECT_FALSE(arch.stands_in_one_step(0.98 * low));
}

}  // namespace
}  // namespace moreau

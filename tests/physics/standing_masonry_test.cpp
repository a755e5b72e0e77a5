// Two hundred arches and walls of dry stones that can stand, by linear programs, do stand: whatever their span, thickness, number
// of stones, friction and bond, with steps from a tenth of a millisecond to three, by either contact rule. Neighbours share
// corners and sides to rounding, and drift by the tolerance of the solver: every way in which joints can nearly close occurs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "moreau/base/random.hpp"
#include "oracle/stone_statics.hpp"
#include "physics/block_sample.hpp"

namespace moreau {
namespace {

using namespace sample;

constexpr int steps = 2000;

struct Masonry {
  std::string what;
  Sample<2> sample;
  int joints;  // one after the other, between the ground and the last stone
};

Sample<2> ground(RandomStream& random, std::ostringstream& what) {
  const double step = std::pow(10.0, random.uniform(-4.0, -2.5)), friction = random.uniform(0.5, 1.0);
  Sample<2> s(step, {friction, 0.0, 0.0});
  s.model.rule = random.uniform() < 0.5 ? ContactRule::predictive : ContactRule::midpoint;
  s.model.solver = {.tolerance = 1e-4, .unbalanced_tolerance = 1e-2, .max_sweeps = 5000};
  what << (s.model.rule == ContactRule::predictive ? "predictive" : "midpoint") << ", step " << step << ", friction " << friction;
  return s;
}

// Between fixed abutments. It stands with four fifths of its friction and of its thickness.
Masonry random_arch(RandomStream& random) {
  for (;;) {
    std::ostringstream what;
    const int stones = 3 + static_cast<int>(random.next() % 13);
    const double radius = random.uniform(0.5, 3.0), thickness = radius * random.uniform(0.1, 0.5),
                 density = random.uniform(1.0, 3000.0);
    const double from = random.uniform(0.0, 1.0), to = M_PI - std::max(0.0, from + random.uniform(-0.2, 0.2));
    const Vec<2> centre{{random.uniform(-10.0, 10.0), random.uniform(0.0, 10.0)}};
    what << "arch of " << stones << " stones, radius " << radius << ", thickness " << thickness << ", from " << from << " to "
         << to << ", ";
    Sample<2> s = ground(random, what);
    const auto joint = [&](int k) { return from + k * (to - from) / stones; };
    const auto at_angle = [&](double r, double angle) { return centre + r * Vec<2>{{std::cos(angle), std::sin(angle)}}; };
    const double inner = radius - 0.5 * thickness, outer = radius + 0.5 * thickness;
    std::vector<oracle::Stone> weights;
    std::vector<oracle::JointPoint> joints;
    for (int k = -1; k <= stones; ++k) {
      const double right = joint(k), left = joint(k + 1);
      const bool abutment = k < 0 || k == stones;
      const std::size_t i =
          add_stone<2>(s, {at_angle(inner, right), at_angle(outer, right), at_angle(outer, left), at_angle(inner, left)}, density,
                       abutment ? BodyKind::fixed : BodyKind::free);
      if (!abutment) weights.push_back({s.bodies.parameters.mass[i] * g, s.bodies.state.position[i]});
    }
    for (int k = 0; k <= stones; ++k) {
      const Vec<2> along{{-std::sin(joint(k)), std::cos(joint(k))}};
      for (const double r : {radius - 0.4 * thickness, radius + 0.4 * thickness})
        if (k < stones)
          joints.push_back({k, k - 1, at_angle(r, joint(k)), along});
        else
          joints.push_back({k - 1, -1, at_angle(r, joint(k)), -along});
    }
    if (!oracle::can_stand(weights, joints, 0.8 * s.model.pair_laws[0].friction)) continue;
    return {what.str(), s, stones + 1};
  }
}

// Courses of bricks, flush at both ends: columns side by side, running bond, or any shift from course to course.
Masonry random_wall(RandomStream& random) {
  std::ostringstream what;
  const int courses = 2 + static_cast<int>(random.next() % 5), per_course = 1 + static_cast<int>(random.next() % 4);
  const double length = random.uniform(0.1, 0.5), height = length * random.uniform(0.2, 1.0),
               density = random.uniform(1.0, 3000.0);
  const double shifts[] = {0.0, 0.5, 0.25, random.uniform(0.2, 0.8)};
  const double shift = shifts[random.next() % 4], left = random.uniform(-10.0, 10.0);
  what << "wall of " << courses << " courses of " << per_course << " bricks " << length << " x " << height << " shifted by "
       << shift << ", ";
  Sample<2> s = ground(random, what);
  s.floor();
  for (int c = 0; c < courses; ++c) {
    std::vector<double> ends{0.0};
    const double first = c % 2 && shift > 0.0 ? shift : 1.0;
    for (int k = 0; first + k < per_course; ++k) ends.push_back(first + k);
    ends.push_back(per_course);
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
      const double x0 = left + ends[k] * length, x1 = left + ends[k + 1] * length, y0 = c * height, y1 = (c + 1) * height;
      add_stone<2>(s, {{{x0, y0}}, {{x1, y0}}, {{x1, y1}}, {{x0, y1}}}, density);
    }
  }
  return {what.str(), s, courses};
}

// What went wrong, or nothing. A stone may move at the tolerance of the solver, a small part of what gravity gives in a step;
// with the midpoint rule, each joint first closes by some g h^2 (docs/theory.md, section 8).
std::string fault_of(const Masonry& masonry) {
  const Sample<2>& s = masonry.sample;
  const double h = s.model.time_step, crawl = s.model.solver.tolerance * g * h;  // a speed
  const bool midpoint = s.model.rule == ContactRule::midpoint;
  auto simulation = s.start();
  double weight = 0.0;
  for (std::size_t i = 0; i < s.bodies.size(); ++i)
    if (s.bodies.is_free(i)) weight += s.bodies.parameters.mass[i] * g;
  double gained = 0.0, fastest = 0.0, moved = 0.0;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = simulation.step();
    gained = std::max(gained, report.energy.kinetic + report.energy.potential - report.energy.initial);
    if (n >= (midpoint ? steps / 2 : 0)) fastest = std::max(fastest, report.max_speed);
  }
  for (std::size_t i = 0; i < s.bodies.size(); ++i)
    moved = std::max(moved, norm(simulation.state().bodies.state.position[i] - s.bodies.state.position[i]));
  std::ostringstream fault;
  const auto limit = [&](const char* name, double value, double bound) {
    if (!(value <= bound)) fault << name << ' ' << value << ", at most " << bound << " expected; ";
  };
  limit("energy gained", gained, weight * crawl * steps * h);  // as if all had been lifted all the time
  limit("speed", fastest, 0.2 * g * h);                        // the worst of four thousand: 0.11
  limit("way", moved, 10.0 * crawl * steps * h + (midpoint ? 4.0 * masonry.joints * g * h * h : 0.0));
  return fault.str();
}

// MOREAU_LONG_TESTS in the environment: twenty times as many.
TEST(StandingMasonry, of_two_hundred_kinds_stands_without_gaining_energy) {
  const int count = std::getenv("MOREAU_LONG_TESTS") ? 4000 : 200;
  for (int k = 0; k < count; ++k) {
    RandomStream random(static_cast<std::uint64_t>(k));
    const Masonry masonry = k % 2 == 0 ? random_arch(random) : random_wall(random);
    EXPECT_EQ(fault_of(masonry), "") << k << ": " << masonry.what;
  }
}

}  // namespace
}  // namespace moreau

// What passes from one engine to the next, and from a hand to an engine: places, gaps, turns, films, grains that wait. Answers by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "course/two_phases.hpp"
#include "moreau/course/course.hpp"
#include "moreau/engines/refusal.hpp"
#include "moreau/measure/contacts/joint_openings.hpp"
#include "moreau/statics/placement.hpp"

namespace moreau {
namespace {

// A scene on its way to its end.
struct Way {
  explicit Way(const std::string& text) : scene(scene_from(text)), course(scene, 1) {}
  void to_end() {
    while (course.step() == Standing::running) {
    }
    EXPECT_EQ(course.why(), "");
  }
  void until(double time) {
    while (!course.has_reached(time)) ASSERT_EQ(course.step(), Standing::running) << course.why();
  }
  const BodyState<2>& bodies() const { return course.state().bodies.state; }
  const StepReport& report() const { return course.record().report; }

  const Scene<2> scene;
  Course<2> course;
};

std::string head(const std::string& law, double step = 1e-3) {
  return fmt::format("dimension = 2\ngravity = 1\ntime = {{ step = {} }}\nmaterial = {{ density = 1 }}\nlaw = {{ {} }}\n", step, law);
}
std::string disc(double x, double y, const std::string& more = "") {
  return fmt::format("[[grain]]\nposition = [{:.17g}, {:.17g}]\nradius = 0.5\n{}", x, y, more);
}
std::string phase(const std::string& name, const std::string& engine, double step, double duration, const std::string& more = "") {
  return fmt::format("[[phase]]\nname = \"{}\"\nengine = \"{}\"\nstep = {}\nduration = {}\n{}", name, engine, step, duration, more);
}

constexpr double half = 0.5;  // angle at which a disc lies on two
const std::string two_below = disc(std::sin(half), 0.0, "fixed = true\n") + disc(-std::sin(half), 0.0, "fixed = true\n");
const std::string two_planes = "[[wall]]\nplane = { normal = [1, 1] }\n[[wall]]\nplane = { normal = [-1, 1] }\n";

TEST(Borders, a_quasi_static_phase_moves_its_contacts_to_where_they_touch_with_the_radii_it_is_given) {
  for (const double factor : {0.98, 1.02}) {
    Way way(head("friction = 0") + two_planes + disc(0.0, std::sqrt(0.5)) + phase("rest", "rigid", 1e-3, 0.1) +
            phase("hold", "quasi-static", 0.1, 0.3, fmt::format("radii = {}\n", factor)));
    way.to_end();
    EXPECT_TRUE(way.report().certificate.converged);
    EXPECT_NEAR(way.bodies().position[0][1], 0.5 * factor * std::numbers::sqrt2, 1e-12) << factor;
    EXPECT_NEAR(way.bodies().position[0][0], 0.0, 1e-12);
    EXPECT_LT(way.report().max_penetration, 1e-12);
    EXPECT_LT(way.report().energy.error(), 1e-12);
  }
}

// Whenever the fall is cut off.
TEST(Borders, gaps_that_an_impact_leaves_are_closed) {
  int landed = 0;
  for (double fall = 0.40; fall < 0.50; fall += 0.005) {
    Way way(head("friction = 0", 5e-3) + disc(0.0, std::cos(half) + 0.1) + two_below + phase("fall", "rigid", 5e-3, fall) +
            phase("hold", "quasi-static", 0.1, 0.2));
    way.to_end();
    const ContactTable<2>& table = way.course.state().contacts;
    if (!way.report().certificate.converged) continue;
    ++landed;
    ASSERT_EQ(table.size(), 2u) << fall;
    for (const double gap : table.gap) EXPECT_NEAR(gap, 0.0, 1e-13) << fall;
    EXPECT_NEAR(way.bodies().position[0][1], std::cos(half), 1e-12) << fall;
  }
  EXPECT_GT(landed, 10);
}

TEST(Borders, overlaps_that_cannot_be_undone_are_told) {
  Way way(head("friction = 0") + "wall = { box = { min = [-0.5, 0], max = [0.5, 3] } }\n" + disc(0.0, 0.5) +
          phase("rest", "rigid", 1e-3, 0.1) + phase("hold", "quasi-static", 0.1, 0.1, "radii = 1.02\n"));
  way.to_end();
  EXPECT_FALSE(way.report().certificate.converged);
  EXPECT_NEAR(way.report().max_penetration, 0.01 / 1.02, 5e-3);  // 0.01 at either side, or what is left of it
  EXPECT_GT(way.report().max_penetration, 0.004);
}

TEST(Borders, grains_that_wait_are_not_left_waiting) {
  // The first phase ends by a condition, nobody knows when, and the source is not done.
  const std::string sourced = head("friction = 0") + two_planes + disc(0.0, std::sqrt(0.5)) +
                              "[source]\nrate = 5\ncount = 100\nstart = 0.5\nradius = 0.2\ncentre = [0, 3]\n"
                              "[[phase]]\nname = \"rest\"\nend = { at_least = 0.1, kinetic_energy = 1 }\n";
  Way early(sourced + phase("hold", "quasi-static", 0.1, 0.2));
  early.to_end();
  Way late(sourced + phase("hold", "quasi-static", 0.1, 2.0));
  try {
    late.to_end();
    FAIL() << "no refusal";
  } catch (const EngineRefusal& refusal) {
    const std::string said = refusal.what();
    for (const char* word : {"the source 'source'", "t = 0.5", "quasi-static", "'count'"})
      EXPECT_NE(said.find(word), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace moreau

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

// A block 1 x 2 on two springs k_n, pushed by H = 2000 at its middle: turned by phi about its foot, which is shifted by H / 2 k_t.
// With the lean of its weight W the moment about the foot is H + W (H / 2 k_t + phi) = phi k_n / 2.
TEST(Borders, an_elastic_phase_turns_bodies) {
  Way way("dimension = 2\ngravity = [0, -10]\ntime = { step = 1e-3 }\nmaterial = { density = 1000 }\nlaw = { friction = 0.5, stiffness = 1e6 }\n"
          "[wall]\nplane = { normal = [0, 1] }\n[[block]]\nsize = [1, 2]\nposition = [0, 1]\n" +
          phase("rest", "rigid", 1e-3, 0.2) + phase("push", "elastic", 0.02, 1.0, "gravity = [1, -10]\n"));
  way.until(0.2);
  const double turned_before = way.bodies().orientation[0].angle, x_before = way.bodies().position[0][0];
  way.to_end();
  const double phi = turned_before - way.bodies().orientation[0].angle, shift = way.bodies().position[0][0] - x_before;
  EXPECT_NEAR(phi, 2040.0 / 4.8e5, 0.01 * 4.25e-3);
  EXPECT_NEAR(shift - phi, 2e-3, 1e-5);  // its middle is 1 above the foot
}

TEST(Borders, an_elastic_phase_turns_discs) {
  Way way(head("friction = 1, stiffness = 1e4") + disc(0.0, std::cos(half)) + two_below + phase("rest", "rigid", 1e-3, 0.2) +
          phase("push", "elastic", 0.1, 1.0, "gravity = [0.05, -1]\n"));
  way.until(0.2);
  const double turned_before = way.bodies().orientation[0].angle;
  way.to_end();
  EXPECT_NEAR(way.bodies().orientation[0].angle - turned_before, -1.5e-5, 0.1e-5);
}

// A rigid phase does not know by how much the springs were pressed together before they were counted: sides that have risen are open to
// it, and what leans rocks back about its other foot, the pier with what it bears by at most (W / 2 - 6250) / 43333 = 0.43 in a unit of
// time, the block on it by (5000 - 250) / 667 = 7.1. What the springs overlap by is not pushed apart: that would bring 0.1 and more.
TEST(Borders, a_rigid_phase_leaves_the_overlaps_of_blocks_that_an_elastic_one_has_turned) {
  Way way("dimension = 2\ngravity = [0, -10]\ntime = { step = 1e-3 }\nmaterial = { density = 1000 }\nlaw = { friction = 0.9, stiffness = 1e6 }\n"
          "[[block]]\nsize = [6, 1]\nposition = [0, -0.5]\nfixed = true\n[[block]]\nsize = [1, 4]\nposition = [0, 2]\n"
          "[[block]]\nsize = [1, 1]\nposition = [0, 4.5]\n" +
          phase("rest", "rigid", 1e-3, 0.2) + phase("lean", "elastic", 0.1, 1.0, "gravity = [0.5, -10]\n") +
          phase("stand", "rigid", 1e-3, 0.05));
  way.until(1.2);
  const BodyState<2> leant = way.bodies();
  EXPECT_GT(way.report().max_penetration, 1e-4);
  // Points of the pier and of the block on it meet where they met before, to the yield of their springs: it is turned by 2e-3 more.
  const auto place = [&](std::size_t i, const Vec<2>& at) { return leant.position[i] + rotate(leant.orientation[i], at); };
  for (const double side : {-0.5, 0.5}) EXPECT_LT(norm(place(1, {{side, 2.0}}) - place(2, {{side, -0.5}})), 2e-3) << side;
  way.until(1.201);
  const double rocking[] = {0.0, 0.43 * 2.06, 7.1 * 0.71};  // accelerations of the centres
  for (std::size_t i = 1; i < 3; ++i) EXPECT_LT(norm(way.bodies().velocity[i]), 1.1 * rocking[i] * 1e-3) << i;
  way.to_end();
  for (std::size_t i = 1; i < 3; ++i)
    EXPECT_LT(norm(way.bodies().position[i] - leant.position[i]), 1.1 * 0.5 * rocking[i] * 0.05 * 0.05) << i;
}

TEST(Borders, films_are_renewed_when_radii_or_places_change) {
  const auto lies = [](double factor) { return std::sqrt(std::pow(0.5 + 0.5 * factor, 2) - std::pow(std::sin(half), 2)); };
  for (const double factor : {0.98, 1.02}) {
    Way way(head("friction = 0") + disc(0.0, std::cos(half)) + two_below + phase("thin", "lubricated", 0.5, 200.0) +
            phase("thinner", "lubricated", 50.0, 2e4, fmt::format("radii = {}\n", factor)));
    way.to_end();
    EXPECT_NEAR(way.bodies().position[0][1], lies(factor), 1e-6) << factor;
  }
  Way way(head("friction = 0") + disc(0.0, std::cos(half)) + two_below + phase("thin", "lubricated", 0.5, 200.0) +
          phase("thinner", "lubricated", 50.0, 2e4));
  way.until(100.0);
  const double thin = way.course.state().contacts.apart[0];
  way.course.mutable_simulation().mutable_state().bodies.state.position[0][1] += 0.02;
  way.course.mutable_simulation().changed_by_hand();
  ASSERT_EQ(way.course.step(), Standing::running);
  EXPECT_GT(way.course.state().contacts.apart[0], 100.0 * thin);  // 0.02 cos(half), less what a step takes
  way.to_end();
  EXPECT_NEAR(way.bodies().position[0][1], lies(1.0), 1e-6);
}

// A thickness has more digits than a position: a phase that changes nothing of the bodies, or a hand that changes velocities alone,
// leaves it.
TEST(Borders, films_stay_when_nothing_has_moved_the_bodies) {
  Way way(head("friction = 0") + disc(0.0, std::cos(half)) + two_below + phase("thin", "lubricated", 50.0, 1e6) +
          phase("thinner", "lubricated", 5000.0, 1e8));
  way.until(1e6);
  const double thin = way.course.state().contacts.apart[0];
  EXPECT_LT(thin, 1e-10);
  way.course.mutable_simulation().changed_by_hand();
  EXPECT_FALSE(way.course.state().contacts.apart.empty());
  way.to_end();
  EXPECT_LT(way.course.state().contacts.apart[0], 0.1 * thin);
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

// Two blocks on ground that moves by 0.1 m and more: nothing slips, and so nothing counts as slid, at any instant.
TEST(Borders, joints_on_moving_ground_are_whole_while_nothing_slips) {
  const std::string sinusoid = "kind = \"sinusoid\"\namplitude = [0.5, 0]\nfrequency = 0.3\nphase = -1.5707963267948966\n";
  const std::string quake = "kind = \"accelerogram\"\ndirection = [1, 0]\nrecord = { times = [0, 0.1, 0.9, 1.1, 1.9, 2.0, 10], accelerations = [0, 1, 1, -1, -1, 0, 0] }\n";
  const std::string up = "kind = \"sinusoid\"\namplitude = [0, 0.1]\nfrequency = 0.3\nphase = -1.5707963267948966\n";
  for (const double step : {1e-3, 5e-3})
    for (const std::string& motion : {sinusoid, quake, up})
      for (const bool wall : {false, true}) {
        Way way(fmt::format("dimension = 2\ngravity = 9.81\ntime = {{ step = {}, duration = 2 }}\nmaterial = {{ density = 2000 }}\n"
                            "law = {{ friction = 0.9 }}\n[[motion]]\nname = \"m\"\n",
                            step) +
                motion +
                (wall ? "[wall]\nplane = { normal = [0, 1] }\nmotion = \"m\"\n"
                      : "[[block]]\nname = \"ground\"\nsize = [20, 1]\nposition = [0, -0.5]\nmotion = \"m\"\n") +
                "[[block]]\nsize = [0.4, 0.2]\nposition = [0, 0.1]\n[[block]]\nsize = [0.4, 0.2]\nposition = [0, 0.3]\n");
        const auto sample = [&](const Frame<2>& f) {
          return measure::sample_of(way.course.model(), f.shapes, f.time, f.parameters, f.state, f.contacts, f.wall_shift, f.lattice);
        };
        const Frame<2> start = make_frame(way.course.model(), way.course.state());
        for (const double time : {0.3, 0.7, 1.0, 1.5}) {
          way.until(time);
          const Frame<2> now = make_frame(way.course.model(), way.course.state());
          for (const auto& joint : measure::joint_openings(sample(start), sample(now)))
            EXPECT_EQ(joint.state, measure::JointState::whole)
                << motion << step << " at " << time << ": slid " << joint.slid << ", open " << joint.widest;
        }
      }
}

// What slips is told, to the half step in which the ground has moved on.
TEST(Borders, a_block_that_the_ground_leaves_behind_has_slid) {
  Way way("dimension = 2\ngravity = 10\ntime = { step = 1e-3, duration = 1 }\nmaterial = { density = 2000 }\nlaw = { friction = 0.1 }\n"
          "[[motion]]\nname = \"m\"\nkind = \"accelerogram\"\ndirection = [1, 0]\nrecord = { times = [0, 1e-9, 2], accelerations = [0, 3, 3] }\n"
          "[[block]]\nsize = [20, 1]\nposition = [0, -0.5]\nmotion = \"m\"\n[[block]]\nsize = [0.4, 0.2]\nposition = [0, 0.1]\n");
  const auto sample = [&](const Frame<2>& f) {
    return measure::sample_of(way.course.model(), f.shapes, f.time, f.parameters, f.state, f.contacts, f.wall_shift, f.lattice);
  };
  const Frame<2> start = make_frame(way.course.model(), way.course.state());
  way.until(0.5);
  const Frame<2> now = make_frame(way.course.model(), way.course.state());
  const auto joints = measure::joint_openings(sample(start), sample(now));
  ASSERT_EQ(joints.size(), 1u);
  EXPECT_EQ(joints[0].state, measure::JointState::slid);
  EXPECT_NEAR(joints[0].slid, 0.5 * (3.0 - 1.0) * 0.25, 0.5e-3 * 1.5 + 1e-4);
}

}  // namespace
}  // namespace moreau

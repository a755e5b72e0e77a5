// Flow, exits, power of walls, mixing, grids and joints on samples done by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "measure/small_sample.hpp"
#include "moreau/base/random.hpp"
#include "moreau/geometry/mass_properties.hpp"
#include "moreau/measure/contacts/joint_openings.hpp"
#include "moreau/measure/motion/flow.hpp"
#include "moreau/measure/motion/mixing.hpp"

namespace moreau::measure {
namespace {

TEST(Flow, counts_both_ways_and_the_mass) {
  SmallSample<2> before, after;
  for (SmallSample<2>* s : {&before, &after}) {
    const bool later = s == &after;
    s->body({{0.0, later ? 1.0 : -1.0}}, 1.0);                    // upwards
    s->body({{0.0, later ? 2.0 : -0.5}}, 2.0);                    // upwards
    s->body({{0.0, later ? -3.0 : 3.0}}, 3.0);                    // downwards
    s->body({{0.0, 5.0}}, 1.0);                                   // stays
    s->body({{0.0, later ? 1.0 : -1.0}}, 1.0, BodyKind::driven);  // does not count
  }
  const Crossing c = crossings(before.sample(), after.sample(), Vec<2>{}, Vec<2>{{0.0, 1.0}});
  EXPECT_EQ(c.forward, 2u);
  EXPECT_EQ(c.backward, 1u);
  EXPECT_NEAR(c.mass_forward, 5.0 * std::numbers::pi, 1e-12);
  EXPECT_NEAR(c.mass_backward, 9.0 * std::numbers::pi, 1e-12);
}

TEST(Flow, bodies_that_came_in_between_began_at_their_birth) {
  SmallSample<2> before, after;
  before.body({{0.0, 5.0}}, 1.0);
  after.body({{0.0, 5.0}}, 1.0);
  after.body({{0.0, 2.0}}, 1.0);
  after.bodies().state.position[1] = {{0.0, -2.0}};
  EXPECT_EQ(crossings(before.sample(), after.sample(), Vec<2>{}, Vec<2>{{0.0, 1.0}}).backward, 1u);
}

TEST(Exits, are_those_removed_since) {
  SmallSample<2> before, after;
  for (SmallSample<2>* s : {&before, &after}) {
    s->body({{0, 0}}, 1.0, BodyKind::removed);
    s->body({{1, 0}}, 1.0, s == &after ? BodyKind::removed : BodyKind::free, {}, 0.25);
    s->body({{2, 0}}, 1.0);
  }
  Sample<2> first = before.sample(), second = after.sample();
  first.time = 1.0, second.time = 2.0;
  Sink<2> sink;
  sink.name = "hole", sink.direction = {{1.0, 0.0}};
  second.sinks = {sink};
  const auto list = exits(first, second);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].body, 1u);
  EXPECT_EQ(list[0].sink, 0);
  EXPECT_DOUBLE_EQ(list[0].residence, 1.25);
}

TEST(WallDrive, power_of_a_belt_is_force_times_speed) {
  SmallSample<2> s;
  const auto floor = s.plane({{0, 0}}, {{0, 1}});
  const auto ball = s.body({{0, 1}}, 1.0);  // at rest on a belt that moves at 3: the belt drags it with 2
  s.contact(ball, floor, 10.0, {{2.0, 0.0}}, ContactStatus::slide);
  Sample<2> sample = s.sample();
  ContactRecords<2> records = *sample.contacts;
  records.relative_velocity[0] = {{-3.0, 0.0}};
  sample.contacts = &records;
  const auto drives = wall_drives(sample);
  ASSERT_EQ(drives.size(), 1u);
  EXPECT_DOUBLE_EQ(drives[0].power, 6.0);
  EXPECT_DOUBLE_EQ(drives[0].force[0], -2.0);
  EXPECT_DOUBLE_EQ(drives[0].force[1], -10.0);
  EXPECT_NEAR(drives[0].torque[0], 0.0, 1e-12);  // about the origin, below the contact
}

// 20 x 20 grains on a lattice, two materials as `second` says.
template <class Second>
Mixing<2> lacey_of(const Second& second, double cell) {
  SmallSample<2> s;
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 20; ++j) s.body({{i + 0.5, j + 0.5}}, 0.4);
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 20; ++j) s.bodies().parameters.material[static_cast<std::size_t>(20 * i + j)] = second(i, j) ? 1 : 0;
  Sample<2> sample = s.sample();
  return mixing(sample, species_of(sample), everywhere<2>(), cell)[1];
}

TEST(Mixing, is_zero_apart_and_one_at_random) {
  const Mixing<2> apart = lacey_of([](int i, int) { return i < 10; }, 5.0);
  EXPECT_NEAR(apart.lacey, 0.0, 1e-12);
  EXPECT_NEAR(apart.intensity, 1.0, 1e-12);
  EXPECT_NEAR(apart.offset[0], -0.5 * 10.0 / std::sqrt((400.0 - 1.0) / 12.0), 1e-12);
  EXPECT_NEAR(apart.offset[1], 0.0, 1e-12);
  const Mixing<2> chess = lacey_of([](int i, int j) { return (i + j) % 2 == 0; }, 4.0);
  EXPECT_NEAR(chess.variance, 0.0, 1e-12);
  EXPECT_NEAR(chess.lacey, 1.0 / (1.0 - 24.0 / 399.0), 1e-12);
  double mean = 0.0;  // over many deals of the labels
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomStream random(seed);
    mean += lacey_of([&](int, int) { return random.uniform() < 0.3; }, 4.0).lacey / 200.0;
  }
  EXPECT_NEAR(mean, 1.0, 0.005);
}

TEST(Mixing, one_material_is_split_by_size) {
  SmallSample<2> s;
  s.body({{0, 0}}, 1.0), s.body({{5, 0}}, 2.0), s.body({{9, 0}}, 1.1);
  const Species<2> species = species_of(s.sample());
  EXPECT_EQ(species.name, (std::vector<std::string>{"small", "large"}));
  EXPECT_EQ(species.of_body, (std::vector<std::int32_t>{0, 1, 0}));
}

TEST(SpeciesCoordination, counts_a_contact_for_both) {
  SmallSample<2> s;
  const auto a = s.body({{0, 0}}, 1.0), b = s.body({{3, 0}}, 2.0), c = s.body({{0, 2}}, 1.0);
  s.contact(a, b, 1.0);
  s.contact(a, c, 1.0);
  s.contact(c, s.plane({{0, 3}}, {{0, -1}}), 1.0);
  const Sample<2> sample = s.sample();
  const auto z = species_coordination(sample, species_of(sample), 1e-6);
  EXPECT_DOUBLE_EQ(z[0][0], 1.0);  // the two small ones touch each other
  EXPECT_DOUBLE_EQ(z[0][1], 0.5);
  EXPECT_DOUBLE_EQ(z[1][0], 1.0);
  EXPECT_DOUBLE_EQ(z[0][2], 0.5);
}

TEST(Grid, mean_velocity_temperature_and_filling_of_a_cell) {
  SmallSample<2> s;
  s.body({{0.5, 0.5}}, 0.2, BodyKind::free, {{1, 0}});
  s.body({{1.5, 0.5}}, 0.2, BodyKind::free, {{3, 0}});
  s.body({{-0.5, 0.5}}, 0.2, BodyKind::free, {{7, 7}});
  const auto cells = grid_means(s.sample(), 2.0);
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[1].bodies, 2u);
  EXPECT_DOUBLE_EQ(cells[1].velocity[0], 2.0);
  EXPECT_NEAR(cells[1].temperature, 0.5, 1e-12);  // ((1-2)^2 + (3-2)^2) / 2 / 2
  EXPECT_NEAR(cells[1].solid_fraction, 2.0 * std::numbers::pi * 0.04 / 4.0, 1e-12);
}

TEST(Grid, axial_means_see_a_turning_body_of_grains_go_round) {
  SmallSample<3> s;
  for (int k = 0; k < 12; ++k) {
    const double a = 2.0 * std::numbers::pi * k / 12.0;
    s.body({{1.0 + 1.5 * std::cos(a), 1.5 * std::sin(a), 0.5}}, 0.1, BodyKind::free,
           {{-3.0 * std::sin(a), 3.0 * std::cos(a), -1.0}});
  }
  const auto cells = axial_means(s.sample(), {{1.0, 0.0, 0.0}}, 1.0);
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_NEAR(cells[0].velocity[0], 0.0, 1e-12);
  EXPECT_NEAR(cells[0].velocity[1], 3.0, 1e-12);
  EXPECT_NEAR(cells[0].velocity[2], -1.0, 1e-12);
  EXPECT_NEAR(cells[0].temperature, 0.0, 1e-12);
  EXPECT_NEAR(cells[0].volume, 3.0 * std::numbers::pi, 1e-12);
}

// A square of side 2 on another, turned by `angle` about its lower left corner, moved by `along`, lifted by `up`.
JointOpening<2> joint_after(double angle, double along, double up) {
  SmallSample<2> before, after;
  const std::vector<Vec<2>> corners = {{{-1, -1}}, {{1, -1}}, {{1, 1}}, {{-1, 1}}};
  const auto hull = convex_hull<2>(corners, 0.0);
  const PlacedShape<2> placed = make_shape<2>({hull.part});
  for (SmallSample<2>* s : {&before, &after}) {
    s->bodies().shapes = {placed.shape};
    for (const double y : {0.0, 2.0}) {
      NewBody<2> b = homogeneous_block<2>(placed.shape, 0, Vec<2>{{0.0, y}}, placed.orientation, 1.0, 0);
      s->bodies().append(b);
    }
  }
  const Vec<2> corner{{-1, 1}};
  const Rotation<2> turn{angle};
  Vec<2> centre = corner + rotate(turn, Vec<2>{{1, 1}});
  centre[0] += along, centre[1] += up;
  after.bodies().state.position[1] = centre;
  after.bodies().state.orientation[1].angle += angle;
  const Sample<2> first = before.sample(), second = after.sample();
  const auto joints = joint_openings(first, second);
  EXPECT_EQ(joints.size(), 1u);
  return joints.at(0);
}

TEST(Joints, opening_is_that_of_the_far_edge) {
  const JointOpening<2> whole = joint_after(0.0, 0.0, 0.0);
  EXPECT_EQ(whole.state, JointState::whole);
  EXPECT_EQ(whole.points, 2u);
  const JointOpening<2> open = joint_after(0.01, 0.0, 0.0);
  EXPECT_EQ(open.state, JointState::open);
  EXPECT_NEAR(open.widest, 2.0 * std::sin(0.01), 1e-12);
  EXPECT_NEAR(open.narrowest, 0.0, 1e-12);
  const JointOpening<2> slid = joint_after(0.0, 0.003, 0.0);
  EXPECT_EQ(slid.state, JointState::slid);
  EXPECT_NEAR(slid.slid, 0.003, 1e-12);
  // The drift of a solver is no crack.
  EXPECT_EQ(joint_after(0.0, 0.0, 2e-5).state, JointState::whole);
  EXPECT_EQ(joint_after(0.0, 2e-5, 0.0).state, JointState::whole);
  const JointOpening<2> parted = joint_after(0.0, 0.0, 0.02);
  EXPECT_EQ(parted.state, JointState::parted);
  EXPECT_NEAR(parted.narrowest, 0.02, 1e-12);
}

}  // namespace
}  // namespace moreau::measure

#include "moreau/measure/stress/stress.hpp"

#include <gtest/gtest.h>

#include "measure/small_sample.hpp"
#include "moreau/measure/heap/ground_pressure.hpp"
#include "moreau/measure/stress/body_forces.hpp"
#include "moreau/measure/stress/wall_forces.hpp"

namespace moreau::measure {
namespace {

// Bodies that are not free have their row also when nothing touches them, so that a series of samples has no holes.
TEST(WallForces, zero_is_a_row_too) {
  SmallSample<2> s;
  const std::int32_t floor = s.body({{0, 0}}, 0.5, BodyKind::fixed), disc = s.body({{0, 1}}, 0.5);
  s.body({{5, 5}}, 0.5, BodyKind::driven);
  const auto before = wall_forces(s.sample());
  ASSERT_EQ(before.size(), 2u);
  EXPECT_EQ(before[0].name, "fixed bodies");
  EXPECT_EQ(before[0].contacts, 0u);
  EXPECT_EQ(before[0].normal, 0.0);
  s.contact(disc, floor, 3.0);
  const auto after = wall_forces(s.sample());
  ASSERT_EQ(after.size(), 2u);
  EXPECT_EQ(after[0].vertical, -3.0);
  EXPECT_EQ(after[1].name, "driven bodies");
  EXPECT_EQ(after[1].contacts, 0u);
}

// Two named discs side by side on a floor, pushed together: of the pair only what comes from outside counts.
TEST(BodyForces, are_those_from_outside_of_what_has_the_name) {
  SmallSample<2> s;
  const std::int32_t left = s.body({{0, 0.5}}, 0.5), right = s.body({{1, 0.5}}, 0.5), floor = s.plane({{0, 0}}, {{0, 1}});
  s.contact(left, floor, 2.0), s.contact(right, floor, 4.0, {{-1, 0}}), s.contact(right, left, 7.0);
  Sample<2> sample = s.sample();
  sample.named = {{"left", 0, 1}, {"both", 0, 2}, {"right", 1, 1}};
  const auto rows = body_forces(sample);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].force, (Vec<2>{{-7, 2}}));
  EXPECT_EQ(rows[0].contacts, 2u);
  EXPECT_EQ(rows[0].moment[0], 0.0);
  EXPECT_EQ(rows[1].force, (Vec<2>{{-1, 6}}));
  EXPECT_EQ(rows[1].contacts, 2u);
  EXPECT_NEAR(rows[1].moment[0], -0.5 * 2 + 0.5 * 4 - 0.5 * 1, 1e-15);
  EXPECT_EQ(rows[2].force, (Vec<2>{{6, 4}}));
  EXPECT_NEAR(rows[2].moment[0], -0.5, 1e-15);
}

TEST(Stress, disc_in_a_vice_carries_force_over_its_square) {
  //   F -> | o | <- F      box of side 1: sigma_xx = F, nothing across
  SmallSample<2> s;
  const auto left = s.plane({{0, 0}}, {{1, 0}}), right = s.plane({{1, 0}}, {{-1, 0}});
  const auto disc = s.body({{0.5, 0.5}}, 0.5);
  s.contact(disc, left, 3.0), s.contact(disc, right, 3.0);
  const Stress<2> t = stress(s.sample(), box(0, 0, 1, 1));
  EXPECT_DOUBLE_EQ(t.contact(0, 0), 3.0);
  EXPECT_DOUBLE_EQ(t.contact(1, 1), 0.0);
  EXPECT_DOUBLE_EQ(t.pressure(), 1.5);
  EXPECT_EQ(t.contacts, 2u);
}

TEST(Stress, lattice_has_the_stress_it_was_given_in_every_part) {
  const SmallSample<2> s = lattice_under_stress(6, 2.0, 3.0, 0.5);
  const Tensor<2> given{{2.0, 0.5}, {0.5, 3.0}};
  for (const Region<2>& part : {box(0, 0, 6, 6), box(1, 2, 4, 5), box(0, 3, 6, 4)})
    EXPECT_LT((stress(s.sample(), part).contact - given).norm(), 1e-12);
}

TEST(Stress, parts_weighted_by_volume_add_up_to_the_whole) {
  const SmallSample<2> s = lattice_under_stress(6, 2.0, 3.0, 0.5);
  const Tensor<2> whole = 36.0 * stress(s.sample(), box(0, 0, 6, 6)).contact;
  Tensor<2> sum = Tensor<2>::Zero();
  for (int k = 0; k < 6; ++k) {  // rings about a point off the lattice, out to beyond the corners
    Region<2> ring = box(0, 0, 6, 6);
    ring.outside.centre = {{2.7, 3.1}}, ring.outside.inner = k, ring.outside.outer = k + 1.0;
    const Stress<2> part = stress(s.sample(), ring);
    sum += part.volume * part.contact;
  }
  EXPECT_LT((sum - whole).norm(), 1e-11);
}

TEST(Stress, walls_and_contacts_tell_the_same_stress) {
  const SmallSample<2> s = lattice_under_stress(5, 2.0, 3.0, 0.5);
  EXPECT_LT((stress_from_boundary(s.sample(), 25.0) - stress(s.sample(), box(0, 0, 5, 5)).contact).norm(), 1e-12);
  const auto walls = wall_forces(s.sample());  // left, right, bottom, top
  EXPECT_NEAR(walls[0].normal, 2.0 * 5, 1e-12);
  EXPECT_NEAR(walls[0].force[0], -2.0 * 5, 1e-12);
  EXPECT_NEAR(walls[0].tangential[1], -0.5 * 5, 1e-12);
  EXPECT_NEAR(walls[3].normal, 3.0 * 5, 1e-12);
  EXPECT_NEAR(walls[3].vertical, 3.0 * 5, 1e-12);
  EXPECT_EQ(walls[2].contacts, 5u);
}

TEST(Stress, column_of_balls_under_its_weight) {
  // Three balls of weight w: contact forces 3w, 2w, w. Internal moment along z: 3w r + 2w 2r + w 2r = 9 w r.
  SmallSample<3> s;
  s.gravity() = {{0, 0, -2.0}};
  const auto floor = s.plane({{0, 0, 0}}, {{0, 0, 1}});
  std::int32_t below = floor;
  for (int k = 0; k < 3; ++k) s.body({{0, 0, 2.0 * k + 1.0}}, 1.0);
  const double w = 2.0 * s.bodies().parameters.mass[0];
  for (int k = 0; k < 3; ++k) s.contact(k, below, (3 - k) * w), below = k;
  Region<3> cell;
  cell.outside.low = {{-1, -1, 0}}, cell.outside.high = {{1, 1, 6}};
  const Stress<3> t = stress(s.sample(), cell);
  EXPECT_NEAR(t.contact(2, 2) * 24.0, 9.0 * w, 1e-12);
  EXPECT_LT((stress_from_boundary(s.sample(), 24.0) - t.contact).norm(), 1e-12);
  const auto moments = internal_moments(s.sample());
  EXPECT_NEAR(moments[0](2, 2), 5.0 * w, 1e-12);
  EXPECT_NEAR(moments[2](2, 2), 1.0 * w, 1e-12);
  EXPECT_NEAR(weight_balance(s.sample()).carried(), 1.0, 1e-12);
}

TEST(Stress, gas_has_only_its_kinetic_part) {
  // Two bodies of mass m with velocities +-v along x in a box of volume 4: sigma_xx = 2 m v^2 / 4; a common drift changes
  // nothing.
  SmallSample<2> s;
  s.body({{1, 1}}, 0.1, BodyKind::free, {{3 + 7, 5}}), s.body({{1.5, 1}}, 0.1, BodyKind::free, {{-3 + 7, 5}});
  const double m = s.bodies().parameters.mass[0];
  const Stress<2> t = stress(s.sample(), box(0, 0, 2, 2));
  EXPECT_NEAR(t.kinetic(0, 0), 2 * m * 9 / 4, 1e-12);
  EXPECT_NEAR(t.kinetic(1, 1), 0.0, 1e-12);
  EXPECT_DOUBLE_EQ(t.contact.norm(), 0.0);
}

TEST(Stress, a_body_of_any_shape_needs_only_its_centre_and_contact_points) {
  // A block 4 wide, 1 high between two plates, pressed at its four corners: sigma_yy = sum f h / V, whatever the x of the points.
  SmallSample<2> s;
  const auto bottom = s.plane({{0, 0}}, {{0, 1}}), top = s.plane({{0, 1}}, {{0, -1}});
  const auto block = s.body({{2, 0.5}}, 2.0);
  for (const double x : {0.0, 4.0}) {
    s.contact_at(block, bottom, {{x, 0}}, {{0, 1}}, {{0, 5}});
    s.contact_at(block, top, {{x, 1}}, {{0, -1}}, {{0, -5}});
  }
  const Stress<2> t = stress(s.sample(), box(0, 0, 4, 1));
  EXPECT_NEAR(t.contact(1, 1), 2 * 5 * 1.0 / 4.0, 1e-14);
  EXPECT_NEAR(t.contact(1, 0), 0.0, 1e-14);
}

}  // namespace
}  // namespace moreau::measure

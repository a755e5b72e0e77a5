// Displacements, mean strain, fluctuations, contacts gained and lost.
#include "moreau/measure/motion/motion_field.hpp"

#include <gtest/gtest.h>

#include "measure/small_sample.hpp"
#include "moreau/base/random.hpp"
#include "moreau/measure/contacts/contact_changes.hpp"

namespace moreau::measure {
namespace {

TEST(MotionField, homogeneous_strain_leaves_no_fluctuation) {
  SmallSample<2> before, after;
  RandomStream random(4);
  for (int i = 0; i < 20; ++i) {
    const Vec<2> x{{random.uniform(), random.uniform()}};
    before.body(x, 0.01);
    after.body({{x[0] + 0.3 + 0.01 * x[0] + 0.02 * x[1], x[1] - 0.1 - 0.03 * x[1]}}, 0.01);
  }
  const MeanMotion<2> m = mean_motion(displacements(before.sample(), after.sample(), everywhere<2>()));
  EXPECT_NEAR(m.gradient(0, 0), 0.01, 1e-14);
  EXPECT_NEAR(m.gradient(0, 1), 0.02, 1e-14);
  EXPECT_NEAR(m.strain()(1, 1), 0.03, 1e-14);  // compression positive
  EXPECT_NEAR(m.strain()(0, 1), -0.01, 1e-14);
  EXPECT_NEAR(m.rotation(), -0.01, 1e-14);
  EXPECT_LT(m.fluctuation_rms, 1e-14);
}

TEST(MotionField, four_bodies_at_the_corners_by_hand) {
  // Only one corner moves, by (1, 0): mean 1/4, du_x/dx = du_x/dy = 1/2, fluctuation +-1/4 everywhere.
  SmallSample<2> before, after;
  for (const Vec<2>& x : {Vec<2>{{0, 0}}, Vec<2>{{1, 0}}, Vec<2>{{0, 1}}, Vec<2>{{1, 1}}}) {
    before.body(x, 0.1);
    after.body(x[0] + x[1] == 2.0 ? Vec<2>{{2, 1}} : x, 0.1);
  }
  const MeanMotion<2> m = mean_motion(displacements(before.sample(), after.sample(), everywhere<2>()));
  EXPECT_DOUBLE_EQ(m.mean[0], 0.25);
  EXPECT_NEAR(m.gradient(0, 0), 0.5, 1e-14);
  EXPECT_NEAR(m.gradient(0, 1), 0.5, 1e-14);
  EXPECT_NEAR(m.fluctuation_rms, 0.25, 1e-14);
}

TEST(MotionField, bodies_born_in_between_or_on_a_line_do_no_harm) {
  SmallSample<3> before, after;
  for (int i = 0; i < 3; ++i) before.body({{1.0 * i, 0, 0}}, 0.1), after.body({{1.1 * i, 0, 0}}, 0.1);
  after.body({{5, 5, 5}}, 0.1);
  const MeanMotion<3> m = mean_motion(displacements(before.sample(), after.sample(), everywhere<3>()));
  EXPECT_EQ(m.bodies, 3u);
  EXPECT_EQ(m.gradient.norm(), 0.0);
}

TEST(MotionField, cells_average_what_lies_in_them) {
  SmallSample<2> s;
  s.body({{0.2, 0.5}}, 0.1, BodyKind::free, {{1, 0}}), s.body({{0.7, 0.5}}, 0.1, BodyKind::free, {{3, 0}});
  s.body({{1.5, 0.5}}, 0.1, BodyKind::free, {{0, 5}});
  const CellAverages<2> cells = average_in_cells(velocities(s.sample(), everywhere<2>()), box(0, 0, 2, 1).outside, 1.0);
  ASSERT_EQ(cells.mean.size(), 2u);
  EXPECT_EQ(cells.mean[0], (Vec<2>{{2, 0}}));
  EXPECT_EQ(cells.centre[1], (Vec<2>{{1.5, 0.5}}));
  EXPECT_EQ(cells.bodies[0], 2u);
}

TEST(MotionField, walls_that_close_in_give_the_strain) {
  SmallSample<2> s;
  s.plane({{0, 0}}, {{1, 0}}), s.plane({{2, 0}}, {{-1, 0}}), s.body({{1, 1}}, 1);
  const Sample<2> before = s.sample();
  Sample<2> after = before;
  after.wall_shift[0] = {{0.1, 0}}, after.wall_shift[1] = {{-0.1, 0}};
  EXPECT_NEAR(wall_strain(before, after)[0], -std::log(0.9), 1e-14);
  EXPECT_TRUE(std::isnan(wall_strain(before, after)[1]));
}

TEST(MotionField, frame_one_period_before_is_found_only_where_there_is_one) {
  const std::vector<double> times{0, 0.1, 0.2, 0.3, 0.4};
  EXPECT_EQ(nearest_instant(times, 0.3 - 0.2, 0.01), 1u);
  EXPECT_FALSE(nearest_instant(times, 0.3 - 0.25, 0.01));
}

TEST(ContactChanges, one_kept_one_lost_two_gained) {
  SmallSample<2> before, after;
  for (auto* s : {&before, &after}) {
    s->plane({{0, 0}}, {{0, 1}});
    for (int i = 0; i < 4; ++i) s->body({{2.0 * i, 1}}, 1);
  }
  before.contact(0, ~0, 5.0), before.contact(1, 0, 1.0);  // mean 3: the second is weak
  after.contact(0, ~0, 5.0), after.contact(2, 1, 4.0), after.contact(3, 2, 0.5), after.contact(3, ~0, 0.0);
  const ContactChanges c = contact_changes(before.sample(), after.sample());
  EXPECT_EQ(c.before, 2u);
  EXPECT_EQ(c.after, 3u);  // the one without force is none
  EXPECT_EQ(c.kept, 1u);
  EXPECT_EQ(c.lost, 1u);
  EXPECT_EQ(c.lost_weak, 1u);
  EXPECT_EQ(c.gained, 2u);
  EXPECT_EQ(c.gained_weak, 1u);
}

}  // namespace
}  // namespace moreau::measure

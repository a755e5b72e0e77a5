#include "moreau/draw/picture/fields.hpp"

#include "draw/read_back.hpp"
#include "moreau/draw/picture/shown_box.hpp"

namespace moreau {

namespace {

TEST(Fields, pressure_is_normal_force_per_perimeter_or_surface) {
  Frame<2> plane;
  add_ball<2>(plane, {{0.0, 0.0}}, 0.5);
  add_ball<2>(plane, {{1.0, 0.0}}, 0.5);
  add_contact<2>(plane, 0, 1, {{-1.0, 0.0}}, 3.0);
  add_contact<2>(plane, 0, ~0, {{1.0, 0.0}}, 3.0);
  const Field p = body_field(plane, "pressure");
  EXPECT_DOUBLE_EQ(p.value[0], 6.0 / std::numbers::pi);
  EXPECT_DOUBLE_EQ(p.value[1], 3.0 / std::numbers::pi);

  Frame<3> space;
  add_ball<3>(space, {}, 0.5);
  add_contact<3>(space, 0, ~0, {{0.0, 0.0, 1.0}}, 2.0);
  EXPECT_DOUBLE_EQ(body_field(space, "pressure").value[0], 2.0 / std::numbers::pi);
}

TEST(Fields, contacts_counts_only_those_that_transmit_a_force) {
  Frame<2> frame;
  for (int i = 0; i < 3; ++i) add_ball<2>(frame, {{1.0 * i, 0.0}}, 0.5);
  add_contact<2>(frame, 0, 1, {{-1.0, 0.0}}, 1.0);
  add_contact<2>(frame, 1, 2, {{-1.0, 0.0}}, 0.0);
  EXPECT_EQ(body_field(frame, "contacts").value, (std::vector<double>{1.0, 1.0, 0.0}));
}

TEST(Fields, speed_and_spin_are_magnitudes) {
  Frame<3> frame;
  add_ball<3>(frame, {}, 1.0);
  frame.state.velocity[0] = {{0.0, -3.0, 4.0}};
  frame.state.spin[0] = {{2.0, -1.0, 2.0}};
  EXPECT_DOUBLE_EQ(body_field(frame, "speed").value[0], 5.0);
  EXPECT_DOUBLE_EQ(body_field(frame, "spin").value[0], 3.0);
}

TEST(Fields, spin_in_the_plane_has_a_sign_and_zero_in_the_middle) {
  Frame<2> frame;
  add_ball<2>(frame, {}, 1.0), add_ball<2>(frame, {{2.0, 0.0}}, 1.0);
  frame.state.spin[0][0] = -3.0, frame.state.spin[1][0] = 1.0;
  Field field = body_field(frame, "spin");
  EXPECT_EQ(field.value, (std::vector<double>{-3.0, 1.0}));
  fit_range(field, {1, 1});
  EXPECT_EQ(field.low, -3.0);
  EXPECT_EQ(field.high, 3.0);
}

TEST(Fields, scale_ends_at_the_largest_shown_value) {
  Field field{.name = "speed", .value = {1.0, 2.0, 8.0}, .from_zero = true};
  fit_range(field, {1, 1, 0});
  EXPECT_EQ(field.low, 0.0);
  EXPECT_EQ(field.high, 2.0);
  EXPECT_EQ(place_on_scale(field, 1.0), 0.5);
  EXPECT_FALSE(field.exceeded);
}

TEST(Fields, uniform_field_has_one_colour) {
  Field zero{.name = "speed", .value = {0.0, 0.0}, .from_zero = true}, radius{.name = "radius", .value = {0.3, 0.3}};
  fit_range(zero, {1, 1});
  fit_range(radius, {1, 1});
  EXPECT_EQ(place_on_scale(zero, 0.0), 0.0);
  EXPECT_EQ(place_on_scale(radius, 0.3), 0.5);
}

TEST(Fields, a_few_extreme_grains_do_not_darken_the_others) {
  Field field{.name = "pressure", .value = std::vector<double>(1000, 1.0), .from_zero = true, .heavy_tail = true};
  field.value[3] = 1000.0;
  fit_range(field, std::vector<char>(1000, 1));
  EXPECT_EQ(field.high, 1.0);
  EXPECT_TRUE(field.exceeded);
}

TEST(ColourMap, runs_from_violet_to_yellow_with_growing_luminance) {
  EXPECT_LT(difference(viridis(0.0), {68 / 255.0, 1 / 255.0, 84 / 255.0}), 1e-12);
  EXPECT_LT(difference(viridis(1.0), {253 / 255.0, 231 / 255.0, 37 / 255.0}), 1e-12);
  for (int i = 0; i < 100; ++i) EXPECT_LT(luminance(viridis(i / 100.0)), luminance(viridis((i + 1) / 100.0)));
  EXPECT_EQ(difference(viridis(-5.0), viridis(0.0)), 0.0);
  EXPECT_EQ(difference(viridis(1e300), viridis(1.0)), 0.0);
}

TEST(Region, reaches_near_walls_and_neglects_far_ones) {
  const std::vector<Cover> balls = {cover_of_ball({{1.0, 1.0, 1.0}}, 1.0), cover_of_ball({{9.0, 9.0, 9.0}}, 1.0)};
  const WallGeometry<3> near{WallShape::plane, {{0.0, 0.0, -1.0}}, {{0.0, 0.0, 1.0}}, 0.0};
  const WallGeometry<3> far{WallShape::plane, {{-50.0, 0.0, 0.0}}, {{1.0, 0.0, 0.0}}, 0.0};
  const Box box = shown_box(balls, {}, {near, far});
  EXPECT_EQ(box.low[2], -1.0);
  EXPECT_EQ(box.low[0], 0.0);
  EXPECT_EQ(box.high[1], 10.0);
}

}  // namespace

}  // namespace moreau

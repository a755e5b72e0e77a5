#include <random>

#include "draw/read_back.hpp"
#include "moreau/draw/picture/picture.hpp"

namespace moreau {

namespace {

using PictureOfSpace = PictureTest;

// Every ball is two circles in an SVG: its colour, and the light on it.
std::vector<Circle> balls(const std::string& svg) {
  std::vector<Circle> result;
  for (const Circle& c : circles(svg))
    if (c.fill != "url(#b)") result.push_back(c);
  return result;
}

// Balls along the three axes, of radii 1, 2, 3 so that they can be told apart: x, y, z.
Frame<3> tripod() {
  Frame<3> frame;
  add_ball<3>(frame, {{10.0, 0.0, 0.0}}, 1.0);
  add_ball<3>(frame, {{0.0, 10.0, 0.0}}, 2.0);
  add_ball<3>(frame, {{0.0, 0.0, 10.0}}, 3.0);
  return frame;
}

TEST_F(PictureOfSpace, views_look_along_the_axes) {
  const Frame<3> frame = tripod();
  const auto seen = [&](const char* view) {
    draw_frame(frame, {.view = view}, file("a.svg"));
    std::vector<Circle> b = balls(text_of(file("a.svg")));
    std::sort(b.begin(), b.end(), [](const Circle& p, const Circle& q) { return p.r < q.r; });
    return b;
  };
  const auto front = seen("front"), side = seen("side"), top = seen("top");
  ASSERT_EQ(front.size(), 3u);
  EXPECT_GT(front[0].x, front[2].x + front[2].r);  // x to the right
  EXPECT_LT(front[2].y, front[0].y);               // z up
  EXPECT_NEAR(front[1].x, front[2].x, 0.02);       // y along the sight
  EXPECT_GT(side[1].x, side[0].x);
  EXPECT_LT(side[2].y, side[1].y);
  EXPECT_GT(top[0].x, top[1].x);
  EXPECT_LT(top[1].y, top[0].y);
}

TEST_F(PictureOfSpace, perspective_makes_near_balls_larger) {
  Frame<3> frame;
  add_ball<3>(frame, {{0.0, 0.0, 0.0}}, 1.0, 1.0);
  add_ball<3>(frame, {{3.0, 10.0, 0.0}}, 1.0, 0.0);
  draw_frame(frame, {}, file("a.svg"));
  const std::vector<Circle> b = balls(text_of(file("a.svg")));
  ASSERT_EQ(b.size(), 2u);
  EXPECT_EQ(b[1].fill, "#fde725");  // the one in front is drawn last
  EXPECT_GT(b[1].r, 1.02 * b[0].r);
}

TEST_F(PictureOfSpace, near_ball_covers_the_far_one) {
  Frame<3> frame;
  add_ball<3>(frame, {{0.0, 0.0, 0.0}}, 1.0, 0.0);
  add_ball<3>(frame, {{0.5, 3.0, 0.0}}, 1.0, 1.0);
  draw_frame(frame, {.view = "front"}, file("a.png"));
  draw_frame(frame, {.view = "front"}, file("a.svg"));
  const Circle near = balls(text_of(file("a.svg"))).at(1);
  const Pixels pixels(file("a.png"));
  EXPECT_EQ(near.fill, "#440154");
  EXPECT_LT(difference(pixels.at(near.x + 0.1 * near.r, near.y + 0.1 * near.r), viridis(0.0)), 0.1);  // in the belt without light
}

TEST_F(PictureOfSpace, hidden_balls_are_left_out) {
  Frame<3> frame;
  add_ball<3>(frame, {{0.0, 0.0, 0.0}}, 5.0);
  add_ball<3>(frame, {{0.0, 10.0, 0.0}}, 1.0);
  draw_frame(frame, {.view = "front"}, file("a.svg"));
  EXPECT_EQ(balls(text_of(file("a.svg"))).size(), 1u);
  draw_frame(frame, {.view = "side"}, file("a.svg"));
  EXPECT_EQ(balls(text_of(file("a.svg"))).size(), 2u);
}

TEST_F(PictureOfSpace, slice_keeps_the_grains_near_the_middle_plane) {
  Frame<3> frame;
  for (int i = 0; i <= 4; ++i) add_ball<3>(frame, {{2.0 * i, 2.0 * i, 0.0}}, 1.0);
  add_contact<3>(frame, 1, 2, normalized(Vec<3>{{-1.0, -1.0, 0.0}}), 1.0);
  add_contact<3>(frame, 0, 1, normalized(Vec<3>{{-1.0, -1.0, 0.0}}), 1.0);
  draw_frame(frame, {.slice = 2.5}, file("a.svg"));
  const std::string svg = text_of(file("a.svg"));
  EXPECT_EQ(balls(svg).size(), 3u);
  EXPECT_EQ(stroke_widths(svg, "#d6121a").size(), 2u);  // one of the two contacts, and the key
  EXPECT_TRUE(contains(svg, "3 of them in a slice of thickness 5"));
  EXPECT_FALSE(contains(svg, "outside the view"));
}

TEST_F(PictureOfSpace, forces_are_drawn_through_the_grains_only_when_asked) {
  Frame<3> frame = tripod();
  add_contact<3>(frame, 0, 1, {{1.0, 0.0, 0.0}}, 1.0);
  draw_frame(frame, {}, file("a.svg"));
  EXPECT_TRUE(stroke_widths(text_of(file("a.svg")), "#d6121a").empty());
  draw_frame(frame, {.forces = true}, file("a.svg"));
  EXPECT_FALSE(stroke_widths(text_of(file("a.svg")), "#d6121a").empty());
  EXPECT_TRUE(contains(text_of(file("a.svg")), "fill-opacity"));
}

TEST_F(PictureOfSpace, walls_and_cylinders_are_drawn_in_every_view) {
  Frame<3> frame = tripod();
  frame.walls.push_back(
      {.name = "floor", .geometry = {.shape = WallShape::plane, .point = {{0.0, 0.0, -3.0}}, .direction = {{0.0, 0.0, 1.0}}}});
  frame.walls.push_back(
      {.name = "drum",
       .geometry = {.shape = WallShape::cylinder, .point = {{4.0, 4.0, 0.0}}, .direction = {{0.0, 0.0, 1.0}}, .radius = 11.0}});
  frame.wall_shift.assign(2, {});
  for (const char* view : {"perspective", "front", "side", "top"}) {
    draw_frame(frame, {.colour = "none", .view = view}, file("a.svg"));
    const std::string with = text_of(file("a.svg"));
    Frame<3> bare = frame;
    bare.walls.clear();
    draw_frame(bare, {.colour = "none", .view = view}, file("a.svg"));
    EXPECT_GT(with.size(), text_of(file("a.svg")).size() + 500) << view;
  }
}

TEST_F(PictureOfSpace, floor_far_below_is_not_drawn_in_part) {
  Frame<3> frame = tripod();
  draw_frame(frame, {.colour = "none"}, file("a.svg"));
  const std::string bare = text_of(file("a.svg"));
  const auto with_floor = [&](double height) {
    frame.walls = {
        {.name = "floor", .geometry = {.shape = WallShape::plane, .point = {{0.0, 0.0, height}}, .direction = {{0.0, 0.0, 1.0}}}}};
    frame.wall_shift.assign(1, {});
    draw_frame(frame, {.colour = "none"}, file("a.svg"));
    return polygons(text_of(file("a.svg"))).size();
  };
  EXPECT_EQ(with_floor(-3.0), polygons(bare).size() + 1);
  EXPECT_EQ(with_floor(-12.0), polygons(bare).size());
}

TEST_F(PictureOfSpace, hundred_thousand_grains_make_a_compact_file) {
  Frame<3> frame;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0.0, 50.0);
  Bodies<3> bodies;
  for (int i = 0; i < 100000; ++i)
    bodies.append(homogeneous_ball<3>({{uniform(random), uniform(random), uniform(random)}}, 0.5, 1.0));
  frame.parameters = bodies.parameters;
  frame.state = bodies.state;
  draw_frame(frame, {.width = 800}, file("a.svg"));
  draw_frame(frame, {.width = 800}, file("a.png"));
  EXPECT_LT(std::filesystem::file_size(file("a.svg")), 10'000'000u);
}

}  // namespace

}  // namespace moreau

// Arrows of displacements, several frames on one sheet, strips with forces.
#include "moreau/draw/picture/arrows.hpp"

#include "draw/read_back.hpp"
#include "moreau/draw/picture/contact_sheet.hpp"
#include "moreau/draw/plot/strip_figure.hpp"

namespace moreau {

namespace {

using ArrowPicture = PictureTest;

constexpr const char* arrow_ink = "#0d0d14";

// Heads of arrows: their tips.
std::vector<Point> tips(const std::string& svg, const std::string& fill = arrow_ink) {
  std::vector<Point> found;
  for (const Outline& o : polygons(svg))
    if (o.corners.size() == 3 && o.fill == fill) found.push_back(o.corners[0]);
  return found;
}

Frame<2> four_discs() {
  Frame<2> frame;
  for (int i = 0; i < 4; ++i) add_ball<2>(frame, {{3.0 * i, 0.0}}, 1.0);
  return frame;
}

TEST_F(ArrowPicture, arrow_points_where_the_body_went_from_its_centre) {
  // right, up, none, half as far to the left
  const Frame<2> frame = four_discs();
  const BodyVectors moved{"displacement", {{{0.2, 0, 0}}, {{0, 0.2, 0}}, {{0, 0, 0}}, {{-0.1, 0, 0}}}};
  draw_frame(frame, {.colour = "none", .arrows = moved}, file("a.svg"));
  const std::string svg = text_of(file("a.svg"));
  const std::vector<Circle> c = circles(svg);
  const std::vector<Point> t = tips(svg);
  ASSERT_EQ(c.size(), 4u);
  ASSERT_EQ(t.size(), 4u);                                  // three, and the key
  const double full = 1.5 * (c[1].x - c[0].x) * 2.0 / 3.0;  // one and a half diameters
  EXPECT_NEAR(t[0].x - c[0].x, full, 0.1);
  EXPECT_NEAR(t[0].y, c[0].y, 0.1);
  EXPECT_NEAR(c[1].y - t[1].y, full, 0.1);
  EXPECT_NEAR(c[3].x - t[2].x, 0.5 * full, 0.1);
  EXPECT_TRUE(contains(svg, ">displacement [L]<"));
  EXPECT_TRUE(contains(svg, ">0.02<"));  // of the key, a tenth as long as the first
}

TEST_F(ArrowPicture, sheet_holds_arrows_that_point_outwards) {
  const Frame<2> frame = four_discs();
  const BodyVectors moved{"velocity", {{{-1, 0, 0}}, {{0, 1, 0}}, {{0, -1, 0}}, {{1, 0, 0}}}};
  draw_frame(frame, {.colour = "none", .arrows = moved}, file("a.svg"));
  const std::string svg = text_of(file("a.svg"));
  const std::vector<Circle> c = circles(svg);
  const std::vector<Point> t = tips(svg);
  ASSERT_EQ(t.size(), 5u);  // and the key
  // The row of discs is 12 long; arrows of 3 reach 2 beyond the rim on every side.
  const double unit = (c[1].x - c[0].x) / 3.0;
  EXPECT_GT(t[0].x, 0.2 * unit);
  EXPECT_GT(t[1].y, 0.2 * unit);
  EXPECT_LT(t[3].x, PictureOptions{}.width - 0.2 * unit);
  EXPECT_NEAR(t[2].y - t[1].y, 6.0 * unit, 0.1);
}

TEST_F(ArrowPicture, length_of_the_arrows_may_colour_the_bodies) {
  const Frame<2> frame = four_discs();
  const BodyVectors moved{"displacement", {{{0.4, 0, 0}}, {{0, 0.2, 0}}, {{0, 0, 0}}, {{-0.1, 0, 0}}}};
  draw_frame(frame, {.colour = "arrows", .forces = false, .arrows = moved}, file("a.svg"));
  const std::vector<Circle> c = circles(text_of(file("a.svg")));
  EXPECT_EQ(c[0].fill, "#fde725");
  EXPECT_EQ(c[2].fill, "#440154");
}

TEST_F(ArrowPicture, bodies_removed_by_a_sink_are_not_drawn) {
  Frame<2> frame = four_discs();
  frame.parameters.kind[1] = BodyKind::removed;
  draw_frame(frame, {}, file("a.svg"));
  const std::string svg = text_of(file("a.svg"));
  EXPECT_EQ(circles(svg).size(), 3u);
  EXPECT_TRUE(contains(svg, "3 grains"));
  EXPECT_FALSE(contains(svg, "not drawn"));
}

TEST_F(ArrowPicture, slice_may_be_put_elsewhere_than_in_the_middle) {
  Frame<3> frame;
  for (int i = 0; i < 5; ++i) add_ball<3>(frame, {{3.0 * i, 2.0 * i, 0.0}}, 0.5);
  draw_frame(frame, {.view = "front", .slice = 0.9}, file("middle.svg"));
  draw_frame(frame, {.view = "front", .slice = 0.9, .slice_at = 0.0}, file("front.svg"));
  draw_frame(frame, {.view = "front", .slice = 2.1, .slice_at = 6.0}, file("three.svg"));
  const auto at = [&](const char* name) { return circles(text_of(file(name))); };
  ASSERT_EQ(at("middle.svg").size(), 2u);  // a ball is two circles
  ASSERT_EQ(at("front.svg").size(), 2u);
  EXPECT_LT(at("front.svg")[0].x, at("middle.svg")[0].x);
  EXPECT_EQ(at("three.svg").size(), 6u);
}

TEST_F(ArrowPicture, sheet_shows_frames_beside_each_other_on_one_scale) {
  std::vector<Frame<2>> frames(3, four_discs());
  for (int k = 0; k < 3; ++k) {
    frames[static_cast<std::size_t>(k)].time = k;
    for (auto& v : frames[static_cast<std::size_t>(k)].state.velocity) v[0] = k;  // speeds 0, 1, 2
  }
  frames[2].state.position[3] = {{9.0, 5.0}};
  draw_sheet(frames, {}, {.title = "three times"}, file("sheet.svg"));
  const std::string svg = text_of(file("sheet.svg"));
  const std::vector<Circle> c = circles(svg);
  ASSERT_EQ(c.size(), 12u);
  EXPECT_EQ(c[0].fill, "#440154");
  EXPECT_EQ(c[11].fill, "#fde725");
  EXPECT_NE(c[4].fill, c[0].fill);
  for (std::size_t i = 1; i < 3; ++i)  // the same zoom and the same place within each panel
    EXPECT_NEAR(c[4 * i + 1].x - c[4 * i].x, c[1].x - c[0].x, 0.05);
  for (const char* time : {"t = 0 ", "t = 1 ", "t = 2 "}) EXPECT_TRUE(contains(svg, time)) << time;
  EXPECT_TRUE(contains(svg, "three times"));
  std::size_t legends = 0;
  for (std::size_t at = svg.find(">speed [L/T]<"); at != std::string::npos; at = svg.find(">speed [L/T]<", at + 1)) ++legends;
  EXPECT_EQ(legends, 1u);
  EXPECT_NE(refusal([&] { draw_sheet<2>({}, {}, {}, file("none.png")); }), "");
}

TEST_F(ArrowPicture, strip_carries_its_force_as_an_arrow) {
  StripFigure figure;
  figure.strips = {{0.0, 0.0, 1.0, 1.0, 0.0, -2.0}, {2.0, 0.0, 2.0, 1.0, 1.0, 0.0}};
  draw_strips(figure, file("strips.svg"));
  const std::string svg = text_of(file("strips.svg"));
  const auto lines = strokes(svg, "#1a4da6");
  ASSERT_EQ(lines.size(), 2u);
  const double unit = lines[1][0].y - lines[1][1].y;  // one upwards
  EXPECT_NEAR(lines[0][1].x - lines[0][0].x, unit, 0.05);
  const std::vector<Point> t = tips(svg, "#d6121a");
  ASSERT_EQ(t.size(), 3u);  // and the key
  const Point middle{0.5 * (lines[0][0].x + lines[0][1].x), 0.5 * (lines[0][0].y + lines[0][1].y)};
  EXPECT_NEAR(t[0].x, middle.x, 0.05);
  EXPECT_NEAR(t[0].y - middle.y, 0.16 * 1000, 0.1);  // the largest, downwards
  EXPECT_NEAR(t[1].x - lines[1][0].x, 0.08 * 1000, 0.1);
  EXPECT_NE(refusal([&] { draw_strips({}, file("none.svg")); }), "");
}

}  // namespace

}  // namespace moreau

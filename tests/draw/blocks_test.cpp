// Pictures of blocks: where their corners, joints and faces appear, and in which order.
#include "draw/read_back.hpp"
#include "moreau/draw/picture/contact_sheet.hpp"
#include "moreau/draw/picture/fields.hpp"
#include "moreau/draw/picture/stage.hpp"
#include "store/block_samples.hpp"

namespace moreau {

namespace {

using samples::ball;
using samples::box_part;
using samples::box_shape;
using samples::shape_of;

using BlocksOfThePlane = PictureTest;
using BlocksOfSpace = PictureTest;

Point middle(const std::vector<Point>& corners) {
  Point m;
  for (const Point& p : corners) {
    m.x += p.x / static_cast<double>(corners.size());
    m.y += p.y / static_cast<double>(corners.size());
  }
  return m;
}

double distance(Point p, Point q) { return std::hypot(p.x - q.x, p.y - q.y); }

// A 2 x 1 block turned by 30 degrees, and a disc 10 away that gives the scale.
TEST_F(BlocksOfThePlane, corners_are_where_the_turned_block_has_them) {
  Frame<2> frame;
  const double angle = std::numbers::pi / 6.0;
  add_block<2>(frame, box_shape<2>({{1.0, 0.5}}), {{0.0, 0.0}}, {angle}, 1.0);
  add_ball<2>(frame, {{10.0, 0.0}}, 1.0);
  draw_frame(frame, {}, file("a.svg"));
  draw_frame(frame, {}, file("a.png"));
  const std::string svg = text_of(file("a.svg"));
  const std::vector<Outline> p = polygons(svg);
  ASSERT_FALSE(p.empty());  // the colour scale comes after it
  ASSERT_EQ(p[0].corners.size(), 4u);
  EXPECT_EQ(p[0].fill, "#fde725");
  const Point centre = middle(p[0].corners), disc{circles(svg).at(0).x, circles(svg).at(0).y};
  const double scale = distance(centre, disc) / 10.0;
  const double x[] = {-1.0, 1.0, 1.0, -1.0}, y[] = {-0.5, -0.5, 0.5, 0.5};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(p[0].corners[k].x, centre.x + scale * (std::cos(angle) * x[k] - std::sin(angle) * y[k]), 0.05);
    EXPECT_NEAR(p[0].corners[k].y, centre.y - scale * (std::sin(angle) * x[k] + std::cos(angle) * y[k]), 0.05);
  }
  const Pixels pixels(file("a.png"));
  EXPECT_LT(difference(pixels.at(centre.x, centre.y), viridis(1.0)), 0.01);
  EXPECT_LT(difference(pixels.at(centre.x, centre.y - 0.9 * scale), grey(1.0)), 0.01);  // in its ball, not in the block
  EXPECT_TRUE(contains(svg, "1 grain   ·   1 block"));
}

TEST_F(BlocksOfThePlane, joint_between_flush_blocks_is_a_dark_line) {
  Frame<2> frame;
  for (const double x : {0.0, 2.0}) add_block<2>(frame, box_shape<2>({{1.0, 1.0}}), {{x, 0.0}});
  draw_frame(frame, {.colour = "none"}, file("a.png"));
  draw_frame(frame, {.colour = "none"}, file("a.svg"));
  const std::vector<Outline> p = polygons(text_of(file("a.svg")));
  ASSERT_EQ(p.size(), 2u);
  const Point left = middle(p[0].corners), right = middle(p[1].corners);
  const Pixels pixels(file("a.png"));
  EXPECT_LT(luminance(pixels.at(0.5 * (left.x + right.x), left.y)), 0.4);
  EXPECT_GT(luminance(pixels.at(0.5 * (left.x + right.x) - 4.0, left.y)), 0.7);
  EXPECT_TRUE(contains(text_of(file("a.svg")), "2 blocks"));
}

TEST_F(BlocksOfThePlane, picture_is_framed_by_the_block_and_not_by_its_ball) {
  Frame<2> frame;
  add_block<2>(frame, box_shape<2>({{10.0, 0.5}}), {{0.0, 0.0}});
  draw_frame(frame, {}, file("a.png"));
  EXPECT_LT(Pixels(file("a.png")).height(), 600);  // its ball would be as high as wide
}

// Rounded by 0.5: the sharp corner of the outer box (2 x 2) is white, the arc (0.5 from the core's corner) is inside.
TEST_F(BlocksOfThePlane, support_that_has_settled_away_from_its_stone_is_shown) {
  Frame<2> frame;
  add_block<2>(frame, box_shape<2>({{1.0, 0.5}}), {{0.0, 0.0}}, {}, 0.0);
  add_block<2>(frame, box_shape<2>({{1.0, 0.5}}), {{0.0, -1.5}}, {}, 0.0);  // half a height below the other
  frame.parameters.kind[1] = BodyKind::driven;
  draw_frame(frame, {.colour = "none"}, file("a.svg"));
  EXPECT_EQ(polygons(text_of(file("a.svg"))).size(), 2u);
  EXPECT_FALSE(contains(text_of(file("a.svg")), "outside the view"));
}

TEST_F(BlocksOfThePlane, gate_that_has_been_drawn_aside_is_not_looked_at_and_it_is_said) {
  Frame<2> frame;
  for (int i = 0; i < 100; ++i) add_ball<2>(frame, {{2.0 * (i % 10), 2.0 * (i / 10)}}, 1.0);
  add_block<2>(frame, box_shape<2>({{2.0, 0.5}}), {{9.0, -1.5}}, {}, 0.0);
  frame.parameters.kind[100] = BodyKind::driven;
  draw_frame(frame, {.colour = "none"}, file("closed.svg"));
  const std::string closed = text_of(file("closed.svg"));
  EXPECT_EQ(polygons(closed).size(), 1u);
  frame.state.position[100] = {{9.0, -300.0}};
  draw_frame(frame, {.colour = "none"}, file("open.svg"));
  const std::string open = text_of(file("open.svg"));
  EXPECT_EQ(circles(open).size(), 100u);
  EXPECT_EQ(polygons(open).size(), 0u);
  EXPECT_GT(circles(open).at(0).r, 0.9 * circles(closed).at(0).r);
  EXPECT_TRUE(contains(open, "1 driven body outside the view"));
  frame.state.position[99] = {{1e6, -1e7}};
  draw_sheet<2>({frame, frame, frame}, {}, {.colour = "none"}, file("sheet.svg"));
  EXPECT_TRUE(contains(text_of(file("sheet.svg")), "1 body and 1 driven body outside the view"));
}

TEST_F(BlocksOfThePlane, rounded_corner_is_an_arc) {
  Frame<2> frame;
  add_block<2>(frame, shape_of<2>({box_part(Vec<2>{{0.5, 0.5}}, {}, 0.5)}, 3.8), {{0.0, 0.0}});
  draw_frame(frame, {.colour = "none"}, file("a.png"));
  draw_frame(frame, {.colour = "none"}, file("a.svg"));
  const Outline p = polygons(text_of(file("a.svg"))).at(0);
  double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
  for (const Point& c : p.corners)
    left = std::min(left, c.x), right = std::max(right, c.x), top = std::min(top, c.y), bottom = std::max(bottom, c.y);
  const double unit = 0.5 * (right - left);
  EXPECT_NEAR(bottom - top, right - left, 0.05);
  for (const Point& c : p.corners) {  // every point half a unit from the core
    const double dx = std::max(0.0, std::abs(c.x - 0.5 * (left + right)) - 0.5 * unit);
    const double dy = std::max(0.0, std::abs(c.y - 0.5 * (top + bottom)) - 0.5 * unit);
    EXPECT_NEAR(std::hypot(dx, dy), 0.5 * unit, 0.05);
  }
  const Pixels pixels(file("a.png"));
  EXPECT_LT(difference(pixels.at(right - 0.12 * unit, top + 0.12 * unit), grey(1.0)), 0.01);
  EXPECT_LT(difference(pixels.at(right - 0.18 * unit, top + 0.18 * unit), {0.80, 0.82, 0.85}), 0.05);
}

//  +---+
//  |   |        an L of two boxes: no line where they meet, and the corner between them is empty
//  |   +---+
//  +---+---+
TEST_F(BlocksOfThePlane, cluster_has_one_outline) {
  Frame<2> frame;
  add_block<2>(frame, shape_of<2>({box_part(Vec<2>{{1.0, 2.0}}), box_part(Vec<2>{{1.0, 1.0}}, {{2.0, -1.0}})}, 12.0),
               {{0.0, 0.0}});
  draw_frame(frame, {.colour = "none"}, file("a.png"));
  draw_frame(frame, {.colour = "none"}, file("a.svg"));
  const std::vector<Outline> p = polygons(text_of(file("a.svg")));
  ASSERT_EQ(p.size(), 4u);  // two outlines, then two fills
  const Pixels pixels(file("a.png"));
  const Point upper = p[0].corners[2], seam{upper.x, middle(p[1].corners).y}, right{p[1].corners[1].x, seam.y};
  EXPECT_LT(difference(pixels.at(seam.x, seam.y), {0.80, 0.82, 0.85}), 0.02);
  double darkest = 1.0;  // the outline outside
  for (double x = right.x - 3.0; x < right.x + 3.0; ++x) darkest = std::min(darkest, luminance(pixels.at(x, right.y)));
  EXPECT_LT(darkest, 0.4);
  EXPECT_LT(difference(pixels.at(upper.x + 20.0, upper.y + 20.0), grey(1.0)), 0.01);
}

TEST_F(BlocksOfThePlane, force_goes_through_the_contact_point) {
  Frame<2> frame;
  for (const double y : {0.0, 2.0}) add_block<2>(frame, box_shape<2>({{1.0, 1.0}}), {{0.0, y}});
  add_contact_at<2>(frame, 0, 1, {{0.8, 1.0}}, {{0.0, -1.0}}, {{0.0, -3.0}});
  draw_frame(frame, {.colour = "none"}, file("a.svg"));
  const std::string svg = text_of(file("a.svg"));
  const auto lines = strokes(svg, "#d6121a");
  ASSERT_EQ(lines.size(), 3u);  // two, and the key
  const std::vector<Outline> p = polygons(svg);
  const Point lower = middle(p[0].corners), upper = middle(p[1].corners);
  const double unit = 0.5 * distance(lower, upper);
  EXPECT_LT(distance(lines[0][0], lower) + distance(lines[1][1], upper), 0.1);
  EXPECT_LT(distance(lines[0][1], {lower.x + 0.8 * unit, lower.y - unit}), 0.1);
  EXPECT_LT(distance(lines[0][1], lines[1][0]), 0.02);
}

TEST(BlockFields, pressure_is_the_mean_stress) {
  // A block 2 x 1 under the pressure 3 from left and right, 5 from below and above, at two points each: (3 + 5) / 2.
  Frame<2> frame;
  add_block<2>(frame, box_shape<2>({{1.0, 0.5}}), {{7.0, 8.0}});
  for (const double s : {-1.0, 1.0})
    for (const double t : {-1.0, 1.0}) {
      add_contact_at<2>(frame, 0, ~0, {{7.0 + s, 8.0 + 0.5 * t}}, {{-s, 0.0}}, {{-s * 3.0 * 1.0 / 2.0, 0.0}});
      add_contact_at<2>(frame, 0, ~0, {{7.0 + t, 8.0 + 0.5 * s}}, {{0.0, -s}}, {{0.0, -s * 5.0 * 2.0 / 2.0}});
    }
  EXPECT_NEAR(body_field(frame, "pressure").value[0], 4.0, 1e-12);
  EXPECT_EQ(body_field(frame, "radius").name, "outer radius");
}

// In order of appearance: 'p' for the faces of a block, 'o' for a ball.
std::string order_of_things(const std::string& svg) {
  std::string order;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const char thing = svg.compare(at, 9, "<polygon ") == 0 ? 'p' : svg.compare(at, 8, "<circle ") == 0 ? 'o' : ' ';
    if (thing != ' ' && (order.empty() || order.back() != thing)) order += thing;
  }
  return order;
}

TEST_F(BlocksOfSpace, three_faces_of_a_box_are_seen_and_the_upper_one_is_the_brightest) {
  Frame<3> frame;
  add_block<3>(frame, box_shape<3>({{1.0, 1.0, 1.0}}), {{0.0, 0.0, 0.0}});
  draw_frame(frame, {.colour = "none"}, file("a.svg"));
  const std::vector<Outline> p = polygons(text_of(file("a.svg")));
  ASSERT_EQ(p.size(), 3u);
  for (const Outline& face : p) EXPECT_EQ(face.corners.size(), 4u);
  std::size_t top = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (middle(p[k].corners).y < middle(p[top].corners).y) top = k;
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_TRUE(k == top || p[k].fill < p[top].fill) << k;  // the same hue: hexadecimal digits compare as brightness does
  draw_frame(frame, {.colour = "none", .view = "front"}, file("a.svg"));
  EXPECT_EQ(polygons(text_of(file("a.svg"))).size(), 1u);
}

// A ball over the far end of a long slab, and one under its near end: the centres alone would tell the wrong order.
TEST_F(BlocksOfSpace, ball_on_the_far_end_of_a_slab_is_drawn_after_it) {
  for (const bool above : {true, false}) {
    Frame<3> frame;
    add_block<3>(frame, box_shape<3>({{1.0, 10.0, 0.1}}), {{0.0, 0.0, 0.0}}, {}, 1.0);
    add_ball<3>(frame, above ? Vec<3>{{0.0, 8.0, 0.6}} : Vec<3>{{0.0, -8.0, -0.6}}, 0.5);
    draw_frame(frame, {}, file("a.svg"));
    EXPECT_EQ(order_of_things(text_of(file("a.svg"))).substr(0, 2), above ? "po" : "op");
  }
}

bool inside(const std::vector<Point>& corners, Point p) {
  bool in = false;
  for (std::size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++)
    if ((corners[i].y > p.y) != (corners[j].y > p.y) &&
        p.x < (corners[j].x - corners[i].x) * (p.y - corners[i].y) / (corners[j].y - corners[i].y) + corners[i].x)
      in = !in;
  return in;
}

// The box that a ray meets first (slabs), and by how much before the next; -1: none.
int first_box(const Frame<3>& frame, const Vec<3>& from, const Vec<3>& along, double& lead) {
  int first = -1;
  double nearest = 1e300, next = 1e300;
  for (std::size_t i = 0; i < frame.parameters.size(); ++i) {
    const Pose<3> pose = frame.pose_of(i);
    const Vec<3> p = transposed_times(pose.rotation, from - pose.position), d = transposed_times(pose.rotation, along);
    const Vec<3> half = frame.shape_of(i).parts[0].vertices[7];
    double enter = -1e300, leave = 1e300;
    for (int k = 0; k < 3; ++k) {
      const double s = (-half[k] - p[k]) / d[k], t = (half[k] - p[k]) / d[k];
      enter = std::max(enter, std::min(s, t)), leave = std::min(leave, std::max(s, t));
    }
    if (enter > leave) continue;
    if (enter < nearest)
      next = nearest, nearest = enter, first = static_cast<int>(i);
    else
      next = std::min(next, enter);
  }
  lead = next - nearest;
  return first;
}

// Over a net of points of the sheet, the polygon painted last must belong to the box that a ray from the eye meets first.
void expect_true_sight(const Frame<3>& frame, const PictureOptions& options, const std::string& svg) {
  const Stage stage = stage_of(frame, options, false);
  const Camera& camera = stage.camera;
  const std::vector<Outline> painted = polygons(svg);
  int compared = 0;
  for (double y = stage.layout.window.top + 7.3; y < stage.layout.window.bottom; y += 9.0)
    for (double x = stage.layout.window.left + 7.3; x < stage.layout.window.right; x += 9.0) {
      const double u = (x - camera.offset.x) / camera.zoom, v = (camera.offset.y - y) / camera.zoom;
      const Vec<3> in_plane = camera.centre + u * camera.right + v * camera.up;
      const Vec<3> eye =
          camera.perspective() ? camera.centre + camera.distance * camera.toward : in_plane + 100.0 * camera.toward;
      double lead = 0.0;
      const int expected = first_box(frame, eye, normalized(in_plane - eye), lead);
      if (expected < 0 || lead < 0.02) continue;  // near an edge of the picture of a box the pixel decides
      const Outline* last = nullptr;
      for (const Outline& p : painted)
        if (inside(p.corners, {x, y})) last = &p;
      ASSERT_NE(last, nullptr);
      const Pose<3> pose = frame.pose_of(static_cast<std::size_t>(expected));
      for (const Point& corner : last->corners) {
        double nearest = 1e300;
        for (const Vec<3>& v8 : frame.shape_of(static_cast<std::size_t>(expected)).parts[0].vertices)
          nearest = std::min(nearest, distance(corner, camera.project(pose.place(v8)).at));
        ASSERT_LT(nearest, 0.1) << "at " << x << ", " << y << " box " << expected << " should be seen";
      }
      ++compared;
    }
  EXPECT_GT(compared, 500);
}

// A tower of planks in layers of three, crosswise, on a slab much larger than they are, with boxes lying and leaning about.
TEST_F(BlocksOfSpace, nearest_box_is_seen_wherever_one_looks) {
  Frame<3> frame;
  for (int layer = 0; layer < 6; ++layer)
    for (int k = -1; k <= 1; ++k) {
      const bool along = layer % 2 == 0;
      const Vec<3> half = along ? Vec<3>{{1.5, 0.5, 0.3}} : Vec<3>{{0.5, 1.5, 0.3}};
      add_block<3>(frame, box_shape<3>(half), {{along ? 0.0 : 1.0 * k, along ? 1.0 * k : 0.0, 0.3 + 0.6 * layer}});
    }
  add_block<3>(frame, box_shape<3>({{6.0, 6.0, 0.2}}), {{0.0, 0.0, -0.2}});
  for (int k = 0; k < 12; ++k) {
    const double angle = 0.5 * k + 0.2;
    const Rotation<3> turn = turned(turned(Rotation<3>{}, {{0.3 * k, 0.1 * k, 0.7}}, 1.0), {{0.0, 0.0, angle}}, 1.0);
    add_block<3>(frame, box_shape<3>({{0.5, 0.3, 0.2}}), {{4.0 * std::cos(angle), 4.0 * std::sin(angle), 0.8}}, turn);
  }
  for (const char* view : {"perspective", "front", "side", "top"}) {
    const PictureOptions options{.colour = "none", .width = 700, .view = view};
    draw_frame(frame, options, file("a.svg"));
    expect_true_sight(frame, options, text_of(file("a.svg")));
  }
}

// Three planks, each with one end on the next: a ring. All are drawn.
TEST_F(BlocksOfSpace, ring_of_planks_is_drawn_whole) {
  Frame<3> frame;
  for (int k = 0; k < 3; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / 3.0;
    const Rotation<3> turn = turned(turned(Rotation<3>{}, {{0.0, 0.15, 0.0}}, 1.0), {{0.0, 0.0, angle + 1.2}}, 1.0);
    add_block<3>(frame, box_shape<3>({{2.0, 0.2, 0.1}}), {{std::cos(angle), std::sin(angle), 0.0}}, turn);
  }
  draw_frame(frame, {.colour = "none", .view = "top"}, file("a.svg"));
  EXPECT_EQ(polygons(text_of(file("a.svg"))).size(), 6u);  // the broad side and one end of each
}

TEST_F(BlocksOfSpace, block_hides_a_ball_only_where_it_is) {
  Frame<3> frame;
  add_block<3>(frame, box_shape<3>({{3.0, 0.1, 0.1}}), {{0.0, 0.0, 0.0}});  // its ball would hide all
  add_ball<3>(frame, {{0.0, 5.0, 1.0}}, 0.5);
  add_ball<3>(frame, {{0.0, 5.0, 0.0}}, 0.05);
  draw_frame(frame, {.view = "front"}, file("a.svg"));
  std::size_t seen = 0;
  for (const Circle& c : circles(text_of(file("a.svg")))) seen += c.fill != "url(#b)";
  EXPECT_GE(seen, 1u);
  EXPECT_EQ(order_of_things(text_of(file("a.svg"))).substr(0, 2), "op");
}

TEST_F(BlocksOfSpace, clump_of_balls_is_balls_and_rounded_box_is_smooth) {
  Frame<3> frame;
  add_block<3>(frame, shape_of<3>({ball<3>({{-0.5, 0.0, 0.0}}, 0.7), ball<3>({{0.5, 0.0, 0.0}}, 0.7)}, 2.0), {{0.0, 0.0, 0.0}});
  draw_frame(frame, {}, file("a.svg"));
  EXPECT_EQ(circles(text_of(file("a.svg"))).size(), 4u);  // colour and light of each
  Frame<3> rounded;
  add_block<3>(rounded, shape_of<3>({box_part(Vec<3>{{1.0, 1.0, 1.0}}, {}, 0.3)}, 15.0), {{0.0, 0.0, 0.0}});
  draw_frame(rounded, {.forces = true}, file("a.svg"));
  draw_frame(rounded, {}, file("a.png"));
  EXPECT_GT(polygons(text_of(file("a.svg"))).size(), 30u);
}

}  // namespace

}  // namespace moreau

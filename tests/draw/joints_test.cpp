// Joints of blocks: hinges where the whole force passes at one end, and the thrust line through the centres of pressure.
#include "moreau/measure/contacts/joints.hpp"

#include "draw/read_back.hpp"
#include "store/block_samples.hpp"

namespace moreau {

namespace {

using samples::box_shape;
using JointPictures = PictureTest;

const Shape<2> unit = box_shape<2>({{1.0, 1.0}});

// Two blocks, one on the other, the upper turned about the right end of the joint (1, 1) by `opening`.
Frame<2> pair(double opening = 0.0) {
  Frame<2> frame;
  add_block<2>(frame, unit, {{0.0, 0.0}});
  const Rotation<2> turn{-opening};
  add_block<2>(frame, unit, Vec<2>{{1.0, 1.0}} + rotate(turn, {{-1.0, 1.0}}), turn);
  return frame;
}

// The upper block pushes the lower one down.
void push(Frame<2>& frame, double x, double force, double sideways = 0.0) {
  add_contact_at<2>(frame, 0, 1, {{x, 1.0}}, {{0.0, -1.0}}, {{sideways, -force}});
}

std::vector<Vec<2>> hinges(const Frame<2>& frame) { return hinges_of(frame, joints_of(frame)); }

TEST(Joints, resultant_and_centre_of_pressure_balance_the_contact_forces) {
  Frame<2> frame = pair();
  push(frame, -1.0, 1.0, 0.3), push(frame, 1.0, 3.0, -0.1);
  const auto joints = joints_of(frame);
  ASSERT_EQ(joints.size(), 1u);
  EXPECT_NEAR(joints[0].force[0], 0.2, 1e-15);
  EXPECT_NEAR(joints[0].force[1], -4.0, 1e-15);
  EXPECT_NEAR(joints[0].centre[0], 0.5, 1e-15);
  // The moment about any point is that of the contacts.
  double moment_of_contacts = 0.0;
  for (std::size_t c = 0; c < 2; ++c) moment_of_contacts += moment(frame.contacts.point[c], frame.contacts.force[c])[0];
  EXPECT_NEAR(moment(joints[0].centre, joints[0].force)[0], moment_of_contacts, 1e-14);
}

TEST(Joints, closed_joint_is_no_hinge_and_one_loaded_end_is) {
  Frame<2> both = pair(), one = pair(), open_end = pair();
  push(both, -1.0, 1.0), push(both, 1.0, 1.0);
  EXPECT_TRUE(hinges(both).empty());
  push(one, -1.0, 0.0), push(one, 1.0, 1.0);
  ASSERT_EQ(hinges(one).size(), 1u);
  EXPECT_EQ(hinges(one)[0], (Vec<2>{{1.0, 1.0}}));
  push(open_end, 1.0, 1.0);
  EXPECT_EQ(hinges(open_end).size(), 1u);
}

TEST(Joints, joint_that_opens_stays_a_hinge_and_corner_on_face_is_none) {
  for (const double opening : {1e-6, 0.1, 0.4}) {
    Frame<2> frame = pair(opening);
    push(frame, 1.0, 1.0);
    EXPECT_EQ(hinges(frame).size(), 1u) << opening;
  }
  Frame<2> corner = pair(0.25 * std::numbers::pi);
  push(corner, 1.0, 1.0);
  EXPECT_TRUE(hinges(corner).empty());
}

// The joint is what the two faces share: half a face here, from 0 to 1.
TEST(Joints, ends_of_a_joint_are_those_of_the_overlap) {
  for (const double x : {0.0, 0.5, 1.0}) {
    Frame<2> frame;
    add_block<2>(frame, unit, {{0.0, 0.0}});
    add_block<2>(frame, unit, {{1.0, 2.0}});
    push(frame, x, 1.0);
    EXPECT_EQ(hinges(frame).size(), x == 0.5 ? 0u : 1u) << x;
  }
}

TEST(Joints, block_rocking_on_a_floor_has_a_hinge) {
  Frame<2> frame;
  frame.walls.push_back(
      {.name = "floor", .geometry = {.shape = WallShape::plane, .point = {{0.0, 0.0}}, .direction = {{0.0, 1.0}}}});
  frame.wall_shift.push_back({});
  const Rotation<2> turn{-0.1};
  add_block<2>(frame, unit, -rotate(turn, {{1.0, -1.0}}), turn);
  add_contact_at<2>(frame, 0, ~0, {{0.0, 0.0}}, {{0.0, 1.0}}, {{0.0, 1.0}});
  ASSERT_EQ(hinges(frame).size(), 1u);
}

// A cube on a cube, half a side further and opened about the edge that both share: what counts is the common part of the faces.
TEST(Joints, hinge_of_space_is_where_the_force_passes_at_the_edge) {
  const Shape<3> cube = box_shape<3>({{1.0, 1.0, 1.0}});
  const auto hinges_under = [&](double opening, const std::vector<Vec<2>>& loaded) {
    Frame<3> frame;
    add_block<3>(frame, cube, {{0.0, 0.0, 0.0}});
    const Rotation<3> turn = turned(Rotation<3>{}, {{0.0, opening, 0.0}}, 1.0);
    add_block<3>(frame, cube, Vec<3>{{1.0, 0.0, 1.0}} + rotate(turn, {{0.0, 0.0, 1.0}}), turn);
    for (const Vec<2>& p : loaded) add_contact_at<3>(frame, 0, 1, {{p[0], p[1], 1.0}}, {{0.0, 0.0, -1.0}}, {{0.0, 0.0, -1.0}});
    return hinges_of(frame, joints_of(frame));
  };
  EXPECT_TRUE(hinges_under(0.0, {{{0.0, -1.0}}, {{0.0, 1.0}}, {{1.0, -1.0}}, {{1.0, 1.0}}}).empty());
  const auto edge = hinges_under(0.0, {{{1.0, -1.0}}, {{1.0, 1.0}}});
  ASSERT_EQ(edge.size(), 1u);
  EXPECT_EQ(edge[0], (Vec<3>{{1.0, 0.0, 1.0}}));
  EXPECT_EQ(hinges_under(0.0, {{{0.0, -1.0}}, {{0.0, 1.0}}}).size(), 1u);  // the inner edge is that of the upper cube
  EXPECT_EQ(hinges_under(0.1, {{{1.0, -1.0}}, {{1.0, 1.0}}}).size(), 1u);
  EXPECT_EQ(hinges_under(0.0, {{{1.0, 1.0}}}).size(), 1u);  // a corner
  EXPECT_TRUE(hinges_under(0.9, {{{1.0, -1.0}}, {{1.0, 1.0}}}).empty());
}

TEST(Joints, discs_have_none) {
  Frame<2> frame;
  add_block<2>(frame, unit, {{0.0, 0.0}});
  add_ball<2>(frame, {{0.0, 2.0}}, 1.0);
  push(frame, 0.0, 1.0);
  EXPECT_TRUE(joints_of(frame).empty());
}

// Column of three blocks, forces at 1/4 and 3/4 of the faces: the line passes through both centres; the driven load on the side
// of the middle block is left aside.
TEST(Thrust, goes_from_joint_to_joint_and_past_a_driven_load) {
  Frame<2> frame;
  for (int k = 0; k < 3; ++k) add_block<2>(frame, unit, {{0.0, 2.0 * k}});
  add_block<2>(frame, unit, {{2.0, 2.0}}, {}, 0.0, BodyKind::driven);
  add_contact_at<2>(frame, 0, 1, {{-0.5, 1.0}}, {{0.0, -1.0}}, {{0.0, -2.0}});
  add_contact_at<2>(frame, 1, 2, {{0.5, 3.0}}, {{0.0, -1.0}}, {{0.0, -1.0}});
  add_contact_at<2>(frame, 1, 3, {{1.0, 2.0}}, {{-1.0, 0.0}}, {{-9.0, 0.0}});
  auto line = thrust_of(frame, joints_of(frame));
  ASSERT_EQ(line.size(), 1u);  // the two ends have one joint each
  EXPECT_EQ(line[0].from, (Vec<2>{{-0.5, 1.0}}));
  EXPECT_EQ(line[0].to, (Vec<2>{{0.5, 3.0}}));
  frame.parameters.kind[3] = BodyKind::fixed;  // now an abutment: three lines meet
  line = thrust_of(frame, joints_of(frame));
  ASSERT_EQ(line.size(), 3u);
  EXPECT_EQ(line[0].to, line[1].to);
  EXPECT_EQ(line[1].to, line[2].to);
  EXPECT_NEAR(line[0].to[0], (2.0 * -0.5 + 1.0 * 0.5 + 9.0 * 1.0) / 12.0, 1e-15);
}

TEST_F(JointPictures, hinges_and_thrust_are_drawn_when_asked_for) {
  Frame<2> frame;
  for (int k = 0; k < 3; ++k) add_block<2>(frame, unit, {{0.0, 2.0 * k}});
  add_contact_at<2>(frame, 0, 1, {{-1.0, 1.0}}, {{0.0, -1.0}}, {{0.0, -2.0}});
  add_contact_at<2>(frame, 1, 2, {{0.5, 3.0}}, {{0.0, -1.0}}, {{0.0, -1.0}});
  draw_frame(frame, {.colour = "none"}, file("plain.svg"));
  const std::string plain = text_of(file("plain.svg"));
  EXPECT_FALSE(contains(plain, "hinge"));
  EXPECT_TRUE(polylines(plain, "#000000").empty());

  draw_frame(frame, {.colour = "none", .thrust = true, .hinges = true}, file("a.svg"));
  const std::string svg = text_of(file("a.svg"));
  EXPECT_TRUE(strokes(svg, "#d6121a").empty());  // no forces beside the thrust
  const auto lines = polylines(svg, "#000000");
  ASSERT_EQ(lines.size(), 2u);  // and the key
  const std::vector<Outline> p = polygons(svg);
  const Point lower = p[0].corners[3], upper = p[2].corners[0];  // left ends of the two joints
  const double width = p[0].corners[1].x - p[0].corners[0].x;
  EXPECT_NEAR(lines[0][0].x, lower.x, 0.05);
  EXPECT_NEAR(lines[0][0].y, lower.y, 0.05);
  EXPECT_NEAR(lines[0][1].x, upper.x + 0.75 * width, 0.05);
  EXPECT_NEAR(lines[0][1].y, upper.y, 0.05);
  std::vector<Circle> dots;
  for (const Circle& c : circles(svg))
    if (c.fill == "#ffd91a") dots.push_back(c);
  ASSERT_EQ(dots.size(), 2u);  // the hinge and its key
  EXPECT_NEAR(dots[0].x, lower.x, 0.05);
  EXPECT_NEAR(dots[0].y, lower.y, 0.05);
  EXPECT_TRUE(contains(svg, ">hinge<") && contains(svg, ">thrust<"));
  draw_frame(frame, {.colour = "none", .thrust = true, .hinges = true}, file("a.png"));
  const Pixels pixels(file("a.png"));
  EXPECT_LT(difference(pixels.at(dots[0].x, dots[0].y), {1.0, 0.85, 0.1}), 0.02);
}

}  // namespace

}  // namespace moreau

// Meshes as walls: no ghost bumps, the same as planes where they are planes, turning as a cylinder does.
#include <gtest/gtest.h>

#include "geometry/mesh_samples.hpp"
#include "moreau/geometry/mass_properties.hpp"
#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

constexpr double h = 1e-3;

Mesh<3> flat_sheet(int cells, double size, double shaken) {
  Mesh<3> mesh = sheet(cells, size, shaken, [](double, double) { return 0.0; });
  return mesh;
}

void add_mesh(Sample<3>& s, Mesh<3> mesh, const Vec<3>& point = {}, int motion = -1) {
  Wall<3> wall;
  wall.name = "mesh", wall.geometry = mesh_geometry(std::move(mesh), point), wall.material = walls;
  if (motion >= 0) wall.turning = wall.surface = motion;
  s.model.walls.push_back(wall);
}

void expect_same(const Simulation<3>& a, const Simulation<3>& b, double tolerance) {
  const BodyState<3>&x = a.state().bodies.state, &y = b.state().bodies.state;
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(norm(x.velocity[i] - y.velocity[i]), 0.0, tolerance);
    EXPECT_NEAR(norm(x.spin[i] - y.spin[i]), 0.0, tolerance);
    EXPECT_NEAR(norm(x.position[i] - y.position[i]), 0.0, tolerance);
  }
}

class MeshWall : public testing::TestWithParam<ContactRule> {};
INSTANTIATE_TEST_SUITE_P(Rules, MeshWall, testing::Values(ContactRule::midpoint, ContactRule::predictive));

// Sliding, then rolling: speed and spin equal those on a plane in every step, over three hundred triangles.
TEST_P(MeshWall, ball_rolls_over_a_tessellated_plane_as_over_a_plane) {
  Sample<3> on_plane(h, {.friction = 0.3}), on_mesh = on_plane;
  on_plane.floor();
  add_mesh(on_mesh, flat_sheet(60, 3.0, 0.3));
  for (Sample<3>* s : {&on_plane, &on_mesh}) {
    s->model.rule = GetParam();
    s->ball({{0.2, 0.3, 0.1}}, 0.1, {{1.3, 0.9, 0.0}}, {{0.0, -5.0, 2.0}});
  }
  Simulation<3> a = on_plane.start(), b = on_mesh.start();
  std::size_t lost = 0;
  for (int k = 0; k < 1500; ++k) {
    a.step();
    const StepReport report = b.step();
    EXPECT_EQ(report.contacts, 1u);
    lost += k > 0 && report.recalled == 0;
    ASSERT_NEAR(norm(a.state().bodies.state.velocity[0] - b.state().bodies.state.velocity[0]), 0.0, 1e-9) << k;
    ASSERT_NEAR(norm(a.state().bodies.state.spin[0] - b.state().bodies.state.spin[0]), 0.0, 1e-9) << k;
  }
  EXPECT_EQ(lost, 0u) << "the impulse is recalled from triangle to triangle";
  EXPECT_GT(b.state().bodies.state.position[0][0], 1.2);
}

// The same on a sheet that is tilted, where coordinates are rounded.
TEST_P(MeshWall, ball_rolls_down_a_tilted_sheet_as_down_a_plane) {
  const double slope = 0.31;
  Sample<3> on_plane(h, {.friction = 0.4}), on_mesh = on_plane;
  const Vec<3> normal = normalized(Vec<3>{{slope, 0.0, 1.0}});
  on_plane.wall({}, normal);
  add_mesh(on_mesh, sheet(40, 4.0, 0.3, [&](double x, double) { return -slope * x; }));
  for (Sample<3>* s : {&on_plane, &on_mesh}) {
    s->model.rule = GetParam();
    s->ball(Vec<3>{{0.1, 1.9, -0.1 * slope}} + 0.08 * normal, 0.08);
  }
  Simulation<3> a = on_plane.start(), b = on_mesh.start();
  for (int k = 0; k < 1200; ++k) a.step(), b.step();
  expect_same(a, b, 1e-9);
  EXPECT_GT(a.state().bodies.state.velocity[0][0], 1.5);
}

NewBody<3> brick(Bodies<3>& bodies, const Vec<3>& half, const Vec<3>& at, const Vec<3>& velocity) {
  std::vector<Vec<3>> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back({{k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1], k & 4 ? half[2] : -half[2]}});
  bodies.shapes.push_back(make_shape<3>({convex_hull<3>(corners, 0.0).part}).shape);
  NewBody<3> body = homogeneous_block<3>(bodies.shapes.back(), static_cast<std::int32_t>(bodies.shapes.size()) - 1, at, {}, 1.0);
  body.velocity = velocity;
  return body;
}

TEST_P(MeshWall, block_slides_across_a_hundred_triangles_without_a_hit) {
  Sample<3> on_plane(h, {.friction = 0.2}), on_mesh = on_plane;
  on_plane.floor();
  add_mesh(on_mesh, flat_sheet(100, 2.0, 0.3));
  for (Sample<3>* s : {&on_plane, &on_mesh}) {
    s->model.rule = GetParam(), s->model.contact_distance = 1e-6;
    s->bodies.append(brick(s->bodies, {{0.1, 0.06, 0.03}}, {{0.3, 0.4, 0.03}}, {{1.6, 0.7, 0.0}}));
  }
  Simulation<3> a = on_plane.start(), b = on_mesh.start();
  for (int k = 0; k < 700; ++k) {
    a.step();
    const StepReport report = b.step();
    ASSERT_EQ(report.contacts, 4u) << k;
    ASSERT_EQ(report.recalled, k > 0 ? 4u : 0u) << k;
  }
  expect_same(a, b, 1e-9);
  EXPECT_GT(a.state().bodies.state.position[0][0], 0.9);
}

// A ball in a polygonal drum that turns is carried round as in a cylinder with many sides; the energy ledger closes.
// Three balls as one body, on a corner each.
TEST_P(MeshWall, clump_slides_across_triangles_without_a_hit) {
  std::vector<ConvexPart<3>> balls(3);
  for (std::size_t k = 0; k < 3; ++k) {
    const double angle = 2.1 * static_cast<double>(k);
    balls[k].vertices = {{{0.08 * std::cos(angle), 0.08 * std::sin(angle), 0.0}}};
    balls[k].radius = balls[k].reach = 0.05, balls[k].centre = balls[k].vertices[0];
  }
  const PlacedShape<3> clump = make_shape<3>(balls);
  Sample<3> on_plane(h, {.friction = 0.2}), on_mesh = on_plane;
  on_plane.floor();
  add_mesh(on_mesh, flat_sheet(100, 2.0, 0.3));
  for (Sample<3>* s : {&on_plane, &on_mesh}) {
    s->model.rule = GetParam(), s->model.contact_distance = 1e-6;
    s->bodies.shapes.push_back(clump.shape);
    NewBody<3> body = homogeneous_block<3>(clump.shape, 0, {{0.3, 0.4, 0.05}}, clump.orientation, 1.0, grains);
    body.velocity = {{1.6, 0.7, 0.0}}, body.spin = {{0.0, 0.0, 2.0}};
    s->bodies.append(body);
  }
  Simulation<3> a = on_plane.start(), b = on_mesh.start();
  for (int k = 0; k < 700; ++k) {
    a.step();
    const StepReport report = b.step();
    ASSERT_EQ(report.contacts, 3u) << k;
    ASSERT_EQ(report.recalled, k > 0 ? 3u : 0u) << k;
  }
  expect_same(a, b, 1e-9);
  EXPECT_GT(a.state().bodies.state.position[0][0], 0.9);
}

TEST(MeshWallDrum, turning_mesh_carries_a_ball_as_a_turning_cylinder_does) {
  const int sides = 400;
  const double radius = 1.0, rate = 0.8;
  Motion<3> motion;
  motion.kind = MotionKind::rotation, motion.axis = {{0.0, 1.0, 0.0}}, motion.rate = rate;
  Sample<3> in_mesh(h, {.friction = 0.5}), in_cylinder = in_mesh;
  Mesh<3> drum;
  for (int k = 0; k < sides; ++k) {
    const double t = 2.0 * std::numbers::pi * (k + 0.5) / sides, r = radius / std::cos(std::numbers::pi / sides);
    drum.vertices.push_back({{r * std::cos(t), -0.5, r * std::sin(t)}}),
        drum.vertices.push_back({{r * std::cos(t), 0.5, r * std::sin(t)}});
  }
  for (std::int32_t k = 0; k < sides; ++k) {
    const std::int32_t a = 2 * k, b = 2 * ((k + 1) % sides);
    drum.faces.push_back({a, b, b + 1}), drum.faces.push_back({a, b + 1, a + 1});
  }
  connect(drum);
  EXPECT_EQ(drum.patch[0], drum.patch[1]);
  for (Sample<3>* s : {&in_mesh, &in_cylinder}) {
    s->motion(motion);
    s->model.rule = ContactRule::predictive;
    s->ball({{0.0, 0.0, -0.9}}, 0.1);
  }
  add_mesh(in_mesh, drum, {}, 0);
  in_cylinder.model.walls.push_back({"cylinder", {WallShape::cylinder, {}, {{0.0, 1.0, 0.0}}, radius}, walls, -1, -1, 0});
  Simulation<3> a = in_mesh.start(), b = in_cylinder.start();
  for (int k = 0; k < 3000; ++k) a.step(), b.step();
  const BodyState<3>&x = a.state().bodies.state, &y = b.state().bodies.state;
  EXPECT_LT(norm(x.position[0] - y.position[0]), 0.02);
  EXPECT_NEAR(x.spin[0][1], y.spin[0][1], 0.05 * std::abs(y.spin[0][1]));
  EXPECT_GT(std::abs(y.spin[0][1]), 2.0);
  EXPECT_LT(std::abs(a.state().energy.error()), 1e-9);
  EXPECT_GT(a.state().energy.wall_work, 0.0);
}

// A blade about the axis z sweeps a ball along: the ball is where the blade is, and moves with it.
TEST(MeshWallDrum, blade_sweeps_a_ball_along_the_floor) {
  Motion<3> motion;
  motion.kind = MotionKind::rotation, motion.axis = {{0.0, 0.0, 1.0}}, motion.rate = 1.0;
  Sample<3> s(2e-4);
  s.floor().motion(motion);
  s.model.rule = ContactRule::predictive;
  Mesh<3> blade;
  blade.vertices = {{{0.0, 0.0, 0.0}}, {{2.0, 0.0, 0.0}}, {{2.0, 0.0, 0.5}}, {{0.0, 0.0, 0.5}}};
  blade.faces = {{0, 1, 2}, {0, 2, 3}};
  connect(blade);
  add_mesh(s, blade, {}, 0);
  s.ball({{1.0, 0.1001, 0.1}}, 0.1);
  Simulation<3> run = s.start();
  for (int k = 0; k < 2500; ++k) run.step();
  const double angle = run.state().time;
  const Vec<3>& x = run.state().bodies.state.position[0];
  EXPECT_NEAR(dot(x, Vec<3>{{-std::sin(angle), std::cos(angle), 0.0}}), 0.1, 2e-4);
  // Without friction r'' = rate^2 r along the blade, from r = 1 and r' = 0.1: at rest in space, 0.1 away from the blade; the
  // error is of first order in the step.
  EXPECT_NEAR(dot(x, Vec<3>{{std::cos(angle), std::sin(angle), 0.0}}), std::cosh(angle) + 0.1 * std::sinh(angle), 2e-3);
}

// In the plane: a disc rolls along a polyline with points on a straight line as on a straight line, and rests in its corner.
TEST(MeshWallPlane, disc_rolls_along_a_polyline_and_rests_in_its_corner) {
  Mesh<2> line;
  for (int k = 0; k <= 50; ++k) line.vertices.push_back({{0.1 * k, 0.0}});
  line.vertices.push_back({{5.0, 1.0}});
  for (std::int32_t k = 0; k < 51; ++k) line.faces.push_back({k, k + 1});
  connect(line);
  Sample<2> on_line(h, {.friction = 0.3}), on_wall = on_line;
  on_wall.floor().wall({{5.0, 0.0}}, {{-1.0, 0.0}});
  Wall<2> wall;
  wall.name = "line", wall.geometry = mesh_geometry(line), wall.material = walls;
  on_line.model.walls.push_back(wall);
  for (Sample<2>* s : {&on_line, &on_wall}) s->model.rule = ContactRule::predictive, s->ball({{0.5, 0.2}}, 0.2, {{2.0, 0.0}});
  Simulation<2> a = on_line.start(), b = on_wall.start();
  for (int k = 0; k < 4000; ++k) a.step(), b.step();
  EXPECT_NEAR(a.state().bodies.state.position[0][0], b.state().bodies.state.position[0][0], 1e-8);
  EXPECT_NEAR(a.state().bodies.state.spin[0][0], b.state().bodies.state.spin[0][0], 1e-8);
}

}  // namespace
}  // namespace moreau

// Blocks as a scene gives them: where they are, what they weigh, and what is refused.
#include <cmath>
#include <numbers>

#include "moreau/contact/touching_points.hpp"
#include "scene/scene_text.hpp"

namespace moreau {
namespace {

// Corners of a body in the frame of the laboratory.
template <int D>
std::vector<Vec<D>> corners(const Scene<D>& s, std::size_t body) {
  const Pose<D> pose{s.bodies.state.position[body], matrix_of(s.bodies.state.orientation[body])};
  std::vector<Vec<D>> points;
  for (const auto& part : s.bodies.shape(body).parts)
    for (const auto& v : part.vertices) points.push_back(pose.place(v));
  return points;
}

template <int D>
double distance_to(const std::vector<Vec<D>>& points, const Vec<D>& x) {
  double least = 1e300;
  for (const auto& p : points) least = std::min(least, norm(p - x));
  return least;
}

TEST(Block, box_has_the_mass_and_inertia_of_a_box) {
  const auto s = scene_of<2>(plane + "[block]\nsize = [3, 4]\nposition = [1, 2]\nangle = 0.5\nvelocity = [1, 0]\nspin = 2\n");
  ASSERT_EQ(s.bodies.size(), 1u);
  EXPECT_DOUBLE_EQ(s.bodies.parameters.mass[0], 24.0);
  EXPECT_NEAR(s.bodies.parameters.inertia[0], 24.0 * 25.0 / 12.0, 1e-12);
  EXPECT_DOUBLE_EQ(s.bodies.parameters.radius[0], 2.5);
  EXPECT_EQ(s.bodies.state.position[0], (Vec<2>{{1, 2}}));
  EXPECT_EQ(s.bodies.state.velocity[0], (Vec<2>{{1, 0}}));
  EXPECT_EQ(s.bodies.state.spin[0][0], 2.0);
  const Vec<2> corner = Vec<2>{{1, 2}} + rotate(Rotation<2>{0.5}, {{1.5, 2}});
  EXPECT_LT(distance_to(corners(s, 0), corner), 1e-14);
}

TEST(Block, box_in_space_stands_as_turned) {
  const auto s = scene_of<3>(space + R"([block]
size = [1, 2, 3]
position = [5, 0, 0]
rotation = { axis = [0, 0, 2], angle = 0.3 }
mass = 7
)");
  EXPECT_DOUBLE_EQ(s.bodies.parameters.mass[0], 7.0);
  const Spin<3> inertia = s.bodies.principal_inertia(0);
  EXPECT_NEAR(inertia[0] + inertia[1] + inertia[2], 7.0 / 12.0 * 2.0 * (1 + 4 + 9), 1e-12);
  EXPECT_NEAR(s.bodies.parameters.inertia[0], 7.0 / 12.0 * 2.0 * (1 + 4 + 9) / 3.0, 1e-12);
  const auto points = corners(s, 0);
  ASSERT_EQ(points.size(), 8u);
  for (const double x : {-0.5, 0.5})
    for (const double y : {-1.0, 1.0})
      for (const double z : {-1.5, 1.5}) {
        const Vec<3> corner{{5 + std::cos(0.3) * x - std::sin(0.3) * y, std::sin(0.3) * x + std::cos(0.3) * y, z}};
        EXPECT_LT(distance_to(points, corner), 1e-13);
      }
}

TEST(Block, vertices_are_where_given_in_any_order_with_duplicates_and_inner_points) {
  const auto s = scene_of<2>(plane + "[block]\nvertices = [[4, 1], [1, 1], [1.5, 1.5], [1, 5], [4, 1], [1, 1]]\n");
  EXPECT_DOUBLE_EQ(s.bodies.parameters.mass[0], 2.0 * 6.0);
  EXPECT_NEAR(norm(s.bodies.state.position[0] - Vec<2>{{2, 7.0 / 3.0}}), 0.0, 1e-14);
  const auto points = corners(s, 0);
  ASSERT_EQ(points.size(), 3u);
  for (const Vec<2> v : {Vec<2>{{4, 1}}, Vec<2>{{1, 1}}, Vec<2>{{1, 5}}}) EXPECT_LT(distance_to(points, v), 1e-14);

  const auto t = scene_of<3>(space + "[block]\nvertices = [[1, 0, 0], [4, 0, 0], [1, 3, 0], [1, 0, 6]]\n");
  EXPECT_NEAR(t.bodies.parameters.mass[0], 2.0 * 9.0, 1e-12);
  for (const Vec<3> v : {Vec<3>{{1, 0, 0}}, Vec<3>{{4, 0, 0}}, Vec<3>{{1, 3, 0}}, Vec<3>{{1, 0, 6}}})
    EXPECT_LT(distance_to(corners(t, 0), v), 1e-13);
  EXPECT_NEAR(norm(t.bodies.state.position[0] - Vec<3>{{1.75, 0.75, 1.5}}), 0.0, 1e-13);
}

TEST(Block, position_moves_the_centre_of_mass_of_vertices) {
  const auto s = scene_of<2>(plane + "[block]\nvertices = [[4, 1], [1, 1], [1, 5]]\nposition = [0, 0]\n");
  EXPECT_EQ(s.bodies.state.position[0], (Vec<2>{}));
  EXPECT_LT(distance_to(corners(s, 0), Vec<2>{{2, 1 - 7.0 / 3.0}}), 1e-14);
}

TEST(Block, parts_make_a_non_convex_body) {
  // An L of two boxes: area 3 + 1, centre of mass by hand.
  const auto s = scene_of<2>(plane + R"([block]
parts = [{ size = [1, 3], at = [0.5, 1.5] }, { size = [1, 1], at = [1.5, 0.5] }]
)");
  EXPECT_NEAR(s.bodies.parameters.mass[0], 8.0, 1e-13);
  EXPECT_NEAR(s.bodies.state.position[0][0], (3 * 0.5 + 1 * 1.5) / 4, 1e-14);
  EXPECT_NEAR(s.bodies.state.position[0][1], (3 * 1.5 + 1 * 0.5) / 4, 1e-14);
  EXPECT_EQ(s.bodies.shape(0).parts.size(), 2u);
}

TEST(Block, clump_of_balls_and_capsules) {
  const auto s = scene_of<3>(space + R"([block]
parts = [{ ball = 0.5, at = [-2, 0, 0] }, { ball = 0.5, at = [2, 0, 0] }]
position = [0, 0, 9]
)");
  EXPECT_NEAR(s.bodies.parameters.mass[0], 2.0 * 2.0 * 4.0 / 3.0 * std::numbers::pi * 0.125, 1e-12);
  EXPECT_DOUBLE_EQ(s.bodies.parameters.radius[0], 2.5);
  const auto t = scene_of<2>(
      plane + "[block]\nparts = [{ capsule = { ends = [[0, 0], [2, 0]], radius = 0.5 }, angle = 1.5707963267948966 }]\n");
  EXPECT_NEAR(t.bodies.parameters.mass[0], 2.0 * (2.0 + std::numbers::pi * 0.25), 1e-12);
  EXPECT_NEAR(t.bodies.state.position[0][1], 1.0, 1e-14);  // the part was turned upright
}

TEST(Block, regular_shapes_have_their_known_areas_and_volumes) {
  const auto s = scene_of<2>(plane + "[block]\nregular = { sides = 6, radius = 2 }\nposition = [0, 0]\n");
  EXPECT_NEAR(s.bodies.parameters.mass[0], 2.0 * 1.5 * std::sqrt(3.0) * 4.0, 1e-12);
  double lowest = 0.0;
  for (const auto& p : corners(s, 0)) lowest = std::min(lowest, p[1]);
  EXPECT_NEAR(lowest, -std::sqrt(3.0), 1e-14);  // rests on a side
  // Volumes of the five solids inscribed in the unit sphere.
  const double r5 = std::sqrt(5.0);
  const double edge_12 = 4.0 / (std::sqrt(3.0) * (1.0 + r5)), edge_20 = 4.0 / std::sqrt(10.0 + 2.0 * r5);
  const std::vector<std::pair<const char*, double>> volumes{{"tetrahedron", 8.0 * std::sqrt(3.0) / 27.0},
                                                            {"cube", 8.0 / (3.0 * std::sqrt(3.0))},
                                                            {"octahedron", 4.0 / 3.0},
                                                            {"dodecahedron", (15.0 + 7.0 * r5) / 4.0 * std::pow(edge_12, 3)},
                                                            {"icosahedron", 5.0 * (3.0 + r5) / 12.0 * std::pow(edge_20, 3)}};
  for (const auto& [name, volume] : volumes) {
    const auto t = scene_of<3>(space + "[block]\nregular = { solid = \"" + name + "\", radius = 1 }\nposition = [0, 0, 0]\n");
    EXPECT_NEAR(t.bodies.parameters.mass[0], 2.0 * volume, 1e-12) << name;
    EXPECT_NEAR(t.bodies.parameters.radius[0], 1.0, 1e-12) << name;
  }
}

TEST(Block, random_shapes_differ_from_each_other_and_not_from_run_to_run) {
  const std::string two =
      "[[block]]\nrandom = { vertices = 8, radius = 1 }\nposition = [0, 0, 0]\n"
      "[[block]]\nrandom = { vertices = 8, radius = 1 }\nposition = [9, 0, 0]\n";
  const auto a = scene_of<3>("seed = 5\n" + space + two), b = scene_of<3>("seed = 5\n" + space + two);
  EXPECT_EQ(a.bodies.parameters.mass, b.bodies.parameters.mass);
  EXPECT_NE(a.bodies.parameters.mass[0], a.bodies.parameters.mass[1]);
  EXPECT_EQ(a.bodies.shape(0).parts[0].vertices.size(), 8u);  // points on a sphere are all corners
  EXPECT_LT(a.bodies.parameters.mass[0], 2.0 * 4.0 / 3.0 * std::numbers::pi);
}

TEST(Block, rounding_adds_the_rim) {
  const auto s = scene_of<2>(plane + "[block]\nsize = [2, 1]\nrounding = 0.25\nposition = [0, 0]\n");
  EXPECT_NEAR(s.bodies.parameters.mass[0], 2.0 * (2.0 + 6.0 * 0.25 + std::numbers::pi / 16.0), 1e-12);
}

TEST(Block, driven_block_starts_on_its_motion) {
  const auto s = scene_of<2>(plane + R"([motion]
name = "push"
kind = "table"
times = [0]
positions = [[0, 3]]
[block]
size = [1, 1]
position = [0, 0]
motion = "push"
)");
  EXPECT_EQ(s.bodies.parameters.kind[0], BodyKind::driven);
  EXPECT_EQ(s.bodies.state.position[0], (Vec<2>{{0, 3}}));
}

TEST(Block, contact_distance_follows_the_smallest_block_under_the_midpoint_rule) {
  const std::string blocks = "[[block]]\nsize = [3, 4]\nposition = [0, 0]\n[[block]]\nsize = [6, 8]\nposition = [0, 9]\n";
  const auto distance = [&](const std::string& bodies, const std::string& contact) {
    std::string slow = plane;  // h^2 |gravity| = 1e-7
    slow.replace(slow.find("step = 0.01"), 11, "step = 1e-4");
    return scene_of<2>(slow + "[contact]\n" + contact + bodies).model.contact_distance;
  };
  const std::string midpoint = "rule = \"midpoint\"\n";
  EXPECT_DOUBLE_EQ(distance(blocks, midpoint), 2.5e-5);
  EXPECT_EQ(distance(blocks, midpoint + "distance = 0\n"), 0.0);
  EXPECT_EQ(distance(blocks, "rule = \"predictive\"\n"), 0.0);
  EXPECT_DOUBLE_EQ(distance("[grain]\nposition = [0, 0]\nradius = 3\n", midpoint), 3e-6);
  // What the solver's tolerance leaves open in a step is a part of what a body falls in it.
  EXPECT_DOUBLE_EQ(scene_of<2>(plane + "[contact]\n" + midpoint + blocks).model.contact_distance, 1e-3);
}

TEST(BlockMistakes, shape_absent_or_twice) {
  expect_message(plane + "[block]\nposition = [0, 0]\n", "10:1",
                 {"table 'block' lacks one of the keys 'size', 'vertices', 'parts', 'regular', 'random'"});
  expect_message(plane + "[block]\nsize = [1, 1]\nposition = [0, 0]\nvertices = [[0, 0], [1, 0], [0, 1]]\n", "13:12",
                 {"key 'block.vertices' stands beside 'size'"});
  expect_message(plane + "[block]\nsize = [1, 1]\n", "10:1",
                 {"key 'block.position' is missing; accepted: an array of 2 numbers"});
}

TEST(BlockMistakes, degenerate_shapes) {
  expect_message(plane + "[block]\nvertices = [[0, 0], [1, 1], [2, 2]]\n", "11:12",
                 {"key 'block.vertices' makes no block: its area is zero: all its vertices lie in a line"});
  expect_message(plane + "[block]\nvertices = [[0, 0], [1, 1]]\n", "11:12", {"makes no block: it has 2 vertices"});
  expect_message(plane + "[block]\nvertices = [[3, 3], [3, 3], [3, 3]]\n", "11:12",
                 {"makes no block: all its vertices coincide"});
  expect_message(space + "[block]\nvertices = [[0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1], [0.5, 0.2, 1]]\n", "11:12",
                 {"makes no block: "});
  expect_message(plane + "[block]\nsize = [1, 0]\nposition = [0, 0]\n", "11:8",
                 {"key 'block.size' has side 0 along axis 2; accepted: sides > 0"});
  expect_message(plane + "[block]\nsize = [1, 1e-8]\nposition = [0, 0]\n", "11:8",
                 {"makes no block: its thickness 1e-08 is less than 1e-06 of its extent 1"});
  expect_message(plane + "[block]\nparts = []\n", "11:9", {"key 'block.parts' is empty"});
  expect_message(plane + "[block]\nparts = [{ ball = 1 }, { vertices = [[0, 0], [1, 0], [2, 0]] }]\n", "11:9",
                 {"makes no block: its area is zero", "(part 2)"});
  expect_message(space + "[block]\nregular = { solid = \"cub\", radius = 1 }\nposition = [0, 0, 0]\n", "11:21",
                 {"'block.regular.solid' is \"cub\"", "did you mean 'cube'?"});
  expect_message(plane + "[block]\nrandom = { vertices = 2, radius = 1 }\nposition = [0, 0]\n", "11:23",
                 {"an integer from 3 to 100"});
  expect_message(plane + "[block]\nrandom = { vertices = 5, radius = 1, aspect = [1, 2] }\nposition = [0, 0]\n", "11:47",
                 {"'block.random.aspect' has 2 along axis 2; accepted: numbers in [0.01, 1]"});
  expect_message(space + "[block]\nsize = [1, 1, 1]\nposition = [0, 0, 0]\nangle = 1\n", "13:1", {"unknown key 'block.angle'"});
}

TEST(BlockMistakes, overlaps_are_named_with_their_depth) {
  const std::string below = "[[block]]\nsize = [2, 2]\nposition = [0, 1]\n";
  EXPECT_EQ(message_of(plane + below + "[[block]]\nsize = [2, 2]\nposition = [0.5, 2.75]\n"),
            "s.toml:13:1: 'block[2]' at (0.5, 2.75) overlaps 'block[1]' at (0, 1) by 0.25; accepted: free blocks that overlap "
            "nothing at the start");
  EXPECT_EQ(message_of(plane + below + "[[block]]\nsize = [2, 2]\nposition = [0.5, 3]\n"), "accepted");
  EXPECT_EQ(message_of(plane + below + "[wall]\nname = \"ground\"\nplane = { point = [0, 0.5], normal = [0, 1] }\n"),
            "s.toml:10:1: 'block[1]' at (0, 1) overlaps wall 'ground' by 0.5; accepted: free blocks on the side of the wall's "
            "normal, that overlap nothing at the start");
  EXPECT_EQ(message_of(plane + below + "[grain]\nposition = [0, 2.25]\nradius = 0.5\n"),
            "s.toml:13:1: 'grain' at (0, 2.25) with radius 0.5 overlaps 'block[1]' at (0, 1) by 0.25; accepted: free blocks that "
            "overlap nothing at the start");
  // Fixed blocks may overlap each other and walls, not free bodies.
  const std::string fixed = "[[block]]\nsize = [2, 2]\nposition = [0.5, 1.5]\nfixed = true\n";
  EXPECT_EQ(message_of(plane + fixed + fixed), "accepted");
  expect_message(plane + below + fixed, "13:1", {"'block[2]'", "overlaps 'block[1]'"});
}

TEST(Blocks, group_fills_a_region_around_what_is_there) {
  const auto s = scene_of<3>("seed = 4\n" + space + R"([[block]]
size = [10, 10, 1]
position = [5, 5, -0.5]
fixed = true
[[block]]
size = [2, 2, 2]
position = [5, 5, 1]
[[grains]]
count = 50
diameter = 0.5
region = { box = [[0, 0, -1], [10, 10, 6]] }
[[blocks]]
count = 60
random = { vertices = 9, radius = 0.5 }
scale = { uniform = [0.5, 1] }
region = { box = [[0, 0, -1], [10, 10, 6]] }
[[blocks]]
count = 30
size = [0.2, 0.3, 0.4]
arrangement = "lattice"
orientation = "aligned"
region = { box = [[0, 0, 0], [10, 10, 6]] }
)");
  ASSERT_EQ(s.bodies.size(), 142u);
  EXPECT_EQ(s.bodies.shapes.size(), 2u + 60u + 1u);  // equal boxes share a shape
  // All pairs, with the exact distance.
  PointFinder<3> finder;
  std::vector<Pose<3>> poses;
  for (std::size_t i = 0; i < s.bodies.size(); ++i)
    poses.push_back({s.bodies.state.position[i], matrix_of(s.bodies.state.orientation[i])});
  for (std::size_t i = 0; i < s.bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      std::vector<TouchingPoint<3>> points;
      finder.find(s.bodies, poses, {}, static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), 0.0, points);
      for (const auto& p : points) EXPECT_GT(p.gap, -1e-9) << i << " and " << j;
    }
  double turned = 0;
  for (std::size_t i = 52; i < 112; ++i) turned += std::abs(s.bodies.state.orientation[i].w) < 0.9;
  EXPECT_GT(turned, 30);
  for (std::size_t i = 112; i < 142; ++i)
    EXPECT_LT(distance_to(corners(s, i), s.bodies.state.position[i] + Vec<3>{{0.1, 0.15, 0.2}}), 1e-13);
}

TEST(Blocks, group_refused_where_it_does_not_fit) {
  const std::string group = "[blocks]\nsize = [1, 1]\nregion = { box = [[0, 0], [5, 5]] }\n";
  expect_message(plane + group, "10:1", {"key 'blocks.count' is missing"});
  expect_message(plane + group + "count = 100\n", "10:1", {"'blocks' asks for 100 blocks of solid fraction 6.28"});
  expect_message(plane + group + "count = 12\narrangement = \"lattice\"\n", "10:1",
                 {"'blocks' found room for only 9 of 12 blocks on a lattice"});
  expect_message(plane + group + "count = 1\nscale = 9\n", "10:1", {"region too small for its largest diameter"});
}

}  // namespace
}  // namespace moreau

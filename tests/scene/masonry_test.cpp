// Arches and walls of bricks: number, size and place of the stones against closed forms; no two overlap.
#include <cmath>
#include <numbers>

#include "moreau/contact/touching_points.hpp"
#include "moreau/scene/masonry/bond.hpp"
#include "scene/scene_text.hpp"

namespace moreau {
namespace {

constexpr double pi = std::numbers::pi;

template <int D>
std::vector<Vec<D>> corners(const Scene<D>& s, std::size_t body) {
  const Pose<D> pose{s.bodies.state.position[body], matrix_of(s.bodies.state.orientation[body])};
  std::vector<Vec<D>> points;
  for (const auto& v : s.bodies.shape(body).parts[0].vertices) points.push_back(pose.place(v));
  return points;
}

// Corners that two bodies have in common, to rounding.
template <int D>
int shared_corners(const Scene<D>& s, std::size_t i, std::size_t j) {
  int shared = 0;
  for (const auto& p : corners(s, i))
    for (const auto& q : corners(s, j)) shared += norm(p - q) < 1e-14;
  return shared;
}

const NamedBodies& named(const auto& scene, const std::string& name) {
  for (const auto& n : scene.named)
    if (n.name == name) return n;
  throw std::runtime_error("no bodies named " + name);
}

TEST(Arch, semicircle_has_the_area_of_its_trapezia) {
  const auto s =
      scene_of<2>(plane + "[arch]\nname = \"bridge\"\ninner_radius = 2\nouter_radius = 3\nstones = 11\ncentre = [1, 1]\n");
  ASSERT_EQ(s.bodies.size(), 13u);
  double mass = 0.0;
  for (std::size_t i = 0; i < 11; ++i) {
    EXPECT_TRUE(s.bodies.is_free(i));
    mass += s.bodies.parameters.mass[i];
    if (i > 0) {
      EXPECT_EQ(shared_corners(s, i - 1, i), 2);
    }
  }
  EXPECT_NEAR(mass, 2.0 * 11 * 0.5 * (9.0 - 4.0) * std::sin(pi / 11), 1e-12);
  const auto& key = named(s, "bridge.key");
  EXPECT_EQ(key.first, 5u);
  EXPECT_NEAR(s.bodies.state.position[5][0], 1.0, 1e-14);
  EXPECT_GT(s.bodies.state.position[5][1], 3.0);
  EXPECT_LT(s.bodies.state.position[0][0], 0.0);  // from the left
  EXPECT_EQ(s.bodies.parameters.kind[named(s, "bridge.left").first], BodyKind::fixed);
  // The abutments carry the whole end faces: their tops are at the height of the centre, and wider.
  for (const char* side : {"bridge.left", "bridge.right"}) {
    double highest = -1e300, narrowest = 1e300, widest = -1e300;
    for (const auto& p : corners(s, named(s, side).first)) {
      highest = std::max(highest, p[1]);
      narrowest = std::min(narrowest, std::abs(p[0] - 1.0));
      widest = std::max(widest, std::abs(p[0] - 1.0));
    }
    EXPECT_NEAR(highest, 1.0, 1e-14);
    EXPECT_NEAR(narrowest, 1.5, 1e-12);
    EXPECT_NEAR(widest, 3.5, 1e-12);
  }
}

TEST(Arch, span_and_rise_meet_the_springings_and_the_crown) {
  const auto s =
      scene_of<2>(plane + "[arch]\nspan = 8\nrise = 2\nthickness = 0.5\nstones = 8\ncentre = [0, 3]\nabutments = false\n");
  ASSERT_EQ(s.bodies.size(), 8u);  // radius 5, half-angle asin(4/5)
  double nearest_left = 1e300, nearest_crown = 1e300, mass = 0.0;
  for (std::size_t i = 0; i < 8; ++i) {
    mass += s.bodies.parameters.mass[i];
    for (const auto& p : corners(s, i)) {
      nearest_left = std::min(nearest_left, norm(p - Vec<2>{{-4, 3}}));
      nearest_crown = std::min(nearest_crown, norm(p - Vec<2>{{0, 5}}));
    }
  }
  EXPECT_LT(nearest_left, 1e-14);
  EXPECT_LT(nearest_crown, 1e-14);
  EXPECT_NEAR(mass, 2.0 * 8 * 0.5 * (5.5 * 5.5 - 25) * std::sin(2 * std::asin(0.8) / 8), 1e-12);
  for (const auto& n : s.named) EXPECT_NE(n.name, "arch.key");  // an even number of stones has none
}

TEST(Arch, mean_radius_and_angles) {
  const auto s = scene_of<2>(plane + "[arch]\nradius = 10\nthickness = 2\nstones = 5\nangles = [0.5, 1.5]\nabutments = false\n");
  double mass = 0.0;
  for (std::size_t i = 0; i < 5; ++i) mass += s.bodies.parameters.mass[i];
  EXPECT_NEAR(mass, 2.0 * 5 * 0.5 * (121.0 - 81.0) * std::sin(0.2), 1e-12);
}

TEST(Arch, vault_is_the_arch_carried_along_its_depth) {
  const auto s = scene_of<3>(space + "[arch]\ninner_radius = 2\nthickness = 1\nstones = 9\ndepth = 4\ncentre = [0, 7, 1]\n");
  ASSERT_EQ(s.bodies.size(), 11u);
  double mass = 0.0;
  for (std::size_t i = 0; i < 9; ++i) {
    mass += s.bodies.parameters.mass[i];
    if (i > 0) {
      EXPECT_EQ(shared_corners(s, i - 1, i), 4);
    }
    for (const auto& p : corners(s, i)) EXPECT_NEAR(std::abs(p[1] - 7.0), 2.0, 1e-13);
  }
  EXPECT_NEAR(mass, 2.0 * 4 * 9 * 0.5 * 5.0 * std::sin(pi / 9), 1e-11);
}

TEST(Arch, motion_moves_the_abutments_alone) {
  const auto s = scene_of<2>(plane +
                             "[motion]\nname = \"m\"\nkind = \"velocity\"\nvelocity = [1, 0]\n"
                             "[arch]\nradius = 2\nthickness = 0.5\nstones = 3\nmotion = \"m\"\n");
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(s.bodies.is_free(i));
  for (std::size_t i = 3; i < 5; ++i) {
    EXPECT_EQ(s.bodies.parameters.kind[i], BodyKind::driven);
    EXPECT_EQ(s.bodies.state.velocity[i], (Vec<2>{{1, 0}}));
  }
}

TEST(Arch, mistakes) {
  expect_message(plane + "[arch]\nstones = 3\n", "10:1", {"table 'arch' lacks one of the keys 'inner_radius', 'radius', 'span'"});
  expect_message(plane + "[arch]\nstones = 3\nradius = 1\nthickness = 2.5\n", "13:13",
                 {"'arch.thickness' is 2.5; accepted: less than twice 'radius'"});
  expect_message(plane + "[arch]\nstones = 3\ninner_radius = 2\nouter_radius = 1\n", "13:16",
                 {"'arch.outer_radius' is 1; accepted: more than"});
  expect_message(plane + "[arch]\nstones = 3\nspan = 2\nthickness = 1\n", "10:1", {"'arch.rise' is missing"});
  expect_message(plane + "[arch]\nstones = 3\nradius = 2\nthickness = 1\nangles = [2, 1]\n", "14:10",
                 {"two angles, the smaller first"});
  expect_message(plane + "[arch]\nstones = 1\nradius = 2\nthickness = 1\n", "11:10",
                 {"'arch.stones' is 1, for an arch that opens by 3.142 rad"});
  expect_message(space + "[arch]\nstones = 5\nradius = 2\nthickness = 1\n", "10:1", {"'arch.depth' is missing"});
  expect_message(plane + "[arch]\nstones = 5\nradius = 2\nthickness = 1\n[block]\nsize = [1, 1]\nposition = [0, 2.8]\n", "14:1",
                 {"'block' at (0, 2.8) overlaps 'arch.key' (arch) at (", "by 0.0776"});
  expect_message(plane +
                     "[motion]\nname = \"m\"\nkind = \"rest\"\n[arch]\nstones = 5\nradius = 2\nthickness = 1\nabutments = false\n"
                     "motion = \"m\"\n",
                 "18:10", {"'arch.motion' moves the abutments, which are left out"});
}

TEST(Brickwork, running_bond_alternates_whole_and_half_bricks) {
  const auto s =
      scene_of<2>(plane + "[brickwork]\nname = \"wall\"\norigin = [1, 2]\nbrick = [0.5, 0.25]\nlength = 3\ncourses = 5\n");
  EXPECT_EQ(s.bodies.size(), 6u + 7u + 6u + 7u + 6u);
  EXPECT_EQ(s.bodies.shapes.size(), 2u);
  double mass = 0.0;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) mass += s.bodies.parameters.mass[i];
  EXPECT_NEAR(mass, 2.0 * 3.0 * 1.25, 1e-12);
  EXPECT_NEAR(norm(s.bodies.state.position[0] - Vec<2>{{1.25, 2.125}}), 0.0, 1e-14);
  EXPECT_NEAR(norm(s.bodies.state.position[6] - Vec<2>{{1.125, 2.375}}), 0.0, 1e-14);  // half a brick
  EXPECT_EQ(named(s, "wall").count, 32u);
}

TEST(Brickwork, opening_is_empty_and_spanned_by_a_lintel) {
  const auto s = scene_of<3>(space + R"([brickwork]
name = "wall"
brick = [0.4, 0.1, 0.2]
length = 4
courses = 12
openings = [{ at = 1.4, width = 1.2, sill = 3, courses = 5, bearing = 0.3 }]
)");
  double mass = 0.0;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    mass += s.bodies.parameters.mass[i];
    for (const auto& p : corners(s, i)) {
      const bool inside = p[0] > 1.4 + 1e-9 && p[0] < 2.6 - 1e-9 && p[2] > 0.6 + 1e-9 && p[2] < 1.6 - 1e-9;
      EXPECT_FALSE(inside) << p[0] << " " << p[2];
      EXPECT_TRUE(p[0] > -1e-12 && p[0] < 4 + 1e-12 && p[1] > -1e-12 && p[1] < 0.1 + 1e-12);
    }
  }
  EXPECT_NEAR(mass, 2.0 * 0.1 * (4 * 2.4 - 1.2 * 1.0), 1e-11);
  const std::size_t lintel = named(s, "wall.lintel[1]").first;
  EXPECT_NEAR(s.bodies.parameters.mass[lintel], 2.0 * 0.1 * 0.2 * 1.8, 1e-13);
  EXPECT_NEAR(norm(s.bodies.state.position[lintel] - Vec<3>{{2.0, 0.05, 1.7}}), 0.0, 1e-13);
}

TEST(Brickwork, joints_stand_between_bricks_and_pieces_are_not_slivers) {
  for (const double joint : {0.0, 0.01})
    for (double length = 1.0; length < 3.0; length += 0.037) {
      Bond bond{length, 0.4, 0.2, joint, 6, {{0.33, 0.31, 1, 2, 0.1}}};
      ASSERT_EQ(opening_fault(bond, 0), "");
      const auto bricks = running_bond(bond);
      for (std::size_t i = 0; i < bricks.size(); ++i) {
        EXPECT_LE(bricks[i].right - bricks[i].left, bricks[i].is_lintel ? 0.511 : 0.4 * 1.5 + joint);
        if (i == 0 || bricks[i].course != bricks[i - 1].course) continue;
        const double gap = bricks[i].left - bricks[i - 1].right;
        const bool at_opening = bricks[i].course >= 1 && bricks[i].course < 3 && std::abs(bricks[i].left - 0.64) < 1e-12;
        EXPECT_NEAR(gap, at_opening ? 0.31 : joint, 1e-12) << "length " << length << ", course " << bricks[i].course;
      }
    }
}

TEST(Brickwork, mistakes) {
  const std::string wall = "[brickwork]\nbrick = [0.4, 0.2]\nlength = 4\ncourses = 10\n";
  expect_message(plane + "[brickwork]\nlength = 4\ncourses = 10\n", "10:1", {"'brickwork.brick' is missing"});
  expect_message(plane + "[brickwork]\nbrick = [0.4, -1]\nlength = 4\ncourses = 10\n", "11:9",
                 {"'brickwork.brick' has side -1 along axis 2"});
  expect_message(plane + wall + "openings = [{ at = 3.5, width = 1, courses = 2 }]\n", "14:13",
                 {"'brickwork.openings[1]' goes from 3.5 to 4.5; accepted: within the wall"});
  expect_message(plane + wall + "openings = [{ at = 0.1, width = 1, courses = 2 }]\n", "14:13",
                 {"has a lintel from -0.1 to 1.3"});
  expect_message(plane + wall + "openings = [{ at = 1, width = 1, sill = 5, courses = 6 }]\n", "14:13",
                 {"goes up to course 11; accepted: at most the 10"});
  expect_message(plane + wall + "openings = [{ at = 1, width = 1, courses = 4 }, { at = 2.1, width = 1, courses = 6 }]\n",
                 "14:49", {"'brickwork.openings[2]' meets opening 1 or its lintel"});
  expect_message(plane + wall + "joint = 1\n", "14:9", {"'brickwork.joint' is 1; accepted: at most the length of a brick"});
  expect_message(plane + "[brickwork]\nbrick = [1e-6, 1e-6]\nlength = 1e6\ncourses = 10\n", "13:11",
                 {"1e+13 bricks", "at most 50000000"});
}

}  // namespace
}  // namespace moreau

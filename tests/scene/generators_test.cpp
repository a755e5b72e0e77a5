// Arches of other shapes, domes, crossing vaults, towers, naves and rubble: sizes against closed forms; stones that fit. That no
// two overlap by more than rounding is checked by the scene itself, which would refuse them.
#include <cmath>
#include <numbers>

#include "moreau/engines/simulation.hpp"
#include "scene/scene_text.hpp"

namespace moreau {
namespace {

constexpr double pi = std::numbers::pi;

template <int D>
double mass_of(const Scene<D>& s, const std::string& name) {
  for (const auto& n : s.named)
    if (n.name == name) {
      double mass = 0.0;
      for (std::size_t i = n.first; i < n.first + n.count; ++i) mass += s.bodies.parameters.mass[i];
      return mass;
    }
  throw std::runtime_error("no bodies named " + name);
}

// Largest value of a coordinate over the corners of the free bodies.
template <int D>
double highest(const Scene<D>& s, int axis = D - 1) {
  double top = -1e300;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    if (!s.bodies.is_free(i)) continue;
    const Pose<D> pose{s.bodies.state.position[i], matrix_of(s.bodies.state.orientation[i])};
    for (const auto& v : s.bodies.shape(i).parts[0].vertices) top = std::max(top, pose.place(v)[axis]);
  }
  return top;
}

TEST(FlatArch, is_a_trapezium) {
  const auto s = scene_of<2>(plane + "[arch]\nshape = \"flat\"\nspan = 4\nthickness = 0.5\nskew = 0.3\nstones = 7\n");
  EXPECT_NEAR(mass_of(s, "arch"), 2.0 * 0.5 * (4.0 + 0.5 * std::tan(0.3)), 1e-12);
  EXPECT_NEAR(highest(s), 0.5, 1e-15);
}

TEST(EllipticArch, as_high_as_half_its_span_is_the_circular_one) {
  const auto ellipse = scene_of<2>(plane + "[arch]\nshape = \"elliptic\"\nspan = 4\nrise = 2\nthickness = 0.5\nstones = 9\n");
  const auto circle = scene_of<2>(plane + "[arch]\ninner_radius = 2\nthickness = 0.5\nstones = 9\n");
  ASSERT_EQ(ellipse.bodies.size(), circle.bodies.size());
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_LT(norm(ellipse.bodies.state.position[i] - circle.bodies.state.position[i]), 1e-9) << i;
}

TEST(EllipticArch, has_stones_of_equal_width_on_its_inner_side) {
  const auto s = scene_of<2>(plane + "[arch]\nshape = \"elliptic\"\nspan = 6\nrise = 1.5\nthickness = 0.3\nstones = 60\n");
  double least = 1e300, most = 0.0;  // shortest side of each stone: the inner one, on the whole
  for (std::size_t i = 0; i < 60; ++i) {
    const auto& v = s.bodies.shape(i).parts[0].vertices;
    double side = 1e300;
    for (std::size_t k = 0; k < v.size(); ++k) side = std::min(side, norm(v[k] - v[(k + 1) % v.size()]));
    least = std::min(least, side), most = std::max(most, side);
  }
  EXPECT_LT(most / least, 1.01);
}

TEST(PointedArch, of_equal_sides_has_its_centres_at_the_springings) {
  const double rise = std::sqrt(3.0);
  const auto s =
      scene_of<2>(plane + "[arch]\nshape = \"pointed\"\nspan = 2\nrise = 1.7320508075688772\nthickness = 0.2\nstones = 20\n");
  EXPECT_NEAR(highest(s), std::sqrt(2.2 * 2.2 - 1.0), 1e-12);
  // Two sectors of 60 degrees between radii 2 and 2.2, of chords, less and more what the upright joint takes and gives at the
  // crown.
  double inner_corner = 1e300;
  for (std::size_t i = 0; i < 10; ++i) {
    const Pose<2> pose{s.bodies.state.position[i], matrix_of(s.bodies.state.orientation[i])};
    for (const auto& v : s.bodies.shape(i).parts[0].vertices) {
      const double r = norm(pose.place(v) - Vec<2>{{1.0, 0.0}});
      EXPECT_TRUE(std::abs(r - 2.0) < 1e-12 || std::abs(r - 2.2) < 1e-12) << r;
      inner_corner = std::min(inner_corner, norm(pose.place(v) - Vec<2>{{0.0, rise}}));
    }
  }
  EXPECT_LT(inner_corner, 1e-12);
}

TEST(Dome, has_nearly_the_volume_of_the_shell) {
  const auto s = scene_of<3>(space + "[dome]\ninner_radius = 2\nthickness = 0.2\ncourses = 30\nstones = 60\noculus = 0.3\n");
  const double shell = 2.0 * 2.0 * pi * std::cos(0.3) * (std::pow(2.2, 3) - 8.0) / 3.0;
  EXPECT_NEAR(mass_of(s, "dome") / shell, 1.0, 0.005);
  EXPECT_LT(mass_of(s, "dome"), shell);  // chords
  EXPECT_NEAR(highest(s), 2.2 * std::cos(0.3), 1e-12);
}

TEST(Dome, on_pendentives_stays_within_its_square) {
  const auto s = scene_of<3>(
      space +
      "[dome]\ninner_radius = 3\nthickness = 0.4\nsquare = 4.2\nspringing = 1.4\ncourses = 9\nstones = 24\noculus = 0.2\n");
  // The outer edge of the radial faces: 3.4 / 3 of the half side.
  EXPECT_NEAR(highest(s, 0), 2.1 * 3.4 / 3.0, 1e-9);
  EXPECT_NEAR(highest(s, 1), 2.1 * 3.4 / 3.0, 1e-9);
}

TEST(CrossVault, webs_are_the_barrels_outside_the_diagonals) {
  // Below the joint a web is as long as the edge of the bay is from the diagonals: the integral of b - |x| over the ring. With
  // many stones, 4 (b (a1 - a0) (R^2 - r^2) / 2 - 2 (sin(a_top) - sin(a_low)) (R^3 - r^3) / 3) over the upper part of the ring.
  const auto s = scene_of<3>(space + "[vault]\nspan = 4\nthickness = 0.3\nbay = 5\nspringing = 0.4\nstones = 81\npieces = 2\n");
  const double r = 2.0, R = 2.3, b = 2.5, area = (pi - 0.8) * (R * R - r * r) / 2.0;
  const double moment_of_x = 2.0 * (1.0 - std::sin(0.4)) * (R * R * R - r * r * r) / 3.0;
  EXPECT_NEAR(mass_of(s, "vault") / (2.0 * 4.0 * (b * area - moment_of_x)), 1.0, 1e-3);
}

TEST(Tower, has_the_volume_of_its_walls) {
  const auto s = scene_of<3>(space + "[tower]\nsize = [5, 4]\nwall = 1\nheight = 9\ncourses = 6\nstones = 3\n");
  EXPECT_NEAR(mass_of(s, "tower"), 2.0 * 9.0 * (20.0 - 6.0), 1e-9);
  const auto r = scene_of<3>(space + "[tower]\nradius = 2\nwall = 0.5\nheight = 9\ncourses = 6\nstones = 8\n");
  EXPECT_NEAR(mass_of(r, "tower"), 2.0 * 9.0 * 8 * 0.5 * (4.0 - 2.25) * std::sin(2 * pi / 8), 1e-9);
}

TEST(Rubble, fills_its_box) {
  const auto s = scene_of<3>(space + "[rubble]\nsize = [4, 1, 2]\nstones = 50\norigin = [1, 2, 3]\n");
  EXPECT_NEAR(mass_of(s, "rubble"), 2.0 * 8.0, 1e-9);
  EXPECT_NEAR(highest(s), 5.0, 1e-12);
  const auto p = scene_of<2>(plane + "[rubble]\nsize = [4, 2]\nstones = 50\n");
  EXPECT_NEAR(mass_of(p, "rubble"), 2.0 * 8.0, 1e-9);
}

TEST(Rubble, relaxed_stones_are_more_alike) {
  const auto spread = [](const std::string& relax) {
    const auto s = scene_of<2>(plane + "[rubble]\nsize = [4, 2]\nstones = 80\nrelax = " + relax + "\n");
    double squares = 0.0;
    for (const double m : s.bodies.parameters.mass) squares += (m - 0.2) * (m - 0.2);
    return std::sqrt(squares / 80.0) / 0.2;
  };
  EXPECT_GT(spread("0"), 0.4);  // of cells of random points: 0.53
  EXPECT_LT(spread("20"), 0.2);
}

TEST(Brickwork, english_bond_fills_the_wall) {
  const auto s = scene_of<3>(space + "[brickwork]\nbrick = [0.5, 0.25, 0.2]\nlength = 4\ncourses = 6\nbond = \"english\"\n");
  EXPECT_NEAR(mass_of(s, "brickwork"), 2.0 * 4.0 * 0.5 * 1.2, 1e-9);
  EXPECT_EQ(s.bodies.size(), 3u * (16 + 17 - 0));  // two leaves of 8 stretchers, or 15 headers and a half at each end
}

TEST(Brickwork, leaves_are_tied_by_courses_of_headers) {
  const auto s =
      scene_of<3>(space + "[brickwork]\nbrick = [0.5, 0.25, 0.2]\nlength = 4\ncourses = 8\nleaves = 3\ngap = 0.1\nties = 4\n");
  double through = 0.0;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    double low = 1e300, high = -1e300;
    const Pose<3> pose{s.bodies.state.position[i], matrix_of(s.bodies.state.orientation[i])};
    for (const auto& v : s.bodies.shape(i).parts[0].vertices)
      low = std::min(low, pose.place(v)[1]), high = std::max(high, pose.place(v)[1]);
    if (high - low > 0.9) through += s.bodies.parameters.mass[i];
  }
  EXPECT_NEAR(through, 2.0 * 2 * 4.0 * 0.95 * 0.2, 1e-9);  // two courses of eight
}

TEST(Nave, walls_and_buttresses_have_their_widths) {
  const auto s = scene_of<2>(plane +
                             "[nave]\nspan = 8\nrise = 4\nthickness = 0.6\nstones = 15\nwall = 1.2\nheight = 10\ncourses = 10\n"
                             "buttress = { width = 1.5, height = 7 }\n");
  EXPECT_NEAR(mass_of(s, "nave.left"), 2.0 * (1.2 * 10 + 1.5 * 7), 1e-9);
  EXPECT_NEAR(mass_of(s, "nave.right"), mass_of(s, "nave.left"), 1e-12);
  EXPECT_NEAR(highest(s), 14.6 * std::cos(0) - 4.6 * (1 - std::cos(pi / 30)), 1e-9);  // flat top of the key stone
}

// Five courses of 0.6: a buttress that ends within one of them ends there, whatever its height.
TEST(Generators, buttress_of_a_nave_is_as_high_as_asked) {
  for (const double height : {0.2, 0.5, 0.6, 1.0, 1.8, 2.9, 3.0}) {
    const auto s = scene_of<2>(plane +
                               "[nave]\nspan = 4\nthickness = 0.4\nstones = 9\nwall = 0.8\nheight = 3\ncourses = 5\n"
                               "buttress = { width = 1, height = " + std::to_string(height) + " }\n");
    EXPECT_NEAR(mass_of(s, "nave.left"), 2.0 * (0.8 * 3 + height), 1e-9) << height;
    EXPECT_NEAR(mass_of(s, "nave.right"), mass_of(s, "nave.left"), 1e-12) << height;
    std::size_t stones = 0;
    for (const NamedBodies& named : s.named) stones += named.name == "nave.left" ? named.count : 0;
    const bool whole = std::abs(height / 0.6 - std::round(height / 0.6)) < 1e-9;
    EXPECT_EQ(stones, whole ? 5u : 6u) << height;
  }
}

// How far the highest stones have come down. Least thickness of a hemisphere without tension: 0.042 of its radius (Heyman 1995);
// 0.0425 for eight courses, by a linear program for the lune.
double fall_of_crown(const std::string& thickness, int steps) {
  const auto scene = scene_of<3>(R"(dimension = 3
gravity = 9.81
[time]
step = 1e-3
duration = 1
[material]
density = 2000
[law]
friction = 0.9
[dome]
radius = 5
courses = 8
stones = 8
thickness = )" + thickness + "\n");
  Simulation<3> simulation(scene.model, scene.bodies, scene.seed);
  const double before = simulation.state().bodies.state.position[0][2];
  for (int i = 0; i < steps; ++i) simulation.step();
  return before - simulation.state().bodies.state.position[0][2];
}

TEST(Dome, stands_above_the_least_thickness) { EXPECT_LT(std::abs(fall_of_crown("0.24", 40)), 1e-6); }

TEST(Dome, falls_below_it) { EXPECT_GT(fall_of_crown("0.185", 40), 2e-5); }

TEST(Generators, mistakes) {
  expect_message(plane + "[arch]\nshape = \"pointed\"\nspan = 2\nrise = 0.5\nthickness = 0.1\nstones = 4\n", "13:8",
                 {"'arch.rise' is 0.5; accepted: more than half of 'span'"});
  expect_message(plane + "[arch]\nshape = \"pointed\"\nspan = 2\nrise = 2\nthickness = 0.1\nstones = 5\n", "15:10",
                 {"an even number"});
  expect_message(plane + "[arch]\nshape = \"round\"\nradius = 3\nthickness = 1\nstones = 5\n", "11:9",
                 {"'arch.shape' is", "circular"});
  expect_message(plane + "[dome]\nradius = 2\n", "10:1", {"key 'dome' needs three dimensions"});
  expect_message(space + "[dome]\nradius = 2\nthickness = 5\ncourses = 3\nstones = 5\n", "12:13", {"less than twice 'radius'"});
  expect_message(space + "[dome]\nradius = 2\nthickness = 0.1\ncourses = 3\nstones = 5\noculus = 1.2\nspringing = 1\n", "16:13",
                 {"an oculus above the base"});
  expect_message(space + "[dome]\nradius = 2\nthickness = 0.1\ncourses = 3\nstones = 6\nsquare = 3\nspringing = 1\n", "14:10",
                 {"a multiple of 4"});
  expect_message(space + "[vault]\nspan = 2\nthickness = 0.1\nstones = 6\nbay = 2\n", "14:7", {"at least the outer diameter"});
  expect_message(space + "[tower]\nsize = [2, 1]\nwall = 0.5\nheight = 1\ncourses = 3\nstones = 1\n", "12:8", {"less than half"});
  expect_message(space + "[rubble]\nsize = [2, 1e-9, 1]\nstones = 9\n", "11:8", {"none shorter than 0.001"});
  expect_message(plane + "[nave]\nspan = 2\nthickness = 0.5\nwall = 0.3\nheight = 1\ncourses = 2\nstones = 4\n", "12:13",
                 {"at most the width of the walls"});
  expect_message(space + "[brickwork]\nbrick = [1, 1, 1]\nlength = 3\ncourses = 3\nties = 2\n", "14:8", {"at least 2 leaves"});
}

}  // namespace
}  // namespace moreau

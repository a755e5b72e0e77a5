// Generated grains: as many as asked, of the sizes asked, where asked, overlapping nothing, the same for the same seed.
#include <cmath>
#include <set>

#include "moreau/base/nearest.hpp"
#include "scene/scene_text.hpp"

namespace moreau {
namespace {

// All pairs: independent of the cell grid under test.
template <int D>
double deepest_overlap(const Scene<D>& s) {
  double deepest = -1e300;
  const auto& p = s.bodies.parameters;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      if (s.bodies.is_free(i) || s.bodies.is_free(j))
        deepest = std::max(deepest, p.radius[i] + p.radius[j] - norm(s.bodies.state.position[i] - s.bodies.state.position[j]));
    for (const auto& wall : s.model.walls)
      if (s.bodies.is_free(i))
        deepest = std::max(deepest, -separation(wall.geometry, Vec<D>{}, s.bodies.state.position[i], p.radius[i]).gap);
  }
  return deepest;
}

const std::string mixture = R"([[grain]]
position = [5, 5, 5]
radius = 2
[[grain]]
position = [2, 2, 2]
radius = 1
fixed = true
[floor]
extent = 6
centre = [5, 5]
height = -1
diameter = { uniform = [0.5, 1] }
[wall]
plane = { normal = [0, 0, 1] }
[[grains]]
count = 300
diameter = { uniform = [0.1, 0.8] }
region = { box = [[0, 0, -1], [10, 10, 9]] }
random_speed = 0.5
velocity = [1, 0, 0]
[[grains]]
arrangement = "lattice"
diameter = { bidisperse = [0.2, 0.5] }
jitter = 0.2
region = { cylinder = { centre = [5, 5], radius = 5, bottom = 0, top = 10 } }
[[grains]]
count = 20
radius = 0.4
fixed = true
region = { sphere = { centre = [5, 5, 5], radius = 5 } }
)";

TEST(Generate, nothing_overlaps_in_a_mixture_of_entries) {
  const auto s = scene_of<3>(space + mixture);
  EXPECT_GT(s.bodies.size(), 1500u);
  EXPECT_LE(deepest_overlap(s), 1e-12);
}

TEST(Generate, grains_fixed_by_a_group_overlap_nothing_either) {
  auto s = scene_of<3>(space + mixture);
  for (auto& kind : s.bodies.parameters.kind)
    if (kind == BodyKind::fixed && &kind - s.bodies.parameters.kind.data() >= static_cast<std::ptrdiff_t>(s.bodies.size()) - 20)
      kind = BodyKind::free;
  EXPECT_LE(deepest_overlap(s), 1e-12);
}

TEST(Generate, same_seed_same_grains_other_seed_others) {
  const auto a = scene_of<3>("seed = 3\n" + space + mixture), b = scene_of<3>("seed = 3\n" + space + mixture);
  const auto c = scene_of<3>("seed = 4\n" + space + mixture);
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies.state.position[i], b.bodies.state.position[i]);
    EXPECT_EQ(a.bodies.state.velocity[i], b.bodies.state.velocity[i]);
    EXPECT_EQ(a.bodies.parameters.radius[i], b.bodies.parameters.radius[i]);
    if (i >= 2 && i < c.bodies.size() && !(a.bodies.state.position[i] == c.bodies.state.position[i])) ++different;
  }
  EXPECT_GT(different, 400u);
}

TEST(Generate, a_group_does_not_change_the_draws_of_the_next) {
  const auto scene_with = [](const std::string& count) {
    return scene_of<3>(space + "[[grains]]\ncount = " + count + R"(
diameter = { uniform = [0.1, 0.2] }
region = { box = [[20, 0, 0], [29, 9, 9]] }
[[grains]]
count = 9
diameter = { uniform = [0.1, 0.2] }
region = { box = [[0, 0, 0], [9, 9, 9]] }
)");
  };
  const auto a = scene_with("5"), b = scene_with("8");
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(a.bodies.state.position[5 + i], b.bodies.state.position[8 + i]);
}

TEST(Generate, sizes_and_velocities_are_those_asked) {
  const auto s = scene_of<2>(plane + R"([grains]
count = 2000
radius = { bidisperse = [0.1, 0.3], share = 0.25 }
velocity = [1, 2]
random_speed = 0.5
region = { circle = { centre = [3, 3], radius = 40 } }
)");
  ASSERT_EQ(s.bodies.size(), 2000u);
  double large = 0, spread = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    large += s.bodies.parameters.radius[i] == 0.3;
    EXPECT_LE(norm(s.bodies.state.position[i] - Vec<2>{{3, 3}}) + s.bodies.parameters.radius[i], 40 + 1e-12);
    EXPECT_LE(std::abs(s.bodies.state.velocity[i][0] - 1), 0.5);
    spread += std::pow(s.bodies.state.velocity[i][1] - 2, 2);
  }
  EXPECT_NEAR(large / 2000, 0.25, 0.04);
  EXPECT_NEAR(spread / 2000, 0.25 / 3, 0.01);
}

TEST(Generate, listed_sizes_come_in_order) {
  const auto s =
      scene_of<2>(plane + "[grains]\ncount = 5\nradius = { list = [0.1, 0.3, 0.2] }\nregion = { box = [[0, 0], [9, 9]] }\n");
  EXPECT_EQ(s.bodies.parameters.radius, (std::vector<double>{0.1, 0.3, 0.2, 0.1, 0.3}));
}

TEST(Generate, lattice_fills_from_the_bottom_row_by_row) {
  const auto s = scene_of<2>(
      plane + "[grains]\ncount = 7\ndiameter = 1\narrangement = \"lattice\"\nregion = { box = [[0, 0], [3.5, 9]] }\n");
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(s.bodies.state.position[i][1], 0.5 + static_cast<double>(i / 3), 0.01);
}

TEST(Generate, region_is_the_box_wall_when_there_is_one) {
  const auto s = scene_of<2>(plane + "[wall]\nbox = { min = [1, 1], max = [5, 4] }\n[grains]\ncount = 12\ndiameter = 0.5\n");
  EXPECT_EQ(s.bodies.size(), 12u);
  EXPECT_LE(deepest_overlap(s), 0.0);
}

TEST(Generate, size_ratio_of_a_hundred_is_quick_and_clean) {
  const auto s = scene_of<3>(space + R"([[grains]]
count = 4000
diameter = { uniform = [0.02, 0.06] }
region = { box = [[0, 0, 0], [4, 4, 4]] }
[[grains]]
count = 2
diameter = 2
region = { box = [[4, 0, 0], [12, 4, 4]] }
[[grains]]
count = 2000
diameter = { bidisperse = [0.02, 2], share = 0.001 }
region = { box = [[0, 0, 0], [12, 4, 4]] }
)");
  EXPECT_EQ(s.bodies.size(), 6002u);
  EXPECT_LE(deepest_overlap(s), 0.0);
}

TEST(Generate, hundred_thousand_listed_grains_are_checked_in_a_moment) {
  std::string text = plane;
  text += "[[grain]]\nposition = [-100, 0]\nradius = 50\n";
  for (int i = 0; i < 100000; ++i)
    text += "[[grain]]\nposition = [" + std::to_string(i % 300) + "," + std::to_string(i / 300) + "]\nradius = 0.5\n";
  const auto s = scene_of<2>(text);
  EXPECT_EQ(s.bodies.size(), 100001u);
}

// Pours the smallest grain on a grid of points finer than any hole could hide from.
TEST(Floor, no_grain_as_large_as_the_smallest_stone_can_pass) {
  for (const std::string shape : {"disc", "square"}) {
    const auto s = scene_of<3>(space + "[floor]\nextent = 3\nshape = \"" + shape + R"("
diameter = { uniform = [0.25, 0.5] }
[grain]
position = [0, 0, 9]
radius = 1
)");
    const double smallest = 0.125;
    std::size_t stones = 0;
    for (std::size_t i = 1; i < s.bodies.size(); ++i) {
      EXPECT_EQ(s.bodies.parameters.kind[i], BodyKind::fixed);
      EXPECT_EQ(s.bodies.state.position[i][2], 0.0);
      EXPECT_GE(s.bodies.parameters.radius[i], smallest);
      ++stones;
    }
    EXPECT_GT(stones, shape == "disc" ? 200u : 260u);
    for (double x = -3; x <= 3; x += 0.02)
      for (double y = -3; y <= 3; y += 0.02) {
        if (shape == "disc" && std::hypot(x, y) > 3) continue;
        bool covered = false;
        for (std::size_t i = 1; i < s.bodies.size() && !covered; ++i)
          covered = norm(s.bodies.state.position[i] - Vec<3>{{x, y, 0}}) < s.bodies.parameters.radius[i] + smallest;
        ASSERT_TRUE(covered) << shape << " " << x << " " << y;
      }
  }
}

TEST(Floor, stones_do_not_overlap_each_other) {
  const auto s = scene_of<3>(
      space + "[floor]\nextent = 4\ndiameter = { uniform = [0.1, 0.5] }\n[grain]\nposition = [0, 0, 9]\nradius = 1\n");
  for (std::size_t i = 1; i < s.bodies.size(); ++i)
    for (std::size_t j = 1; j < i; ++j)
      EXPECT_GE(norm(s.bodies.state.position[i] - s.bodies.state.position[j]),
                (s.bodies.parameters.radius[i] + s.bodies.parameters.radius[j]) * (1 - 1e-8));
}

TEST(Floor, line_has_gaps_smaller_than_the_smallest_stone) {
  const auto s = scene_of<2>(plane +
                             "[floor]\nextent = 5\ncentre = 1\nheight = -2\nradius = { uniform = [0.1, 0.3] }\n[grain]\nposition "
                             "= [0, 9]\nradius = 1\n");
  double right = -4 - 0.2;
  for (std::size_t i = 1; i < s.bodies.size(); ++i) {
    const double x = s.bodies.state.position[i][0], r = s.bodies.parameters.radius[i];
    EXPECT_EQ(s.bodies.state.position[i][1], -2);
    EXPECT_GE(x - r, right - 1e-12);
    EXPECT_LT(x - r - right, 0.2);
    right = x + r;
  }
  EXPECT_GE(right, 6.0);
}

TEST(Floor, may_be_moved) {
  const auto s = scene_of<2>(
      plane +
      "[motion]\nname = \"m\"\nkind = \"velocity\"\nvelocity = [1, 0]\n[floor]\nextent = 2\nradius = 0.3\nmotion = \"m\"\n"
      "[grain]\nposition = [0, 9]\nradius = 1\n");
  EXPECT_EQ(s.bodies.parameters.kind[1], BodyKind::driven);
  EXPECT_EQ(s.bodies.state.velocity[1], (Vec<2>{{1, 0}}));
}

TEST(Nearest, counts_letters) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("friction", "frition"), 1u);
  EXPECT_EQ(edit_distance("radius", "raduis"), 1u);
  EXPECT_EQ(nearest_word("dens", {"density", "name"}), "");
  EXPECT_EQ(nearest_word("densty", {"density", "name"}), "density");
}

}  // namespace
}  // namespace moreau

// The exact set of forces of a contact, on assemblies done by hand.
#include "moreau/reproduce/planar_statics.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "moreau/reproduce/workshop.hpp"

namespace moreau::reproduce {
namespace {

constexpr const char* head = R"(dimension = 2
gravity = 10
[time]
step = 0.1
duration = 0.1
[material]
density = 1
[law]
friction = 0.5
[[wall]]
plane = { normal = [0, 1] }
)";

// A block on the ground: both corners carry half the weight (2 x 1 x g h = 2); the horizontal forces cancel, up to friction.
TEST(PlanarStatics, block_on_the_ground_can_squeeze_the_ground_between_its_corners) {
  const PlanarStatics s =
      planar_statics(scene_of<2>(std::string(head) + "[block]\nsize = [2, 1]\nposition = [0, 0.5]\n", "block"));
  ASSERT_EQ(s.contacts(), 2);
  EXPECT_NEAR(s.weight, 2.0, 1e-12);
  for (int c = 0; c < 2; ++c) {
    const auto set = admissible_set(s, c, 360);
    ASSERT_FALSE(set.empty());
    double low = 0.0, high = 0.0;
    for (const Vec<2>& v : set) {
      EXPECT_NEAR(v[0], 1.0, 1e-6);
      low = std::min(low, v[1]), high = std::max(high, v[1]);
    }
    EXPECT_NEAR(low, -0.5, 1e-6);
    EXPECT_NEAR(high, 0.5, 1e-6);
  }
}

// A disc on the ground between two walls without weight on them: the walls may pinch it without bound.
TEST(PlanarStatics, set_without_bound_is_told) {
  const std::string text = std::string(head) +
                           "[[wall]]\nplane = { point = [-1, 0], normal = [1, 0] }\n[[wall]]\nplane = { point = [1, 0], normal = "
                           "[-1, 0] }\n[contact]\ndistance = 1e-6\n[grain]\nposition = [0, 1]\nradius = 1\n";
  const PlanarStatics s = planar_statics(scene_of<2>(text, "disc"));
  ASSERT_EQ(s.contacts(), 3);
  for (int c = 0; c < 3; ++c)
    if (std::abs(s.normal[static_cast<std::size_t>(c)][0]) > 0.5) {
      EXPECT_TRUE(admissible_set(s, c, 8).empty());
    }
}

}  // namespace
}  // namespace moreau::reproduce

// The scenes shown to newcomers are right, and short.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "scene/scene_text.hpp"

namespace moreau {
namespace {

// From this file: tests/scene/ is two folders below the root.
const std::filesystem::path root = MOREAU_SOURCE_DIR;

TEST(Examples, all_are_accepted) {
  int found = 0;
  for (const auto& file : std::filesystem::directory_iterator(root / "examples")) {
    if (file.path().extension() != ".toml") continue;
    EXPECT_NO_THROW(read_scene(file.path())) << file.path();
    ++found;
  }
  EXPECT_GE(found, 5);
}

TEST(Examples, pile_pours_eight_hundred_grains_on_a_closed_floor) {
  const auto s = std::get<Scene<3>>(read_scene(root / "examples/pile.toml"));
  ASSERT_EQ(s.model.sources.size(), 1u);
  EXPECT_NEAR(s.model.sources[0].rate * s.duration, 800, 1);
  EXPECT_GT(s.bodies.size(), 500u);
  EXPECT_LT(s.bodies.size(), 1200u);
}

}  // namespace
}  // namespace moreau

// Samples as experimenters prepare them: lattices of given spacing, laws of sizes, random velocities, shrunken grains.
#include <cmath>
#include <filesystem>
#include <fstream>

#include "scene/scene_text.hpp"

namespace moreau {
namespace {

// Grains of a group with these keys, in a square box of side 10.
Scene<2> group_of(const std::string& keys) {
  return scene_of<2>(plane + "[wall]\nbox = { min = [0, 0], max = [10, 10] }\n[[grains]]\n" + keys);
}

TEST(Preparation, lattice_of_given_spacing_fills_a_box_of_as_many_cells) {
  const auto s = group_of("arrangement = \"lattice\"\nspacing = 1\ndiameter = { uniform = [0.5, 1] }\n");
  ASSERT_EQ(s.bodies.size(), 100u);
  for (std::size_t i = 0; i < 100; ++i)
    for (int k = 0; k < 2; ++k)
      EXPECT_NEAR(s.bodies.state.position[i][k], 0.5 + static_cast<double>(k == 0 ? i % 10 : i / 10), 1e-12);
}

TEST(Preparation, grains_on_a_lattice_may_touch) {
  EXPECT_EQ(group_of("arrangement = \"lattice\"\nspacing = 0.1\ndiameter = 0.1\n").bodies.size(), 10000u);
}

TEST(Preparation, spacing_must_leave_room_for_the_largest_grain) {
  expect_message(plane +
                     "[[grains]]\narrangement = \"lattice\"\nspacing = 0.9\ndiameter = { uniform = [0.5, 1] }\nregion = { box = "
                     "[[0, 0], [9, 9]] }\n",
                 "10:1", {"spacing 0.9", "diameters up to 1"});
  expect_message(plane + "[[grains]]\nspacing = 2\ncount = 2\ndiameter = 1\nregion = { box = [[0, 0], [9, 9]] }\n", "11:1",
                 {"unknown key 'grains[1].spacing'"});
}

TEST(Preparation, random_velocities_have_the_speed_asked_for_and_no_momentum) {
  const auto s = group_of("count = 200\ndiameter = { uniform = [0.1, 0.4] }\nvelocities = { speed = 3 }\nvelocity = [1, 2]\n");
  Vec<2> momentum{}, mean{};
  double mass = 0.0, square = 0.0;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const Vec<2> v = s.bodies.state.velocity[i] - Vec<2>{{1, 2}};
    const double m = s.bodies.parameters.mass[i];
    momentum += m * v, mass += m, square += dot(v, v), mean += v;
  }
  EXPECT_NEAR(norm(momentum) / mass, 0.0, 1e-12);
  EXPECT_NEAR(std::sqrt(square / 200.0), 3.0, 1e-12);
  EXPECT_LT(norm(mean) / 200.0, 0.5);  // directions in all quadrants
}

TEST(Preparation, velocities_of_one_grain_or_of_fixed_ones_are_refused) {
  const std::string one =
      "[[grains]]\ncount = 1\ndiameter = 1\nregion = { box = [[0, 0], [9, 9]] }\nvelocities = { speed = 1 }\n";
  expect_message(plane + one, "10:1", {"without total momentum for a single body"});
  expect_message(
      plane +
          "[[grains]]\ncount = 2\ndiameter = 1\nregion = { box = [[0, 0], [9, 9]] }\nfixed = true\nvelocities = { speed = 1 }\n",
      "15:14", {"free bodies only"});
  expect_message(plane + "[[grains]]\ncount = 2\ndiameter = 1\nregion = { box = [[0, 0], [9, 9]] }\nvelocities = { sped = 1 }\n",
                 "14:16", {"did you mean 'speed'"});
}

TEST(Preparation, factor_shrinks_grains_where_they_stand) {
  const std::string keys = "count = 50\ndiameter = { uniform = [0.2, 0.6] }\n";
  const auto whole = group_of(keys), shrunken = group_of(keys + "factor = 0.5\n");
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(whole.bodies.state.position[i], shrunken.bodies.state.position[i]);
    EXPECT_EQ(0.5 * whole.bodies.parameters.radius[i], shrunken.bodies.parameters.radius[i]);
    EXPECT_NEAR(0.25 * whole.bodies.parameters.mass[i], shrunken.bodies.parameters.mass[i], 1e-15);
  }
  expect_message(plane + "[[grains]]\n" + keys + "region = { box = [[0, 0], [9, 9]] }\nfactor = 1.5\n", "14:10", {"in (0, 1]"});
}

// Law of the radii of a group.
SizeDistribution sizes_of(const std::string& value, const std::filesystem::path& folder = {}) {
  const auto scene = parse_scene(plane + "[source]\nrate = 1\ndiameter = " + value + "\n", "s.toml", folder);
  return std::get<Scene<2>>(scene).model.sources[0].sizes;
}

TEST(Preparation, laws_of_sizes_are_read) {
  using Kind = SizeDistribution::Kind;
  auto s = sizes_of("{ uniform = [1, 2], by = \"volume\" }");
  EXPECT_EQ(s.kind, Kind::power);
  EXPECT_EQ(s.exponent, 2.0);
  EXPECT_EQ(s.low, 0.5);
  EXPECT_EQ(s.high, 1.0);
  EXPECT_DOUBLE_EQ(sizes_of("{ bidisperse = [1, 2], share = 0.5, by = \"volume\" }").share_of_high, 0.2);
  s = sizes_of("{ power = [1, 4], exponent = 2.5 }");
  EXPECT_EQ(s.kind, Kind::power);
  EXPECT_EQ(s.exponent, 2.5);
  EXPECT_EQ(s.high, 2.0);
  s = sizes_of("{ log_normal = 2, deviation = 0.5 }");
  EXPECT_EQ(s.kind, Kind::log_normal);
  EXPECT_EQ(s.median, 1.0);
  EXPECT_NEAR(s.high, std::exp(1.5), 1e-12);
  EXPECT_NEAR(s.low, std::exp(-1.5), 1e-12);
  s = sizes_of("{ log_normal = 2, deviation = 0.5, cut = [1, 4] }");
  EXPECT_EQ(s.low, 0.5);
  EXPECT_EQ(s.high, 2.0);
  s = sizes_of("{ curve = { sizes = [1, 2, 4], passing = [0, 40, 100] } }");
  EXPECT_EQ(s.kind, Kind::curve);
  EXPECT_EQ(s.shares, (std::vector<double>{0.0, 0.4, 1.0}));
  EXPECT_EQ(s.radii, (std::vector<double>{0.5, 1.0, 2.0}));
}

TEST(Preparation, mistakes_in_laws_of_sizes) {
  const auto refused = [](const std::string& value, std::initializer_list<const char*> words) {
    const std::string message = message_of(plane + "[source]\nrate = 1\ndiameter = " + value + "\n");
    EXPECT_EQ(message.rfind("s.toml:12:", 0), 0u) << message;
    for (const char* word : words) EXPECT_NE(message.find(word), std::string::npos) << message;
  };
  refused("{ power = [1, 2] }", {"'source.diameter.exponent' is missing"});
  refused("{ power = [2, 1], exponent = 2 }", {"the smaller first"});
  refused("{ power = [1, 2], exponent = 99 }", {"from -20 to 20"});
  refused("{ log_normal = 1, deviation = 9 }", {"in [0.001, 3]"});
  refused("{ log_normal = 1, deviation = 0.1, cut = [2, 3] }", {"median 1 between them"});
  refused("{ uniform = [1, 2], by = \"weight\" }", {"'number'", "'volume'"});
  refused("{ curve = { sizes = [1, 1], passing = [0, 1] } }", {"increasing sizes"});
  refused("{ curve = { sizes = [1, 2], passing = [1, 2] } }", {"0 at the first size"});
  refused("{ curve = { sizes = [1, 2, 3], passing = [0, 2, 1] } }", {"do not decrease"});
  refused("{ curve = { sizes = [1, 2], passing = [0, 0] } }", {"zero everywhere"});
  refused("{ curve = { sizes = [1, 2, 3], passing = [0, 1] } }", {"as many as 'sizes'"});
  refused("{ curve = \"nowhere.txt\" }", {"nowhere.txt, which does not exist"});
  refused("{ list = \"nowhere.txt\" }", {"nowhere.txt, which does not exist"});
}

TEST(Preparation, sizes_from_files_go_into_the_text_of_the_scene) {
  const auto folder = std::filesystem::temp_directory_path() / "moreau_sizes_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "list.txt") << "diameter\n# measured\n2\n4\n\n6\n";
  std::ofstream(folder / "curve.csv") << "size, passing\n1, 0\n2, 0.5\n4, 1\n";
  std::ofstream(folder / "bad.csv") << "1, 0\n2, x\n";
  EXPECT_EQ(sizes_of("{ list = \"list.txt\" }", folder).radii, (std::vector<double>{1, 2, 3}));
  const std::string text = plane + "[source]\nrate = 1\ndiameter = { curve = \"curve.csv\", by = \"volume\" }\n";
  const auto first = std::get<Scene<2>>(parse_scene(text, "s.toml", folder));
  const auto again = std::get<Scene<2>>(parse_scene(first.text, "s.toml"));  // without the file
  EXPECT_EQ(first.model.sources[0].sizes.radii, (std::vector<double>{0.5, 1, 2}));
  EXPECT_EQ(first.model.sources[0].sizes.radii, again.model.sources[0].sizes.radii);
  EXPECT_EQ(first.model.sources[0].sizes.shares, again.model.sources[0].sizes.shares);
  try {
    parse_scene(plane + "[source]\nrate = 1\ndiameter = { curve = \"bad.csv\" }\n", "s.toml", folder);
    ADD_FAILURE() << "accepted";
  } catch (const SceneError& error) {
    EXPECT_NE(std::string(error.what()).find("whose line 2 is \"2, x\""), std::string::npos) << error.what();
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace moreau

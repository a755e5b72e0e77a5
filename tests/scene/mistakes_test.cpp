// Every mistake of a scene file: where it is said to be, and what is said.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "scene/scene_text.hpp"

namespace moreau {
namespace {

const std::string grain = "[grain]\nposition = [0, 0, 1]\nradius = 0.5\n";  // lines 10 to 12 after `space`

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Mistakes, toml_syntax) {
  expect_message("dimension = 3\nstep = = 4\n", "2:8", {"not valid TOML"});
  expect_message("dimension = 3\n[time\n", "2:6", {"not valid TOML"});
}

TEST(Mistakes, unknown_key_with_the_nearest_known) {
  expect_message(replaced(space, "friction", "frition") + grain, "9:1",
                 {"unknown key 'law.frition'", "did you mean 'friction'?"});
  expect_message(space + grain + "raduis = 1\n", "13:1", {"unknown key 'grain.raduis'", "did you mean 'radius'?"});
  expect_message("titel = \"x\"\n" + space + grain, "1:1", {"unknown key 'titel'", "did you mean 'title'?"});
  expect_message(space + grain + "xyzzy = 1\n", "13:1", {"unknown key 'grain.xyzzy'", "accepted: ", "'radius'"});
}

TEST(Mistakes, key_of_the_scene_below_the_header_of_a_table) {
  expect_message("dimension = 3\n[[material]]\ndensity = 1\ntime = { step = 0.01, duration = 1 }\n" + grain, "1:1",
                 {"key 'time' is missing", "below the header of 'material[1]' in line 4", "above all headers"});
}

TEST(Mistakes, key_of_another_kind_of_motion) {
  expect_message(space + "[motion]\nname = \"m\"\nkind = \"rest\"\nvelocity = [0, 0, 1]\n" + grain, "13:1",
                 {"unknown key 'motion.velocity'"});
}

TEST(Mistakes, wrong_type) {
  expect_message(replaced(space, "step = 0.01", "step = \"fast\"") + grain, "4:8",
                 {"'time.step' is \"fast\"", "accepted: a number > 0"});
  expect_message(space + replaced(grain, "[0, 0, 1]", "4"), "11:12", {"'grain.position' is 4", "an array of 3 numbers"});
  expect_message("title = 3\n" + space + grain, "1:9", {"'title' is 3", "a string"});
  expect_message(space + grain + "fixed = 1\n", "13:9", {"'grain.fixed' is 1", "true or false"});
  expect_message("grain = 5\n" + space, "1:9", {"'grain' is 5", "[[grain]]"});
  expect_message("grain = [1]\n" + space, "1:10", {"'grain[1]' is 1", "[[grain]]"});
  expect_message("time = 5\n" + replaced(space, "[time]\nstep = 0.01\nduration = 1\n", "") + grain, "1:8",
                 {"'time' is 5", "a table"});
  expect_message(space + replaced(grain, "0.5", "1979-05-27"), "12:10", {"a date or time"});
  expect_message(space + "[grains]\ncount = 1.5\nradius = 1\nregion = { box = [[0,0,0],[9,9,9]] }\n", "11:9",
                 {"'grains.count' is 1.5", "integer"});
  expect_message(replaced(space, "dimension = 3", "dimension = 4") + grain, "1:13", {"'dimension' is 4", "from 2 to 3"});
  expect_message("seed = -1\n" + space + grain, "1:8", {"'seed' is -1", ">= 0"});
}

TEST(Mistakes, radius_negative_or_zero) {
  expect_message(space + replaced(grain, "0.5", "-0.5"), "12:10", {"'grain.radius' is -0.5", "a number > 0"});
  expect_message(space + replaced(grain, "0.5", "0"), "12:10", {"'grain.radius' is 0", "a number > 0"});
  expect_message(space + "[[grains]]\ncount = 1\ndiameter = { uniform = [0, 1] }\nregion = { box = [[0,0,0],[9,9,9]] }\n",
                 "12:25", {"'grains[1].diameter.uniform[1]' is 0", "a number > 0"});
}

TEST(Mistakes, radius_and_diameter_together_or_neither) {
  expect_message(space + grain + "diameter = 1\n", "13:12", {"'grain.diameter'", "'radius'", "only one of"});
  expect_message(space + "[grain]\nposition = [0, 0, 0]\n", "10:1", {"'grain'", "'radius', 'diameter'"});
}

TEST(Mistakes, not_a_number_and_infinity) {
  expect_message(space + replaced(grain, "0.5", "nan"), "12:10", {"'grain.radius' is nan", "a number > 0"});
  expect_message(space + replaced(grain, "0.5", "inf"), "12:10", {"'grain.radius' is inf"});
  expect_message(space + replaced(grain, "[0, 0, 1]", "[0, -inf, 1]"), "11:16",
                 {"'grain.position[2]' is -inf", "a finite number"});
  expect_message(space + replaced(grain, "0.5", "1e300"), "12:10", {"'grain.radius' is 1e+300", "of magnitude"});
}

TEST(Mistakes, law_coefficients) {
  expect_message(replaced(space, "friction = 0.5", "friction = 0.5\nrestitution = 1.5") + grain, "10:15",
                 {"'law.restitution' is 1.5", "in [0, 1]"});
  expect_message(replaced(space, "friction = 0.5", "friction = 0.5\nrestitution = -0.1") + grain, "10:15",
                 {"'law.restitution' is -0.1"});
  expect_message(replaced(space, "friction = 0.5", "friction = 0.5\ntangential_restitution = 2") + grain, "10:26",
                 {"'law.tangential_restitution' is 2", "in [0, 1]"});
  expect_message(replaced(space, "friction = 0.5", "friction = -0.5") + grain, "9:12",
                 {"'law.friction' is -0.5", "a number >= 0"});
  expect_message(replaced(space, "friction = 0.5", "restitution = 0.5") + grain, "8:1", {"'law.friction' is missing"});
}

TEST(Mistakes, mass_and_density) {
  expect_message(space + grain + "mass = 0\n", "13:8", {"'grain.mass' is 0", "a number > 0"});
  expect_message(space + grain + "mass = -2\n", "13:8", {"'grain.mass' is -2"});
  expect_message(replaced(space, "density = 2", "density = 0") + grain, "7:11", {"'material.density' is 0", "a number > 0"});
  expect_message(replaced(space, "density = 2", "") + grain, "6:1", {"'material.density' is missing"});
}

TEST(Mistakes, vector_of_wrong_length) {
  expect_message(space + replaced(grain, "[0, 0, 1]", "[0, 1]"), "11:12",
                 {"'grain.position' is an array of 2", "an array of 3 numbers"});
  expect_message(plane + grain, "11:12", {"'grain.position' is an array of 3", "an array of 2 numbers"});
  expect_message(replaced(space, "gravity = 10", "gravity = [0, 1]") + grain, "2:11", {"'gravity' is an array of 2"});
}

TEST(Mistakes, zero_normal) {
  expect_message(space + "[wall]\nplane = { normal = [0, 0, 0] }\n" + grain, "11:20",
                 {"'wall.plane.normal'", "length zero", "nonzero"});
}

TEST(Mistakes, wall_without_shape_or_with_two) {
  expect_message(space + "[wall]\nname = \"w\"\n" + grain, "10:1", {"'wall' lacks", "'plane', 'cylinder', 'box'"});
  expect_message(space + "[wall]\nplane = { normal = [0, 0, 1] }\ncylinder = { radius = 9 }\n" + grain, "12:12",
                 {"'wall.cylinder'", "beside 'plane'"});
  expect_message(space + "[wall]\ncircle = { radius = 9 }\n" + grain, "11:1", {"unknown key 'wall.circle'"});
  expect_message(space + "[wall]\nbox = { min = [0, 0, 0], max = [1, 0, 1] }\n" + grain, "11:32", {"'wall.box.max'", "axis 2"});
  expect_message(space + "[wall]\nbox = { min = [-9, -9, 0], max = [9, 9, 9], open = [\"tpo\"] }\n" + grain, "11:52",
                 {"\"tpo\"", "did you mean 'top'?"});
}

TEST(Mistakes, two_grains_overlap) {
  expect_message(space + "[[grain]]\nposition = [0, 0, 1]\nradius = 0.5\n[[grain]]\nposition = [0, 0, 1.75]\nradius = 0.5\n",
                 "13:1", {"'grain[2]' at (0, 0, 1.75)", "overlaps 'grain[1]' at (0, 0, 1)", "by 0.25"});
  // A small grain buried in a large one listed after it.
  expect_message(space + "[[grain]]\nposition = [0, 0, 0.5]\nradius = 0.01\n[[grain]]\nposition = [0, 0, 0]\nradius = 1\n",
                 "13:1", {"'grain[2]'", "overlaps 'grain[1]'"});
}

TEST(Mistakes, free_grain_overlaps_fixed_grain) {
  expect_message(
      space + "[[grain]]\nposition = [0, 0, 1]\nradius = 0.5\nfixed = true\n[[grain]]\nposition = [0, 0, 1.75]\nradius = 0.5\n",
      "14:1", {"'grain[2]'", "overlaps 'grain[1]'"});
}

TEST(Mistakes, free_grain_overlaps_floor) {
  expect_message(space + "[floor]\nextent = 2\ndiameter = 0.5\n[grain]\nposition = [0, 0, 0.1]\nradius = 0.5\n", "13:1",
                 {"'grain' at (0, 0, 0.1)", "overlaps a grain of 'floor'"});
}

TEST(Mistakes, grain_overlaps_wall_or_lies_outside) {
  const std::string wall = "[wall]\nname = \"ground\"\nplane = { normal = [0, 0, 1] }\n";
  expect_message(space + wall + replaced(grain, "[0, 0, 1]", "[0, 0, 0.25]"), "13:1",
                 {"'grain' at (0, 0, 0.25)", "overlaps wall 'ground' by 0.25"});
  expect_message(space + wall + replaced(grain, "[0, 0, 1]", "[0, 0, -2]"), "13:1", {"lies outside wall 'ground'", "2 beyond"});
}

TEST(Mistakes, moving_wall_counts_where_it_is_at_time_zero) {
  const std::string wall =
      "[motion]\nname = \"m\"\nkind = \"table\"\ntimes = [0]\npositions = [[0, 0, 0.75]]\n"
      "[wall]\nmotion = \"m\"\nplane = { normal = [0, 0, 1] }\n";
  expect_message(space + wall + grain, "18:1", {"overlaps wall 'wall' by 0.25"});
}

TEST(Mistakes, missing_material) {
  expect_message(replaced(space, "[material]\ndensity = 2\n", "") + grain, "1:1", {"'material' is missing", "[[material]]"});
  const std::string two = replaced(space, "[material]\ndensity = 2\n",
                                   "[[material]]\nname = \"a\"\ndensity = 2\n[[material]]\nname = \"b\"\ndensity = 2\n");
  expect_message(two + grain, "14:1", {"'grain.material' is missing", "'a', 'b'"});
}

TEST(Mistakes, missing_pair_of_materials) {
  expect_message(R"(dimension = 3
[time]
step = 0.1
duration = 1
[[material]]
name = "grain"
density = 1
[[material]]
name = "glass"
density = 1
[[pair]]
materials = ["grain", "grain"]
friction = 0.5
[wall]
plane = { normal = [0, 0, 1] }
material = "glass"
[grain]
position = [0, 0, 1]
radius = 0.5
material = "grain"
)",
                 "8:1", {"'grain' and 'glass'", "[[pair]]", "[law]"});
}

TEST(Mistakes, pair_given_twice_or_of_unknown_material) {
  expect_message(space + "[[pair]]\nmaterials = [\"grain\", \"grian\"]\nfriction = 1\n" + grain, "11:13",
                 {"\"grian\"", "did you mean 'grain'?"});
  expect_message(space +
                     "[[pair]]\nmaterials = [\"grain\", \"grain\"]\nfriction = 1\n[[pair]]\nmaterials = [\"grain\", "
                     "\"grain\"]\nfriction = 1\n" +
                     grain,
                 "14:13", {"already has a law"});
  expect_message(space + "[[pair]]\nmaterials = [\"grain\"]\nfriction = 1\n" + grain, "11:13",
                 {"'pair[1].materials'", "an array of 2 strings"});
}

TEST(Mistakes, duplicate_names) {
  expect_message(space + "[[motion]]\nname = \"m\"\nkind = \"rest\"\n[[motion]]\nname = \"m\"\nkind = \"rest\"\n" + grain, "14:8",
                 {"'motion[2].name' is \"m\"", "already", "line 11"});
  expect_message(
      space + "[[wall]]\nname = \"w\"\nplane = { normal = [0,0,1] }\n[[wall]]\nname = \"w\"\nplane = { normal = [0,0,1] }\n" +
          grain,
      "14:8", {"'wall[2].name' is \"w\""});
}

TEST(Mistakes, unknown_names) {
  expect_message(
      space + "[motion]\nname = \"shake\"\nkind = \"rest\"\n[wall]\nplane = { normal = [0,0,1] }\nmotion = \"shaek\"\n" + grain,
      "15:10", {"'wall.motion' is \"shaek\"", "did you mean 'shake'?"});
  expect_message(space + grain + "material = \"sand\"\n", "13:12", {"'grain.material' is \"sand\"", "no material", "'grain'"});
  expect_message(space + grain + "motion = \"sand\"\n", "13:10", {"'grain.motion' is \"sand\"", "none is declared"});
}

TEST(Mistakes, names_with_line_breaks_do_not_break_the_sentence) {
  expect_message(space + grain + "material = \"sa\\nnd\"\n", "13:12", {"'grain.material' is \"sa nd\""});
}

TEST(Mistakes, unknown_choice) {
  expect_message(space + "[contact]\nrule = \"midpont\"\n" + grain, "11:8",
                 {"'contact.rule' is \"midpont\"", "'midpoint', 'predictive'", "did you mean"});
}

TEST(Mistakes, solver_ranges) {
  expect_message(space + "[solver]\nrelaxation = 2\n" + grain, "11:14", {"'solver.relaxation' is 2", "(0, 2)"});
  expect_message(space + "[solver]\ntolerance = 0\n" + grain, "11:13", {"'solver.tolerance' is 0", "(0, 1)"});
  expect_message(space + "[solver]\nmax_sweeps = 0\n" + grain, "11:14", {"'solver.max_sweeps' is 0", "from 1"});
}

TEST(Mistakes, scene_without_grains) { expect_message(space, "1:1", {"no grains", "[[grains]]", "[[source]]"}); }

TEST(Mistakes, table_of_times) {
  const std::string motion =
      "[motion]\nname = \"m\"\nkind = \"table\"\ntimes = [0, 2, 2]\npositions = [[0,0,0], [0,0,0], [0,0,0]]\n";
  expect_message(space + motion + grain, "13:9", {"'motion.times'", "from 2 to 2 at entry 3", "increasing"});
  expect_message(space + replaced(motion, "[0, 2, 2]", "[0, 2]") + grain, "14:13",
                 {"'motion.positions' has 3 entries", "which has 2"});
}

TEST(Mistakes, time_step_and_duration) {
  expect_message(replaced(space, "step = 0.01\n", "") + grain, "3:1", {"'time.step' is missing"});
  expect_message(replaced(space, "duration = 1\n", "") + grain, "3:1", {"'time.duration' is missing"});
  expect_message(replaced(space, "step = 0.01", "step = 2") + grain, "4:8", {"'time.step' is 2", "at most", "which is 1"});
  expect_message(replaced(space, "step = 0.01", "step = 1e-20") + grain, "4:8", {"'time.step' is 1e-20", "steps"});
  expect_message("dimension = 3\n", "1:1", {"'time' is missing"});
  expect_message("title = \"x\"\n", "1:1", {"'dimension' is missing", "2 or 3"});
}

TEST(Mistakes, fixed_grain_with_motion_or_velocity) {
  expect_message(space + grain + "fixed = true\nvelocity = [0, 0, 1]\n", "14:12", {"'grain.velocity'", "no meaning"});
  expect_message(space + "[motion]\nname = \"m\"\nkind = \"rest\"\n" + grain + "fixed = true\nmotion = \"m\"\n", "16:9",
                 {"'grain.fixed'", "'motion'"});
}

TEST(Mistakes, source) {
  const std::string source = "[source]\nrate = 10\ndiameter = 1\nstart = 0.5\nend = 0.25\n";
  expect_message(space + source, "14:7", {"'source.end' is 0.25", "'start'"});
  expect_message(replaced(space, "gravity = 10", "") + "[source]\nrate = 10\ndiameter = 1\n", "10:1", {"needs gravity"});
  expect_message(space + "[source]\nrate = 1e12\ndiameter = 1\n", "10:1", {"'source'", "1e+12 grains", "at most 50000000"});
  // Without an end, in a phase that has none: as many as the phase ends by, where it ends by bodies alone.
  const std::string open = replaced(space, "duration = 1", "") + "[[source]]\nrate = 10\ndiameter = 0.1\nname = \"tap\"\n";
  const auto phase = [](const std::string& end) { return "[[phase]]\nname = \"p\"\nend = { " + end + " }\n"; };
  for (const char* end : {"travelled = 1", "bodies = 30, kinetic_energy = 1e-3"})
    expect_message(open + phase(end), "13:8", {"the source 'tap' goes on without end", "a 'count' or an 'end' of the source", "'bodies' alone"});
  expect_message(open + phase("bodies = 30") + "[sink]\nbeyond = { point = [0, 0, -9], direction = [0, 0, -1] }\n", "13:8", {"without sinks"});
  expect_message(open + phase("bodies = 90000000"), "13:8", {"at most 50000000"});
  EXPECT_NO_THROW(parse_scene(open + phase("bodies = 30"), "s.toml", "."));
  EXPECT_NO_THROW(parse_scene(open + "count = 30\n" + phase("travelled = 1"), "s.toml", "."));
  EXPECT_NO_THROW(parse_scene(open + "end = 3\n" + phase("travelled = 1"), "s.toml", "."));
}

TEST(Mistakes, sizes) {
  const std::string group = "[grains]\ncount = 3\nregion = { box = [[0,0,0],[9,9,9]] }\n";
  expect_message(space + group + "diameter = { uniform = [2, 1] }\n", "13:24",
                 {"'grains.diameter.uniform' is [2, 1]", "the smaller first"});
  expect_message(space + group + "diameter = { bidisperse = [1, 2], share = 1.5 }\n", "13:43",
                 {"'grains.diameter.share' is 1.5", "in [0, 1]"});
  expect_message(space + group + "diameter = { list = [] }\n", "13:21", {"'grains.diameter.list' is an array of 0"});
  expect_message(space + group + "diameter = { normal = [1, 2] }\n", "13:14", {"unknown key 'grains.diameter.normal'"});
  expect_message(space + group + "diameter = \"small\"\n", "13:12", {"'grains.diameter' is \"small\"", "'uniform'"});
}

TEST(Mistakes, region) {
  const std::string group = "[grains]\ncount = 3\ndiameter = 1\n";
  expect_message(space + group, "10:1", {"'grains.region' is missing"});
  expect_message(space + group + "region = { box = [[0,0,0],[9,0,9]] }\n", "13:18", {"'grains.region.box'", "axis 2"});
  expect_message(space + group + "region = { box = [[0,0,0]] }\n", "13:18",
                 {"'grains.region.box' is an array of 1", "two opposite corners"});
  expect_message(space + group + "region = { cylinder = { radius = 1, bottom = 2, top = 1 } }\n", "13:55",
                 {"'grains.region.cylinder.top' is 1"});
  expect_message(space + group + "region = { box = [[0,0,0],[9,0.5,9]] }\n", "10:1", {"'grains'", "too small"});
}

TEST(Mistakes, too_many_grains_for_the_region) {
  const std::string group = "[grains]\ndiameter = 1\nregion = { box = [[0,0,0],[5,5,5]] }\n";
  expect_message(space + group + "count = 1000\n", "10:1", {"1000 grains", "solid fraction 4.19"});
  expect_message(space + group + "count = 120\n", "10:1", {"found room for only", "of 120", "lattice"});
  expect_message(space + group + "count = 120\narrangement = \"lattice\"\n", "10:1",
                 {"found room for only 64 of 120", "lattice"});
}

TEST(Mistakes, more_grains_than_the_limit) {
  expect_message(space + "[grains]\ncount = 60000000\ndiameter = 1\nregion = { box = [[0,0,0],[1e9,1e9,1e9]] }\n", "10:1",
                 {"6e+07 grains", "50000000"});
  expect_message(space + "[grains]\narrangement = \"lattice\"\ndiameter = 1\nregion = { box = [[0,0,0],[1e9,1e9,1e9]] }\n",
                 "10:1", {"lattice sites"});
  expect_message(space + "[floor]\nextent = 1e9\ndiameter = 1\n" + grain, "10:1", {"'floor'", "50000000"});
  expect_message(space + "[floor]\nextent = 30\ndiameter = 1\n" + grain, "10:1", {"'floor'", "1000"}, {1000, 1 << 20});
}

TEST(Mistakes, the_first_in_the_file_is_reported) {
  // Read in another order than written: walls before materials.
  expect_message(
      "dimension = 3\n[[wall]]\nplane = { normal = [0, 0, 0] }\n[time]\nstep = -1\nduration = 1\n[material]\ndensity = -1\n"
      "[law]\nfriction = -1\n" +
          grain,
      "3:20", {"normal"});
}

TEST(Mistakes, key_nested_too_deep) {
  std::string key = "a";
  for (int i = 0; i < 100000; ++i) key += ".a";
  expect_message("dimension = 3\n" + key + " = 1\n", "2:16", {"dotted key"});
}

TEST(Mistakes, character_outside_ascii_outside_strings) {
  expect_message("dimension = 3\n\xC3\xA9t\xC3\xA9 = 1\n", "2:1", {"ASCII", "strings and comments"});
  expect_message("dimension = 3\ntitle = 6\"\xC3\xA9\"\n", "2:10", {"amid a word"});
  expect_message("dimension = 3\ntitle = \"\"\"a \\\n \xC3\xA9\"\"\"\n", "2:14", {"backslash"});
  EXPECT_EQ(message_of("title = \"\"\"a \\\" \\\\ \n \xC3\xA9\"\"\"\n" + space + grain), "accepted");
  EXPECT_EQ(message_of("\xEF\xBB\xBFtitle = \"\xC3\xA9t\xC3\xA9\" # \xC3\xA9\n" + space + grain), "accepted");
}

class Files : public ::testing::Test {
 protected:
  std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("moreau_scene_files_" + std::to_string(::getpid()));
  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string message(const std::filesystem::path& file, const SceneLimits& limits = {}) {
    try {
      read_scene(file, limits);
    } catch (const SceneError& error) {
      return error.what();
    }
    return "accepted";
  }
  std::filesystem::path write(const std::string& text) {
    std::ofstream(folder / "f.toml") << text;
    return folder / "f.toml";
  }
};

TEST_F(Files, absent_folder_empty_too_large_unreadable) {
  const std::string start = (folder / "f.toml").string() + ":1:1: ";
  EXPECT_EQ(message(folder / "f.toml"), start + "the file does not exist; accepted: a readable TOML file");
  EXPECT_EQ(message(folder), folder.string() + ":1:1: this is a folder; accepted: a readable TOML file");
  EXPECT_EQ(message(write("")).rfind(start + "the file is empty", 0), 0u);
  EXPECT_EQ(message(write(" \n\t\r\n")).rfind(start + "the file is empty", 0), 0u);
  EXPECT_EQ(message(write(space + grain), {100, 64}).rfind(start + "the file is larger than 64 bytes", 0), 0u);
  EXPECT_EQ(message(write(space + grain)), "accepted");
  std::filesystem::permissions(folder / "f.toml", std::filesystem::perms::none);
  if (!std::ifstream(folder / "f.toml")) {  // a superuser can read it all the same
    EXPECT_EQ(message(folder / "f.toml"), start + "the file cannot be opened; accepted: a readable TOML file");
  }
}

}  // namespace
}  // namespace moreau

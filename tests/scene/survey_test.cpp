// Stones from files: tables, drawings, meshes; overlaps taken apart. A copy of the scene needs the files no more.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "moreau/scene/survey/stone_outlines.hpp"
#include "scene/scene_text.hpp"

namespace moreau {
namespace {

class Survey : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("survey-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name, std::ios::binary) << text; }
  template <int D>
  Scene<D> read(const std::string& toml) {
    return std::get<Scene<D>>(parse_scene(toml, "s.toml", folder_));
  }
  std::string message(const std::string& toml) {
    try {
      parse_scene(toml, "s.toml", folder_);
    } catch (const SceneError& error) {
      return error.what();
    }
    return "accepted";
  }
  std::filesystem::path folder_;
};

const std::string triangles = "stone,x,y\n# a comment\na,0,0\na,1,0\na,0,1\nb,1,0\nb,1,1\nb,0,1\n";

TEST_F(Survey, corners_by_stone) {
  write("s.csv", triangles);
  const auto s = read<2>(plane + "[stones]\nfile = \"s.csv\"\nscale = 2\norigin = [10, 0]\nsupports = [\"b\"]\n");
  ASSERT_EQ(s.bodies.size(), 2u);
  EXPECT_NEAR(s.bodies.parameters.mass[0], 2.0 * 2.0, 1e-12);
  EXPECT_NEAR(s.bodies.state.position[0][0], 10.0 + 2.0 / 3.0, 1e-12);
  EXPECT_TRUE(s.bodies.is_free(0));
  EXPECT_EQ(s.bodies.parameters.kind[1], BodyKind::fixed);
  EXPECT_TRUE(std::ranges::any_of(s.named, [](const auto& n) { return n.name == "stones.b" && n.first == 1; }));
}

TEST_F(Survey, blocks_by_their_sides) {
  write("s.csv", "x;y;width;height;angle\n0;0;2;1;0\n5;0;2;1;90\n");
  const auto s = read<2>(plane + "[stones]\nfile = \"s.csv\"\n");
  ASSERT_EQ(s.bodies.size(), 2u);
  EXPECT_NEAR(s.bodies.parameters.mass[1], 4.0, 1e-12);
  const Pose<2> pose{s.bodies.state.position[1], matrix_of(s.bodies.state.orientation[1])};
  double top = 0.0;
  for (const auto& v : s.bodies.shape(1).parts[0].vertices) top = std::max(top, pose.place(v)[1]);
  EXPECT_NEAR(top, 1.0, 1e-12);  // half its length, turned upright
}

TEST_F(Survey, copy_of_the_scene_needs_no_file) {
  write("s.csv", triangles);
  const auto s = read<2>(plane + "[stones]\nfile = \"s.csv\"\n");
  std::filesystem::remove(folder_ / "s.csv");
  const auto again = scene_of<2>(s.text);
  ASSERT_EQ(again.bodies.size(), s.bodies.size());
  for (std::size_t i = 0; i < s.bodies.size(); ++i) EXPECT_EQ(again.bodies.state.position[i], s.bodies.state.position[i]);
}

TEST_F(Survey, closed_polylines_of_a_drawing) {
  const auto pair = [](int code, const std::string& value) { return std::to_string(code) + "\n" + value + "\n"; };
  std::string dxf = pair(0, "SECTION") + pair(2, "HEADER") + pair(0, "ENDSEC") + pair(0, "SECTION") + pair(2, "ENTITIES");
  dxf += pair(0, "LINE") + pair(8, "wall") + pair(10, "7") + pair(20, "7");
  dxf += pair(0, "LWPOLYLINE") + pair(8, "wall") + pair(90, "4") + pair(70, "1");
  for (const auto& [x, y] : {std::pair{"0", "0"}, {"2", "0"}, {"2", "1"}, {"0", "1"}}) dxf += pair(10, x) + pair(20, y);
  dxf += pair(0, "LWPOLYLINE") + pair(8, "wall") + pair(70, "0") + pair(10, "0") + pair(20, "0") + pair(10, "9") + pair(20, "0");
  dxf += pair(0, "POLYLINE") + pair(8, "ground") + pair(66, "1") + pair(10, "0") + pair(20, "0") + pair(70, "1");
  for (const auto& [x, y] : {std::pair{"0", "-1"}, {"2", "-1"}, {"2", "0"}, {"0", "0"}})
    dxf += pair(0, "VERTEX") + pair(8, "ground") + pair(10, x) + pair(20, y);
  dxf += pair(0, "SEQEND") + pair(0, "ENDSEC") + pair(0, "EOF");
  write("s.dxf", dxf);
  const auto s = read<2>(plane + "[stones]\nfile = \"s.dxf\"\nsupports = [\"ground\"]\n");
  ASSERT_EQ(s.bodies.size(), 2u);
  EXPECT_NEAR(s.bodies.parameters.mass[0], 4.0, 1e-12);
  EXPECT_EQ(s.bodies.parameters.kind[1], BodyKind::fixed);
  ASSERT_NE(s.warnings.find(WarningKind::survey), nullptr);
  EXPECT_NE(sentence_of(*s.warnings.find(WarningKind::survey)).find("1 open polylines were left out"), std::string::npos);
  const auto one = read<2>(plane + "[stones]\nfile = \"s.dxf\"\nlayer = \"ground\"\n");
  EXPECT_EQ(one.bodies.size(), 1u);
}

// Layers in Latin-1, as older programs write them, with quotes and tabs: the copy of the scene, from which a run is resumed,
// holds them.
TEST_F(Survey, odd_names_of_stones_are_kept) {
  for (const auto& [written, read_as] : {std::pair<std::string, std::string>{"Mauer \xE9", "Mauer \xC3\xA9"},
                                         {"a\"b\\", "a\"b\\"},
                                         {"a\tb\x7F\x01", "a\tb\x7F\x01"},
                                         {"\xC3\xA9", "\xC3\xA9"}}) {
    std::string dxf = "0\nSECTION\n2\nENTITIES\n0\nLWPOLYLINE\n8\n" + written + "\n70\n1\n";
    for (const auto& [x, y] : {std::pair{"0", "0"}, {"2", "0"}, {"2", "1"}, {"0", "1"}})
      dxf += std::string("10\n") + x + "\n20\n" + y + "\n";
    write("s.dxf", dxf + "0\nENDSEC\n0\nEOF\n");
    const auto s = read<2>(plane + "[stones]\nname = \"w\"\nfile = \"s.dxf\"\n");
    const auto again = std::get<Scene<2>>(parse_scene(s.text, "s.toml", "/nowhere"));
    ASSERT_EQ(again.named.size(), s.named.size());
    EXPECT_EQ(again.named.back().name, "w." + read_as);
    EXPECT_EQ(s.named.back().name, "w." + read_as);
  }
}

TEST_F(Survey, groups_of_a_mesh) {
  std::string obj = "# two cubes\n";
  for (int k = 0; k < 2; ++k)
    for (int b = 0; b < 8; ++b)
      obj += "v " + std::to_string((b & 1) + 2 * k) + " " + std::to_string(b >> 1 & 1) + " " + std::to_string(b >> 2) + "\n";
  obj += "g first\nf 1 2 4 3\nf 5//1 6//2 8//3 7//4\no second\nf 9 10 12 11\nf -4 -3 -1 -2\n";
  write("s.obj", obj);
  const auto s = read<3>(space + "[stones]\nfile = \"s.obj\"\n");
  ASSERT_EQ(s.bodies.size(), 2u);
  EXPECT_NEAR(s.bodies.parameters.mass[0], 2.0, 1e-12);
  EXPECT_NEAR(s.bodies.state.position[1][0], 2.5, 1e-12);
}

// A wall surveyed with errors: bricks of 1 x 0.5 in running bond, every one larger by 1e-4 than its place.
std::string sloppy_wall(double excess) {
  std::string csv = "x,y,width,height\n";
  for (int course = 0; course < 6; ++course)
    for (int k = 0; k < 5; ++k)
      csv += std::to_string(k + 0.5 * (course % 2)) + "," + std::to_string(0.25 + 0.5 * course) + "," +
             std::to_string(1.0 + excess) + "," + std::to_string(0.5) + "\n";
  return csv;
}

TEST_F(Survey, overlapping_stones_are_taken_apart) {
  write("s.csv", sloppy_wall(1e-4));
  EXPECT_NE(message(plane + "[stones]\nfile = \"s.csv\"\n").find("overlaps"), std::string::npos);
  const auto s = read<2>(plane + "[stones]\nfile = \"s.csv\"\noverlap = 2e-4\n");  // the scene refuses what still overlaps
  ASSERT_EQ(s.bodies.size(), 30u);
  const Warning* said = s.warnings.find(WarningKind::survey);
  ASSERT_NE(said, nullptr);
  EXPECT_NEAR(said->value, 1e-4, 1e-6);
  EXPECT_GT(said->beside, 0.5e-4);
  EXPECT_LT(said->beside, 6.1e-4);
  EXPECT_NE(sentence_of(*said).find("24 pairs of stones overlapped by up to 0.0001"), std::string::npos) << sentence_of(*said);
}

TEST_F(Survey, stones_between_supports_are_made_smaller) {
  write("s.csv", "stone,x,y,width,height\nl,0,0,1,1\nm,1,0,1.001,1\nr,2,0,1,1\n");
  const auto s = read<2>(plane + "[stones]\nfile = \"s.csv\"\nsupports = [\"l\", \"r\"]\noverlap = 1e-3\n");
  EXPECT_LT(s.bodies.parameters.mass[1], 2.0 * 1.0);
  EXPECT_GT(s.bodies.parameters.mass[1], 2.0 * 0.98);
  EXPECT_NE(sentence_of(*s.warnings.find(WarningKind::survey)).find("made smaller"), std::string::npos);
}

TEST_F(Survey, mistakes) {
  const auto expect = [&](const std::string& file, const std::string& text, const std::string& words,
                          const std::string& more = "") {
    write(file, text);
    const std::string said = message(plane + "[stones]\nfile = \"" + file + "\"\n" + more);
    EXPECT_NE(said.find(words), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    EXPECT_EQ(said.find("s.toml:"), 0u) << said;
  };
  expect("a.csv", "", "holds no stones");
  expect("b.csv", "stone,x\n", "line 1 lacks columns");
  expect("c.csv", "stone,x,y\na,1\n", "line 2 has 2 columns");
  expect("d.csv", "stone,x,y\na,1,nan\n", "line 2 has \"nan\" in column 3");
  expect("e.csv", "stone,x,y\na,0,0\nb,0,0\na,1,1\n", "line 4 goes back to stone");
  expect("f.csv", "stone,x,y\na,0,0\na,1,0\na,2,0\n", "no block");
  expect("g.csv", "x,y,width,height\n0,0,-1,1\n", "side -1");
  expect("h.dxf", "hello\n", "line 1 is \"hello\"");
  expect("i.dxf", "0\n", "without a value");
  expect("j.obj", "v 0 0 0\n", "accepted: a readable file .csv, or .dxf");
  expect("k.csv", triangles, "supports", "supports = [\"nobody\"]\n");
  expect("l.csv", "x,y,width,height\n0,0,1,1\n0.5,0,1,1\n", "overlap by up to 0.5", "overlap = 1e-3\n");
  expect("m.csv", "x,y,width,height\n0,0,1,1\n2,0,1,1\n", "at most the size of the smallest stone, 0.707", "overlap = 1e20\n");
  expect("n.csv", "x,y,width,height\n1e30,0,1e30,1\n", "line 2 has a corner at 1.5");
  expect("o.dxf", "0\nSECTION\n2\nENTITIES\n0\nLWPOLYLINE\n70\n1e300\n10\n0\n20\n0\n0\nENDSEC\n0\nEOF\n", "holds no stones");
  EXPECT_NE(message(plane + "[stones]\nfile = \"none.csv\"\n").find("does not exist"), std::string::npos);
  EXPECT_THROW(read_obj_groups("f 1 2 3\n"), SurveyError);
  EXPECT_THROW(read_obj_groups("v 1 2\n"), SurveyError);
}

}  // namespace
}  // namespace moreau

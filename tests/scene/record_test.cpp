// Accelerograms in scenes: files read, mistakes named with file and line, and the text that is kept needs no file.
#include <cmath>
#include <fmt/format.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>

#include "scene/scene_text.hpp"

namespace moreau {
namespace {

class Records : public ::testing::Test {
 protected:
  std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / fmt::format("moreau_records_{}", ::getpid());
  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }

  const std::string head = plane + "[motion]\nname = \"\xC3\xA9\"\nkind = \"accelerogram\"\n";
  const std::string tail = "direction = [2, 0]\nscale = 10\n[block]\nsize = [1, 1]\nposition = [0, 0]\nmotion = \"\xC3\xA9\"\n";

  std::string message(const std::string& content) {
    std::ofstream(folder / "quake.csv") << content;
    try {
      parse_scene(head + "record = \"quake.csv\"\n" + tail, "s.toml", folder);
    } catch (const SceneError& error) {
      return error.what();
    }
    return "accepted";
  }
};

TEST_F(Records, two_columns_with_header_comments_commas_or_blanks) {
  std::ofstream(folder / "quake.csv") << "# El Nowhere\ntime [s], a [m/s2]\n\n0, 0\n 0.5\t+1e0\r\n1.0;  0\n";
  const auto s = std::get<Scene<2>>(parse_scene(head + "record = \"quake.csv\"\n" + tail, "s.toml", folder));
  const auto& m = s.model.motions.at(0);
  EXPECT_EQ(m.times, (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(m.accelerations[1], (Vec<2>{{10, 0}}));
  EXPECT_DOUBLE_EQ(velocity(m, 1.0)[0], 5.0);
}

TEST_F(Records, first_row_after_a_byte_order_mark_is_a_row) {
  for (const char* begin :
       {"", "\xEF\xBB\xBF", "\xEF\xBB\xBFtime a\n", "\xEF\xBB\xBF# note\n", "x1, x2\n", "t [s]; a [m/s2]\n"}) {
    std::ofstream(folder / "quake.csv") << begin << "0 7\n0.5 8\n1 9\n";
    const auto s = std::get<Scene<2>>(parse_scene(head + "record = \"quake.csv\"\n" + tail, "s.toml", folder));
    EXPECT_EQ(s.model.motions.at(0).times, (std::vector<double>{0, 0.5, 1})) << begin;
  }
}

TEST_F(Records, mistyped_first_row_is_refused_and_not_taken_for_names) {
  for (const char* row : {"O.0 0", "0 l", "0.0.0 0", "0, zero", "-,1 0", "O.5 1.O", "0s 0m"})
    EXPECT_NE(message(std::string(row) + "\n0.5 1\n1 0\n").find("whose line 1 is \"" + std::string(row) + "\""),
              std::string::npos)
        << row << ": " << message(std::string(row) + "\n0.5 1\n1 0\n");
}

TEST_F(Records, kept_text_needs_no_file) {
  std::ofstream(folder / "quake.csv") << "0 0\n0.1 0.30000000000000004\n0.2 -1e-7\n";
  const std::string text = "\xEF\xBB\xBF" + head + "record = 'quake.csv' # here \xC3\xA9\n" + tail;
  const auto s = std::get<Scene<2>>(parse_scene(text, "s.toml", folder));
  EXPECT_NE(s.text.find("record = { times = ["), std::string::npos) << s.text;
  EXPECT_NE(s.text.find("] } # here \xC3\xA9\ndirection"), std::string::npos) << s.text;
  const auto t = std::get<Scene<2>>(parse_scene(s.text, "s.toml", "/nowhere"));
  EXPECT_EQ(t.model.motions[0].times, s.model.motions[0].times);
  EXPECT_EQ(t.model.motions[0].accelerations, s.model.motions[0].accelerations);
  EXPECT_EQ(t.text, s.text);
}

TEST_F(Records, several_records_in_one_line_are_all_put_in_place) {
  std::ofstream(folder / "a.csv") << "0 0\n1 1\n";
  std::ofstream(folder / "b.csv") << "0 0\n2 2\n";
  const std::string motions =
      "motion = [{ name = \"\xC3\xA9\", kind = \"accelerogram\", record = \"a.csv\", direction = [1, 0] }, "
      "{ name = \"b\", kind = \"accelerogram\", record = \"b.csv\", direction = [0, 1] }]\n";
  const auto s = std::get<Scene<2>>(parse_scene(motions + plane + "[grain]\nposition = [0, 0]\nradius = 1\n", "s.toml", folder));
  const auto t = std::get<Scene<2>>(parse_scene(s.text, "s.toml", "/nowhere"));
  EXPECT_EQ(t.model.motions[0].times, (std::vector<double>{0, 1}));
  EXPECT_EQ(t.model.motions[1].times, (std::vector<double>{0, 2}));
}

TEST_F(Records, mistakes_name_the_file_and_the_line) {
  const std::string file = (folder / "quake.csv").string();
  EXPECT_EQ(message("0 0\n1 1\n"), "accepted");
  EXPECT_EQ(message("0 0\n1 one\n"), "s.toml:13:10: key 'motion.record' names " + file +
                                         ", whose line 2 is \"1 one\"; accepted: two numbers, time and acceleration");
  EXPECT_EQ(message("# a\n0 0\n\n1 2 3\n"), "s.toml:13:10: key 'motion.record' names " + file +
                                                ", whose line 4 is \"1 2 3\"; accepted: two numbers, time and acceleration");
  EXPECT_EQ(message("0 0\n1 1\n1 2\n"), "s.toml:13:10: key 'motion.record' names " + file +
                                            ", whose line 3 goes from time 1 to 1; accepted: increasing times");
  EXPECT_EQ(message("0 0\n1 nan\n"), "s.toml:13:10: key 'motion.record' names " + file +
                                         ", whose line 2 has 1 and nan; accepted: finite numbers, of magnitude at most 1e+30");
  EXPECT_EQ(message("t a\n"),
            "s.toml:13:10: key 'motion.record' names " + file +
                ", which has 0 points; accepted: a readable file of at least two lines, each with a time and an "
                "acceleration");
  expect_message(head + "record = \"quake.csv\"\n" + tail, "13:10", {"quake.csv, which does not exist"});
  expect_message(head + "record = \"/\"\n" + tail, "13:10", {"which is no file"});
  expect_message(head + "record = \"/dev/zero\"\n" + tail, "13:10", {"which is no file"});
  expect_message(head + tail, "10:1", {"key 'motion.record' is missing"});
  expect_message(head + "record = { times = [0, 1], accelerations = [0, 1, 2] }\n" + tail, "13:44",
                 {"'motion.record.accelerations' has 3 entries"});
  expect_message(head + "record = { times = [1, 0], accelerations = [0, 1] }\n" + tail, "13:20",
                 {"'motion.record.times' at entry 2 goes from time 1 to 0"});
}

TEST_F(Records, peer_files) {
  for (const char* fourth : {"NPTS=      4, DT=   .0050 SEC", "   4   0.0050   NPTS, DT"}) {
    std::ofstream(folder / "rsn.AT2")
        << "PEER NGA STRONG MOTION DATABASE RECORD\nEl Nowhere, 1/1/2000\nACCELERATION TIME SERIES IN "
           "UNITS OF G\n"
        << fourth << "\n  .1000000E-01 -.2000000E+00\n .3  4E-1\n";
    const auto s = std::get<Scene<2>>(parse_scene(head + "record = \"rsn.AT2\"\n" + tail, "s.toml", folder));
    const auto& m = s.model.motions.at(0);
    ASSERT_EQ(m.times.size(), 4u);
    EXPECT_DOUBLE_EQ(m.times[3], 0.015);
    EXPECT_DOUBLE_EQ(m.accelerations[1][0], -2.0);  // scale 10
    EXPECT_DOUBLE_EQ(std::get<Scene<2>>(parse_scene(s.text, "s.toml")).model.motions.at(0).accelerations[3][0], 4.0);
  }
  for (const auto& [numbers, words] : {std::pair{"NPTS= 9, DT= .005\n1 2\n", "which holds 2 accelerations; accepted: 9"},
                                       {"NPTS= 3, DT= 1e300\n1 2 3\n", "whose point 2 has 1e+300 and 2; accepted: finite"}}) {
    std::ofstream(folder / "bad.at2") << "a\nb\nc\n" << numbers;
    try {
      parse_scene(head + "record = \"bad.at2\"\n" + tail, "s.toml", folder);
      FAIL();
    } catch (const SceneError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  }
}

TEST_F(Records, three_components_from_columns_or_files) {
  std::ofstream(folder / "all.csv") << "t,ns,ew,ud\n0,0,0,0\n1,1,2,3\n2,0,0,0\n";
  const std::string begin = space + "[motion]\nname = \"m\"\nkind = \"accelerogram\"\n";
  const std::string end = "[block]\nsize = [1, 1, 1]\nposition = [0, 0, 0]\nmotion = \"m\"\n";
  const auto s =
      std::get<Scene<3>>(parse_scene(begin + "record = \"all.csv\"\ncolumns = [3, 0, 4]\nscale = 2\n" + end, "s.toml", folder));
  EXPECT_EQ(s.model.motions.at(0).accelerations[1], (Vec<3>{{4, 0, 6}}));
  EXPECT_EQ(std::get<Scene<3>>(parse_scene(s.text, "s.toml")).model.motions.at(0).accelerations[1], (Vec<3>{{4, 0, 6}}));
  std::ofstream(folder / "x.at2") << "a\nb\nc\nNPTS= 3, DT= .5\n1 2 3\n";
  std::ofstream(folder / "z.at2") << "a\nb\nc\nNPTS= 2, DT= .5\n4 5\n";
  const auto f = std::get<Scene<3>>(parse_scene(begin + "components = [\"x.at2\", \"\", \"z.at2\"]\n" + end, "s.toml", folder));
  EXPECT_EQ(f.model.motions.at(0).accelerations[1], (Vec<3>{{2, 0, 5}}));
  EXPECT_EQ(f.model.motions.at(0).accelerations[2], (Vec<3>{{3, 0, 0}}));
  EXPECT_EQ(std::get<Scene<3>>(parse_scene(f.text, "s.toml")).model.motions.at(0).accelerations[1], (Vec<3>{{2, 0, 5}}));
}

TEST_F(Records, baseline_rest_ends_without_velocity_and_displacement) {
  std::ofstream out(folder / "quake.csv");
  for (int i = 0; i <= 200; ++i) out << 0.01 * i << ' ' << std::sin(0.3 * i) + 0.02 * i << '\n';
  out.close();
  const auto s = std::get<Scene<2>>(parse_scene(head + "record = \"quake.csv\"\nbaseline = \"rest\"\n" + tail, "s.toml", folder));
  const auto& m = s.model.motions.at(0);
  EXPECT_NEAR(velocity(m, 5.0)[0], 0.0, 1e-12);
  EXPECT_NEAR(displacement(m, 5.0)[0], 0.0, 1e-12);
}

TEST_F(Records, baseline_fits_take_a_drift_away) {
  // A constant and a linearly growing error of the acceleration are removed as a whole.
  for (const bool grows : {false, true}) {
    std::ofstream out(folder / "quake.csv");
    for (int i = 0; i <= 100; ++i) out << 0.01 * i << ' ' << (grows ? 0.03 * i : 2.0) << '\n';
    out.close();
    const auto s =
        std::get<Scene<2>>(parse_scene(head + "record = \"quake.csv\"\nbaseline = \"linear\"\n" + tail, "s.toml", folder));
    for (const auto& a : s.model.motions.at(0).accelerations) EXPECT_NEAR(a[0], 0.0, 1e-9);
  }
}

// The acceleration of v = s + 2 s^2 + sin(9 s) at uneven times, against the same record cut into equal intervals.
TEST_F(Records, baseline_fits_do_not_depend_on_the_intervals_of_the_record) {
  const auto a = [](double s) { return 1.0 + 4.0 * s + 9.0 * std::cos(9.0 * s); };
  std::vector<double> corrected[2];
  for (const bool even : {true, false}) {
    std::ofstream out(folder / "quake.csv");
    out.precision(17);
    for (int i = 0; i <= 4000; ++i) {
      const double x = i / 4000.0, s = even ? x : x * (0.2 + 0.8 * x);
      out << s << ' ' << a(s) << '\n';
    }
    out.close();
    const auto scene =
        std::get<Scene<2>>(parse_scene(head + "record = \"quake.csv\"\nbaseline = \"quadratic\"\n" + tail, "s.toml", folder));
    const auto& m = scene.model.motions.at(0);
    for (int k = 1; k <= 10; ++k) corrected[even ? 0 : 1].push_back(velocity(m, 0.1 * k)[0]);
  }
  for (std::size_t k = 0; k < corrected[0].size(); ++k) EXPECT_NEAR(corrected[0][k], corrected[1][k], 1e-5);
}

}  // namespace
}  // namespace moreau

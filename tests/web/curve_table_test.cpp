#include "moreau/web/curve_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace moreau::web {
namespace {

namespace fs = std::filesystem;

class CurveTableTest : public testing::Test {
 protected:
  fs::path file = fs::temp_directory_path() /
                  (std::string("moreau-curve-") + testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv");
  void SetUp() override { fs::remove(file); }
  void TearDown() override { fs::remove(file); }
  void add(const std::string& text) { std::ofstream(file, std::ios::app) << text; }
};

TEST_F(CurveTableTest, grows_with_the_file_line_by_line) {
  CurveTable table(file);
  table.refresh();
  EXPECT_TRUE(table.columns().empty());
  add("step,time,kinetic\n1,0.1,5\n2,0.2");
  table.refresh();
  EXPECT_EQ(table.rows(), 1u);  // the second line is not finished
  add(",7\n3,0.3,\n");
  table.refresh();
  EXPECT_EQ(table.rows(), 3u);
  EXPECT_EQ(table.curve("kinetic").high, (std::vector<float>{5, 7}));  // an empty cell is no number
  EXPECT_EQ(table.last_row().count("kinetic"), 0u);
  EXPECT_EQ(table.last_row().at("time"), 0.3);
  EXPECT_FALSE(table.has("potential"));
}

TEST_F(CurveTableTest, a_long_file_takes_bounded_memory_and_keeps_its_peak) {
  add("step,time,kinetic\n");
  std::string rows;
  for (int k = 1; k <= 100000; ++k)
    rows += std::to_string(k) + "," + std::to_string(k * 0.5) + "," + (k == 77777 ? "9" : "1") + "\n";
  add(rows);
  CurveTable table(file);
  table.refresh();
  const CurveTable::Curve curve = table.curve("kinetic");
  EXPECT_EQ(table.rows(), 100000u);
  EXPECT_LE(curve.time.size(), 4096u);
  EXPECT_GE(curve.time.size(), 2048u);
  EXPECT_EQ(*std::ranges::max_element(curve.high), 9.0f);
  EXPECT_TRUE(std::ranges::is_sorted(curve.time));
  const auto peak = static_cast<std::size_t>(std::ranges::max_element(curve.high) - curve.high.begin());
  EXPECT_LE(curve.time[peak], 77777 * 0.5);
  EXPECT_EQ(curve.low[peak], 1.0f);
}

TEST_F(CurveTableTest, a_file_that_was_cut_is_read_anew) {
  add("step,time,x\n1,0.1,1\n2,0.2,2\n3,0.3,3\n");
  CurveTable table(file);
  table.refresh();
  std::ofstream(file) << "step,time,x\n1,0.1,4\n";
  table.refresh();
  EXPECT_EQ(table.rows(), 1u);
  EXPECT_EQ(table.curve("x").high, std::vector<float>{4});
}

TEST_F(CurveTableTest, what_is_no_table_has_no_rows) {
  add(std::string(300000, 'x') + "\n1,2\n,,,\n");
  CurveTable table(file);
  for (int k = 0; k < 3; ++k) table.refresh();
  EXPECT_EQ(table.rows(), 0u);
  const fs::path link = file.string() + ".link";
  fs::remove(link);
  fs::create_symlink(file, link);
  CurveTable through(link);
  through.refresh();
  EXPECT_TRUE(through.columns().empty());
  fs::remove(link);
}

}  // namespace
}  // namespace moreau::web

// Means over steps, against sums done directly.
#include "moreau/measure/running_mean.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace moreau::measure {
namespace {

Table table_of(double stress, std::int64_t contacts, int rows = 1) {
  Table table;
  for (int k = 0; k < rows; ++k) {
    RowWriter row(table);
    row.add("region", "all");
    row.add("stress", stress + k);
    row.add("contacts", contacts);
  }
  return table;
}

TEST(RunningMean, is_the_mean_and_the_deviation_of_all_steps) {
  RunningMean mean;
  const double values[] = {1e6 + 1.0, 1e6 + 2.0, 1e6 + 6.0};
  for (const double v : values) mean.add(table_of(v, static_cast<std::int64_t>(v) - 1000000));
  const Table result = mean.table(table_of(0.0, 0));
  EXPECT_EQ(result.columns, (std::vector<std::string>{"region", "stress", "contacts", "stress_sd", "contacts_sd", "averaged"}));
  EXPECT_EQ(std::get<std::string>(result.rows[0][0]), "all");
  EXPECT_DOUBLE_EQ(std::get<double>(result.rows[0][1]), 1e6 + 3.0);
  EXPECT_DOUBLE_EQ(std::get<double>(result.rows[0][2]), 3.0);
  EXPECT_NEAR(std::get<double>(result.rows[0][3]), std::sqrt(14.0 / 3.0), 1e-9);  // (4 + 1 + 9) / 3
  EXPECT_EQ(std::get<std::int64_t>(result.rows[0][5]), 3);
}

TEST(RunningMean, begins_anew_with_a_table_of_another_shape) {
  RunningMean mean;
  mean.add(table_of(5.0, 1)), mean.add(table_of(1.0, 1, 2)), mean.add(table_of(3.0, 1, 2));
  EXPECT_EQ(mean.count, 2u);
  const Table result = mean.table(table_of(0.0, 0, 2));
  EXPECT_DOUBLE_EQ(std::get<double>(result.rows[0][1]), 2.0);
  EXPECT_DOUBLE_EQ(std::get<double>(result.rows[1][1]), 3.0);
}

}  // namespace
}  // namespace moreau::measure

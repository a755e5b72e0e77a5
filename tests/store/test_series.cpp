#include <algorithm>
#include <charconv>

#include "moreau/store/series.hpp"
#include "store/samples.hpp"

using namespace moreau;
using namespace moreau::samples;

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

StepReport report_of(std::uint64_t step) {
  StepReport report;
  report.step = step;
  report.time = 0.1 * static_cast<double>(step);
  report.energy.kinetic = 1.0 / 3.0;
  report.certificate.sweeps = 12;
  report.timings.solve = 0.25;
  return report;
}

}  // namespace

TEST(Series, one_row_per_report_in_full_precision) {
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  for (std::uint64_t step : {3u, 6u}) run.append_series(report_of(step));
  const auto lines = split(text_of(folder.path / "run/series.csv"), '\n');
  ASSERT_EQ(lines.size(), 3u);
  const auto names = split(lines[0], ','), values = split(lines[1], ',');
  ASSERT_EQ(names.size(), values.size());
  const auto value = [&](const char* name) {
    const auto column = std::ranges::find(names, name) - names.begin();
    return std::stod(values.at(static_cast<std::size_t>(column)));
  };
  EXPECT_EQ(value("step"), 3.0);
  EXPECT_EQ(value("time"), report_of(3).time);
  EXPECT_EQ(value("kinetic"), 1.0 / 3.0);
  EXPECT_EQ(value("energy_error"), 1.0 / 3.0);
  EXPECT_EQ(value("sweeps"), 12.0);
  EXPECT_EQ(value("converged"), 1.0);
  EXPECT_EQ(value("total_seconds"), 0.25);
}

TEST(Series, timings_are_the_last_columns) {
  const auto names = split(series_header(), ',');
  const auto first = std::ranges::find_if(names, [](const std::string& name) { return name.ends_with("_seconds"); });
  EXPECT_EQ(names.end() - first, 9);
  EXPECT_TRUE(std::all_of(first, names.end(), [](const std::string& name) { return name.ends_with("_seconds"); }));
}

TEST(Series, rewind_and_append_again_give_the_same_file) {
  TemporaryFolder folder;
  const fs::path csv = folder.path / "run/series.csv";
  RunFolder run = new_run(folder.path / "run");
  for (std::uint64_t step = 1; step <= 9; ++step) run.append_series(report_of(step));
  const std::string whole = text_of(csv);
  run.rewind(0, 4);
  EXPECT_EQ(split(text_of(csv), '\n').size(), 5u);
  for (std::uint64_t step = 5; step <= 9; ++step) run.append_series(report_of(step));
  EXPECT_EQ(text_of(csv), whole);
}

TEST(Series, kill_in_the_middle_of_any_row_is_mended) {
  TemporaryFolder folder;
  const fs::path csv = folder.path / "run/series.csv";
  RunFolder run = new_run(folder.path / "run");
  for (std::uint64_t step = 1; step <= 3; ++step) run.append_series(report_of(step));
  const std::string whole = text_of(csv);
  for (std::size_t length = 0; length < whole.size(); length += 31) {
    put_text(csv, whole.substr(0, length));
    RunFolder resumed = RunFolder::open(folder.path / "run");
    resumed.rewind(0, 1);
    // The row of step 1 is before the checkpoint; only if it was itself cut (a lost disk cache) must it be written again.
    if (split(text_of(csv), '\n').size() < 2) resumed.append_series(report_of(1));
    for (std::uint64_t step = 2; step <= 3; ++step) resumed.append_series(report_of(step));
    ASSERT_EQ(text_of(csv), whole) << "cut at byte " << length;
  }
}

TEST(Series, columns_of_another_version_are_refused) {
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  put_text(folder.path / "run/series.csv", "step,something\n1,2\n");
  EXPECT_NE(error_of([&] { run.append_series(report_of(2)); }).find("series.csv"), std::string::npos);
  EXPECT_EQ(text_of(folder.path / "run/series.csv"), "step,something\n1,2\n");
}

TEST(Series, full_device_is_an_error) {
  LineFile full("/dev/full");
  const std::string error = error_of([&] { full.append(series_row(report_of(1))); });
  EXPECT_NE(error.find("/dev/full: cannot be written: No space left"), std::string::npos) << error;
}

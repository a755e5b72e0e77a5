// series.csv: one row per sampled step, one column per number of the step report, full precision; the name of the phase;
// and what sources and sinks have moved since the beginning (a row may stand for many steps).
#pragma once

#include <filesystem>
#include <string>

#include "moreau/dynamics/report.hpp"
#include "moreau/dynamics/traffic.hpp"
#include "moreau/store/disk.hpp"

namespace moreau::inline store {

// The timings come last: they are the only columns that differ between a resumed run and an uninterrupted one.
std::string series_header();
std::string series_row(const StepReport& report, const std::string& phase = "", const Traffic& traffic = {});

class SeriesFile {
 public:
  explicit SeriesFile(const std::filesystem::path& path);  // writes the header if the file is new
  void append(const StepReport& report, const std::string& phase, const Traffic& traffic) {
    file_.append(series_row(report, phase, traffic));
  }

 private:
  LineFile file_;
};

// Drops the rows after `step`, and a row that a kill left unfinished.
void cut_series(const std::filesystem::path& path, std::uint64_t step);

}  // namespace moreau::inline store

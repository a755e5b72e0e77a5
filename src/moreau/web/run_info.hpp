// What is said of a run as a whole: its frames, its certificate, its warnings, the end of its log.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "moreau/scene/scene.hpp"
#include "moreau/store/run_folder.hpp"
#include "moreau/web/curve_table.hpp"

namespace moreau::web {

// A file as it was: to see whether it has been written anew.
struct FileState {
  std::uint64_t inode = 0;
  std::int64_t size = -1, changed = 0;  // -1: absent; nanoseconds
  bool operator==(const FileState&) const = default;
};
FileState state_of(const std::filesystem::path& file);

// Times of the frames, read once each; of one that cannot be read, why.
class FrameTimes {
 public:
  explicit FrameTimes(std::filesystem::path run) : run_(std::move(run)) {}
  void refresh();
  nlohmann::ordered_json times() const;    // null where unreadable
  nlohmann::ordered_json damaged() const;  // number -> sentence
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    FileState file;
    double time = 0.0;
    std::string damage;
  };
  std::filesystem::path run_;
  std::vector<Entry> entries_;
};

// series.csv and measures/*.csv, by name.
class Tables {
 public:
  explicit Tables(std::filesystem::path run) : run_(std::move(run)) {}
  void refresh();
  const std::map<std::string, CurveTable>& all() const { return tables_; }

 private:
  std::filesystem::path run_;
  FileState folder_;
  std::map<std::string, CurveTable> tables_;
};

// Totals and warnings: from summary.json if the run has ended, else from its checkpoint.
class Certificates {
 public:
  template <int D>
  const nlohmann::ordered_json& of(const RunFolder& run, const Scene<D>& scene);

 private:
  FileState summary_, checkpoint_;
  nlohmann::ordered_json known_;
};

std::string end_of_log(const std::filesystem::path& run);
double seconds_since_written(const std::filesystem::path& run);  // series.csv; negative if there is none

}  // namespace moreau::web

// The columns of a CSV file that may still be growing (series.csv, measures/*.csv), for plots: over each stretch of time the
// least and the greatest value, so that no peak is lost however long the run is. Memory is bounded: when there are too many
// stretches, two become one. Only what was added since is read again.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace moreau::web {

class CurveTable {
 public:
  explicit CurveTable(std::filesystem::path file) : file_(std::move(file)) {}

  void refresh();  // reads what is new; anew if the file was replaced or cut. A file that cannot be read has no columns.

  struct Curve {
    std::vector<double> time;  // of the first row of the stretch
    std::vector<float> low, high;
  };
  const std::vector<std::string>& columns() const { return names_; }
  bool has(const std::string& column) const;
  Curve curve(const std::string& column) const;    // without the stretches in which it has no number
  std::map<std::string, double> last_row() const;  // without cells that hold no number
  std::uint64_t rows() const { return rows_; }

 private:
  struct Stretch {
    double time = 0.0;
    std::vector<float> low, high;  // by column; NaN: no number yet
  };
  void take(std::string_view line);
  void take_row(const std::vector<double>& cells);

  std::filesystem::path file_;
  std::uint64_t inode_ = 0;
  off_t offset_ = 0;
  std::string rest_;  // an unfinished line
  std::vector<std::string> names_;
  std::size_t time_column_ = 0;
  std::vector<Stretch> stretches_;
  std::uint64_t rows_ = 0, rows_per_stretch_ = 1, in_last_ = 0;
  std::vector<double> last_;
};

}  // namespace moreau::web

#include "moreau/web/curve_table.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace moreau::web {

namespace {

constexpr std::size_t most_stretches = 4096, most_columns = 256, longest_line = 1 << 16;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t comma = line.find(',');
    cells.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos || cells.size() > most_columns) return cells;
    line.remove_prefix(comma + 1);
  }
}

double number_of(std::string_view cell) {
  double value = none;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error == std::errc{} && end == cell.data() + cell.size() ? value : none;
}

}  // namespace

void CurveTable::refresh() {
  const int descriptor = ::open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return;
  struct stat about;
  if (::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode)) {
    if (about.st_ino != inode_ || about.st_size < offset_) {
      *this = CurveTable(file_);
      inode_ = about.st_ino;
    }
    std::vector<char> buffer(1 << 18);
    ssize_t got = 0;
    while (rest_.size() <= longest_line && (got = ::pread(descriptor, buffer.data(), buffer.size(), offset_)) > 0) {
      offset_ += got;
      rest_.append(buffer.data(), static_cast<std::size_t>(got));
      std::size_t begin = 0, end = 0;
      while ((end = rest_.find('\n', begin)) != std::string::npos) {
        take(std::string_view(rest_).substr(begin, end - begin));
        begin = end + 1;
      }
      rest_.erase(0, begin);  // if it stays too long, this is no table of ours: nothing more is read
    }
  }
  ::close(descriptor);
}

void CurveTable::take(std::string_view line) {
  const std::vector<std::string_view> cells = cells_of(line);
  if (cells.size() > most_columns) return;
  if (names_.empty()) {
    names_.assign(cells.begin(), cells.end());
    const auto time = std::ranges::find(names_, "time");
    time_column_ = static_cast<std::size_t>(time - names_.begin());
    return;
  }
  if (cells.size() != names_.size() || time_column_ >= names_.size()) return;
  std::vector<double> numbers;
  for (const std::string_view cell : cells) numbers.push_back(number_of(cell));
  if (std::isfinite(numbers[time_column_])) take_row(numbers);
}

void CurveTable::take_row(const std::vector<double>& cells) {
  constexpr float unknown = std::numeric_limits<float>::quiet_NaN();
  if (stretches_.empty() || in_last_ == rows_per_stretch_) {
    if (stretches_.size() == most_stretches) {
      for (std::size_t k = 0; k < most_stretches / 2; ++k) {
        Stretch& one = stretches_[2 * k];
        const Stretch& two = stretches_[2 * k + 1];
        for (std::size_t c = 0; c < one.low.size(); ++c)
          one.low[c] = std::fmin(one.low[c], two.low[c]), one.high[c] = std::fmax(one.high[c], two.high[c]);
        if (k > 0) stretches_[k] = std::move(one);
      }
      stretches_.resize(most_stretches / 2);
      rows_per_stretch_ *= 2;
    }
    const std::vector<float> empty(cells.size(), unknown);
    stretches_.push_back({cells[time_column_], empty, empty});
    in_last_ = 0;
  }
  Stretch& last = stretches_.back();
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (!std::isfinite(cells[c])) continue;
    const float value = static_cast<float>(cells[c]);
    last.low[c] = std::fmin(last.low[c], value), last.high[c] = std::fmax(last.high[c], value);
  }
  ++in_last_, ++rows_;
  last_ = cells;
}

bool CurveTable::has(const std::string& column) const { return std::ranges::find(names_, column) != names_.end(); }

CurveTable::Curve CurveTable::curve(const std::string& column) const {
  Curve curve;
  const std::size_t c = static_cast<std::size_t>(std::ranges::find(names_, column) - names_.begin());
  if (c == names_.size()) return curve;
  for (const Stretch& s : stretches_) {
    if (std::isnan(s.low[c])) continue;
    curve.time.push_back(s.time), curve.low.push_back(s.low[c]), curve.high.push_back(s.high[c]);
  }
  return curve;
}

std::map<std::string, double> CurveTable::last_row() const {
  std::map<std::string, double> row;
  for (std::size_t c = 0; c < last_.size(); ++c)
    if (std::isfinite(last_[c])) row[names_[c]] = last_[c];
  return row;
}

}  // namespace moreau::web

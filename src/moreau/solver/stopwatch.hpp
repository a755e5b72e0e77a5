// Clock and deadline of all that is done for one problem: every long loop asks it.
#pragma once

#include <chrono>
#include <ctime>
#include <limits>

namespace moreau::inline solver {

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

class Stopwatch {
 public:
  // [s] of the clock on the wall, and of this process.
  explicit Stopwatch(double max_time = unlimited, double max_cpu = unlimited) : max_time_(max_time), max_cpu_(max_cpu) {}

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }
  double processor_seconds() const { return static_cast<double>(std::clock() - processor_begin_) / CLOCKS_PER_SEC; }
  double seconds_left() const { return max_time_ - seconds(); }
  double processor_seconds_left() const { return max_cpu_ - processor_seconds(); }
  bool over() const { return seconds() > max_time_ || (max_cpu_ < unlimited && processor_seconds() > max_cpu_); }

 private:
  double max_time_, max_cpu_;
  std::clock_t processor_begin_ = std::clock();
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace moreau::inline solver

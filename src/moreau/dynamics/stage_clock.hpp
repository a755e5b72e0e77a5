// Seconds spent in the stages of a step: on the wall or, where that is asked for, of processor time of the calling thread, which
// other programs on the same machine disturb less.
#pragma once

#include <ctime>

namespace moreau::inline dynamics {

class StageClock {
 public:
  static void count_thread_time() { clock_ = CLOCK_THREAD_CPUTIME_ID; }

  // Adds the time since the last call, or since the beginning, to `stage`.
  void lap(double& stage) {
    const double now = seconds();
    stage += now - last_;
    last_ = now;
  }

 private:
  static double seconds() {
    timespec now{};
    clock_gettime(clock_, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }
  inline static clockid_t clock_ = CLOCK_MONOTONIC;
  double last_ = seconds();
};

}  // namespace moreau::inline dynamics

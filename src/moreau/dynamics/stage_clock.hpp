// Seconds spent in the stages of a step.
#pragma once

#include <chrono>

namespace moreau::inline dynamics {

class StageClock {
 public:
  // Adds the time since the last call, or since the beginning, to `stage`.
  void lap(double& stage) {
    const auto now = std::chrono::steady_clock::now();
    stage += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace moreau::inline dynamics

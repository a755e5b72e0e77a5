// Seconds of computing time of this process, without those in which it looked for messages.
#pragma once

#include <ctime>

#include "moreau/ranks/communicator.hpp"

namespace moreau::ranks {

inline double work_time(const Communicator& ranks) {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec) - ranks.traffic().waited;
}

}  // namespace moreau::ranks

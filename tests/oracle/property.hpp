// RapidCheck with a fixed seed, so that a test run means the same everywhere; set RC_PARAMS="seed=..." to explore further.
#pragma once

#include <rapidcheck.h>

#include <cstdlib>

namespace moreau::oracle {

inline const bool property_seed_is_fixed = setenv("RC_PARAMS", "seed=20030611 max_success=2000", 0) == 0;

// A number in [-1, 1] on a grid that contains 0, 1 and -1; and a power of ten.
inline double signed_unit() { return *rc::gen::inRange(-1000, 1001) / 1000.0; }
inline double power_of_ten(int lowest, int highest) { return std::pow(10.0, *rc::gen::inRange(lowest, highest + 1)); }

}  // namespace moreau::oracle

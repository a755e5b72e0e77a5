// Round numbers for axes, legends and scale bars.
#pragma once

#include <string>
#include <vector>

namespace moreau::inline draw {

struct Tick {
  double value;
  std::string label;
};

// The largest of 1, 2, 5 x 10^k not above `length` > 0.
double round_down(double length);

// About `count` ticks at multiples of 1, 2 or 5 x 10^k within [low, high]; one tick if low == high.
std::vector<Tick> linear_ticks(double low, double high, int count);

// Powers of ten within [low, high], both > 0, thinned to about `count`; linear ticks when the range spans less than one decade.
std::vector<Tick> log_ticks(double low, double high, int count);

// Three significant digits: "0.25", "1200", "3.2×10⁻⁷".
std::string short_number(double value);

}  // namespace moreau::inline draw

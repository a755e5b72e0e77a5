#include "moreau/cli/frame_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "moreau/scene/read/region_text.hpp"

namespace moreau {

std::vector<std::uint64_t> chosen_frames(const std::string& text, std::uint64_t count) {
  std::vector<std::uint64_t> chosen;
  const auto refuse_text = [&] {
    throw std::runtime_error(
        fmt::format("--frames is '{}'; accepted: numbers from 0 to {} as 0,5,9 or FIRST:LAST:STEP", text, count - 1));
  };
  std::string numbers = text;
  std::ranges::replace(numbers, ':', ',');
  const std::vector<double> n = read_numbers(numbers);
  const bool whole = std::ranges::all_of(n, [&](double x) { return x >= 0.0 && x == std::floor(x) && x < 1e15; });
  if (n.empty() || !whole) refuse_text();
  if (text.find(':') == std::string::npos) {
    for (const double x : n) chosen.push_back(static_cast<std::uint64_t>(x));
  } else {
    if (n.size() < 2 || n.size() > 3 || text.find(',') != std::string::npos || (n.size() == 3 && n[2] < 1.0)) refuse_text();
    const std::uint64_t step = n.size() == 3 ? static_cast<std::uint64_t>(n[2]) : 1;
    for (std::uint64_t k = static_cast<std::uint64_t>(n[0]); k <= static_cast<std::uint64_t>(n[1]) && k < count; k += step)
      chosen.push_back(k);
  }
  if (chosen.empty() || std::ranges::any_of(chosen, [&](std::uint64_t k) { return k >= count; })) refuse_text();
  return chosen;
}

}  // namespace moreau

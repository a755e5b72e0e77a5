// A recorded acceleration: two columns, time and acceleration, from a file or written in the scene itself.
#pragma once

#include <vector>

#include "moreau/scene/number_file.hpp"

namespace moreau {

struct Record {
  std::vector<double> times, accelerations;
};

inline constexpr std::size_t most_record_points = 1'000'000;

// The key `record`: the name of a file with a time and an acceleration on each line, or a table with 'times' and 'accelerations'.
Record read_record(TableReader& entry, NamedFiles& files);

}  // namespace moreau

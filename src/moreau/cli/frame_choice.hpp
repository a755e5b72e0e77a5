// Which frames of a run a command is asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace moreau {

// "0,5,9" or "0:100:10"; of `count` frames.
std::vector<std::uint64_t> chosen_frames(const std::string& text, std::uint64_t count);

}  // namespace moreau

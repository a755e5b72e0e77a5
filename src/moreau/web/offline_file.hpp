// One HTML file that shows runs without server or network: the page, and what it would have asked for, compressed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "moreau/web/server.hpp"

namespace moreau::web {

inline constexpr std::size_t largest_offline_file = 60'000'000;  // bytes

// Frames are thinned evenly until the file is small enough, and to `most_frames` per run unless that is 0; the first and the last
// are kept. Returns a sentence that says what was written and what was left out. StoreError if not even two frames fit.
std::string write_offline_file(Library& library, const std::filesystem::path& file, std::uint64_t most_frames);

}  // namespace moreau::web

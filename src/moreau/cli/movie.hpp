// Films: numbered pictures put together by ffmpeg, a program of its own.
#pragma once

#include <filesystem>
#include <functional>

namespace moreau {

// Calls `draw(i, file)` for the pictures 0 ... count - 1 (PNG, all of one size), then makes the film. Throws std::runtime_error
// with one sentence if ffmpeg is not there, before anything is drawn, or if it fails.
void make_movie(const std::filesystem::path& film, std::size_t count, double pictures_per_second,
                const std::function<void(std::size_t, const std::filesystem::path&)>& draw);

}  // namespace moreau

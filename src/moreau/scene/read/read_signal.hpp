// A number, or a number that changes with time.
#pragma once

#include "moreau/drive/signal.hpp"
#include "moreau/scene/read/toml_reader.hpp"

namespace moreau::inline scene {

// `key = 3.0`, `key = {times = [...], values = [...]}`, or `key = {mean = ..., amplitude = ..., frequency = ...}`.
Signal read_signal(TableReader& entry, std::string_view key);

}  // namespace moreau::inline scene

// What the library for ranks (plugin.cc) and the program know of each other.
#pragma once

#include "moreau/ranks/communicator.hpp"

namespace moreau::ranks {

inline constexpr const char* plugin_file = "libmoreau_ranks.so";
inline constexpr const char* plugin_symbol = "moreau_ranks";      // Communicator* (*)(const Watch*)
inline constexpr const char* plugin_end_symbol = "moreau_ranks_end";

// What a rank does while it waits for others.
struct Watch {
  bool (*is_ending)();            // a signal has asked for the end
  void (*give_up)(const char*);  // one sentence; does not return
  double longest_silence;         // seconds
};

}  // namespace moreau::ranks

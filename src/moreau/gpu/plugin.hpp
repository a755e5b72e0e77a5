// What the library for graphics cards (gpu/plugin.cu, compiled by CUDA's compiler) gives the program, which opens it when it runs:
// one program serves machines with and without a card.
#pragma once

#include "moreau/gpu/resident.hpp"

namespace moreau::gpu {

inline constexpr const char* plugin_file = "libmoreau_gpu.so";
inline constexpr const char* plugin_symbol = "moreau_gpu_step";

struct Plugin {
  const char* name;  // of the card
  Resident<2>* (*make_plane)();
  Resident<3>* (*make_space)();
};

}  // namespace moreau::gpu

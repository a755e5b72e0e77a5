// Blocks where they are at the start of the run: refuses those that overlap other bodies or walls. And how bodies are called.
#pragma once

#include "moreau/geometry/pose.hpp"
#include "moreau/scene/read/read_grains.hpp"

namespace moreau::inline scene {

inline constexpr double overlap_tolerance = 1e-9;  // of the smaller body: what rounding leaves between bodies that touch

// "(1, 2)"
template <int D>
std::string words(const Vec<D>& v);

// "'grain[3]' at (1, 2) with radius 0.5", "'block[2]' at (1, 2)", "stone 4 of 'arch' at (1, 2)"
template <int D>
std::string body_words(const GrainEntries<D>& entries, const Scene<D>& scene, std::size_t body);

// At time 0, also of driven bodies.
template <int D>
Vec<D> start_position(const Scene<D>& scene, std::size_t body);
template <int D>
Pose<D> start_pose(const Scene<D>& scene, std::size_t body);

// Each block against the walls, the listed grains and the other blocks, unless neither of the two is free.
template <int D>
void check_blocks(const GrainEntries<D>& entries, const Scene<D>& scene, Mistakes& mistakes);

}  // namespace moreau::inline scene

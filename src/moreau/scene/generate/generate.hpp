// Groups of grains or blocks placed by the computer: at random without overlap, or on a lattice. Blocks are placed by the balls
// that hold them.
#pragma once

#include "moreau/base/random.hpp"
#include "moreau/scene/generate/occupancy.hpp"
#include "moreau/scene/read/read_grains.hpp"

namespace moreau::inline scene {

// Each entry that draws has its own stream, so that changing one group does not change the others.
enum class DrawKind : std::uint64_t { group = 1, floor = 2, block = 3, block_group = 4, rubble = 5, source_shape = 6 };
RandomStream stream_of(std::uint64_t seed, DrawKind kind, std::size_t entry);

// Appends the grains to the bodies and to the occupancy; none overlaps what was there. Refuses (SceneError) a region too full.
template <int D>
void generate_group(const Group<D>& group, RandomStream random, std::uint64_t most_grains, const Model<D>& model,
                    Bodies<D>& bodies, Occupancy<D>& occupancy, Mistakes& mistakes);

}  // namespace moreau::inline scene

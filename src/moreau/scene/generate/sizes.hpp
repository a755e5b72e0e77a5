// The keys `radius` and `diameter`: one number for a grain, a distribution for a group. Blocks have `scale` instead.
#pragma once

#include "moreau/drive/sizes.hpp"
#include "moreau/scene/read/number_file.hpp"

namespace moreau::inline scene {

double read_radius(TableReader& entry);
// D tells what is meant by volume.
template <int D>
SizeDistribution read_sizes(TableReader& entry, NamedFiles& files);
// The same law under another key, as factors; all 1 when absent.
template <int D>
SizeDistribution read_scales(TableReader& entry, const std::string& key, NamedFiles& files);

}  // namespace moreau::inline scene

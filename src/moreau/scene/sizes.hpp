// The keys `radius` and `diameter`: one number for a grain, a distribution for a group. Blocks have `scale` instead.
#pragma once

#include "moreau/drive/source.hpp"
#include "moreau/scene/toml_reader.hpp"

namespace moreau {

double read_radius(TableReader& entry);
SizeDistribution read_sizes(TableReader& entry);
// The same law under another key, as factors; all 1 when absent.
SizeDistribution read_scales(TableReader& entry, const std::string& key);

}  // namespace moreau

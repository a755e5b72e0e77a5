// The keys `radius` and `diameter`: one number for a grain, a distribution for a group.
#pragma once

#include "moreau/drive/source.hpp"
#include "moreau/scene/toml_reader.hpp"

namespace moreau {

double read_radius(TableReader& entry);
SizeDistribution read_sizes(TableReader& entry);

}  // namespace moreau

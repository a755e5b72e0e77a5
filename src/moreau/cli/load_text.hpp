// Loads named on the command line.
#pragma once

#include <string>

#include "moreau/statics/load.hpp"

namespace moreau {

// piston:NAME, gravity, acceleration:X,Y[,Z], cell:xx, force:BODY:X,Y[,Z]: one unit of it. A sentence is thrown for anything
// else.
template <int D>
statics::Load<D> read_load(const std::string& text, const Model<D>& model, const Bodies<D>& bodies);

}  // namespace moreau

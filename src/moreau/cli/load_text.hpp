// Loads named on the command line.
#pragma once

#include <string>
#include <vector>

#include "moreau/bodies/named_bodies.hpp"
#include "moreau/statics/load.hpp"

namespace moreau {

// piston:NAME, gravity, acceleration:X,Y[,Z], cell:xx, force:BODY:X,Y[,Z] (its name or number): one unit of it. A sentence is
// thrown for anything else.
template <int D>
statics::Load<D> read_load(const std::string& text, const Model<D>& model, const Bodies<D>& bodies,
                           const std::vector<NamedBodies>& named);

}  // namespace moreau

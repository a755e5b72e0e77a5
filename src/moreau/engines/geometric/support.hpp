// The contacts that hold a frictionless packing, and what becomes of them when one opens.
#pragma once

#include <optional>
#include <vector>

#include "moreau/statics/isostatic_list.hpp"

namespace moreau::geometric {

using statics::Contact;
using statics::IsostaticList;
using statics::Load;
using statics::Pair;

// A list short of one contact: a mechanism with one freedom. The row of the contact that is missing is kept, so that the operator
// stays square and its factor can be updated: whoever follows the motion fills it.
template <int D>
struct Mechanism {
  IsostaticList<D> list;
  int row = 0;             // of the list, to be filled
  std::vector<Pair> lost;  // the contact that opens, and those of bodies that it leaves without force
};

// Opens contact `opened` of an isostatic list. Bodies that are left with no more contacts than the dimension, and bear no load of
// their own, carry nothing: they leave the list with their contacts, and so do those that lose theirs by that (Combe 2001,
// sec. 3.4.2: trivalent grains and clusters of them). None if what remains has not exactly one freedom.
template <int D>
std::optional<Mechanism<D>> open_contact(const Model<D>& model, const State<D>& state, const IsostaticList<D>& list, int opened,
                                         const Load<D>& load);

}  // namespace moreau::geometric

// The room of bodies that carry no force among those that do.
//
//   room = max over the places of these bodies of the smallest gap around them
//
// found from where they are by linear programs over small displacements; as gaps between discs or balls are convex functions of
// the positions, every program makes the smallest gap at least as large as it says. Positive room: the bodies are loose, wherever
// in their cage they happen to be. Zero: they are jammed, and the multipliers (sum 1) are the forces, up to a factor, with which
// their neighbours hold them: one contact more than they have freedoms, all in balance.
#pragma once

#include <span>
#include <vector>

#include "moreau/statics/placement.hpp"

namespace moreau::statics {

template <int D>
struct Cage {
  std::vector<std::size_t> bodies;
  double room = 0.0;
  bool bounded = false;       // false: the room is larger than was looked for
  std::vector<Pair> held_by;  // pairs whose gap is the room
  std::vector<double> share;  // their multipliers
};

// Moves the bodies of the cage to where their room is largest. `near`: all pairs within `distance`; rooms are looked for up to a
// third of it.
template <int D>
void widen(const Model<D>& model, State<D>& state, std::span<const Pair> near, double distance, Cage<D>& cage);

// Loose bodies that are within `distance` of one another share a cage.
template <int D>
std::vector<Cage<D>> cages_of(const State<D>& state, const Freedoms<D>& carrying, std::span<const Contact<D>> near);

}  // namespace moreau::statics

// Joints of blocks: where a block rests on another or on a wall, what force passes, and where it acts.
#pragma once

#include <vector>

#include "moreau/dynamics/frame.hpp"

namespace moreau {

template <int D>
struct Joint {
  std::size_t a;   // a block
  std::int32_t b;  // a block, or wall ~b
  Vec<D> normal;   // of its most loaded contact, towards a
  Vec<D> force;    // resultant, on a
  Vec<D> centre;   // of pressure: mean of the contact points, weighted by their normal forces
};

// All pairs of which a contact pushes, in the order of the contacts.
template <int D>
std::vector<Joint<D>> joints_of(const Frame<D>& frame);

// A joint is a hinge if two faces look at each other (turned by no more than 30 degrees) over a fifth or more of the smaller one,
// and the whole force passes at an end of what they share (within a fiftieth of its length; in space of its edge, within a
// fiftieth of the root of its area): the joint is open elsewhere, or about to open. Returns the places of the force.
template <int D>
std::vector<Vec<D>> hinges_of(const Frame<D>& frame, const std::vector<Joint<D>>& joints);

// The line along which the force passes from block to block: through each free block from one centre of pressure to the next. A
// third joint with a driven body is a load and left aside; where more than two joints remain, the lines of all of them meet at
// the mean of the centres, weighted by the forces.
template <int D>
struct ThrustSegment {
  Vec<D> from, to;
};
template <int D>
std::vector<ThrustSegment<D>> thrust_of(const Frame<D>& frame, const std::vector<Joint<D>>& joints);

}  // namespace moreau

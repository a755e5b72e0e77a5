// Joints between stones: those that touch at a first instant, and how far they have opened and slid since.
//
// A contact point of the first instant is a point of either stone; they move with them. With d from the point of b to that of a
// and the normal n (towards a) carried along by b: opening = d.n, sliding = |d - (d.n) n|. Stones stuck to a driven body trail it by
// up to half a step: it counts with the nearest of the places that it had during its last half step.
#pragma once

#include "moreau/measure/packing/sample.hpp"

namespace moreau::measure {

enum class JointState { whole, slid, open, parted };  // open: at one end only

template <int D>
struct JointOpening {
  std::size_t a = 0;   // a stone
  std::int32_t b = 0;  // a stone, or wall ~b
  std::size_t points = 0;
  Vec<D> place{};                        // mean of its points now
  Vec<D> from{}, to{};                   // its two points farthest apart, now
  double widest = 0.0, narrowest = 0.0;  // openings
  double slid = 0.0;                     // largest
  JointState state = JointState::whole;
};

// Joints of bodies that are not round, with each other and with walls, in the order of bodies. Points touch if they are nearer
// than 1e-3 of the smaller stone's reach; openings and slidings up to `tolerance` (0: 3e-4 of that reach) do not count.
template <int D>
std::vector<JointOpening<D>> joint_openings(const Sample<D>& before, const Sample<D>& now, double tolerance = 0.0);

const char* name_of(JointState state);

}  // namespace moreau::measure

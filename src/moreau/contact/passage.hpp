// Convex parts that the motion of a step leads past each other.
//
// The rule of a step is linear: along the normal of the nearest features a gap may not close. Where a corner faces a corner (or a
// ball a corner, an edge an edge), that normal is only one of those along which the parts are apart, and it stops what would
// pass: a block that slides from one tile to the next, a brick that falls along a wall of bricks, bodies that miss each other
// narrowly. So, where such a contact would be felt, the parts are looked at where the motion would lead them: if they are still
// apart there, it is no contact of this step; if they overlap there, and are apart now along the normal of that overlap, they
// meet along it.
#pragma once

#include "moreau/geometry/manifold.hpp"

namespace moreau::inline contact {

// One body of the pair over the time that the rule looks ahead.
template <int D>
struct Mover {
  Pose<D> now;
  Rotation<D> orientation{};  // of now
  Vec<D> velocity{};
  Spin<D> spin{};
  Vec<D> fall{};  // [length] where gravity would lead it, well beyond `slack`; 0 for bodies that are driven,
                  // and where the pair touched before: hinges of arches are corners too, and hold
};

template <int D>
struct Passage {
  Mover<D> a, b;
  double time = 0.0;           // [time] of the motion
  double slack = 0.0;          // [length] overlap that is none
  bool is_predictive = false;  // else a contact is felt however wide its gap is
};

// Before: the manifold of the two parts now. After: without points, or with those along which they meet, where it was of few
// points (in the plane one, in space one or two) or the parts are apart.
template <int D>
void judge_passage(const ConvexPart<D>& a, const ConvexPart<D>& b, const Passage<D>& passage, Manifold<D>& manifold);

}  // namespace moreau::inline contact

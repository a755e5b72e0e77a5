// The motion of a mechanism with one freedom, from the place where a contact opened to the one where another closes
// (Combe 2001, sec. 3.6). All other contacts of its list keep touching; bodies without force give way.
//
// The curve is followed by steps along its tangent, each brought back to it by Newton's method at a fixed value of the coordinate
// that moves fastest (instead of the implicit velocities of eq. 3.48-3.54, which do the same and have a spurious root at walls).
// The first gap to close is foreseen from the tangent; then Newton's method on the list with that contact goes to where it
// touches exactly, and if another pair overlaps there, that one closed before.
//
// The load must work on the motion all the way: where it no longer does, the mechanism is in balance with some contacts pulling,
// which bodies without cohesion cannot do, and the path is given up. (It does not happen in packings; a single body that has
// rolled over the edge hangs.)
#pragma once

#include <string>

#include "moreau/engines/geometric/loose_bodies.hpp"
#include "moreau/engines/geometric/support.hpp"

namespace moreau::geometric {

struct Tolerances {
  double touch = 1e-13;        // gaps of the list, in mean diameters
  double overlap = 1e-11;      // the same, of pairs that are not in the list
  double longest_step = 0.02;  // of the path, in mean diameters
  double longest_path = 10.0;  // before a motion counts as endless, in mean diameters
};

template <int D>
struct Closed {
  std::string failure;       // empty if a contact closed
  std::vector<Pair> gained;  // one contact, or those that hold bodies that were loose
  int steps = 0;             // of the path
  double work = 0.0;         // of the load, along the path: by so much the potential energy fell
};

// `push`: a load on every freedom of the list that works on the motion; gives its direction. On return the list of the mechanism
// is isostatic again and its contacts touch.
template <int D>
Closed<D> follow(const Model<D>& model, State<D>& state, Mechanism<D>& mechanism, const Load<D>& load,
                 const Eigen::VectorXd& push, statics::ListFactor& factor, LooseBodies<D>& loose, Neighbours<D>& neighbours,
                 double diameter, const Tolerances& tolerances);

}  // namespace moreau::geometric

// The joints of an arch in its plane, from the left end to the right: circular, pointed, elliptic or flat.
//
// Lengths from the middle between the ends of the inner side (pointed, elliptic, flat) or from the centre of the circle.
#pragma once

#include <cstdint>
#include <vector>

#include "moreau/geometry/vec.hpp"

namespace moreau::inline scene {

struct ArchJoint {
  Vec<2> inner, outer;
  Vec<2> out;  // unit, from inner to outer
};

// Stones between two circles about one centre, of equal angles.
std::vector<ArchJoint> circular_joints(double inner, double outer, double left, double right, std::int64_t stones);

// Two arcs about centres on the springing line, that meet at the crown in an upright joint: rise > span / 2, an even number of
// stones. With half the span s and the rise f the centre of the left arc lies (f^2 - s^2) / (2 s) to the right of the middle.
std::vector<ArchJoint> pointed_joints(double span, double rise, double thickness, std::int64_t stones);

// Inner side half an ellipse; joints square to it, at equal distances along it.
std::vector<ArchJoint> elliptic_joints(double span, double rise, double thickness, std::int64_t stones);

// A straight lintel of wedges: the end joints lean outwards by `skew` [rad], all of them meet in one point below.
std::vector<ArchJoint> flat_joints(double span, double thickness, double skew, std::int64_t stones);

}  // namespace moreau::inline scene

// When a packing is near enough to rest that linear programs may bring it to the exact equilibrium (statics/finish.hpp), and how
// far they may move it. What decides is what the load would do along a mean diameter of the bodies: weights times diameter, and
// forces of pistons times diameter. A packing that moves, or is to go down further, has not yet found its place; its own motion
// decides where it comes to rest.
#pragma once

#include <string>

#include "moreau/statics/finish.hpp"

namespace moreau::inline course {

// Kinetic energy over that work, at most: what is thrown up by it rises by so much of a diameter on average.
inline constexpr double quiet = 1e-3;

inline constexpr statics::FinishSettings near_rest{
    .farthest = 0.5,  // mean diameters, of any body that carries
    .descent = 0.02,  // mean diameters, of the load on average
};

// Why the kinetic energy is too large, in words; empty if it is not.
template <int D>
std::string far_from_rest(const Model<D>& model, const State<D>& state, const statics::Load<D>& load);

}  // namespace moreau::inline course

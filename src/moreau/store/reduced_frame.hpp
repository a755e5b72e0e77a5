// A frame with numbers rounded to what pictures and measures need. Rounded doubles end in zeros, which compression takes away: a
// frame of 100 000 grains and 60 000 contacts shrinks from 24 to less than 5 MB, and is read like any other.
//
//   position, origin           multiples of a power of two below 1e-8 of the smallest radius (blocks: of the smallest reach)
//   orientation                5e-4 (of blocks 1.2e-10), components of the quaternion or rad
//   velocity, spin             13 and 12 significant bits (1.2e-4, 2.4e-4)
//   radius, mass, inertia      33 significant bits (1.2e-10)
//   point, gap                 multiples below 1e-4 of the smallest radius; 12 bits (2.4e-4)
//   normal                     2e-6
//   force                      16 bits (1.5e-5)
//
// The impulse is force times step, and is not kept. Of relative_velocity only `surface_velocity` is kept, what the motion of the
// two bodies does not explain: that of walls and of images in a cell that deforms.
#pragma once

#include "moreau/dynamics/frame.hpp"

namespace moreau::inline store {

// The same in both directions: reduced(restored(reduced(f))) is reduced(f). `surface_velocity` has a row for each contact.
template <int D>
void reduce(Frame<D>& frame, std::vector<Vec<D>>& surface_velocity);
template <int D>
void restore(Frame<D>& frame, const std::vector<Vec<D>>& surface_velocity);

double rounded_to_bits(double x, int bits);  // significant ones, at most 52
double power_of_two_below(double x);         // x > 0
double rounded_to_multiple(double x, double power_of_two);

}  // namespace moreau::inline store

// Gap and normal between two balls, over any number type: one pair, or eight side by side.
#pragma once

#include "moreau/base/lanes.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::inline contact {

template <int D, class Real>
struct BallSeparation {
  Real gap;
  Vec<D, Real> normal;  // towards the first ball
};

// `apart`: from the second centre to the first; `touch`: sum of the radii.
template <int D, class Real>
MOREAU_INLINE BallSeparation<D, Real> ball_separation(const Vec<D, Real>& apart, const Real& touch) {
  const Real distance = square_root(dot(apart, apart)), one = Real{} + 1.0;
  const auto directed = distance > 0.0;
  Vec<D, Real> normal = (one / (directed ? distance : one)) * apart;
  normal[D - 1] = directed ? normal[D - 1] : one;  // same centre: no direction is better than another
  return {distance - touch, normal};
}

}  // namespace moreau::inline contact

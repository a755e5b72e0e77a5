// Which candidate pairs of balls are near enough, eight at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "moreau/contact/neighbours.hpp"

namespace moreau::inline contact {

template <int D>
struct BallCandidates {
  const Vec<D>*position, *velocity;  // by body
  const double* radius;
  const std::int32_t *a, *b;   // by candidate
  const Vec<D>*shift, *drift;  // by candidate: displacement and relative velocity of the image of b; null without a periodic cell
  LookAhead ahead;
};

// near[k] = gap <= ahead.distance + ahead.time * approach speed, 0 or 1; 1 for candidates with a wall, which are not looked at.
void judge_balls(const BallCandidates<2>& in, std::size_t count, std::uint8_t* near);
void judge_balls(const BallCandidates<3>& in, std::size_t count, std::uint8_t* near);

}  // namespace moreau::inline contact

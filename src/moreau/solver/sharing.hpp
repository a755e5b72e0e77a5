// Which contacts take part in motions that many share (shared_motion.hpp).
#pragma once

#include <cstdint>

#include "moreau/geometry/vec.hpp"

namespace moreau::inline solver {

inline constexpr int most_shared_motions = 16;

struct SharedMotion {
  double inverse_mass = 0.0;
  double free_change = 0.0;  // of its speed over the step, without contacts: h F / M
};

template <int D>
struct Sharing {
  std::uint32_t contact = 0;
  std::int32_t motion = 0;
  Vec<D> direction{};  // c: relative velocity at the contact per unit of speed of the motion
};

}  // namespace moreau::inline solver

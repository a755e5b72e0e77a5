// Motions with one degree of freedom in which many contacts take part: a piston pressed by its servo, the deformation of a
// periodic cell.
//
// A contact i that shares motion m feels  U_i = ... + c_im s_m,  and the motion gains  s_m = free_m + sum_i c_im . P_i / M_m,
// where s is the change of its speed over the step. During a sweep s stays as it is, so that contacts of one motion do not wait
// for each other; after it s is summed anew, in a fixed order. Jacobi's method for a light motion with many contacts would
// diverge: each contact therefore counts the motion as if its mass were split among all that share it,
//   H_i + sum_m |c_im| sum_j |c_jm| / M_m,
// which is at least the true operator. What the iteration converges to is not changed by it: only the steps are shorter.
#pragma once

#include <cstdint>

#include "moreau/geometry/vec.hpp"

namespace moreau {

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

}  // namespace moreau

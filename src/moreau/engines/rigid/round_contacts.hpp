// Contacts of round bodies under Coulomb's law with constant coefficients, eight at a time: packing before the solution, accounts
// after it. The arithmetic is that of one contact (ball_separation.hpp, formal_shift.hpp, detect.hpp), over lanes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "moreau/base/exact_sum.hpp"
#include "moreau/contact/detect.hpp"
#include "moreau/dynamics/formal_shift.hpp"
#include "moreau/law/pair_law.hpp"
#include "moreau/solver/round.hpp"

namespace moreau::inline engines {

// Overlaps, relative to the diameter of the smaller body.
struct Penetration {
  ExactSum<double> sum;
  double deepest = 0.0;
  Penetration& operator+=(const Penetration& o) {
    return sum += o.sum, deepest = deepest < o.deepest ? o.deepest : deepest, *this;
  }
};

template <int D>
struct RoundPacking {
  const FoundContact* found;              // by contact
  const std::uint32_t* place;             // by contact: pack * lanes + lane
  const Vec<D>*old_impulse, *old_normal;  // rows of the previous table
  double impulse_scale;                   // ratio of the time steps
  const std::uint32_t* slot;              // by body
  const SolverBody<D>* bodies;            // by slot, with the velocities at the beginning of the step
  const VelocityOf<D>* midpoint;          // by slot: position, then radius; may be read some numbers beyond the last row
  const std::int32_t* material;           // by body
  const PairLaw* laws;                    // of material a and b: laws[a * materials + b]
  std::size_t materials;
  ShiftRule rule;
  RoundPack<D>* packs;
  double* gap;  // by contact
};

// Writes packs and gaps of the listed contacts, all of them between two free bodies. Adds to `penetration`.
void pack_round(const RoundPacking<2>& in, std::span<const std::uint32_t> contacts, Penetration& penetration);
void pack_round(const RoundPacking<3>& in, std::span<const std::uint32_t> contacts, Penetration& penetration);

struct ContactSums {
  ExactSum<double, 3> work;  // P . (U_i + U_f)/2, obstacles counted as at rest
  ExactSum<double> force;    // |P|
  std::size_t stick = 0, slide = 0;
  ContactSums& operator+=(const ContactSums& o) {
    return work += o.work, force += o.force, stick += o.stick, slide += o.slide, *this;
  }
};

template <int D>
struct RoundAccounts {
  const std::uint32_t* place;
  const RoundPack<D>* packs;
  const SolverBody<D>* bodies;  // by slot, with the mean of the velocities at the beginning and the end of the step
  std::int32_t none;            // slot that stands for obstacles
  Vec<D>*normal, *impulse;      // by contact, written
};

void account_round(const RoundAccounts<2>& in, std::span<const std::uint32_t> contacts, ContactSums& sums);
void account_round(const RoundAccounts<3>& in, std::span<const std::uint32_t> contacts, ContactSums& sums);

}  // namespace moreau::inline engines

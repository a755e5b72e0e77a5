// Colours of the contacts of all ranks: those that the greedy loop over all contacts would give (solver/colouring.hpp), found in rounds
// by the algorithm of Jones and Plassmann (1993).
#pragma once

#include <optional>
#include <span>

#include "moreau/ranks/halo.hpp"
#include "moreau/solver/colouring.hpp"

namespace moreau::ranks {

// By body: the colours that contacts here have, as bits, and whether contacts here went to the overflow.
struct ColoursHere {
  std::vector<std::uint64_t> colours;
  std::vector<std::uint8_t> overflow;
};

// (all) As Colouring::complete. `slots` by body. colouring.used() has the colours of contacts anywhere. Nothing, on all ranks, where kept
// colours do not fit each other: a body has become free.
std::optional<ColoursHere> complete_colours(Communicator& ranks, const Halo& halo, std::span<const std::uint32_t> slots,
                                            std::span<const Colouring::Contact> contacts, Colouring& colouring);

}  // namespace moreau::ranks

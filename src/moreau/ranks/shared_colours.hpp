// Colours of the contacts of all ranks: those that the greedy loop over all contacts would give (solver/colouring.hpp), found in rounds
// by the algorithm of Jones and Plassmann (1993).
#pragma once

#include <optional>
#include <span>

#include "moreau/ranks/halo.hpp"
#include "moreau/solver/colouring.hpp"

namespace moreau::ranks {

// (all) As Colouring::complete. `slots` by body. Returns by body the bits of the colours that contacts here have; colouring.used() has
// those of contacts anywhere. Nothing, on all ranks, where kept colours do not fit each other: a body has become free. Throws std::runtime_error, on all ranks, where a body has more contacts than there are colours.
std::optional<std::vector<std::uint64_t>> complete_colours(Communicator& ranks, const Halo& halo, std::span<const std::uint32_t> slots,
                                            std::span<const Colouring::Contact> contacts, Colouring& colouring);

}  // namespace moreau::ranks

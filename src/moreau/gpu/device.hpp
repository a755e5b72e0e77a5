// On which device large steps are made. The choice is the program's, not the scene's: the bits are the same.
#pragma once

#include <memory>
#include <string>

#include "moreau/gpu/resident.hpp"

namespace moreau::gpu {

enum class Device {
  automatic,  // a graphics card where there is one and the program was built for it
  processor,
  card,       // asked for: it is a mistake if there is none
  imitation,  // the loops of the card on the processor, each in a shuffled order: for tests
};

// Whether a card was asked for by name, so that what it cannot do is a mistake.
bool card_is_asked_for();

// Throws std::runtime_error, one sentence, when a card is asked for and cannot be used.
void choose(Device device);
// What is used now: "processor", or the name of the card.
std::string in_use();

// Steps on the device chosen; null: they are made by the processor.
template <int D>
std::unique_ptr<Resident<D>> make_resident();

}  // namespace moreau::gpu

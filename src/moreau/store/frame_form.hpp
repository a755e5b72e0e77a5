// How much of an instant a frame keeps.
#pragma once

#include <string>

namespace moreau::inline store {

struct FrameForm {
  bool reduced = false;                                   // numbers rounded as reduced_frame.hpp says
  bool orientation = true, spin = true, contacts = true;  // orientation: that of blocks is always kept
  // Another file of the folder that holds what does not evolve: radii, masses, shapes ...; empty: in the frame itself.
  std::string constants;
};

}  // namespace moreau::inline store

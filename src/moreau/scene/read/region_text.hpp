// Regions of a measure as text, the same on the command line and in a scene:
//
//   all   bulk:D   skin:D   box:X0,Y0[,Z0],X1,Y1[,Z1]   layer:Z0,Z1   layers:W   slice:x,X0,X1   slices:x,W
//   ring:R0,R1[,Z0,Z1]   rings:W   squares:W
#pragma once

#include <string>
#include <variant>

#include "moreau/measure/region_choice.hpp"

namespace moreau::inline scene {

// The region, or one sentence that says what is wrong with the text and what is accepted.
std::variant<measure::RegionChoice, std::string> read_region_text(const std::string& text, int dimension);

// "1,2.5,-3" to numbers; empty if some part is not a finite number.
std::vector<double> read_numbers(const std::string& text);

// All that is accepted, for help texts.
std::string accepted_regions(int dimension);

}  // namespace moreau::inline scene

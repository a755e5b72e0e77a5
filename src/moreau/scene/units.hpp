// What a scene calls its units: `units = { length = "cm", mass = "g", time = "s" }`. Words for people, in legends; nothing is
// computed with them, and nothing converted.
#pragma once

#include <string>

namespace moreau::inline scene {

struct UnitNames {
  std::string length, mass, time;  // empty: not named
};

// Of the text of a scene that was read; without names if it has none.
UnitNames units_of(const std::string& scene_text);

// "M/(L T²)" with the names in place of the letters L, M, T that have one.
std::string in_units(const std::string& letters, const UnitNames& units);

}  // namespace moreau::inline scene

#include "moreau/scene/units.hpp"

#include <toml++/toml.h>

namespace moreau::inline scene {

UnitNames units_of(const std::string& scene_text) {
  toml::table root;
  try {
    root = toml::parse(scene_text);
  } catch (const toml::parse_error&) {
    return {};
  }
  const auto name = [&](const char* key) { return root["units"][key].value_or(std::string()); };
  return {name("length"), name("mass"), name("time")};
}

std::string in_units(const std::string& letters, const UnitNames& units) {
  std::string text;
  for (const char c : letters) {
    const std::string& name = c == 'L' ? units.length : c == 'M' ? units.mass : units.time;
    if ((c == 'L' || c == 'M' || c == 'T') && !name.empty())
      text += name;
    else
      text += c;
  }
  return text;
}

}  // namespace moreau::inline scene

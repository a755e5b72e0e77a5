// Two grains that fall for a while and are then dragged: a scene with phases, for what steps scenes and what records them.
#pragma once

#include <string>

#include "moreau/scene/scene.hpp"

namespace moreau {

inline const std::string two_phases = R"(
dimension = 2
gravity = 9.81
time = { step = 1e-3 }
output = { frames = 0.01, series = 0.004 }
material = { density = 2000 }
law = { friction = 0.4 }
[[wall]]
plane = { normal = [0, 1] }
[[grain]]
position = [0, 0.1]
radius = 0.1
[[grain]]
position = [0.05, 0.35]
radius = 0.1
[[phase]]
name = "fall"
duration = 0.02
[[phase]]
name = "drag"
duration = 0.03
damping = 5
)";

inline Scene<2> scene_from(const std::string& text) { return std::get<Scene<2>>(parse_scene(text, "scene.toml")); }

}  // namespace moreau

// Scenes as text, and the message a wrong one gets.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "moreau/scene/scene.hpp"

namespace moreau {

inline std::string message_of(const std::string& toml, const SceneLimits& limits = {}) {
  try {
    parse_scene(toml, "s.toml", {}, limits);
  } catch (const SceneError& error) {
    return error.what();
  }
  return "accepted";
}

// Where the mistake is, then words the sentence must contain.
inline void expect_message(const std::string& toml, const std::string& place, std::initializer_list<const char*> words,
                           const SceneLimits& limits = {}) {
  const std::string message = message_of(toml, limits);
  EXPECT_EQ(message.rfind("s.toml:" + place + ": ", 0), 0u) << message;
  for (const char* word : words) EXPECT_NE(message.find(word), std::string::npos) << "no \"" << word << "\" in: " << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

// Nine lines to which a test adds its own from line 10 on.
inline const std::string space = R"(dimension = 3
gravity = 10
[time]
step = 0.01
duration = 1
[material]
density = 2
[law]
friction = 0.5
)";
inline const std::string plane = R"(dimension = 2
gravity = 10
[time]
step = 0.01
duration = 1
[material]
density = 2
[law]
friction = 0.5
)";

template <int D>
Scene<D> scene_of(const std::string& toml) {
  return std::get<Scene<D>>(parse_scene(toml, "s.toml"));
}

}  // namespace moreau

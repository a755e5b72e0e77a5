// A refusal that still knows its location apart from its sentence.
#pragma once

#include "moreau/scene/read/mistakes.hpp"
#include "moreau/scene/scene.hpp"

namespace moreau::inline scene {

struct LocatedError : SceneError {
  LocatedError(const std::string& whole, Location where, std::string what)
      : SceneError(whole), location(where), sentence(std::move(what)) {}
  Location location;
  std::string sentence;
};

}  // namespace moreau::inline scene

// A refusal that still knows its place apart from its sentence.
#pragma once

#include "moreau/scene/read/mistakes.hpp"
#include "moreau/scene/scene.hpp"

namespace moreau::inline scene {

struct PlacedError : SceneError {
  PlacedError(const std::string& whole, Place where, std::string what)
      : SceneError(whole), place(where), sentence(std::move(what)) {}
  Place place;
  std::string sentence;
};

}  // namespace moreau::inline scene

// A scene: what a TOML file describes, checked and ready to run. The only door through which user input enters the library.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "moreau/bodies/bodies.hpp"
#include "moreau/bodies/named_bodies.hpp"
#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/warning.hpp"
#include "moreau/measure/quantity.hpp"
#include "moreau/scene/phase.hpp"

namespace moreau::inline scene {

template <int D>
struct Scene {
  std::string title;
  std::string text;  // of the file, with the content of the files it names in their place: needs no other file
  Model<D> model;    // before any phase has changed it
  Bodies<D> bodies;
  std::vector<NamedBodies> named;  // grains and blocks with a name, arches, walls of bricks, in the order of their first bodies
  std::uint64_t seed = 0;
  double duration = 0.0;  // of all phases together; infinite if one has no limit
  OutputSettings output;
  std::vector<Phase<D>> phases;  // at least one; the first begins with the model above, unless it changes it
  std::vector<measure::SampledMeasure> measures;
  Warnings warnings;  // what can be foreseen
};

using AnyScene = std::variant<Scene<2>, Scene<3>>;

// One sentence: "file:line:column: key 'x' is ...; accepted: ...".
class SceneError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What a scene may ask of the machine before it is refused; a test of hostile input lowers them.
struct SceneLimits {
  std::uint64_t grains = 50'000'000;  // listed, generated, and to come from sources, together
  std::uint64_t bytes = 64ull << 20;  // size of the file
};

AnyScene read_scene(const std::filesystem::path& file, const SceneLimits& limits = {});
// `name` stands for the file in messages; `folder` is where relative file names inside the scene would be looked for.
AnyScene parse_scene(std::string_view toml, const std::string& name, const std::filesystem::path& folder = {},
                     const SceneLimits& limits = {});

}  // namespace moreau::inline scene

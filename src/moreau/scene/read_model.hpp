// The constant part of a scene: settings, materials, laws, motions, walls, sources. Functions are called in this order.
#pragma once

#include <optional>

#include "moreau/scene/names.hpp"
#include "moreau/scene/record.hpp"
#include "moreau/scene/region.hpp"
#include "moreau/scene/scene.hpp"
#include "moreau/scene/toml_reader.hpp"

namespace moreau {

struct SceneNames {
  Names materials{"material"}, motions{"motion"}, walls{"wall"}, sources{"source"}, blocks{"block"};
  std::vector<Place> material_places;
};

// Returns whether `contact.distance` was given.
template <int D>
bool read_settings(TableReader& root, Scene<D>& scene);

template <int D>
void read_materials(TableReader& root, Scene<D>& scene, SceneNames& names);

// Which pairs of materials were given a law; row-major like Model::pair_laws.
template <int D>
std::vector<bool> read_laws(TableReader& root, Scene<D>& scene, const SceneNames& names);

// File names in the scene are relative to `folder`.
template <int D>
void read_motions(TableReader& root, const std::filesystem::path& folder, Scene<D>& scene, SceneNames& names,
                  std::vector<Inclusion>& inclusions);

// Returns the inside of the box wall when the scene has exactly one: groups of grains fill it by default.
template <int D>
std::optional<Region<D>> read_walls(TableReader& root, Scene<D>& scene, SceneNames& names);

template <int D>
void read_sources(TableReader& root, Scene<D>& scene, SceneNames& names);

template <int D>
void read_measures(TableReader& root, Scene<D>& scene);

}  // namespace moreau

// The constant part of a scene: settings, materials, laws, motions, walls, sources. Functions are called in this order.
#pragma once

#include <optional>

#include "moreau/scene/generate/open_side.hpp"
#include "moreau/scene/read/names.hpp"
#include "moreau/scene/read/toml_reader.hpp"
#include "moreau/scene/record/record.hpp"
#include "moreau/scene/scene.hpp"
#include "moreau/scene/scene_region.hpp"

namespace moreau::inline scene {

inline constexpr double most_steps = 1e12;  // of a run, or of a phase

struct SceneNames {
  Names materials{"material"}, motions{"motion"}, walls{"wall"}, sources{"source"}, sinks{"sink"}, bodies{"body"},
      pistons{"piston"};
  std::vector<Location> material_locations;
};

// Which keys of [contact] were given.
struct ContactKeys {
  bool rule = false, distance = false;
};
template <int D>
ContactKeys read_settings(TableReader& root, Scene<D>& scene);

// Parts of the settings that a phase may change; what is not given stays.
template <int D>
Vec<D> read_gravity(TableReader& root);
// Of a scene or of a phase.
void read_engine(TableReader& table, EngineKind& engine);
template <int D>
ContactKeys read_contact_rule(TableReader& root, Model<D>& model);
void read_solver(TableReader& root, SolverSettings& solver);
void read_output(TableReader& root, OutputSettings& output);

template <int D>
void read_materials(TableReader& root, Scene<D>& scene, SceneNames& names);

// Which pairs of materials were given a law; row-major like Model::pair_laws.
template <int D>
std::vector<bool> read_laws(TableReader& root, Model<D>& model, const SceneNames& names);
// What a phase asks of them: of each law the keys that it names. `law` changes the pairs that `pair` does not list.
template <int D>
void change_laws(TableReader& phase, Model<D>& model, const SceneNames& names);

template <int D>
Motion<D> read_motion(TableReader& entry, NamedFiles& files);
template <int D>
void read_motions(TableReader& root, Scene<D>& scene, SceneNames& names, NamedFiles& files);

// Returns the inside of the box wall when the scene has exactly one: groups of grains fill it by default. `open` receives the
// sides on which boxes and cylinders have no wall.
template <int D>
std::optional<SceneRegion<D>> read_walls(TableReader& root, Scene<D>& scene, SceneNames& names, NamedFiles& files,
                                         std::vector<OpenSide<D>>& open);

template <int D>
void read_sources(TableReader& root, Scene<D>& scene, SceneNames& names, NamedFiles& files);

template <int D>
void read_sinks(TableReader& root, Scene<D>& scene, SceneNames& names);

// After the gravity that it turns.
template <int D>
void read_tilt(TableReader& root, Scene<D>& scene);

// Returns the inside of the cell, if there is one.
template <int D>
std::optional<SceneRegion<D>> read_cell(TableReader& root, Scene<D>& scene);
template <int D>
void read_pistons(TableReader& root, Scene<D>& scene, SceneNames& names);
// What a phase asks of pistons and cell.
template <int D>
void change_apparatus(TableReader& phase, Model<D>& model, const SceneNames& names);
// What needs the bodies, once they are there: default masses of pistons and cell; refuses a cell that cannot hold them.
template <int D>
void settle_apparatus(const Bodies<D>& bodies, Model<D>& model, Mistakes& mistakes);

template <int D>
void read_measures(TableReader& root, Scene<D>& scene);

// At least one phase: the scene itself, if it has no [[phase]].
template <int D>
void read_phases(TableReader& root, Scene<D>& scene, const SceneNames& names, NamedFiles& files);

}  // namespace moreau::inline scene

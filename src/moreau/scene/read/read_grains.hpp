// The entries of a scene that make bodies: listed grains, groups to generate, rough floors.
#pragma once

#include <algorithm>
#include <optional>

#include "moreau/scene/generate/shape_recipe.hpp"
#include "moreau/scene/read/read_model.hpp"

namespace moreau::inline scene {

// What every body of an entry has in common.
template <int D>
struct GrainKind {
  std::int32_t material = 0;
  std::int32_t motion = -1;
  BodyKind kind = BodyKind::free;
  double density = 1.0;
  Vec<D> velocity{};
};

// Where an entry stands in the file, for messages.
struct Entry {
  std::string path;  // "grain[3]"
  Location location;
  std::size_t first_body = 0;  // its bodies go up to the first of the next entry
  std::string each = {};       // what one of its bodies is called when there are several: "stone"
};

// `[[grains]]` and `[[blocks]]`
template <int D>
struct Group {
  Entry entry;
  GrainKind<D> kind;
  SizeDistribution sizes;                     // radii of grains, scales of blocks
  std::optional<ShapeRecipe<D>> recipe = {};  // of blocks
  bool turned = false;                        // blocks: orientations are random
  SceneRegion<D> region;
  std::optional<std::uint64_t> count;  // lattice only: absent fills the region
  bool lattice = false;
  double jitter = 0.0;            // largest displacement from the site, along each axis, in largest diameters
  std::optional<double> spacing;  // lattice: distance between neighbouring sites
  double factor = 1.0;            // on the radii, once the grains are placed
  double random_speed = 0.0;      // largest random component of the velocity
  double rms_speed = 0.0;         // of random velocities without total momentum
};

// `[[floor]]`
template <int D>
struct Floor {
  Entry entry;
  GrainKind<D> kind;
  SizeDistribution sizes;
  bool square = false;
  double extent = 0.0;  // radius of the disc, or half the side of the square; in 2-D half the length
  Vec<D> centre{};      // last component: the height
};

template <int D>
struct GrainEntries {
  std::vector<Entry> listed;  // one per grain already in Scene::bodies
  std::vector<Entry> blocks;  // of the blocks that follow them there
  std::vector<Floor<D>> floors;
  std::vector<Group<D>> groups;  // of grains, then of blocks

  // Of a listed grain or a block.
  const Entry& entry_of(std::size_t body) const {
    if (body < listed.size()) return listed[body];
    const auto after = std::upper_bound(blocks.begin(), blocks.end(), body,
                                        [](std::size_t b, const Entry& entry) { return b < entry.first_body; });
    return *(after - 1);
  }
};

template <int D>
GrainEntries<D> read_grains(TableReader& root, Scene<D>& scene, SceneNames& names, const std::optional<SceneRegion<D>>& box,
                            NamedFiles& files);

// Material and motion of an entry; `fixed` and `velocity` of what may be free.
template <int D>
GrainKind<D> read_kind(TableReader& entry, const Scene<D>& scene, const SceneNames& names);
template <int D>
void read_freedom(TableReader& entry, GrainKind<D>& kind);
// The key `spin` of one body.
template <int D>
Spin<D> read_spin(TableReader& entry, BodyKind kind);
// All keys of a group but its shape and sizes.
template <int D>
Group<D> read_group(TableReader& entry, const Scene<D>& scene, const SceneNames& names, const std::optional<SceneRegion<D>>& box);

// Appends a body of a generated entry at rest or with the velocity of its kind.
template <int D>
void append_grain(Bodies<D>& bodies, const GrainKind<D>& kind, const Vec<D>& position, double radius) {
  NewBody<D> body = homogeneous_ball<D>(position, radius, kind.density, kind.material);
  body.motion = kind.motion;
  body.kind = kind.kind;
  body.velocity = kind.velocity;
  bodies.append(body);
}

// Displacement at time 0 of bodies or walls of this motion.
template <int D>
Vec<D> start_shift(const Model<D>& model, std::int32_t motion) {
  return motion < 0 ? Vec<D>{} : displacement(model.motions[static_cast<std::size_t>(motion)], 0.0);
}

}  // namespace moreau::inline scene

// Sources: what they bring, where, and how much of it.
#include <fmt/format.h>

#include <algorithm>

#include "moreau/scene/generate/block_builder.hpp"
#include "moreau/scene/generate/generate.hpp"
#include "moreau/scene/generate/shape_recipe.hpp"
#include "moreau/scene/generate/sizes.hpp"
#include "moreau/scene/generate/source_grains.hpp"
#include "moreau/scene/read/read_mesh.hpp"
#include "moreau/scene/read/read_model.hpp"

namespace moreau::inline scene {
namespace {

constexpr std::size_t most_kinds = 1000;

bool gives_shape(TableReader& entry) {
  bool any = false;
  for (const std::string& key : shape_keys()) any = entry.has(key) || any;
  return any;
}

template <int D>
SourceKind read_source_kind(TableReader& entry, Scene<D>& scene, SceneNames& names, NamedFiles& files, std::size_t number) {
  SourceKind kind;
  kind.material = names.materials.resolve(entry, "material");
  if (!scene.model.materials.empty()) kind.density = scene.model.materials[static_cast<std::size_t>(kind.material)].density;
  if (!gives_shape(entry)) {
    kind.sizes = read_sizes<D>(entry, files);
    return kind;
  }
  const ShapeRecipe<D> recipe = read_shape<D>(entry, files);
  const double scale = recipe.key == "mesh" ? entry.number("scale", positive, 1.0) : 1.0;
  if (entry.mistakes().any() || recipe.key.empty()) return kind;
  RandomStream random = stream_of(scene.seed, DrawKind::source_shape, number);
  const PlacedShape<D> placed = make_block_shape(recipe, scale, random);
  if (!placed.fault.empty())
    entry.fail(recipe.key, fmt::format("makes no block: {}; accepted: the points of a body that is not flat", placed.fault));
  else
    kind.shape = add_shape(scene.bodies, placed.shape);
  return kind;
}

template <int D>
double least_mass(const Scene<D>& scene, const SourceKind& kind) {
  return kind.shape < 0 ? ball_mass<D>(kind.sizes.smallest(), kind.density)
                        : kind.density * scene.bodies.shapes[static_cast<std::size_t>(kind.shape)].volume;
}

template <int D>
void read_content(TableReader& entry, Scene<D>& scene, SceneNames& names, NamedFiles& files, std::size_t& number,
                  Source<D>& source) {
  if (entry.has("mixture")) {
    auto kinds = entry.tables("mixture");
    if (kinds.empty() || kinds.size() > most_kinds) {
      entry.fail("mixture", fmt::format("has {} entries; accepted: 1 to {} tables, one for each kind", kinds.size(), most_kinds));
      return;
    }
    for (auto& table : kinds) {
      const double share = table.number("share", positive);
      source.mixture.push_back(read_source_kind(table, scene, names, files, number++));
      source.mixture.back().share = share;
      table.finish();
    }
    return;
  }
  const SourceKind kind = read_source_kind(entry, scene, names, files, number++);
  source.sizes = kind.sizes, source.material = kind.material, source.density = kind.density;
  if (kind.shape >= 0) source.mixture.push_back(kind);
}

// Grains per unit time; where the rate is one of mass, as many as there are if all are of the lightest kind.
template <int D>
void read_rate(TableReader& entry, const Scene<D>& scene, Source<D>& source) {
  if (!entry.has("mass_rate")) {
    source.rate = entry.number("rate", positive);
    return;
  }
  entry.one_of({"rate", "mass_rate"});
  source.mass_rate = entry.number("mass_rate", positive);
  if (entry.mistakes().any()) return;
  double lightest = HUGE_VAL;
  for (const SourceKind& kind : kinds_of(source)) lightest = std::min(lightest, least_mass(scene, kind));
  source.rate = source.mass_rate / lightest;
}

double area_of(const Vec<2>& a, const Vec<2>& b) { return norm(b - a); }
double area_of(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c) { return 0.5 * norm(cross(b - a, c - a)); }

// inlet = { mesh, scale, rotation, position }: grains come through its faces.
template <int D>
void read_inlet(TableReader& entry, NamedFiles& files, Source<D>& source) {
  auto table = entry.table("inlet", false, "a table with 'mesh'");
  if (!table) return;
  if (entry.has("centre") || entry.has("spread"))
    entry.fail("inlet", "is given with 'centre' or 'spread'; accepted: one of the two ways");
  Mesh<D> mesh = read_mesh<D>(*table, files).mesh;
  place_mesh(*table, mesh);
  table->finish();
  if (entry.mistakes().any()) return;
  Vec<D> low = mesh.vertices[0], high = low;
  double area = 0.0;
  for (const MeshFace<D>& face : mesh.faces) {
    for (const std::int32_t v : face) {
      const Vec<D>& p = source.inlet.emplace_back(mesh.vertices[static_cast<std::size_t>(v)]);
      for (int d = 0; d < D; ++d) low[d] = std::min(low[d], p[d]), high[d] = std::max(high[d], p[d]);
    }
    const Vec<D>* corner = source.inlet.data() + source.inlet.size() - D;
    if constexpr (D == 2)
      area += area_of(corner[0], corner[1]);
    else
      area += area_of(corner[0], corner[1], corner[2]);
    source.inlet_area.push_back(area);
  }
  source.centre = 0.5 * (low + high), source.spread = 0.5 * norm(high - low);
}

}  // namespace

template <int D>
void read_sources(TableReader& root, Scene<D>& scene, SceneNames& names, NamedFiles& files) {
  std::size_t number = 0;
  for (auto& entry : root.tables("source")) {
    Source<D> source;
    source.name = names.sources.declare(entry, entry.path());
    source.start = entry.number("start", nonnegative, 0.0);
    if (entry.has("end")) source.end = entry.number("end", positive);
    if (entry.has("count")) source.count = static_cast<std::uint64_t>(entry.integer("count", 1, INT64_MAX));
    read_content(entry, scene, names, files, number, source);
    read_rate(entry, scene, source);
    source.centre = entry.vector<D>("centre", Vec<D>{});
    source.spread = entry.number("spread", nonnegative, 0.0);
    read_inlet(entry, files, source);
    if (!entry.mistakes().any()) {
      if (source.end <= source.start)
        entry.fail("end", fmt::format("is {}; accepted: a time after 'start', which is {}", source.end, source.start));
      if (norm(scene.model.gravity) == 0.0)
        entry.mistakes().add(entry.location(),
                             fmt::format("'{}' needs gravity, along which its grains come; accepted: a nonzero key "
                                         "'gravity'",
                                         entry.path()));
    }
    entry.finish();
    scene.model.sources.push_back(std::move(source));
  }
}

template void read_sources<2>(TableReader&, Scene<2>&, SceneNames&, NamedFiles&);
template void read_sources<3>(TableReader&, Scene<3>&, SceneNames&, NamedFiles&);

}  // namespace moreau::inline scene

#include <fmt/format.h>

#include <algorithm>

#include "moreau/base/nearest.hpp"
#include "moreau/scene/read/read_law.hpp"
#include "moreau/scene/read/read_model.hpp"
#include "moreau/scene/read/read_soft.hpp"

namespace moreau::inline scene {
namespace {

constexpr std::size_t most_materials = 1000;  // the table of laws is square

}  // namespace

template <int D>
void read_materials(TableReader& root, Scene<D>& scene, SceneNames& names) {
  auto entries = root.tables("material");
  if (entries.empty() && !root.has("material")) root.fail_missing("material", "at least one [[material]] with 'density'");
  if (entries.size() > most_materials) {
    root.fail("material", fmt::format("has {} entries; accepted: at most {}", entries.size(), most_materials));
    entries.resize(most_materials, entries.front());
  }
  for (auto& entry : entries) {
    Material material;
    material.name = names.materials.declare(entry, entries.size() == 1 ? "grain" : "");
    material.density = entry.number("density", positive);
    entry.finish();
    names.material_locations.push_back(entry.location());
    scene.model.materials.push_back(material);
  }
}

template <int D>
std::vector<bool> read_laws(TableReader& root, Model<D>& model, const SceneNames& names) {
  const std::size_t n = model.materials.size();
  std::vector<bool> given(n * n, false);
  auto& laws = model.pair_laws;
  laws.resize(n * n), model.soft_laws.resize(n * n), model.joints_per_area.resize(n * n, 0);
  bool per_area = false;
  for (auto& entry : root.tables("pair")) {
    const auto pair = entry.texts("materials", 2);
    const PairLaw law = read_law<D>(entry, model.shocks, per_area);
    const SoftLaw soft = read_soft_law(entry);
    std::vector<std::size_t> index;
    for (const auto& name : pair) {
      if (names.materials.find(name) < 0)
        entry.fail("materials", names.materials.unknown(name));
      else
        index.push_back(static_cast<std::size_t>(names.materials.find(name)));
    }
    if (index.size() == 2) {
      const std::size_t ab = index[0] * n + index[1], ba = index[1] * n + index[0];
      if (given[ab])
        entry.fail("materials",
                   fmt::format("is [\"{}\", \"{}\"], a pair that already has a law; accepted: each pair once", pair[0], pair[1]));
      given[ab] = given[ba] = true;
      laws[ab] = laws[ba] = law;
      model.soft_laws[ab] = model.soft_laws[ba] = soft;
      model.joints_per_area[ab] = model.joints_per_area[ba] = per_area ? 1 : 0;
    }
    entry.finish();
  }
  if (auto entry = root.table("law", false)) {
    const PairLaw law = read_law<D>(*entry, model.shocks, per_area);
    const SoftLaw soft = read_soft_law(*entry);
    for (std::size_t i = 0; i < n * n; ++i)
      if (!given[i]) laws[i] = law, model.soft_laws[i] = soft, model.joints_per_area[i] = per_area ? 1 : 0;
    given.assign(n * n, true);
    entry->finish();
  }
  return given;
}

#define MOREAU_INSTANTIATE(D)                                            \
  template void read_materials<D>(TableReader&, Scene<D>&, SceneNames&); \
  template std::vector<bool> read_laws<D>(TableReader&, Model<D>&, const SceneNames&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline scene

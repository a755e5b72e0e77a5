#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "moreau/base/nearest.hpp"
#include "moreau/scene/read/read_law.hpp"
#include "moreau/scene/read/read_model.hpp"

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

namespace {

template <int D>
ContactLaw law_at(const Model<D>& model, std::size_t i) {
  return {model.pair_laws[i], model.soft_laws[i], model.joints_per_area[i] != 0};
}

template <int D>
void put_law(const ContactLaw& law, Model<D>& model, std::size_t i) {
  model.pair_laws[i] = law.rigid, model.soft_laws[i] = law.soft, model.joints_per_area[i] = law.per_area ? 1 : 0;
}

// [[pair]] and [law] of a scene, or of a phase, which changes what held before for each pair. Returns which pairs were given.
template <int D>
std::vector<bool> read_entries(TableReader& table, Model<D>& model, const SceneNames& names, bool of_phase) {
  const std::size_t n = model.materials.size(), no_pair = n * n;
  std::vector<bool> given(n * n, false);
  const auto before = [&](std::size_t i) {
    return !of_phase ? std::nullopt : std::optional(i < no_pair ? law_at(model, i) : ContactLaw{});
  };
  for (auto& entry : table.tables("pair")) {
    const auto pair = entry.texts("materials", 2);
    std::vector<std::size_t> index;
    for (const auto& name : pair) {
      if (names.materials.find(name) < 0)
        entry.fail("materials", names.materials.unknown(name));
      else
        index.push_back(static_cast<std::size_t>(names.materials.find(name)));
    }
    const bool known = index.size() == 2;
    const std::size_t ab = known ? index[0] * n + index[1] : no_pair, ba = known ? index[1] * n + index[0] : no_pair;
    const ContactLaw law = read_law<D>(entry, model.shocks, before(ab));
    if (known) {
      if (given[ab])
        entry.fail("materials",
                   fmt::format("is [\"{}\", \"{}\"], a pair that already has a law; accepted: each pair once", pair[0], pair[1]));
      given[ab] = given[ba] = true;
      put_law(law, model, ab), put_law(law, model, ba);
    }
    entry.finish();
  }
  if (auto entry = table.table("law", false)) {
    const auto first = static_cast<std::size_t>(std::ranges::find(given, false) - given.begin());
    std::optional<ContactLaw> last = before(first);
    ContactLaw law = read_law<D>(*entry, model.shocks, last);
    for (std::size_t i = first; i < n * n; ++i) {
      if (given[i]) continue;
      if (const auto here = before(i); here != last) law = read_law<D>(*entry, model.shocks, here), last = here;
      put_law(law, model, i);
    }
    given.assign(n * n, true);
    entry->finish();
  }
  return given;
}

}  // namespace

template <int D>
std::vector<bool> read_laws(TableReader& root, Model<D>& model, const SceneNames& names) {
  const std::size_t pairs = model.materials.size() * model.materials.size();
  model.pair_laws.resize(pairs), model.soft_laws.resize(pairs), model.joints_per_area.resize(pairs, 0);
  return read_entries(root, model, names, false);
}

template <int D>
void change_laws(TableReader& phase, Model<D>& model, const SceneNames& names) {
  read_entries(phase, model, names, true);
}

#define MOREAU_INSTANTIATE(D)                                                          \
  template void read_materials<D>(TableReader&, Scene<D>&, SceneNames&);               \
  template std::vector<bool> read_laws<D>(TableReader&, Model<D>&, const SceneNames&); \
  template void change_laws<D>(TableReader&, Model<D>&, const SceneNames&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline scene

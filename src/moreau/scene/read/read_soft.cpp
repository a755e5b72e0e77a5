#include "moreau/scene/read/read_soft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "moreau/engines/soft/critical_step.hpp"
#include "moreau/engines/soft/damping.hpp"
#include "moreau/engines/soft/stiffness_level.hpp"

namespace moreau::inline scene {

namespace {

constexpr double not_given = -1.0;
constexpr double default_damping_ratio = 0.9;  // brings packings to rest (docs/engines.md)
constexpr double default_tangential = 0.5;     // k_t / k_n (Combe 2001, chapter 5)
constexpr Accepted ratio{"a number in [0, 100]", 0.0, 100.0, true, true};

template <int D>
double mean_diameter(const Bodies<D>& bodies, const Model<D>& model) {
  double sum = 0.0, count = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_free(i)) sum += 2.0 * bodies.parameters.radius[i], count += 1.0;
  if (count == 0.0)
    for (const Source<D>& source : model.sources) sum += 2.0 * source.sizes.smallest(), count += 1.0;
  return count > 0.0 ? sum / count : 0.0;
}

}  // namespace

SoftLaw read_soft_law(TableReader& entry, const std::optional<SoftLaw>& before) {
  SoftLaw soft;
  soft.damping_ratio = soft.tangential_stiffness = not_given;
  if (before) soft = *before;
  if (entry.has("stiffness")) soft.stiffness = entry.number("stiffness", positive);
  const bool unloads = entry.has("unloading_stiffness");
  if (entry.switched_off("unloading_stiffness"))
    soft.unloading_stiffness = 0.0;
  else if (unloads)
    soft.unloading_stiffness = entry.number("unloading_stiffness", positive_or_off);
  const bool steeper = soft.remembers_depth() && soft.unloading_stiffness < soft.stiffness;
  if (unloads && soft.remembers_depth() && soft.stiffness == 0.0)
    entry.fail("unloading_stiffness", "stands without 'stiffness'; accepted: both, the slopes of unloading and of loading");
  else if (steeper && unloads)
    entry.fail("unloading_stiffness", fmt::format("is {}, less than the stiffness of loading, {}; accepted: at least as much",
                                                  soft.unloading_stiffness, soft.stiffness));
  else if (steeper)
    entry.fail("stiffness", fmt::format("is {}, more than the stiffness of unloading in force, {}; accepted: at most as much",
                                        soft.stiffness, soft.unloading_stiffness));
  if (entry.has("damping_ratio")) soft.damping_ratio = entry.number("damping_ratio", ratio);
  if (entry.has("tangential_stiffness")) soft.tangential_stiffness = entry.number("tangential_stiffness", positive);
  soft.tangential_damping_ratio = entry.number("tangential_damping_ratio", ratio, soft.tangential_damping_ratio);
  return soft;
}

void read_soft(TableReader& root, SoftSettings& soft) {
  auto table = root.table("soft", false);
  if (!table) return;
  if (table->has("integrator"))
    soft.integrator = table->choice("integrator", {"verlet", "gear"}) == 0 ? Integrator::verlet : Integrator::gear;
  soft.dashpots_pull = table->flag("dashpots_pull", soft.dashpots_pull);
  soft.small_displacements = table->flag("small_displacements", soft.small_displacements);
  if (table->has("level") || table->has("pressure"))
    soft.level = table->number("level", positive), soft.pressure = table->number("pressure", positive);
  table->finish();
}

namespace {

// Keys of springs in a scene in which no contact yields.
template <int D>
std::set<std::string> unread_springs(const Scene<D>& scene) {
  std::set<std::string> keys;
  const bool elastic = std::ranges::any_of(scene.phases, [](const Phase<D>& p) { return p.model.engine == EngineKind::elastic; });
  const auto note = [&](bool given, const char* key) {
    if (given) keys.insert(fmt::format("'{}'", key));
  };
  for (const Phase<D>& phase : scene.phases) {
    if (phase.model.engine == EngineKind::soft) return {};
    note(phase.model.soft.level > 0.0 && !elastic, "soft.level");
    for (const SoftLaw& law : phase.model.soft_laws) {
      note(law.stiffness > 0.0 && !elastic, "stiffness"), note(law.unloading_stiffness > 0.0, "unloading_stiffness");
      note(law.tangential_stiffness > 0.0 && !elastic, "tangential_stiffness"), note(law.damping_ratio > 0.0, "damping_ratio");
      note(law.tangential_damping_ratio > 0.0, "tangential_damping_ratio");
    }
  }
  return keys;
}

// Impacts one after the other are those of rigid contacts.
template <int D>
bool shocks_are_unread(const Scene<D>& scene) {
  const auto asks = [](const Phase<D>& p) { return p.model.shocks == ShockRule::sequential; };
  return std::ranges::any_of(scene.phases, asks) && std::ranges::none_of(scene.phases, [&](const Phase<D>& p) {
           return asks(p) && p.model.engine == EngineKind::rigid;
         });
}

}  // namespace

template <int D>
void warn_of_unread_keys(Scene<D>& scene) {
  std::set<std::string> keys = unread_springs(scene);
  const bool springs = !keys.empty(), shocks = shocks_are_unread(scene);
  if (shocks) keys.insert("'contact.shocks'");
  if (keys.empty()) return;
  std::string all;
  for (const std::string& key : keys) all += (all.empty() ? "" : ", ") + key;
  scene.warnings.add({WarningKind::ignored, static_cast<double>(keys.size()), !shocks ? 0.0 : springs ? 2.0 : 1.0, all});
}

template <int D>
void settle_soft(const Bodies<D>& bodies, Model<D>& model) {
  const bool levelled = model.soft.level > 0.0;
  const double level_stiffness =
      levelled ? soft::stiffness_at_level<D>(model.soft.level, model.soft.pressure, mean_diameter(bodies, model)) : 0.0;
  for (std::size_t i = 0; i < model.soft_laws.size(); ++i) {
    SoftLaw& s = model.soft_laws[i];
    const PairLaw& law = model.pair_laws[i];
    if (s.stiffness == 0.0) s.stiffness = level_stiffness;
    if (s.tangential_stiffness < 0.0) s.tangential_stiffness = default_tangential * s.stiffness;
    if (s.damping_ratio >= 0.0) continue;
    if (s.remembers_depth())
      s.damping_ratio = 0.0;
    else
      s.damping_ratio = law.normal_restitution > 0.0 ? soft::damping_for(law.normal_restitution, model.soft.dashpots_pull)
                                                     : default_damping_ratio;
  }
}

template <int D>
void check_soft(const Scene<D>& scene, const Mistakes& mistakes) {
  std::string of_step;
  double step = 0.0, smallest = HUGE_VAL;
  for (const Phase<D>& phase : scene.phases) {
    if (phase.model.engine != EngineKind::soft) continue;
    std::string sentence = soft::refusal(phase.model, scene.bodies);
    const bool by_step = sentence.starts_with("the time step");
    if (!sentence.empty() && !phase.name.empty()) sentence = fmt::format("phase '{}': {}", phase.name, sentence);
    if (!sentence.empty() && !by_step) mistakes.refuse({1, 1}, sentence);
    const double accepted = soft::critical_step(phase.model, scene.bodies).step;
    if (by_step && of_step.empty()) of_step = sentence, step = accepted;
    smallest = std::min(smallest, accepted);
  }
  if (of_step.empty()) return;
  if (smallest < step) of_step += fmt::format("; in all phases with this engine: at most {:.4g}", soft::said_step(smallest));
  mistakes.refuse({1, 1}, of_step);
}

template void warn_of_unread_keys(Scene<2>&);
template void warn_of_unread_keys(Scene<3>&);
template void settle_soft(const Bodies<2>&, Model<2>&);
template void settle_soft(const Bodies<3>&, Model<3>&);
template void check_soft(const Scene<2>&, const Mistakes&);
template void check_soft(const Scene<3>&, const Mistakes&);

}  // namespace moreau::inline scene

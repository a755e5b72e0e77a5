#include "moreau/scene/read/read_engines.hpp"

#include <fmt/format.h>

#include "moreau/engines/elastic/elastic_engine.hpp"
#include "moreau/engines/lubricated/films.hpp"
#include "moreau/statics/finish.hpp"

namespace moreau::inline scene {

void read_lubricated(TableReader& root, LubricatedSettings& lubricated) {
  auto table = root.table("lubricated", false);
  if (!table) return;
  lubricated.viscosity = table->number("viscosity", positive, lubricated.viscosity);
  if (table->has("law"))
    lubricated.law = table->choice("law", {"spheres", "cylinders"}) == 0 ? FilmLaw::spheres : FilmLaw::cylinders;
  if (table->has("reach")) lubricated.reach = table->number("reach", positive);
  table->finish();
}

void read_elastic(TableReader& root, ElasticSettings& elastic) {
  constexpr Accepted tolerance{"a number in [1e-14, 0.1]", 1e-14, 0.1, true, true};
  constexpr Accepted part{"a number in [1e-6, 1]", 1e-6, 1.0, true, true};
  auto table = root.table("elastic", false);
  if (!table) return;
  elastic.associated = table->flag("associated", elastic.associated);
  elastic.near = table->number("near", nonnegative, elastic.near);
  elastic.tolerance = table->number("tolerance", tolerance, elastic.tolerance);
  elastic.finest = table->number("finest", part, elastic.finest);
  table->finish();
}

template <int D>
std::string frictionless_refusal(const Phase<D>& phase, const Bodies<D>& bodies) {
  const Model<D>& model = phase.model;
  const char* has = model.engine == EngineKind::quasi_static ? "has the engine \"quasi-static\""
                    : model.engine == EngineKind::lubricated ? "has the engine \"lubricated\""
                    : phase.end.isostatic                    ? "is to end isostatic"
                                                             : nullptr;
  if (!has) return {};
  const std::string reason =
      model.engine == EngineKind::lubricated ? lubricated::refusal(model, bodies) : statics::not_frictionless(model, bodies);
  if (reason.empty()) return {};
  return fmt::format("{}, but {}; accepted: round bodies without friction, cohesion, joints or rolling resistance{}", has, reason,
                     model.engine == EngineKind::lubricated ? ", between plane walls" : "");
}

template <int D>
void check_engine(const Phase<D>& phase, const Bodies<D>& bodies, Location location, Mistakes& mistakes) {
  const std::string where = phase.name.empty() ? "the scene" : fmt::format("the phase '{}'", phase.name);
  if (const std::string sentence = frictionless_refusal(phase, bodies); !sentence.empty())
    mistakes.refuse(location, fmt::format("{} {}", where, sentence));
  if (phase.model.engine != EngineKind::elastic) return;
  if (const std::string reason = elastic::refusal(phase.model, bodies); !reason.empty())
    mistakes.refuse(location,
                    fmt::format("{} has the engine \"elastic\", but {}; accepted: 'stiffness' in each law, or 'level' and "
                                "'pressure' under [soft], friction as one coefficient, pistons and cells under force or stress",
                                where, reason));
}

template std::string frictionless_refusal(const Phase<2>&, const Bodies<2>&);
template std::string frictionless_refusal(const Phase<3>&, const Bodies<3>&);
template void check_engine(const Phase<2>&, const Bodies<2>&, Location, Mistakes&);
template void check_engine(const Phase<3>&, const Bodies<3>&, Location, Mistakes&);

}  // namespace moreau::inline scene

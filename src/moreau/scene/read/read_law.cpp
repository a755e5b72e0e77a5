#include "moreau/scene/read/read_law.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace moreau::inline scene {
namespace {

// key = { speeds = [...], values = [...] }
SpeedTable read_speed_table(TableReader& entry, const char* key, const Accepted& accepted) {
  SpeedTable result;
  auto table = entry.table(key, true);
  if (!table) return result;
  result.speed = table->numbers("speeds", nonnegative, 1);
  result.value = table->numbers("values", accepted, 1);
  if (!std::is_sorted(result.speed.begin(), result.speed.end(), std::less_equal<>{}))
    table->fail("speeds", "do not increase; accepted: each larger than the one before");
  if (result.speed.size() != result.value.size())
    table->fail("values", fmt::format("has {} entries for {} speeds; accepted: one value for each speed", result.value.size(),
                                      result.speed.size()));
  table->finish();
  return result;
}

template <int D>
void read_friction(TableReader& entry, PairLaw& law) {
  if (D == 3 && entry.is_array("friction")) {
    const std::vector<double> both = entry.numbers("friction", positive, 2);
    if (both.size() > 2)
      entry.fail("friction", "has more than 2 entries; accepted: the coefficients along and across a direction");
    if (both.size() >= 2) law.friction = both[0], law.cross_friction = both[1];
    law.friction_direction = entry.direction<3>("friction_direction");
  } else if (entry.is_table("friction")) {
    law.friction_at_speed = read_speed_table(entry, "friction", nonnegative);
    if (!law.friction_at_speed.value.empty()) law.friction = law.friction_at_speed.value.front();
  } else {
    law.friction = entry.number("friction", nonnegative);
  }
  if (!entry.has("static_friction") && !entry.has("static_speed")) return;
  law.static_friction = entry.number("static_friction", positive);
  law.static_speed = entry.number("static_speed", positive);
  if (law.static_friction < law.friction && entry.has("static_friction"))
    entry.fail("static_friction", fmt::format("is {}, less than the friction of sliding, {}; accepted: at least as much",
                                              law.static_friction, law.friction));
}

void read_restitution(TableReader& entry, PairLaw& law) {
  if (entry.is_table("restitution"))
    law.restitution_at_speed = read_speed_table(entry, "restitution", fraction);
  else
    law.normal_restitution = entry.number("restitution", fraction, 0.0);
  law.tangential_restitution = entry.number("tangential_restitution", fraction, 0.0);
}

// The tip of the tension must not lie beyond the tip of the cone: |f_T| <= cohesion + mu f_N at f_N = -tension.
void read_joint(TableReader& entry, PairLaw& law, bool& per_area) {
  auto table = entry.table("joint", false);
  if (!table) return;
  law.joint.cohesion = table->number("cohesion", nonnegative);
  law.joint.tension = table->number("tension", positive);
  law.joint.bonded_at = table->number("time", nonnegative, 0.0);
  per_area = table->choice("per", {"point", "area"}, 0) == 1;
  double friction = std::max(law.friction, law.static_friction);
  for (const double value : law.friction_at_speed.value) friction = std::max(friction, value);
  if (law.joint.tension * friction > law.joint.cohesion)
    table->fail("tension", fmt::format("is {}; accepted: at most cohesion / friction, which is {}", law.joint.tension,
                                       law.joint.cohesion / friction));
  table->finish();
}

}  // namespace

template <int D>
PairLaw read_law(TableReader& entry, ShockRule shocks, bool& per_area) {
  PairLaw law;
  read_friction<D>(entry, law);
  read_restitution(entry, law);
  if (entry.has("friction_cap")) law.friction_cap = entry.number("friction_cap", positive);
  law.cohesion = entry.number("cohesion", nonnegative, 0.0);
  per_area = false;
  read_joint(entry, law, per_area);
  law.rolling = entry.number("rolling_friction", nonnegative, 0.0);
  if (D == 3) law.pivoting = entry.number("pivoting_friction", nonnegative, 0.0);
  if (shocks == ShockRule::sequential && law.bounded())
    entry.fail(
        "friction",
        "stands beside a law that sequential shocks do not know; accepted with contact.shocks = \"sequential\": friction the "
        "same in all directions, without cap, cohesion, joint, rolling or pivoting friction");
  return law;
}

template PairLaw read_law<2>(TableReader&, ShockRule, bool&);
template PairLaw read_law<3>(TableReader&, ShockRule, bool&);

}  // namespace moreau::inline scene

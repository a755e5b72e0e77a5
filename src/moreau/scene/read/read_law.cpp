#include "moreau/scene/read/read_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "moreau/scene/read/read_soft.hpp"

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

// A number that must be given where there is none yet.
std::optional<double> if_any(double before) { return before > 0.0 ? std::optional(before) : std::nullopt; }

template <int D>
void read_friction(TableReader& entry, PairLaw& law) {
  const bool directed = law.cross_friction > 0.0;
  law.friction_at_speed = {}, law.cross_friction = 0.0;
  if (D == 3 && entry.is_array("friction")) {
    const std::vector<double> both = entry.numbers("friction", positive, 2);
    if (both.size() > 2)
      entry.fail("friction", "has more than 2 entries; accepted: the coefficients along and across a direction");
    if (both.size() >= 2) law.friction = both[0], law.cross_friction = both[1];
    if (!directed || entry.has("friction_direction")) law.friction_direction = entry.direction<3>("friction_direction");
    return;
  }
  law.friction_direction = {};
  if (entry.is_table("friction")) {
    law.friction_at_speed = read_speed_table(entry, "friction", nonnegative);
    if (!law.friction_at_speed.value.empty()) law.friction = law.friction_at_speed.value.front();
  } else {
    law.friction = entry.number("friction", nonnegative);
  }
}

void read_static_friction(TableReader& entry, PairLaw& law) {
  const bool named = entry.has("static_friction"), speed_named = entry.has("static_speed"), held = law.static_friction > 0.0;
  if (entry.switched_off("static_friction")) {
    law.static_friction = law.static_speed = 0.0;
    return;
  }
  if (named || speed_named) {
    law.static_friction = entry.number("static_friction", positive_or_off, if_any(law.static_friction));
    law.static_speed = entry.number("static_speed", positive, if_any(law.static_speed));
  }
  if (!(named || held) || law.static_friction >= law.friction) return;
  if (named)
    entry.fail("static_friction", fmt::format("is {}, less than the friction of sliding, {}; accepted: at least as much",
                                              law.static_friction, law.friction));
  else
    entry.fail("friction", fmt::format("is {}, more than the static friction in force, {}; accepted: at most as much",
                                       law.friction, law.static_friction));
}

void read_restitution(TableReader& entry, PairLaw& law) {
  if (entry.is_table("restitution"))
    law.restitution_at_speed = read_speed_table(entry, "restitution", fraction), law.normal_restitution = 0.0;
  else if (entry.has("restitution"))
    law.normal_restitution = entry.number("restitution", fraction), law.restitution_at_speed = {};
  law.tangential_restitution = entry.number("tangential_restitution", fraction, law.tangential_restitution);
}

// The tip of the tension must not lie beyond the tip of the cone: |f_T| <= cohesion + mu f_N at f_N = -tension.
void check_joint(TableReader& entry, std::optional<TableReader>& table, const PairLaw& law) {
  double friction = std::max(law.friction, law.static_friction);
  for (const double value : law.friction_at_speed.value) friction = std::max(friction, value);
  if (law.joint.tension * friction <= law.joint.cohesion) return;
  const double most = law.joint.cohesion / friction;
  if (table && table->has("tension"))
    table->fail("tension", fmt::format("is {}; accepted: at most cohesion / friction, which is {}", law.joint.tension, most));
  else
    entry.mistakes().add(
        entry.location(),
        fmt::format("'{}' leaves a joint with the tension {}; accepted: at most cohesion / friction, which is {}", entry.path(),
                    law.joint.tension, most));
}

void read_joint(TableReader& entry, ContactLaw& law) {
  MortarJoint& joint = law.rigid.joint;
  if (entry.switched_off("joint")) {
    joint = {}, law.per_area = false;
    return;
  }
  auto table = entry.table("joint", false, "a table, or false");
  if (table) {
    const bool exists = joint.exists();
    const auto held = [&](double strength) { return exists ? std::optional(strength) : std::nullopt; };
    joint.cohesion = table->number("cohesion", nonnegative, held(joint.cohesion));
    joint.tension = table->number("tension", positive, held(joint.tension));
    joint.bonded_at = table->number("time", nonnegative, joint.bonded_at);
    law.per_area = table->choice("per", {"point", "area"}, law.per_area ? 1 : 0) == 1;
  }
  check_joint(entry, table, law.rigid);
  if (table) table->finish();
}

}  // namespace

template <int D>
ContactLaw read_law(TableReader& entry, ShockRule shocks, const std::optional<ContactLaw>& before) {
  ContactLaw read = before.value_or(ContactLaw{});
  PairLaw& law = read.rigid;
  if (!before || entry.has("friction"))
    read_friction<D>(entry, law);
  else if (law.cross_friction > 0.0 && entry.has("friction_direction"))
    law.friction_direction = entry.direction<3>("friction_direction");
  read_static_friction(entry, law);
  read_restitution(entry, law);
  if (entry.switched_off("friction_cap"))
    law.friction_cap = HUGE_VAL;
  else if (entry.has("friction_cap"))
    law.friction_cap = entry.number("friction_cap", positive_or_off);
  law.cohesion = entry.number("cohesion", nonnegative, law.cohesion);
  read_joint(entry, read);
  law.rolling = entry.number("rolling_friction", nonnegative, law.rolling);
  if (D == 3) law.pivoting = entry.number("pivoting_friction", nonnegative, law.pivoting);
  if (shocks == ShockRule::sequential && law.bounded())
    entry.fail(
        "friction",
        "stands beside a law that sequential shocks do not know; accepted with contact.shocks = \"sequential\": friction the "
        "same in all directions, without cap, cohesion, joint, rolling or pivoting friction");
  read.soft = read_soft_law(entry, before ? std::optional(before->soft) : std::nullopt);
  return read;
}

template ContactLaw read_law<2>(TableReader&, ShockRule, const std::optional<ContactLaw>&);
template ContactLaw read_law<3>(TableReader&, ShockRule, const std::optional<ContactLaw>&);

}  // namespace moreau::inline scene

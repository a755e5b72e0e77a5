// `[[dome]]`: a spherical dome of stones between radial joints, with an oculus, on a round base or on pendentives.
//
// Every joint face lies in a plane through the centre of the sphere: beds along circles of latitude, upright joints along
// meridians, one above the other. Neighbours share the corners of their joints, so the stones fit without gaps. Joints that run
// from the base to the crown are the case without help from hoop tension (Heyman 1995: lunes), and the only one in which convex
// stones fit: with joints over the middle of stones, the chords of one course would reach into the next.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "moreau/base/elementary.hpp"
#include "moreau/scene/masonry/mason.hpp"

namespace moreau::inline scene {
namespace {

struct Dome {
  double inner = 1.0, outer = 1.1;
  double oculus = 0.0, springing = 0.5 * std::numbers::pi;  // angles from the upright axis where the stones begin and end
  double half_side = 0.0;                                   // of the square below pendentives; 0: round
  std::int64_t courses = 1, stones = 4;                     // stones in a full ring
};

// A circle of latitude: angle from the axis, and the azimuths that stones of one quadrant (round: of the whole ring) share.
struct Level {
  double polar, from, to;
};

// Of the first quadrant between the planes x = half_side and y = half_side, where the inner sphere reaches beyond them.
Level level_at(const Dome& dome, double polar) {
  const double reach = dome.inner * sine(polar);
  if (dome.half_side == 0.0) return {polar, 0.0, 2.0 * std::numbers::pi};
  if (reach <= dome.half_side * (1.0 + 1e-12)) return {polar, 0.0, 0.5 * std::numbers::pi};
  const double from = arctangent(std::sqrt(reach * reach - dome.half_side * dome.half_side), dome.half_side);
  return {polar, from, 0.5 * std::numbers::pi - from};
}

Vec<3> polar_direction(double polar, double azimuth) {
  const SineCosine p = sine_cosine(polar), a = sine_cosine(azimuth);
  return {{p.sine * a.cosine, p.sine * a.sine, p.cosine}};
}

// The stone between two levels and, on each, two azimuths.
std::vector<Vec<3>> dome_stone(const Dome& dome, const Vec<3>& centre, const Level& above, const Level& below) {
  std::vector<Vec<3>> corners;
  for (const Level* level : {&above, &below})
    for (const double azimuth : {level->from, level->to}) {
      const Vec<3> out = polar_direction(level->polar, azimuth);
      corners.push_back(centre + dome.inner * out);
      corners.push_back(centre + dome.outer * out);
      if (level->polar == 0.0) break;  // the crown is one point
    }
  return corners;
}

Level cut_level(const Level& level, double from, double to) {
  const auto at = [&](double s) { return (1.0 - s) * level.from + s * level.to; };
  return {level.polar, at(from), at(to)};
}

Level turned_level(Level level, double by) { return {level.polar, level.from + by, level.to + by}; }

// Angles of the beds from the crown down; on pendentives one of them is where the square begins.
std::vector<double> dome_beds(const Dome& dome) {
  const auto divided = [](std::vector<double>& list, double from, double to, std::int64_t parts) {
    for (std::int64_t k = 1; k <= parts; ++k) {
      const double s = static_cast<double>(k) / static_cast<double>(parts);
      list.push_back((1.0 - s) * from + s * to);
    }
  };
  std::vector<double> list = {dome.oculus};
  const double sine_of_edge = dome.half_side / dome.inner;
  const double edge = dome.half_side > 0.0 ? arctangent(sine_of_edge, std::sqrt(1.0 - sine_of_edge * sine_of_edge)) : 0.0;
  if (dome.half_side == 0.0 || edge <= dome.oculus * (1.0 + 1e-9) || dome.courses < 2 || edge >= dome.springing) {
    divided(list, dome.oculus, dome.springing, dome.courses);
    return list;
  }
  const double share = (edge - dome.oculus) / (dome.springing - dome.oculus);
  const auto full = static_cast<std::int64_t>(std::llround(share * static_cast<double>(dome.courses)));
  const std::int64_t above = std::clamp<std::int64_t>(full, 1, dome.courses - 1);
  divided(list, dome.oculus, edge, above);
  divided(list, edge, dome.springing, dome.courses - above);
  return list;
}

Dome read_dome(TableReader& entry, const SceneLimits& limits) {
  Dome dome;
  const std::string way = entry.one_of({"inner_radius", "radius"});
  if (way.empty()) return dome;
  const double radius = entry.number(way, positive), thickness = entry.number("thickness", positive);
  dome.inner = way == "radius" ? radius - 0.5 * thickness : radius;
  dome.outer = dome.inner + thickness;
  if (!(dome.inner > 0.0))
    entry.fail("thickness", fmt::format("is {}; accepted: less than twice 'radius', which is {}", thickness, radius));
  static constexpr Accepted opening{"an angle in [0, 1.5]", 0.0, 1.5, true, true};
  static constexpr Accepted base{"an angle in (0, 1.6]", 0.0, 1.6, false, true};
  dome.oculus = entry.number("oculus", opening, 0.0);
  dome.courses = entry.integer("courses", 1, static_cast<std::int64_t>(limits.grains));
  dome.stones = entry.integer("stones", 3, 100'000);
  if (entry.has("square")) dome.half_side = 0.5 * entry.number("square", positive);
  dome.springing = entry.number("springing", base, dome.half_side > 0.0 ? std::optional<double>() : 0.5 * std::numbers::pi);
  if (entry.mistakes().any()) return dome;
  if (!(dome.springing > dome.oculus))
    entry.fail(entry.has("springing") ? "springing" : "oculus",
               fmt::format("leaves nothing between the oculus at {} and the base at {}; accepted: an oculus above the base",
                           dome.oculus, dome.springing));
  if (dome.half_side == 0.0) return dome;
  if (dome.stones % 4 != 0) entry.fail("stones", fmt::format("is {}; accepted: a multiple of 4 over a square", dome.stones));
  if (!(dome.half_side < dome.inner))
    entry.fail("square",
               fmt::format("is {}; accepted: less than the inner diameter, {}", 2.0 * dome.half_side, 2.0 * dome.inner));
  else if (const Level low = level_at(dome, dome.springing); !(low.to - low.from > 1e-3))
    entry.fail("springing",
               fmt::format("is {}, below the corners of the square; accepted: less, so that the lowest stones have a "
                           "width",
                           dome.springing));
  return dome;
}

}  // namespace

void read_dome(TableReader& entry, Scene<3>& scene, SceneNames& names, const SceneLimits& limits, std::vector<Entry>& entries) {
  const std::string name = names.bodies.declare(entry, entry.path());
  const StoneKinds<3> kinds = read_stone_kinds(entry, scene, names);
  const Dome dome = read_dome(entry, limits);
  const Vec<3> centre = entry.vector<3>("centre", Vec<3>{});
  const bool base = entry.flag("base", true);
  if (entry.has("motion") && !base) entry.fail("motion", "moves the base, which is left out; accepted: domes with a base only");
  entry.finish();
  if (!within_limits(entry, "courses", static_cast<double>(dome.courses) * static_cast<double>(dome.stones), limits)) return;

  const std::vector<double> bed = dome_beds(dome);
  const int quadrants = dome.half_side > 0.0 ? 4 : 1;
  const std::int64_t per_quadrant = dome.stones / quadrants;
  Mason<3> mason(entry, scene, entries, name, "stones");
  mason.begin("", "stone", kinds.stone);
  for (std::size_t k = 0; k + 1 < bed.size(); ++k) {
    const Level above = level_at(dome, bed[k]), below = level_at(dome, bed[k + 1]);
    for (int q = 0; q < quadrants; ++q)
      for (std::int64_t s = 0; s < per_quadrant; ++s) {
        const double from = static_cast<double>(s) / static_cast<double>(per_quadrant);
        const double to = static_cast<double>(s + 1) / static_cast<double>(per_quadrant);
        const auto part = [&](const Level& level) {
          return turned_level(cut_level(level, from, to), 0.5 * std::numbers::pi * q);
        };
        if (!mason.lay(dome_stone(dome, centre, part(above), part(below)))) return;
      }
  }
  mason.end();
  if (!base) return;
  // Fixed stones below the lowest bed; over a square also beside the pendentives, where arches would carry them.
  mason.begin(".base", "stone of the base", kinds.support);
  const double down = (dome.outer - dome.inner) / dome.inner;
  const Level low = level_at(dome, bed.back()), lower{low.polar + down, low.from, low.to};
  for (int q = 0; q < quadrants; ++q)
    for (std::int64_t s = 0; s < per_quadrant; ++s) {
      const double from = static_cast<double>(s) / static_cast<double>(per_quadrant);
      const double to = static_cast<double>(s + 1) / static_cast<double>(per_quadrant);
      const auto part = [&](const Level& level) { return turned_level(cut_level(level, from, to), 0.5 * std::numbers::pi * q); };
      if (!mason.lay(dome_stone(dome, centre, part(low), part(lower)))) return;
    }
  for (std::size_t k = 0; dome.half_side > 0.0 && k + 1 < bed.size(); ++k) {
    const Level above = level_at(dome, bed[k]), below = level_at(dome, bed[k + 1]);
    if (below.from == 0.0) continue;
    for (int q = 0; q < 4; ++q)
      for (const bool first : {true, false}) {
        const auto beside = [&](const Level& l) {
          const double wide = std::min(down, l.from);  // not into the next quadrant
          const Level strip = first ? Level{l.polar, l.from - wide, l.from} : Level{l.polar, l.to, l.to + wide};
          return turned_level(strip, 0.5 * std::numbers::pi * q);
        };
        if (!mason.lay(dome_stone(dome, centre, beside(above), beside(below)))) return;
      }
  }
  mason.end();
}

}  // namespace moreau::inline scene

// `[[tower]]`: a hollow tower of blocks in courses, rectangular (`size`) or round (`radius`); in space. In rectangular towers the
// courses take turns in which pair of walls runs through at the corners; in round ones every other course is turned by half a
// stone.
#include <cmath>
#include <numbers>

#include "moreau/base/elementary.hpp"
#include "moreau/scene/masonry/mason.hpp"

namespace moreau::inline scene {
namespace {

struct Tower {
  double width[2] = {1.0, 1.0};  // outer, along the first and second axis
  double radius = 0.0;           // outer, of a round one
  double wall = 0.1;
  double height = 1.0;
  std::int64_t courses = 1, stones = 1;  // stones: along each wall, or in each ring
};

struct StoneBox {
  Vec<3> low, high;
};

std::vector<Vec<3>> box_points(const StoneBox& box) {
  std::vector<Vec<3>> corners;
  for (int bits = 0; bits < 8; ++bits) {
    Vec<3> p;
    for (int d = 0; d < 3; ++d) p[d] = (bits >> d & 1) != 0 ? box.high[d] : box.low[d];
    corners.push_back(p);
  }
  return corners;
}

// A wall along axis `d`, from `from` to `to` across the other, divided into stones of equal length.
void divide_wall(const Tower& tower, int d, double half_length, double from, double to, double bottom, double top,
                 std::vector<std::vector<Vec<3>>>& list) {
  for (std::int64_t s = 0; s < tower.stones; ++s) {
    const auto at = [&](std::int64_t k) {
      return half_length * (2.0 * static_cast<double>(k) / static_cast<double>(tower.stones) - 1.0);
    };
    StoneBox box;
    box.low[d] = at(s), box.high[d] = at(s + 1);
    box.low[1 - d] = from, box.high[1 - d] = to;
    box.low[2] = bottom, box.high[2] = top;
    list.push_back(box_points(box));
  }
}

std::vector<std::vector<Vec<3>>> square_course(const Tower& t, bool turned, double bottom, double top) {
  std::vector<std::vector<Vec<3>>> list;
  const int through = turned ? 1 : 0, between = 1 - through;
  const double a = 0.5 * t.width[through], b = 0.5 * t.width[between];
  divide_wall(t, through, a, -b, -b + t.wall, bottom, top, list);
  divide_wall(t, through, a, b - t.wall, b, bottom, top, list);
  divide_wall(t, between, b - t.wall, -a, -a + t.wall, bottom, top, list);
  divide_wall(t, between, b - t.wall, a - t.wall, a, bottom, top, list);
  return list;
}

std::vector<std::vector<Vec<3>>> round_course(const Tower& t, bool turned, double bottom, double top) {
  std::vector<std::vector<Vec<3>>> list;
  const auto angle = [&](std::int64_t k) {
    return 2.0 * std::numbers::pi * (static_cast<double>(k) + (turned ? 0.5 : 0.0)) / static_cast<double>(t.stones);
  };
  for (std::int64_t s = 0; s < t.stones; ++s) {
    std::vector<Vec<3>> corners;
    for (const double a : {angle(s), angle(s + 1)})
      for (const double r : {t.radius - t.wall, t.radius})
        for (const double z : {bottom, top}) corners.push_back({{r * cosine(a), r * sine(a), z}});
    list.push_back(std::move(corners));
  }
  return list;
}

}  // namespace

void read_tower(TableReader& entry, Scene<3>& scene, SceneNames& names, const SceneLimits& limits, std::vector<Entry>& entries) {
  const std::string name = names.bodies.declare(entry, entry.path());
  GrainKind<3> kind = read_kind(entry, scene, names);
  read_freedom(entry, kind);
  Tower tower;
  const std::string way = entry.one_of({"size", "radius"});
  double room = 0.0;  // least outer half-width
  if (way == "size") {
    const std::vector<double> size = entry.numbers("size", positive, 2);
    if (size.size() != 2) entry.fail("size", fmt::format("has {} entries; accepted: the two outer widths", size.size()));
    for (std::size_t d = 0; d < 2 && size.size() == 2; ++d) tower.width[d] = size[d];
    room = 0.5 * std::min(tower.width[0], tower.width[1]);
  } else if (way == "radius") {
    room = tower.radius = entry.number("radius", positive);
  }
  tower.wall = entry.number("wall", positive);
  tower.height = entry.number("height", positive);
  tower.courses = entry.integer("courses", 1, 1'000'000);
  tower.stones = way == "radius" ? entry.integer("stones", 3, 100'000) : entry.integer("stones", 1, 100'000);
  const Vec<3> origin = entry.vector<3>("origin", Vec<3>{});
  if (!entry.mistakes().any() && !(tower.wall < room))
    entry.fail("wall", fmt::format("is {}; accepted: less than half the width of the tower, {}", tower.wall, room));
  entry.finish();
  if (!within_limits(entry, "courses", 4.0 * static_cast<double>(tower.courses) * static_cast<double>(tower.stones), limits))
    return;

  Mason<3> mason(entry, scene, entries, name, "stones");
  mason.begin("", "stone", kind);
  for (std::int64_t c = 0; c < tower.courses; ++c) {
    const auto level = [&](std::int64_t k) { return tower.height * static_cast<double>(k) / static_cast<double>(tower.courses); };
    const bool turned = c % 2 != 0;
    for (std::vector<Vec<3>> corners : tower.radius > 0.0 ? round_course(tower, turned, level(c), level(c + 1))
                                                          : square_course(tower, turned, level(c), level(c + 1))) {
      for (Vec<3>& corner : corners) corner = origin + corner;
      if (!mason.lay(corners)) return;
    }
  }
  mason.end();
}

}  // namespace moreau::inline scene

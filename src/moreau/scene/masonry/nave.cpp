// `[[nave]]`: the cross-section of a nave: two walls of through stones, an arch between their tops, buttresses outside.
#include <algorithm>
#include <cmath>

#include "moreau/scene/masonry/arch_profile.hpp"
#include "moreau/scene/masonry/mason.hpp"

namespace moreau::inline scene {
namespace {

struct Nave {
  double span = 1.0, rise = 0.5, thickness = 0.1;      // of the arch; the span is that between the walls
  double wall = 0.2, height = 1.0;                     // width of the walls, height of the springing
  double buttress_width = 0.0, buttress_height = 0.0;  // beyond the wall
  std::int64_t stones = 2, courses = 1;
};

Nave read_section(TableReader& entry) {
  Nave nave;
  nave.span = entry.number("span", positive);
  nave.rise = entry.number("rise", positive, 0.5 * nave.span);
  nave.thickness = entry.number("thickness", positive);
  nave.wall = entry.number("wall", positive);
  nave.height = entry.number("height", positive);
  nave.stones = entry.integer("stones", 2, 100'000);
  nave.courses = entry.integer("courses", 1, 100'000);
  if (auto table = entry.table("buttress", false, "a table with 'width' and 'height'")) {
    nave.buttress_width = table->number("width", positive);
    nave.buttress_height = table->number("height", positive);
    if (!table->mistakes().any() && nave.buttress_height > nave.height)
      table->fail("height",
                  fmt::format("is {}; accepted: at most the height of the walls, {}", nave.buttress_height, nave.height));
    table->finish();
  }
  if (entry.mistakes().any()) return nave;
  if (nave.thickness > nave.wall)
    entry.fail("thickness", fmt::format("is {}; accepted: at most the width of the walls, {}", nave.thickness, nave.wall));
  if (nave.rise > 0.5 * nave.span * (1.0 + 1e-12) && nave.stones % 2 != 0)
    entry.fail("stones",
               fmt::format("is {}; accepted: an even number, since a pointed arch has a joint at its crown", nave.stones));
  return nave;
}

// Pointed if higher than half the span, else half an ellipse (a half circle, if just as high).
std::vector<ArchJoint> arch_of(const Nave& nave) {
  return nave.rise > 0.5 * nave.span * (1.0 + 1e-12) ? pointed_joints(nave.span, nave.rise, nave.thickness, nave.stones)
                                                     : elliptic_joints(nave.span, nave.rise, nave.thickness, nave.stones);
}

}  // namespace

template <int D>
void read_nave(TableReader& entry, Scene<D>& scene, SceneNames& names, const SceneLimits& limits, std::vector<Entry>& entries) {
  const std::string name = names.bodies.declare(entry, entry.path());
  const StoneKinds<D> kinds = read_stone_kinds(entry, scene, names);
  const Nave nave = read_section(entry);
  const Vec<D> centre = entry.vector<D>("centre", Vec<D>{});
  double front = 0.0, back = 0.0;
  if constexpr (D == 3) {
    const double depth = entry.number("depth", positive);
    front = centre[1] - 0.5 * depth, back = centre[1] + 0.5 * depth;
  }
  const bool footings = entry.flag("footings", true);
  if (entry.has("motion") && !footings)
    entry.fail("motion", "moves the footings, which are left out; accepted: naves with footings only");
  entry.finish();
  if (!within_limits(entry, "courses", 2.0 * static_cast<double>(nave.courses + 1) + static_cast<double>(nave.stones), limits))
    return;

  const double x = centre[0], z = centre[D - 1], half = 0.5 * nave.span;
  Mason<D> mason(entry, scene, entries, name, "courses");
  // A stone of the wall on one side, from the inner face out by `width`.
  const auto lay_through = [&](double side, double width, double bottom, double top) {
    const double a = x + side * half, b = x + side * (half + width);
    return mason.lay(carried<D>({{{a, z + bottom}}, {{b, z + bottom}}, {{b, z + top}}, {{a, z + top}}}, front, back));
  };
  for (const double side : {-1.0, 1.0}) {
    mason.begin(side < 0.0 ? ".left" : ".right", "stone of the wall", kinds.stone);
    for (std::int64_t c = 0; c < nave.courses; ++c) {
      const double bottom = nave.height * static_cast<double>(c) / static_cast<double>(nave.courses);
      const double top = nave.height * static_cast<double>(c + 1) / static_cast<double>(nave.courses);
      // Where the buttress ends within a course, this one is laid as two: below its top with the buttress, above it without.
      constexpr double rounding = 1e-9;  // of a course: no stone is so flat
      const double least = rounding * (top - bottom), end = std::clamp(nave.buttress_height, bottom, top);
      const double joint = end - bottom <= least ? bottom : top - end <= least ? top : end;
      if (joint > bottom && !lay_through(side, nave.wall + nave.buttress_width, bottom, joint)) return;
      if (top > joint && !lay_through(side, nave.wall, joint, top)) return;
    }
  }
  mason.begin(".arch", "stone of the arch", kinds.stone);
  const std::vector<ArchJoint> joints = arch_of(nave);
  const Vec<2> middle{{x, z + nave.height}};
  for (std::size_t k = 0; k + 1 < joints.size(); ++k) {
    const ArchJoint &a = joints[k], &b = joints[k + 1];
    if (!mason.lay(carried<D>({middle + a.inner, middle + a.outer, middle + b.outer, middle + b.inner}, front, back))) return;
  }
  if (footings) {
    const double deep = nave.wall, rim = 0.5 * nave.wall;
    front -= rim, back += rim;
    mason.begin(".footings", "footing", kinds.support);
    for (const double side : {-1.0, 1.0}) {
      const double a = x + side * (half - std::min(rim, 0.25 * nave.span)),
                   b = x + side * (half + nave.wall + nave.buttress_width + rim);
      if (!mason.lay(carried<D>({{{a, z - deep}}, {{b, z - deep}}, {{b, z}}, {{a, z}}}, front, back))) return;
    }
  }
  mason.end();
}

template void read_nave<2>(TableReader&, Scene<2>&, SceneNames&, const SceneLimits&, std::vector<Entry>&);
template void read_nave<3>(TableReader&, Scene<3>&, SceneNames&, const SceneLimits&, std::vector<Entry>&);

}  // namespace moreau::inline scene

// Arches of wedge-shaped stones (voussoirs), in space barrel vaults: the same profile carried along the second axis.
//
// Stones are numbered from the left to the right (from the larger angle to the smaller). Neighbours share the two ends of their
// joint, computed once.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "moreau/base/elementary.hpp"
#include "moreau/scene/masonry/arch_profile.hpp"
#include "moreau/scene/masonry/mason.hpp"

namespace moreau::inline scene {
namespace {

struct Ring {
  double inner = 1.0, outer = 2.0;
  double left = std::numbers::pi, right = 0.0;  // angles of the end faces, from the first axis towards the last
  double sink = 0.0;                            // of the centre of the circle below the point given
};

// Three ways to say it: inner radius and outer radius or thickness; mean radius and thickness; span, rise and thickness.
Ring read_ring(TableReader& entry) {
  Ring ring;
  const std::string way = entry.one_of({"inner_radius", "radius", "span"});
  if (way.empty()) return ring;
  const double length = entry.number(way, positive);
  const std::string end = way == "inner_radius" ? entry.one_of({"outer_radius", "thickness"}) : "thickness";
  const double width = end.empty() ? 1.0 : entry.number(end, positive);
  if (way == "span") {  // of the inner face, whose circle passes through both ends and the top
    const double rise = entry.number("rise", positive), half = 0.5 * length;
    ring.inner = 0.5 * (half * half / rise + rise);
    ring.outer = ring.inner + width;
    ring.sink = ring.inner - rise;
    const double opening = 2.0 * arctangent(rise, half);
    ring.left = 0.5 * std::numbers::pi + opening;
    ring.right = 0.5 * std::numbers::pi - opening;
    return ring;
  }
  ring.inner = way == "radius" ? length - 0.5 * width : length;
  ring.outer = end == "outer_radius" ? width : ring.inner + width;
  if (way == "radius" && !(ring.inner > 0.0))
    entry.fail("thickness", fmt::format("is {}; accepted: less than twice 'radius', which is {}", width, length));
  else if (!(ring.inner < ring.outer))
    entry.fail(end, fmt::format("is {}; accepted: more than 'inner_radius', which is {}", width, length));
  if (entry.has("angles")) {
    const auto angles = entry.numbers("angles", any_number, 2);
    ring.right = angles[0];
    ring.left = angles[1];
    if (angles.size() != 2 || !(angles[0] < angles[1]) || !(angles[1] - angles[0] < 2.0 * std::numbers::pi))
      entry.fail("angles", fmt::format("is an array of {} from {} to {}; accepted: two angles, the smaller first, less than a "
                                       "full turn apart",
                                       angles.size(), angles.front(), angles.back()));
  }
  return ring;
}

constexpr const char* most_opening = "2.8 rad";  // of a stone

// The profile of an arch from its joints, carried along the depth.
template <int D>
class ArchBuilder {
 public:
  ArchBuilder(std::vector<ArchJoint> joints, const Vec<2>& middle, double front, double back, double rim, double length)
      : joints_(std::move(joints)), front_(front), back_(back), rim_(rim), length_(length) {
    for (ArchJoint& joint : joints_) joint.inner = middle + joint.inner, joint.outer = middle + joint.outer;
  }

  std::vector<Vec<D>> stone(std::size_t k) const {
    const ArchJoint &a = joints_[k], &b = joints_[k + 1];
    return carried<D>({a.inner, a.outer, b.outer, b.inner}, front_, back_);
  }

  // A block whose face holds the end face of the arch, wider by half the thickness on all sides.
  std::vector<Vec<D>> abutment(bool on_the_left) const {
    const ArchJoint& end = on_the_left ? joints_.front() : joints_.back();
    const Vec<2> out = end.out;
    const Vec<2> away = on_the_left ? Vec<2>{{-out[1], out[0]}} : Vec<2>{{out[1], -out[0]}};
    const Vec<2> low = end.inner - rim_ * out, high = end.outer + rim_ * out;
    return carried<D>({low, high, high + length_ * away, low + length_ * away}, front_ - rim_, back_ + rim_);
  }

 private:
  std::vector<ArchJoint> joints_;
  double front_, back_, rim_, length_;
};

struct Profile {
  std::vector<ArchJoint> joints;
  double sink = 0.0;  // of the centre of the circle below the point given
  double rim = 0.0;   // by which abutments are wider than the end of the arch
  double thickness = 0.0;
};

Profile circular_profile(TableReader& entry, std::int64_t stones) {
  const Ring ring = read_ring(entry);
  if (entry.mistakes().any()) return {};
  if (!(ring.left - ring.right < static_cast<double>(stones) * 0.9 * std::numbers::pi)) {
    entry.fail("stones", fmt::format("is {}, for an arch that opens by {:.4g} rad; accepted: stones of less than {}", stones,
                                     ring.left - ring.right, most_opening));
    return {};
  }
  return {circular_joints(ring.inner, ring.outer, ring.left, ring.right, stones), ring.sink,
          0.5 * std::min(ring.outer - ring.inner, ring.inner), ring.outer - ring.inner};
}

Profile read_profile(TableReader& entry, std::int64_t stones) {
  enum Shape : std::size_t { circular, pointed, elliptic, flat };
  const std::size_t shape = entry.choice("shape", {"circular", "pointed", "elliptic", "flat"}, circular);
  if (shape == circular) return circular_profile(entry, stones);
  const double span = entry.number("span", positive), thickness = entry.number("thickness", positive);
  const double rim = 0.5 * std::min(thickness, 0.5 * span);
  if (shape == flat) {
    static constexpr Accepted lean{"an angle in (0, 1.4]", 0.0, 1.4, false, true};
    const double skew = entry.number("skew", lean, 0.35);
    return {entry.mistakes().any() ? std::vector<ArchJoint>{} : flat_joints(span, thickness, skew, stones), 0.0, rim, thickness};
  }
  const double rise = entry.number("rise", positive);
  if (entry.mistakes().any()) return {};
  if (shape == elliptic) {
    if (stones < 2) entry.fail("stones", fmt::format("is {}; accepted: at least 2 in an elliptic arch", stones));
    return {elliptic_joints(span, rise, thickness, stones), 0.0, rim, thickness};
  }
  if (!(rise > 0.5 * span))
    entry.fail("rise",
               fmt::format("is {}; accepted: more than half of 'span', which is {}, or shape = \"circular\"", rise, span));
  if (stones % 2 != 0)
    entry.fail("stones", fmt::format("is {}; accepted: an even number, since a pointed arch has a joint at its crown", stones));
  return {pointed_joints(span, rise, thickness, stones), 0.0, rim, thickness};
}

}  // namespace

template <int D>
void read_arch(TableReader& entry, Scene<D>& scene, SceneNames& names, const SceneLimits& limits, std::vector<Entry>& entries) {
  const std::string name = names.bodies.declare(entry, entry.path());
  const StoneKinds<D> kinds = read_stone_kinds(entry, scene, names);
  const Vec<D> centre = entry.vector<D>("centre", Vec<D>{});
  const std::int64_t stones = entry.integer("stones", 1, static_cast<std::int64_t>(limits.grains));
  const Profile profile = read_profile(entry, stones);
  const bool abutments = entry.flag("abutments", true);
  if (entry.has("motion") && !abutments)
    entry.fail("motion", "moves the abutments, which are left out; accepted: arches with abutments only");
  enum Moves : std::size_t { both, left, right };
  const std::size_t moves = entry.choice("moves", {"both", "left", "right"}, both);
  if (entry.has("moves") && !entry.has("motion"))
    entry.fail("moves", "says which abutment moves, and none does; accepted: together with 'motion'");
  double depth = 0.0;
  if constexpr (D == 3) depth = entry.number("depth", positive);
  entry.finish();
  if (entry.mistakes().any()) return;

  const double y = D == 3 ? centre[1] : 0.0;
  const ArchBuilder<D> builder(profile.joints, {{centre[0], centre[D - 1] - profile.sink}}, y - 0.5 * depth, y + 0.5 * depth,
                               profile.rim, profile.thickness);
  Mason<D> mason(entry, scene, entries, name, "stones");
  const std::size_t count = static_cast<std::size_t>(stones);
  mason.begin("", "stone", kinds.stone);
  for (std::size_t k = 0; k < count; ++k)
    if (!mason.lay(builder.stone(k))) return;
  const std::size_t first = mason.first();
  mason.end();
  if (count % 2 == 1) scene.named.push_back({name + ".key", first + count / 2, 1});
  if (!abutments) return;
  for (const bool on_the_left : {true, false}) {
    GrainKind<D> support = kinds.support;
    if (moves == (on_the_left ? right : left)) support.kind = BodyKind::fixed, support.motion = -1;
    mason.begin(on_the_left ? ".left" : ".right", "abutment", support);
    if (!mason.lay(builder.abutment(on_the_left))) return;
  }
  mason.end();
}

template void read_arch<2>(TableReader&, Scene<2>&, SceneNames&, const SceneLimits&, std::vector<Entry>&);
template void read_arch<3>(TableReader&, Scene<3>&, SceneNames&, const SceneLimits&, std::vector<Entry>&);

}  // namespace moreau::inline scene

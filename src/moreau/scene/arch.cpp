// Circular arches of wedge-shaped stones (voussoirs), in space barrel vaults: the same profile carried along the second axis.
//
// Stones are numbered from the left to the right (from the larger angle to the smaller). Neighbours share the two ends of their
// joint, computed once.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "moreau/base/elementary.hpp"
#include "moreau/scene/block_builder.hpp"
#include "moreau/scene/read_blocks.hpp"

namespace moreau {
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

struct Joint {
  Vec<2> inner, outer;
};

template <int D>
class ArchBuilder {
 public:
  ArchBuilder(const Ring& ring, const Vec<D>& centre, double depth, std::int64_t stones) : ring_(ring), front_(0.0), back_(0.0) {
    middle_ = {{centre[0], centre[D - 1] - ring.sink}};
    if constexpr (D == 3) front_ = centre[1] - 0.5 * depth, back_ = centre[1] + 0.5 * depth;
    for (std::int64_t k = 0; k <= stones; ++k) {
      const double s = static_cast<double>(k) / static_cast<double>(stones);
      const Vec<2> out = outwards((1.0 - s) * ring.left + s * ring.right);
      joints_.push_back({middle_ + ring.inner * out, middle_ + ring.outer * out});
    }
  }

  std::vector<Vec<D>> stone(std::size_t k) const {
    const Joint &a = joints_[k], &b = joints_[k + 1];
    return carried<D>({a.inner, a.outer, b.outer, b.inner}, front_, back_);
  }

  // A block whose face holds the end face of the arch, wider by half the thickness on all sides.
  std::vector<Vec<D>> abutment(bool on_the_left) const {
    const Joint& end = on_the_left ? joints_.front() : joints_.back();
    const Vec<2> out = outwards(on_the_left ? ring_.left : ring_.right);
    const Vec<2> away = on_the_left ? Vec<2>{{-out[1], out[0]}} : Vec<2>{{out[1], -out[0]}};
    const double thickness = ring_.outer - ring_.inner;
    const double rim = 0.5 * std::min(thickness, ring_.inner);
    const Vec<2> low = end.inner - rim * out, high = end.outer + rim * out;
    return carried<D>({low, high, high + thickness * away, low + thickness * away}, front_ - rim, back_ + rim);
  }

 private:
  static Vec<2> outwards(double angle) { return {{cosine(angle), sine(angle)}}; }

  Ring ring_;
  Vec<2> middle_;
  double front_, back_;
  std::vector<Joint> joints_;
};

}  // namespace

template <int D>
void read_arch(TableReader& entry, Scene<D>& scene, SceneNames& names, const SceneLimits& limits, std::vector<Entry>& entries) {
  const std::string name = names.blocks.declare(entry, entry.path());
  GrainKind<D> kind = read_kind(entry, scene, names);
  const Ring ring = read_ring(entry);
  const Vec<D> centre = entry.vector<D>("centre", Vec<D>{});
  const std::int64_t stones = entry.integer("stones", 1, static_cast<std::int64_t>(limits.grains));
  const bool abutments = entry.flag("abutments", true);
  if (entry.has("motion") && !abutments)
    entry.fail("motion", "moves the abutments, which are left out; accepted: arches with abutments only");
  double depth = 0.0;
  if constexpr (D == 3) depth = entry.number("depth", positive);
  entry.finish();
  if (entry.mistakes().any()) return;
  if (!(ring.left - ring.right < static_cast<double>(stones) * 0.9 * std::numbers::pi))
    return entry.fail("stones", fmt::format("is {}, for an arch that opens by {:.4g} rad; accepted: stones of less than 2.8 rad",
                                            stones, ring.left - ring.right));

  const GrainKind<D> end_kind{
      kind.material, kind.motion, entry.has("motion") ? BodyKind::driven : BodyKind::fixed, kind.density, {}};
  kind.kind = BodyKind::free;
  kind.motion = -1;
  const ArchBuilder<D> builder(ring, centre, depth, stones);
  const auto append = [&](const std::vector<Vec<D>>& points, const GrainKind<D>& of_kind) {
    const PlacedShape<D> placed = make_convex_shape<D>(points);
    if (!placed.fault.empty()) {
      entry.fail("stones",
                 fmt::format("is {} and makes a stone that is none: {}; accepted: fewer or larger stones", stones, placed.fault));
      return false;
    }
    scene.bodies.append(
        block_of(scene.bodies, add_shape(scene.bodies, placed.shape), of_kind, placed.centre, placed.orientation));
    return true;
  };
  const std::size_t first = scene.bodies.size(), count = static_cast<std::size_t>(stones);
  entries.push_back({entry.path(), entry.place(), first, "stone"});
  for (std::size_t k = 0; k < count; ++k)
    if (!append(builder.stone(k), kind)) return;
  scene.named.push_back({name, first, count});
  if (count % 2 == 1) scene.named.push_back({name + ".key", first + count / 2, 1});
  if (!abutments) return;
  entries.push_back({entry.path(), entry.place(), scene.bodies.size(), "abutment"});
  for (const bool on_the_left : {true, false})
    if (!append(builder.abutment(on_the_left), end_kind)) return;
  scene.named.push_back({name + ".left", first + count, 1});
  scene.named.push_back({name + ".right", first + count + 1, 1});
}

template void read_arch<2>(TableReader&, Scene<2>&, SceneNames&, const SceneLimits&, std::vector<Entry>&);
template void read_arch<3>(TableReader&, Scene<3>&, SceneNames&, const SceneLimits&, std::vector<Entry>&);

}  // namespace moreau

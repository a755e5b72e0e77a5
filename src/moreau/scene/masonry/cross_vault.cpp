// `[[vault]]`: a groined vault over a square bay, where two half-round barrels of equal span cross.
//
// Four webs meet in the upright planes through the diagonals. A web is the part of its barrel outside them, cut into courses by
// planes through the axis of the barrel and, along it, into pieces by the planes |y| = (1 - s) |x| + s b: the diagonal plane at
// s = 0, the edge of the bay at s = 1. Stones fit without gaps. They begin above springers, which are fixed.
#include <cmath>
#include <numbers>

#include "moreau/base/elementary.hpp"
#include "moreau/scene/masonry/mason.hpp"

namespace moreau::inline scene {
namespace {

struct Vault {
  double inner = 1.0, outer = 1.1;
  double half_bay = 1.1;
  double springing = 0.0;  // angle of the lowest joint above the horizontal
  std::int64_t stones = 1, pieces = 1;
};

// Corners of a stone of the web along +y, between angles a > b of the profile and shares s < t of the way to the edge.
std::vector<Vec<3>> web_stone(const Vault& vault, double a, double b, double s, double t) {
  std::vector<Vec<3>> corners;
  for (const double share : {s, t})
    for (const double radius : {vault.inner, vault.outer}) {
      bool left = false, right = false;
      double height = 0.0;
      for (const double angle : {a, b}) {
        const double x = radius * cosine(angle), z = radius * sine(angle);
        corners.push_back({{x, (1.0 - share) * std::abs(x) + share * vault.half_bay, z}});
        (x < -1e-12 * radius ? left : right) = true;
        height = z;
      }
      // A crown stone across the ridge: on the diagonals its plan ends in a point.
      if (left && right && a > 0.5 * std::numbers::pi + 1e-12 && b < 0.5 * std::numbers::pi - 1e-12 && share == 0.0)
        corners.push_back({{0.0, 0.0, height}});
    }
  return corners;
}

Vec<3> quarter_turned(const Vec<3>& p, int times) {
  Vec<3> q = p;
  for (int k = 0; k < times; ++k) q = {{-q[1], q[0], q[2]}};
  return q;
}

Vault read_vault(TableReader& entry, const SceneLimits& limits) {
  Vault vault;
  static constexpr Accepted angle{"an angle in [0, 1.2]", 0.0, 1.2, true, true};
  const double span = entry.number("span", positive), thickness = entry.number("thickness", positive);
  vault.inner = 0.5 * span;
  vault.outer = vault.inner + thickness;
  vault.half_bay = 0.5 * entry.number("bay", positive, 2.0 * vault.outer);
  vault.springing = entry.number("springing", angle, 0.5);
  vault.stones = entry.integer("stones", 2, 100'000);
  vault.pieces = entry.integer("pieces", 1, static_cast<std::int64_t>(std::min<std::uint64_t>(limits.grains, 100'000)), 1);
  if (!entry.mistakes().any() && !(vault.half_bay >= vault.outer))
    entry.fail("bay", fmt::format("is {}; accepted: at least the outer diameter of the barrels, {}", 2.0 * vault.half_bay,
                                  2.0 * vault.outer));
  return vault;
}

}  // namespace

void read_vault(TableReader& entry, Scene<3>& scene, SceneNames& names, const SceneLimits& limits, std::vector<Entry>& entries) {
  const std::string name = names.bodies.declare(entry, entry.path());
  const StoneKinds<3> kinds = read_stone_kinds(entry, scene, names);
  const Vault vault = read_vault(entry, limits);
  const Vec<3> centre = entry.vector<3>("centre", Vec<3>{});
  const bool springers = entry.flag("springers", true);
  if (entry.has("motion") && !springers)
    entry.fail("motion", "moves the springers, which are left out; accepted: vaults with springers only");
  entry.finish();
  if (!within_limits(entry, "stones", 4.0 * static_cast<double>(vault.stones) * static_cast<double>(vault.pieces), limits))
    return;

  Mason<3> mason(entry, scene, entries, name, "stones");
  const auto lay = [&](double a, double b, double s, double t, int web) {
    std::vector<Vec<3>> corners = web_stone(vault, a, b, s, t);
    for (Vec<3>& corner : corners) corner = centre + quarter_turned(corner, web);
    return mason.lay(corners);
  };
  const auto angle = [&](std::int64_t k) {
    const double s = static_cast<double>(k) / static_cast<double>(vault.stones);
    return (1.0 - s) * (std::numbers::pi - vault.springing) + s * vault.springing;
  };
  const auto share = [&](std::int64_t k) { return static_cast<double>(k) / static_cast<double>(vault.pieces); };
  mason.begin("", "stone", kinds.stone);
  for (int web = 0; web < 4; ++web)
    for (std::int64_t k = 0; k < vault.stones; ++k)
      for (std::int64_t p = 0; p < vault.pieces; ++p)
        if (!lay(angle(k), angle(k + 1), share(p), share(p + 1), web)) return;
  mason.end();
  if (!springers) return;
  mason.begin(".springers", "springer", kinds.support);
  const double below = vault.springing - std::min(0.3, 0.5 * vault.springing + 0.1);
  for (int web = 0; web < 4; ++web)
    if (!lay(std::numbers::pi - below, std::numbers::pi - vault.springing, 0.0, 1.0, web) ||
        !lay(vault.springing, below, 0.0, 1.0, web))
      return;
  mason.end();
}

}  // namespace moreau::inline scene

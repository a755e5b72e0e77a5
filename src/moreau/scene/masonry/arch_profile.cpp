#include "moreau/scene/masonry/arch_profile.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "moreau/base/elementary.hpp"

namespace moreau::inline scene {
namespace {

double portion(std::int64_t k, std::int64_t of) { return static_cast<double>(k) / static_cast<double>(of); }

ArchJoint mirrored_joint(const ArchJoint& j) {
  return {{{-j.inner[0], j.inner[1]}}, {{-j.outer[0], j.outer[1]}}, {{-j.out[0], j.out[1]}}};
}

// The left half, the crown last if there is a joint, and its mirror image.
std::vector<ArchJoint> with_mirror(std::vector<ArchJoint> half, bool joint_at_crown) {
  for (std::size_t k = half.size() - (joint_at_crown ? 1 : 0); k-- > 0;) half.push_back(mirrored_joint(half[k]));
  return half;
}

// Quarter of the ellipse from its end (u = 0) to the crown (u = 1): parameters at equal distances along it, by the trapezoidal
// rule on 20 000 pieces. `at` are the distances wanted, as shares of the quarter.
std::vector<double> along_ellipse(double a, double b, const std::vector<double>& at) {
  constexpr int pieces = 20'000;
  std::vector<double> length(pieces + 1, 0.0);
  const auto speed = [&](double u) {
    const SineCosine sc = sine_cosine(0.5 * std::numbers::pi * u);
    return std::sqrt(a * a * sc.sine * sc.sine + b * b * sc.cosine * sc.cosine);
  };
  double before = speed(0.0);
  for (int k = 1; k <= pieces; ++k) {
    const double now = speed(portion(k, pieces));
    length[static_cast<std::size_t>(k)] = length[static_cast<std::size_t>(k - 1)] + 0.5 * (before + now);
    before = now;
  }
  std::vector<double> u;
  for (const double s : at) {
    const double wanted = s * length.back();
    const auto after = std::clamp(std::upper_bound(length.begin(), length.end(), wanted), length.begin() + 1, length.end() - 1);
    const double low = *(after - 1), high = *after;
    u.push_back((static_cast<double>(after - length.begin() - 1) + (wanted - low) / (high - low)) / pieces);
  }
  return u;
}

}  // namespace

std::vector<ArchJoint> circular_joints(double inner, double outer, double left, double right, std::int64_t stones) {
  std::vector<ArchJoint> joints;
  for (std::int64_t k = 0; k <= stones; ++k) {
    const double s = portion(k, stones), angle = (1.0 - s) * left + s * right;
    const Vec<2> out = {{cosine(angle), sine(angle)}};
    joints.push_back({inner * out, outer * out, out});
  }
  return joints;
}

std::vector<ArchJoint> pointed_joints(double span, double rise, double thickness, std::int64_t stones) {
  const double half = 0.5 * span, centre = (rise * rise - half * half) / span, radius = half + centre;
  const double opening = arctangent(rise, centre);  // of the left arc, from the left end to the crown
  std::vector<ArchJoint> joints;
  for (std::int64_t k = 0; 2 * k < stones; ++k) {
    const double angle = std::numbers::pi - opening * portion(2 * k, stones);
    const Vec<2> out = {{cosine(angle), sine(angle)}}, middle = {{centre, 0.0}};
    joints.push_back({middle + radius * out, middle + (radius + thickness) * out, out});
  }
  const double top = std::sqrt((radius + thickness) * (radius + thickness) - centre * centre);
  joints.push_back({{{0.0, rise}}, {{0.0, top}}, {{0.0, 1.0}}});
  return with_mirror(std::move(joints), true);
}

std::vector<ArchJoint> elliptic_joints(double span, double rise, double thickness, std::int64_t stones) {
  const double a = 0.5 * span, b = rise;
  std::vector<double> at;
  for (std::int64_t k = 0; 2 * k <= stones; ++k) at.push_back(portion(2 * k, stones));
  std::vector<ArchJoint> joints;
  for (const double u : along_ellipse(a, b, at)) {
    const SineCosine sc = sine_cosine(0.5 * std::numbers::pi * u);
    const Vec<2> inner = {{-a * sc.cosine, b * sc.sine}};
    const Vec<2> out = normalized(Vec<2>{{-b * sc.cosine, a * sc.sine}});  // gradient of x^2/a^2 + y^2/b^2
    joints.push_back({inner, inner + thickness * out, out});
  }
  if (stones % 2 == 0) joints.back() = {{{0.0, b}}, {{0.0, b + thickness}}, {{0.0, 1.0}}};
  joints.front() = {{{-a, 0.0}}, {{-a - thickness, 0.0}}, {{-1.0, 0.0}}};
  return with_mirror(std::move(joints), stones % 2 == 0);
}

std::vector<ArchJoint> flat_joints(double span, double thickness, double skew, std::int64_t stones) {
  const SineCosine sc = sine_cosine(skew);
  std::vector<ArchJoint> joints;
  for (std::int64_t k = 0; k <= stones; ++k) {
    const double x = span * (portion(k, stones) - 0.5), lean = (2.0 * x / span) * (sc.sine / sc.cosine);
    const Vec<2> inner = {{x, 0.0}}, outer = {{x + lean * thickness, thickness}};
    joints.push_back({inner, outer, normalized(outer - inner)});
  }
  return joints;
}

}  // namespace moreau::inline scene

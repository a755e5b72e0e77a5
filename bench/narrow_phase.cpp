// Time per pair of the narrow phase of blocks in space: pairs brought to a given gap from random directions, and stacked ones.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "moreau/base/random.hpp"
#include "moreau/geometry/manifold.hpp"
#include "moreau/geometry/mass_properties.hpp"

using namespace moreau;

namespace {

std::string wanted;

struct Pair {
  Pose<3> a, b;
};

Vec<3> direction(RandomStream& random) {
  for (;;) {
    const Vec<3> v{{random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)}};
    if (norm(v) > 0.1 && norm(v) < 1.0) return normalized(v);
  }
}

double least_gap(const ConvexPart<3>& part, const Pair& pair, double margin) {
  Manifold<3> m;
  part_manifold<3>(part, pair.a, part, pair.b, margin, m);
  double least = HUGE_VAL;
  for (int i = 0; i < m.count; ++i) least = std::min(least, m.point[i].gap);
  return least;
}

// Along a random line of centres; the gap grows by no more than the distance, so that secants from inside converge.
Pair at_gap(const ConvexPart<3>& part, double gap, RandomStream& random) {
  Pair pair;
  pair.a = {{{0.0, 0.0, 0.0}}, matrix_of(turned(Rotation<3>{}, direction(random), random.uniform(0.0, 3.14)))};
  pair.b = {{{0.0, 0.0, 0.0}}, matrix_of(turned(Rotation<3>{}, direction(random), random.uniform(0.0, 3.14)))};
  const Vec<3> line = direction(random);
  double low = 0.0, high = 2.0 * part.reach + gap;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    pair.b.position = middle * line;
    (least_gap(part, pair, HUGE_VAL) < gap ? low : high) = middle;
  }
  return pair;
}

void measure(const char* name, const ConvexPart<3>& part, const std::vector<Pair>& pairs, double margin) {
  if (std::string(name).find(wanted) == std::string::npos) return;
  Manifold<3> m;
  long points = 0;
  double best = HUGE_VAL;  // of many short rounds: what others do on the machine matters little
  for (int round = 0; round < 300; ++round) {
    points = 0;
    const auto start = std::chrono::steady_clock::now();
    for (const Pair& p : pairs) {
      part_manifold<3>(part, p.a, part, p.b, margin, m);
      points += m.count;
    }
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  const double count = static_cast<double>(pairs.size());
  fmt::print("{:<52} {:7.3f} us per pair, {:.2f} points\n", name, 1e6 * best / count, static_cast<double>(points) / count);
}

void measure_part(const char* name, const ConvexPart<3>& part, double flat) {
  for (const double gap : {-1e-5, 1e-3, 0.02, 0.3}) {
    RandomStream random(1);
    std::vector<Pair> pairs;
    for (int i = 0; i < 200; ++i) pairs.push_back(at_gap(part, gap, random));
    measure(fmt::format("{}, gap {:g}, margin 0.01", name, gap).c_str(), part, pairs, 0.01);
  }
  RandomStream random(2);
  std::vector<Pair> stacked;
  const Vec<3> up = part.topology.faces[0].normal;
  for (int i = 0; i < 200; ++i) {
    const Matrix<3> tilt = matrix_of(turned(Rotation<3>{}, direction(random), 1e-6));
    const Vec<3> off = 0.3 * part.reach * cross(up, direction(random));
    stacked.push_back({{(flat - 1e-6) * up + off, tilt}, {{{0.0, 0.0, 0.0}}, matrix_of(Rotation<3>{})}});
  }
  measure(fmt::format("{}, face on face", name).c_str(), part, stacked, 0.01);
}

ConvexPart<3> hull_of(const std::vector<Vec<3>>& points) {
  HullResult<3> result = convex_hull<3>(std::span<const Vec<3>>(points));
  if (!result.fault.empty()) std::abort();
  return std::move(result.part);
}

}  // namespace

// Optional argument: only measurements whose name contains it.
int main(int count, char** arguments) {
  if (count > 1) wanted = arguments[1];
  std::vector<Vec<3>> box, twelve;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      for (const double z : {-1.0, 1.0}) box.push_back({{x, y, z}});
  const double g = (1.0 + std::sqrt(5.0)) / 2.0, i = 1.0 / g;
  twelve = box;
  for (const double s : {-1.0, 1.0})
    for (const double t : {-1.0, 1.0})
      for (const Vec<3>& v : {Vec<3>{{0.0, s * i, t * g}}, Vec<3>{{s * i, t * g, 0.0}}, Vec<3>{{s * g, 0.0, t * i}}})
        twelve.push_back(v);
  const ConvexPart<3> cube = hull_of(box), dodecahedron = hull_of(twelve);
  measure_part("cube", cube, 2.0);
  measure_part("dodecahedron", dodecahedron, 2.0 * dodecahedron.topology.faces[0].offset);
}

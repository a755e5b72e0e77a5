#include "moreau/scene/generate/pavement.hpp"

#include <cmath>

#include "moreau/scene/generate/cell_grid.hpp"

namespace moreau::inline scene {
namespace {

// Random addition ends after this many failures in a row; what it leaves open is then closed exactly.
constexpr int failures_in_a_row = 500;

struct Paving {
  bool square;
  double extent;
  double filler;  // radius of the smallest stone
  std::vector<Vec<2>> centres;
  std::vector<double> radii;
  CellGrid<2> grid;

  bool inside(const Vec<2>& p) const {
    const double limit = extent * (1.0 + 1e-12);
    return square ? std::fabs(p[0]) <= limit && std::fabs(p[1]) <= limit : dot(p, p) <= limit * limit;
  }

  bool fits(const Vec<2>& p, double radius) const {
    return inside(p) && !grid.any_near(p, radius, [&](const auto& other) {
      return norm(p - other.centre) < (radius + other.radius) * (1.0 - 1e-9);
    });
  }

  void add(const Vec<2>& p, double radius) {
    grid.insert({p, radius, static_cast<std::int32_t>(centres.size())});
    centres.push_back(p);
    radii.push_back(radius);
  }

  // Points at distance `reach_a` from a and `reach_b` from b.
  template <class Visit>
  static void meeting_points(const Vec<2>& a, double reach_a, const Vec<2>& b, double reach_b, const Visit& visit) {
    const Vec<2> ab = b - a;
    const double d2 = dot(ab, ab);
    if (d2 == 0.0) return;
    const double along = 0.5 * (1.0 + (reach_a * reach_a - reach_b * reach_b) / d2);
    const double across2 = reach_a * reach_a / d2 - along * along;
    if (across2 < 0.0) return;
    const double across = std::sqrt(across2);
    visit(a + along * ab + across * Vec<2>{{-ab[1], ab[0]}});
    visit(a + along * ab - across * Vec<2>{{-ab[1], ab[0]}});
  }

  // Points of the edge of the floor at distance `reach` from p.
  template <class Visit>
  void edge_points(const Vec<2>& p, double reach, const Visit& visit) const {
    if (!square) return meeting_points(Vec<2>{}, extent, p, reach, visit);
    for (int axis = 0; axis < 2; ++axis)
      for (const double side : {-extent, extent}) {
        const double square_of_half = reach * reach - (side - p[axis]) * (side - p[axis]);
        if (square_of_half < 0.0) continue;
        for (const double half : {-std::sqrt(square_of_half), std::sqrt(square_of_half)}) {
          Vec<2> q{};
          q[axis] = side;
          q[1 - axis] = p[1 - axis] + half;
          visit(q);
        }
      }
  }

  // The places where a filler fits are bounded by arcs at distance radius + filler from the stones and by the edge of the floor.
  // If there are any, one of the ends of these arcs is among them, or a whole circle: trying those, and again after each
  // addition, leaves none. Costs the number of stones times the square of the number of neighbours.
  void close(std::uint64_t most) {
    const auto attempt = [&](const Vec<2>& p) {
      if (fits(p, filler)) add(p, filler);
    };
    attempt({{extent, 0.0}});
    if (square)
      for (const double x : {-extent, extent})
        for (const double y : {-extent, extent}) attempt({{x, y}});
    std::vector<std::int32_t> neighbours;
    for (std::size_t i = 0; i < centres.size() && centres.size() <= most; ++i) {
      const Vec<2> centre = centres[i];
      const double reach = radii[i] + filler;
      attempt(centre + Vec<2>{{reach, 0.0}});
      edge_points(centre, reach, attempt);
      neighbours.clear();
      grid.any_near(centre, radii[i] + 2.0 * filler, [&](const auto& other) {
        if (static_cast<std::size_t>(other.body) != i) neighbours.push_back(other.body);
        return false;
      });
      for (const std::int32_t j : neighbours)
        meeting_points(centre, reach, centres[static_cast<std::size_t>(j)], radii[static_cast<std::size_t>(j)] + filler, attempt);
    }
  }
};

std::vector<PavementStone<3>> pave_plane(const Floor<3>& floor, RandomStream& random, std::uint64_t most) {
  Paving paving{floor.square, floor.extent, floor.sizes.smallest(), {}, {}, {}};
  int failures = 0;
  while (failures < failures_in_a_row && paving.centres.size() <= most) {
    const double radius = floor.sizes.draw(random, paving.centres.size());
    const double x = random.uniform(-floor.extent, floor.extent), y = random.uniform(-floor.extent, floor.extent);
    if (!paving.inside({{x, y}})) continue;
    if (paving.fits({{x, y}}, radius)) {
      paving.add({{x, y}}, radius);
      failures = 0;
    } else {
      ++failures;
    }
  }
  paving.close(most);
  std::vector<PavementStone<3>> stones;
  for (std::size_t i = 0; i < paving.centres.size(); ++i)
    stones.push_back({floor.centre + Vec<3>{{paving.centres[i][0], paving.centres[i][1], 0.0}}, paving.radii[i]});
  return stones;
}

// From one end to the other, with gaps below the smallest diameter.
std::vector<PavementStone<2>> pave_line(const Floor<2>& floor, RandomStream& random, std::uint64_t most) {
  std::vector<PavementStone<2>> stones;
  double front = -floor.extent - floor.sizes.smallest();
  while (front < floor.extent && stones.size() <= most) {
    const double radius = floor.sizes.draw(random, stones.size());
    front += random.uniform() * floor.sizes.smallest() + radius;
    stones.push_back({floor.centre + Vec<2>{{front, 0.0}}, radius});
    front += radius;
  }
  return stones;
}

}  // namespace

template <int D>
std::vector<PavementStone<D>> pave(const Floor<D>& floor, RandomStream random, std::uint64_t most) {
  if constexpr (D == 2)
    return pave_line(floor, random, most);
  else
    return pave_plane(floor, random, most);
}

template std::vector<PavementStone<2>> pave<2>(const Floor<2>&, RandomStream, std::uint64_t);
template std::vector<PavementStone<3>> pave<3>(const Floor<3>&, RandomStream, std::uint64_t);

}  // namespace moreau::inline scene

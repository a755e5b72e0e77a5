// `[[rubble]]`: a wall of random rubble, the Voronoi cells (voro++) of random points in its box: convex stones that fit without
// gaps. `relax` rounds move every point to the middle of its cell (Lloyd 1982), which makes stones of more equal size.
#include <algorithm>
#include <cmath>
#include <memory>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <voro++/voro++.hh>
#pragma GCC diagnostic pop

#include "moreau/scene/generate/generate.hpp"
#include "moreau/scene/masonry/mason.hpp"

namespace moreau::inline scene {
namespace {

struct RubbleCell {
  std::vector<Vec<3>> corners;
  Vec<3> middle{};
};

// By Newton's method: the library's cbrt is not the same everywhere, and the blocks decide in which order cells are cut.
double cube_root(double x) {
  double r = std::max(1.0, x);
  for (int k = 0; k < 200; ++k) r -= (r - x / (r * r)) / 3.0;
  return r;
}

// Cells of the points in the box from zero to `size`, in the order of the points. In the plane the box is a slab of thickness 1
// with all points half-way.
std::vector<RubbleCell> cells_of(const std::vector<Vec<3>>& points, const Vec<3>& size) {
  const double per_block = cube_root(5.0 * size[0] * size[1] * size[2] / static_cast<double>(points.size()));
  int blocks[3];
  for (int d = 0; d < 3; ++d) blocks[d] = std::clamp(static_cast<int>(size[d] / per_block), 1, 500);
  voro::container box(0.0, size[0], 0.0, size[1], 0.0, size[2], blocks[0], blocks[1], blocks[2], false, false, false, 16);
  for (std::size_t i = 0; i < points.size(); ++i) box.put(static_cast<int>(i), points[i][0], points[i][1], points[i][2]);
  std::vector<RubbleCell> cells(points.size());
  voro::c_loop_all loop(box);
  voro::voronoicell cell;
  if (loop.start()) do {
      if (!box.compute_cell(cell, loop)) continue;
      RubbleCell& made = cells[static_cast<std::size_t>(loop.pid())];
      double x, y, z, cx, cy, cz;
      loop.pos(x, y, z);
      cell.centroid(cx, cy, cz);
      made.middle = {{x + cx, y + cy, z + cz}};
      std::vector<double> vertices;
      cell.vertices(x, y, z, vertices);
      for (std::size_t v = 0; v + 2 < vertices.size(); v += 3)
        made.corners.push_back({{vertices[v], vertices[v + 1], vertices[v + 2]}});
    } while (loop.inc());
  return cells;
}

template <int D>
std::vector<Vec<D>> placed_corners(const RubbleCell& cell, const Vec<D>& origin, double scale) {
  std::vector<Vec<D>> corners;
  for (const Vec<3>& p : cell.corners) {
    if (D == 2 && p[2] > 0.5) continue;  // each corner of the prism once
    Vec<D> q = origin;
    for (int d = 0; d < D; ++d) q[d] += scale * p[d];
    corners.push_back(q);
  }
  return corners;
}

}  // namespace

template <int D>
void read_rubble(TableReader& entry, std::size_t number, Scene<D>& scene, SceneNames& names, const SceneLimits& limits,
                 std::vector<Entry>& entries) {
  const std::string name = names.bodies.declare(entry, entry.path());
  GrainKind<D> kind = read_kind(entry, scene, names);
  read_freedom(entry, kind);
  const Vec<D> size = entry.vector<D>("size"), origin = entry.vector<D>("origin", Vec<D>{});
  const auto stones = entry.integer("stones", 2, static_cast<std::int64_t>(std::min<std::uint64_t>(limits.grains, 1'000'000)));
  const std::int64_t relax = entry.integer("relax", 0, 1000, 5);
  for (int d = 0; d < D && !entry.mistakes().any(); ++d)
    if (entry.has("size") && !positive.contains(size[d]))
      entry.fail("size", fmt::format("has side {} along axis {}; accepted: sides > 0", size[d], d + 1));
  double scale = 0.0, least = largest_number;  // the longest and the shortest side
  for (int d = 0; d < D; ++d) scale = std::max(scale, size[d]), least = std::min(least, size[d]);
  if (!entry.mistakes().any() && entry.has("size") && !(least >= 1e-3 * scale))
    entry.fail("size", fmt::format("has sides from {} to {}; accepted: none shorter than 0.001 of the longest", least, scale));
  entry.finish();
  if (!within_limits(entry, "stones", static_cast<double>(stones), limits)) return;

  Vec<3> box{{1.0, 1.0, 1.0}};
  for (int d = 0; d < D; ++d) box[d] = size[d] / scale;
  RandomStream random = stream_of(scene.seed, DrawKind::rubble, number);
  std::vector<Vec<3>> points(static_cast<std::size_t>(stones));
  for (Vec<3>& p : points)
    for (int d = 0; d < 3; ++d) p[d] = d < D ? box[d] * random.uniform() : 0.5;
  std::vector<RubbleCell> cells = cells_of(points, box);
  for (std::int64_t k = 0; k < relax; ++k) {
    for (std::size_t i = 0; i < points.size(); ++i)
      for (int d = 0; d < D; ++d) points[i][d] = cells[i].middle[d];
    cells = cells_of(points, box);
  }
  Mason<D> mason(entry, scene, entries, name, "stones");
  mason.begin("", "stone", kind);
  for (const RubbleCell& cell : cells)
    if (!mason.lay(placed_corners<D>(cell, origin, scale))) return;
  mason.end();
}

template void read_rubble<2>(TableReader&, std::size_t, Scene<2>&, SceneNames&, const SceneLimits&, std::vector<Entry>&);
template void read_rubble<3>(TableReader&, std::size_t, Scene<3>&, SceneNames&, const SceneLimits&, std::vector<Entry>&);

}  // namespace moreau::inline scene

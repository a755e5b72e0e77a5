#include "moreau/draw/picture/stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

#include "moreau/draw/picture/blocks.hpp"
#include "moreau/draw/picture/cell.hpp"

namespace moreau::inline draw {

namespace {

template <int D>
void check(const Frame<D>& frame, const PictureOptions& options) {
  check_width(options.width);
  const auto demand = [](const char* what, double value, double low, double high) {
    if (!(value >= low && value <= high))
      throw std::runtime_error(
          fmt::format("the {} of a picture is {}, accepted are numbers from {} to {}.", what, value, low, high));
  };
  demand("azimuth", options.azimuth, -360.0, 360.0);
  demand("elevation", options.elevation, -90.0, 90.0);
  demand("field of view", options.field_of_view, 1.0, 100.0);
  demand("zoom", options.zoom, 0.01, 1000.0);
  if (D == 3 && options.slice && !(*options.slice > 0.0 && std::isfinite(*options.slice)))
    throw std::runtime_error(
        fmt::format("the half-thickness of a slice is {}, accepted are lengths above zero.", *options.slice));
  const std::size_t n = frame.parameters.size();
  const auto& s = frame.state;
  const auto& c = frame.contacts;
  bool whole = s.position.size() == n && s.orientation.size() == n && s.velocity.size() == n && s.spin.size() == n &&
               frame.parameters.kind.size() == n && frame.parameters.shape.size() == n && c.b.size() == c.size() &&
               c.force.size() == c.size() && c.normal.size() == c.size() && c.point.size() == c.size();
  for (std::size_t k = 0; whole && k < c.size(); ++k)
    whole = c.a[k] >= 0 && static_cast<std::size_t>(c.a[k]) < n && (is_wall(c.b[k]) || static_cast<std::size_t>(c.b[k]) < n);
  for (std::size_t i = 0; whole && i < n; ++i)
    whole = !frame.is_block(i) || static_cast<std::size_t>(frame.parameters.shape[i]) < frame.shapes.size();
  if (!whole)
    throw std::runtime_error(
        "the frame to be drawn is inconsistent: arrays differ in length, or a missing body or shape is named.");
}

template <int D>
bool is_free(const Frame<D>& frame, std::size_t i) {
  return frame.parameters.kind[i] == BodyKind::free;
}

template <int D>
bool is_present(const Frame<D>& frame, std::size_t i) {
  return frame.parameters.kind[i] != BodyKind::removed;
}

// Beyond this, sums and squares of lengths run over.
constexpr double largest_length = 1e100;

template <int D>
bool has_place(const Vec<D>& x) {
  for (int d = 0; d < D; ++d)
    if (!(std::abs(x[d]) <= largest_length)) return false;
  return true;
}

template <int D>
bool drawable(const Frame<D>& frame, std::size_t i) {
  const double r = frame.parameters.radius[i];
  return is_present(frame, i) && has_place(frame.state.position[i]) && r > 0.0 && r <= largest_length;
}

template <int D>
std::vector<WallGeometry<3>> walls_at_time(const Frame<D>& frame) {
  std::vector<WallGeometry<3>> walls;
  for (std::size_t w = 0; w < frame.walls.size(); ++w) {
    WallGeometry<D> geometry = frame.walls[w].geometry;
    if (geometry.shape == WallShape::mesh) continue;
    if (w < frame.wall_shift.size()) geometry.point += frame.wall_shift[w];
    if (has_place(geometry.point) && geometry.radius <= largest_length) walls.push_back(lifted(geometry));
  }
  return walls;
}

// What of the bodies decides what is shown: the free ones; if there are none the fixed ones, which are where they were meant to be;
// else, unless there is a mesh to look at, the driven ones, which may have left.
template <int D>
std::optional<BodyKind> kind_shown(const Frame<D>& frame, bool meshes) {
  for (const BodyKind kind : {BodyKind::free, BodyKind::fixed, BodyKind::driven}) {
    if (kind == BodyKind::driven && meshes) continue;
    for (std::size_t i = 0; i < frame.parameters.size(); ++i)
      if (frame.parameters.kind[i] == kind && drawable(frame, i)) return kind;
  }
  return {};
}

// Around these bodies, and the others that they can touch.
template <int D>
Box shown_box(const Frame<D>& frame, const std::vector<WallGeometry<3>>& walls, std::optional<BodyKind> kind) {
  std::vector<Cover> bodies, others;
  for (std::size_t i = 0; kind && i < frame.parameters.size(); ++i)
    if (drawable(frame, i)) (frame.parameters.kind[i] == *kind ? bodies : others).push_back(cover_of(frame, i));
  Box box = shown_box(bodies, others, walls);
  if constexpr (D == 2) {
    box.low[2] = box.high[2] = 0.0;
    for (const Vec<3>& corner : cell_corners(frame.lattice))
      for (int d = 0; d < D; ++d) box.low[d] = std::min(box.low[d], corner[d]), box.high[d] = std::max(box.high[d], corner[d]);
  }
  return box;
}

// Meshes are shown whole unless they are much larger than what they hold.
void include_meshes(Box& region, const std::vector<DrawnMesh>& meshes, bool alone) {
  constexpr double much_larger = 5.0;
  const auto longest = [](const Box& box) { return std::max({box.size()[0], box.size()[1], box.size()[2]}); };
  const double limit = much_larger * longest(region);
  for (const DrawnMesh& mesh : meshes) {
    const Box box = mesh.box();
    if (!has_place(box.low) || !has_place(box.high) || (!alone && longest(box) > limit)) continue;
    if (alone) region = box, alone = false;
    for (int k = 0; k < 3; ++k)
      region.low[k] = std::min(region.low[k], box.low[k]), region.high[k] = std::max(region.high[k], box.high[k]);
  }
}

// Where the arrows of free bodies in the region end, so that the sheet holds them; none counts as longer than three typical ones.
template <int D>
std::vector<Cover> arrow_tips(const Frame<D>& frame, const PictureOptions& options, const Box& region) {
  std::vector<Cover> tips;
  const std::vector<Vec<3>>& vectors = options.arrows.vector;
  std::vector<char> seen(frame.parameters.size(), 0);
  double diameter = 0.0, count = 0.0;
  for (std::size_t i = 0; i < std::min(seen.size(), vectors.size()); ++i) {
    if (!drawable(frame, i) || !is_free(frame, i) || !region.contains(lifted(frame.state.position[i]), 0.0)) continue;
    seen[i] = 1;
    diameter += 2.0 * equivalent_radius(frame, i), count += 1.0;
  }
  if (count > 0.0) diameter /= count;
  const double typical = options.typical_arrow > 0.0 ? options.typical_arrow : typical_length(options.arrows, seen);
  if (!(typical > 0.0)) return tips;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (!seen[i] || !is_finite(vectors[i])) continue;
    const double length = norm(vectors[i]), scale = arrow_diameters * diameter / std::max(typical, length / 3.0);
    tips.push_back(cover_of_ball(lifted(frame.state.position[i]) + scale * vectors[i], 0.2 * diameter));
  }
  return tips;
}

// Extent of the region on the sheet at zoom 1. The perspective of a heap is framed by its grains: its box has much empty corner.
Rectangle extent_shown(const Camera& camera, const Box& region, const std::vector<Cover>& inside, bool panels) {
  if (!camera.perspective() || panels || inside.empty()) return extent_of(camera, region);
  const double infinity = std::numeric_limits<double>::infinity();
  Rectangle r{infinity, infinity, -infinity, -infinity};
  for (const Cover& b : inside) {
    const Projected p = camera.project(b.centre);
    const double radius = p.scale * b.radius;
    const Rectangle ball{p.at.x - radius, p.at.y - radius, p.at.x + radius, p.at.y + radius}, box = extent_of(camera, b.box);
    r = {std::min(r.left, std::max(ball.left, box.left)), std::min(r.top, std::max(ball.top, box.top)),
         std::max(r.right, std::min(ball.right, box.right)), std::max(r.bottom, std::min(ball.bottom, box.bottom))};
  }
  return r;
}

bool overlaps(const Box& p, const Box& q, double slack) {
  for (int k = 0; k < 3; ++k)
    if (p.high[k] < q.low[k] - slack || q.high[k] < p.low[k] - slack) return false;
  return true;
}

bool overlaps(const Rectangle& w, Point at, double radius) {
  return at.x + radius > w.left && at.x - radius < w.right && at.y + radius > w.top && at.y - radius < w.bottom;
}

// Projects the candidates, keeps those the window cuts out, and counts.
template <int D>
void place_grains(Stage& stage, const Frame<D>& frame, const std::vector<char>& in_slice) {
  stage.coloured.assign(stage.shown.size(), 0);
  for (std::size_t i = 0; i < stage.shown.size(); ++i) {
    if (!drawable(frame, i)) {
      stage.undefined += is_present(frame, i);
      continue;
    }
    const Projected seen = stage.camera.project(lifted(frame.state.position[i]));
    const double radius = seen.scale * frame.parameters.radius[i];
    const bool free = is_free(frame, i);
    stage.shown[i] = stage.shown[i] && overlaps(stage.layout.window, seen.at, radius);
    if (!stage.shown[i]) {
      stage.outside += free && in_slice[i];
      stage.held_outside += frame.parameters.kind[i] == BodyKind::driven && in_slice[i];
      continue;
    }
    stage.grains.push_back({i, seen, radius, seen.scale * inner_radius(frame, i)});
    stage.coloured[i] = free;
    stage.seen += free;
    if (free) stage.diameter += 2.0 * seen.scale * equivalent_radius(frame, i);
  }
  stage.diameter = stage.seen > 0 ? stage.diameter / static_cast<double>(stage.seen) : stage.layout.letter;
}

// Zoomed about the point looked at, else about the middle of the region.
void look_closer(Camera& camera, const PictureOptions& options, const Rectangle& window) {
  const Point at = camera.project(options.look_at.value_or(camera.centre)).at;
  const Point middle{0.5 * (window.left + window.right), 0.5 * (window.top + window.bottom)};
  const double factor = options.zoom;
  camera.zoom *= factor;
  camera.offset = {middle.x + factor * (camera.offset.x - at.x), middle.y + factor * (camera.offset.y - at.y)};
}

// A block that is not free is seen through where free bodies are behind it: a vessel shows its content.
template <int D>
void find_sheer(Stage& stage, const Frame<D>& frame) {
  for (Grain& block : stage.grains) {
    if (is_free(frame, block.body) || !frame.is_block(block.body)) continue;
    const Rectangle r = extent_of(stage.camera, cover_of(frame, block.body).box);
    std::size_t behind = 0;
    for (const Grain& g : stage.grains)
      if (is_free(frame, g.body) && g.seen.depth < block.seen.depth && g.seen.at.x > r.left && g.seen.at.x < r.right &&
          g.seen.at.y > r.top && g.seen.at.y < r.bottom)
        ++behind;
    if (behind > 0 && 20 * behind >= stage.seen) block.is_sheer = true, block.inner = 0.0;
  }
}

// Distance from the plane of a slice. The axis along which one looks is that of the largest component of `toward`.
double depth_of(const Vec<3>& x, const Camera& camera, const std::optional<double>& plane) {
  if (!plane) return dot(x - camera.centre, camera.toward);
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(camera.toward[k]) > std::abs(camera.toward[axis])) axis = k;
  return x[axis] - *plane;
}

}  // namespace

template <int D>
Stage stage_of(const Frame<D>& frame, const PictureOptions& options, bool with_legend) {
  check(frame, options);
  Stage stage;
  stage.walls = walls_at_time(frame);
  stage.most_worn = !options.wear ? 0.0 : options.most_worn > 0.0 ? options.most_worn : most_worn(frame);
  stage.meshes = meshes_of(frame, stage.most_worn);
  const std::optional<BodyKind> kind = kind_shown(frame, !stage.meshes.empty());
  stage.content = shown_box(frame, {}, kind);
  stage.region = options.region ? *options.region : shown_box(frame, stage.walls, kind);
  if (!options.region) include_meshes(stage.region, stage.meshes, !kind);
  std::vector<Cover> inside = arrow_tips(frame, options, stage.region);
  if (!options.region)
    for (const Cover& tip : inside)
      for (int k = 0; k < D; ++k)
        stage.region.low[k] = std::min(stage.region.low[k], tip.box.low[k]),
        stage.region.high[k] = std::max(stage.region.high[k], tip.box.high[k]);
  const bool sliced = D == 3 && options.slice.has_value();
  stage.camera =
      camera_for(D == 2 ? "top" : options.view, stage.region, {options.azimuth, options.elevation, options.field_of_view});
  if (sliced && stage.camera.perspective()) stage.camera = camera_for("front", stage.region);

  // In perspective, bodies in the region and fixed ones around it; in parallel projection whatever the window will cut out.
  const double around = 0.12 * norm(stage.region.size());
  const std::size_t n = frame.parameters.size();
  std::vector<char> in_slice(n, 0);
  stage.shown.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (!drawable(frame, i)) continue;
    const Cover body = cover_of(frame, i);
    const bool free = is_free(frame, i);
    in_slice[i] = !sliced || std::abs(depth_of(body.centre, stage.camera, options.slice_at)) <= *options.slice;
    const bool near = !free && frame.is_block(i) ? overlaps(stage.region, body.box, around)
                                                 : stage.region.contains(body.centre, free ? 0.0 : around);
    stage.shown[i] = in_slice[i] && (!stage.camera.perspective() || near);
    const bool support =
        !free && frame.is_block(i) && stage.region.contains(body.box.low, around) && stage.region.contains(body.box.high, around);
    if (stage.shown[i] && (free || support)) inside.push_back(body);
  }

  // A region given is that of several pictures, which all show the whole of it.
  const Rectangle extent =
      extent_shown(stage.camera, stage.region, inside, !stage.walls.empty() || !stage.meshes.empty() || options.region);
  const double shape = extent.height() / std::max(extent.width(), std::numeric_limits<double>::min());
  stage.layout = layout_for(options.width, shape, !options.title.empty(), with_legend, options.letter);
  const Rectangle& w = stage.layout.window;
  const double rim = std::min(1.1 * stage.layout.letter, 0.1 * w.height());  // room for the hatching of walls
  fit(stage.camera, extent, {w.left + rim, w.top + rim, w.right - rim, w.bottom - rim});

  if (options.zoom != 1.0 || options.look_at) look_closer(stage.camera, options, w);
  place_grains(stage, frame, in_slice);
  if (D == 3) find_sheer(stage, frame);
  if (D == 3)
    sort_by_depth(stage.grains);
  else
    std::stable_partition(stage.grains.begin(), stage.grains.end(), [&](const Grain& g) { return !is_free(frame, g.body); });
  return stage;
}

template Stage stage_of<2>(const Frame<2>&, const PictureOptions&, bool);
template Stage stage_of<3>(const Frame<3>&, const PictureOptions&, bool);

}  // namespace moreau::inline draw

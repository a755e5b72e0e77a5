// Pictures of blocks in space, mixed with balls.
#include <algorithm>
#include <limits>
#include <numbers>
#include <queue>

#include "moreau/draw/picture/blocks.hpp"
#include "moreau/store/surface.hpp"

namespace moreau::inline draw {

namespace {

// One convex thing to be drawn: a ball, or a part of a block.
struct Solid {
  std::size_t body;
  const ConvexPart<3>* part;  // none: a ball
  std::vector<Vec<3>> vertices;
  std::vector<Vec<3>> normals;
  Vec<3> centre;
  double radius;    // about the vertices
  Rectangle sheet;  // what it covers at most
  double depth;
  double reach = 0.0;  // farthest from the centre

  double least(const Vec<3>& n) const {
    double value = std::numeric_limits<double>::infinity();
    for (const Vec<3>& v : vertices) value = std::min(value, dot(n, v));
    return value - radius;
  }
  double most(const Vec<3>& n) const { return -least(-n); }
};

void finish(Solid& solid, const Camera& camera) {
  const double infinity = std::numeric_limits<double>::infinity();
  solid.sheet = {infinity, infinity, -infinity, -infinity};
  solid.centre = {};
  for (const Vec<3>& v : solid.vertices) {
    const Projected p = camera.project(v);
    const double r = 1.05 * p.scale * solid.radius;
    Rectangle& s = solid.sheet;
    s = {std::min(s.left, p.at.x - r), std::min(s.top, p.at.y - r), std::max(s.right, p.at.x + r),
         std::max(s.bottom, p.at.y + r)};
    solid.centre += (1.0 / static_cast<double>(solid.vertices.size())) * v;
  }
  for (const Vec<3>& v : solid.vertices) solid.reach = std::max(solid.reach, norm(v - solid.centre) + solid.radius);
  solid.depth = camera.project(solid.centre).depth;
}

std::vector<Solid> solids_of(const Frame<3>& frame, const Camera& camera, const std::vector<Grain>& grains) {
  std::vector<Solid> solids;
  for (const Grain& grain : grains) {
    const std::size_t i = grain.body;
    if (!frame.is_block(i)) {
      solids.push_back({i, nullptr, {frame.state.position[i]}, {}, {}, frame.parameters.radius[i], {}, 0.0});
      finish(solids.back(), camera);
      continue;
    }
    const Pose<3> pose = frame.pose_of(i);
    for (const ConvexPart<3>& part : frame.shape_of(i).parts) {
      solids.push_back({i, &part, {}, {}, {}, part.radius, {}, 0.0});
      for (const Vec<3>& v : part.vertices) solids.back().vertices.push_back(pose.place(v));
      for (const PolyhedronFace& face : part.topology.faces) solids.back().normals.push_back(pose.turn(face.normal));
      finish(solids.back(), camera);
    }
  }
  return solids;
}

// Where the viewer is, seen from a plane between two solids.
enum class Side { of_a, of_b, between };

// Of the planes across `n`, which points from a to b. In parallel projection the viewer is infinitely far.
Side viewer_side(const Vec<3>& n, double last_of_a, double first_of_b, const Camera& camera) {
  if (!camera.perspective()) {
    const double side = dot(n, camera.toward);
    return side > 1e-9 ? Side::of_b : side < -1e-9 ? Side::of_a : Side::between;
  }
  const double eye = dot(n, camera.centre + camera.distance * camera.toward);
  if (eye > last_of_a && eye < first_of_b) return Side::between;
  return eye > 0.5 * (last_of_a + first_of_b) ? Side::of_b : Side::of_a;
}

// Positive: b may cover a. Negative: a may cover b. Zero: neither. A plane between the two with the viewer on the side of b rules
// out that a covers b. Planes tried are those of the faces and the one across the line of the centres: blocks that touch by edges
// may have none, and then the one decides by which they overlap least.
int which_covers(const Solid& a, const Solid& b, const Camera& camera) {
  const double slack = 0.005 * std::min(a.reach, b.reach);  // bodies in contact overlap a little
  bool may_a = true, may_b = true;
  double widest = -std::numeric_limits<double>::infinity();
  Side best = Side::between;
  const auto look_across = [&](const Vec<3>& n) {
    const double last_of_a = a.most(n), first_of_b = b.least(n), gap = first_of_b - last_of_a;
    if (gap <= widest && gap < -slack) return;
    const Side side = viewer_side(n, last_of_a, first_of_b, camera);
    if (gap > widest) widest = gap, best = side;
    if (gap < -slack) return;
    may_a = may_a && side == Side::of_a, may_b = may_b && side == Side::of_b;
  };
  const Vec<3> line = b.centre - a.centre;
  if (norm(line) > 0.0) look_across(normalized(line));
  for (const Vec<3>& n : a.normals) look_across(n);
  for (const Vec<3>& n : b.normals) look_across(-n);
  if (widest < -slack) may_a = best == Side::of_a, may_b = best == Side::of_b;
  return may_b ? 1 : may_a ? -1 : 0;
}

// Each after all that it may cover; where they cover each other in a ring, the farthest first.
std::vector<std::size_t> painting_order(const std::vector<Solid>& solids, const Camera& camera) {
  const std::size_t n = solids.size();
  std::vector<std::size_t> by_left(n);
  for (std::size_t i = 0; i < n; ++i) by_left[i] = i;
  std::stable_sort(by_left.begin(), by_left.end(),
                   [&](std::size_t p, std::size_t q) { return solids[p].sheet.left < solids[q].sheet.left; });
  std::vector<std::vector<std::size_t>> covered_by(n);
  std::vector<std::size_t> waiting_for(n, 0);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t l = k + 1; l < n && solids[by_left[l]].sheet.left < solids[by_left[k]].sheet.right; ++l) {
      const std::size_t i = by_left[k], j = by_left[l];
      const Rectangle &p = solids[i].sheet, &q = solids[j].sheet;
      if (!(p.top < q.bottom && q.top < p.bottom)) continue;
      const int order = which_covers(solids[i], solids[j], camera);
      if (order > 0) covered_by[i].push_back(j), ++waiting_for[j];
      if (order < 0) covered_by[j].push_back(i), ++waiting_for[i];
    }

  using Entry = std::pair<double, std::size_t>;  // depth, solid
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  std::vector<char> painted(n, 0);
  for (std::size_t i = 0; i < n; ++i)
    if (waiting_for[i] == 0) ready.push({solids[i].depth, i});
  std::vector<std::size_t> by_depth(n), order;
  for (std::size_t i = 0; i < n; ++i) by_depth[i] = i;
  std::stable_sort(by_depth.begin(), by_depth.end(),
                   [&](std::size_t p, std::size_t q) { return solids[p].depth < solids[q].depth; });
  for (std::size_t next = 0; order.size() < n;) {
    if (ready.empty()) {
      while (painted[by_depth[next]]) ++next;
      ready.push({solids[by_depth[next]].depth, by_depth[next]});
    }
    const std::size_t i = ready.top().second;
    ready.pop();
    if (painted[i]) continue;
    painted[i] = 1;
    order.push_back(i);
    for (const std::size_t j : covered_by[i])
      if (--waiting_for[j] == 0 && !painted[j]) ready.push({solids[j].depth, j});
  }
  return order;
}

// From the upper left in front, as on the balls. A face seen under half light keeps the colour of the legend.
Colour lit(Colour colour, const Vec<3>& normal, const Camera& camera) {
  const Vec<3> light = normalized(-0.45 * camera.right + 0.75 * camera.up + 0.55 * camera.toward);
  const double level = 0.5 + 0.5 * dot(normal, light);
  const double target = level > 0.7 ? 1.0 : 0.0, share = level > 0.7 ? (level - 0.7) / 0.3 * 0.3 : (0.7 - level) / 0.7 * 0.65;
  const auto mix = [&](double c) { return c + share * (target - c); };
  return {mix(colour.red), mix(colour.green), mix(colour.blue), colour.alpha};
}

void draw_part(Canvas& canvas, const Camera& camera, const Frame<3>& frame, const Solid& solid, Colour fill) {
  const Vec<3> eye = camera.centre + camera.distance * camera.toward;
  const double size = camera.project(solid.centre).scale * equivalent_radius(frame, solid.body);
  const double outline = size > 2.0 ? std::clamp(0.04 * size, 0.25, 1.2) : 0.0;
  for (const std::vector<Vec<3>>& polygon : surface_of(*solid.part, frame.pose_of(solid.body), 32)) {
    const Vec<3> normal = normal_of(polygon);
    const Vec<3> sight = camera.perspective() ? normalized(eye - polygon[0]) : camera.toward;
    if (!(dot(normal, sight) > 1e-9)) continue;  // seen from behind, or edge-on
    std::vector<Point> corners;
    for (const Vec<3>& corner : polygon) corners.push_back(camera.project(corner).at);
    const Colour colour = lit(fill, normal, camera);
    if (solid.part->radius > 0.0)
      canvas.polygon(corners, colour, fill.alpha < 1.0 ? 0.0 : 0.6, colour);  // over the seams
    else
      canvas.polygon(corners, colour, outline, grey(0.1, 0.8 * fill.alpha));
  }
}

}  // namespace

void draw_solids(Canvas& canvas, const Camera& camera, const Frame<3>& frame, const Field& field,
                 const std::vector<Grain>& grains, double alpha) {
  const std::vector<Solid> solids = solids_of(frame, camera, grains);
  std::vector<char> sheer(frame.parameters.size(), 0);
  for (const Grain& grain : grains) sheer[grain.body] = grain.is_sheer;
  for (const std::size_t i : painting_order(solids, camera)) {
    const Solid& solid = solids[i];
    const Colour fill = faded(colour_of(frame, field, solid.body), sheer[solid.body] ? 0.25 * alpha : alpha);
    if (solid.part != nullptr && solid.part->vertices.size() > 1) {
      draw_part(canvas, camera, frame, solid, fill);
      continue;
    }
    const Projected p = camera.project(solid.centre);
    if (alpha < 1.0)
      canvas.disc(p.at, p.scale * solid.radius, fill, 0.5, grey(0.3, alpha));
    else
      canvas.ball(p.at, p.scale * solid.radius, fill);
  }
}

}  // namespace moreau::inline draw

#include "moreau/draw/picture/walls.hpp"

#include <algorithm>
#include <numbers>

namespace moreau::inline draw {

namespace {

constexpr Colour wall_colour = grey(0.25);
constexpr double straight_beyond = 1000.0;  // diagonals of the window: a circle of this radius bends by a tenth of a pixel

// Points p with normal . (p - point) >= 0, in pixels.
struct HalfPlane {
  Point point, normal;
};

struct Segment {
  Point from, to;
  bool empty = false;
};

// The part of the edge of `wall` that lies in all `others`.
Segment trimmed(const HalfPlane& wall, const std::vector<HalfPlane>& others) {
  const Point along{-wall.normal.y, wall.normal.x};
  double first = -1e9, last = 1e9;
  for (const HalfPlane& o : others) {
    const double distance = o.normal.x * (wall.point.x - o.point.x) + o.normal.y * (wall.point.y - o.point.y);
    const double slope = o.normal.x * along.x + o.normal.y * along.y;
    if (std::abs(slope) < 1e-9) {
      if (distance < -0.5) return {{}, {}, true};  // parallel, and behind by more than half a pixel
    } else if (slope > 0.0) {
      first = std::max(first, -distance / slope);
    } else {
      last = std::min(last, -distance / slope);
    }
  }
  const auto at = [&](double t) { return Point{wall.point.x + t * along.x, wall.point.y + t * along.y}; };
  return {at(first), at(last), !(first < last)};
}

// A stroke from `root` on the wall into the side without bodies, at 45 degrees.
void hatch(Canvas& canvas, Point root, Point inward, double letter) {
  const double length = 0.5 * letter;
  canvas.line(root, {root.x - length * (inward.x - inward.y), root.y - length * (inward.y + inward.x)}, 0.06 * letter,
              wall_colour);
}

void draw_edge(Canvas& canvas, const HalfPlane& wall, const Segment& s, double letter) {
  const double width = 0.2 * letter, back = 0.5 * width, length = std::hypot(s.to.x - s.from.x, s.to.y - s.from.y);
  // Drawn behind its own edge, so that grains touching the wall touch the line.
  const Point from{s.from.x - back * wall.normal.x, s.from.y - back * wall.normal.y};
  const Point to{s.to.x - back * wall.normal.x, s.to.y - back * wall.normal.y};
  const int strokes = std::max(1, static_cast<int>(length / (0.6 * letter)));
  for (int k = 0; k < strokes; ++k) {
    const double t = (k + 0.5) / strokes;
    hatch(canvas, {from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)}, wall.normal, letter);
  }
  canvas.line(from, to, width, wall_colour);
}

void draw_circle(Canvas& canvas, Point centre, double radius, double letter) {
  const double width = 0.2 * letter, rim = radius + 0.5 * width;
  const int strokes = std::clamp(static_cast<int>(2.0 * std::numbers::pi * radius / (0.6 * letter)), 8, 2000);
  for (int k = 0; k < strokes; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / strokes;
    const Point inward{-std::cos(angle), -std::sin(angle)};
    hatch(canvas, {centre.x - rim * inward.x, centre.y - rim * inward.y}, inward, letter);
  }
  canvas.ring(centre, rim, width, wall_colour);
}

// Of a circle so large that what the window shows of it is straight.
void add_tangent(std::vector<HalfPlane>& edges, Point centre, double radius, const Rectangle& window) {
  const Point middle{0.5 * (window.left + window.right), 0.5 * (window.top + window.bottom)};
  const double distance = std::hypot(middle.x - centre.x, middle.y - centre.y), beyond = radius - distance;
  if (std::abs(beyond) > window.width() + window.height()) return;  // it passes by
  const Point outward{(middle.x - centre.x) / distance, (middle.y - centre.y) / distance};
  edges.push_back({{middle.x + beyond * outward.x, middle.y + beyond * outward.y}, {-outward.x, -outward.y}});
}

void draw_edges(Canvas& canvas, const Camera& camera, const std::vector<WallGeometry<3>>& walls, const Rectangle& window,
                double letter) {
  std::vector<HalfPlane> edges;
  const auto add = [&](const Vec<3>& point, const Vec<3>& normal) {
    edges.push_back({camera.project(point).at, {dot(normal, camera.right), -dot(normal, camera.up)}});
  };
  for (const WallGeometry<3>& w : walls) {
    const double tilt = std::abs(dot(w.direction, camera.toward));
    if (w.shape == WallShape::plane) {
      if (tilt < 1e-6) add(w.point, w.direction);
    } else if (tilt > 1.0 - 1e-6) {
      const Point centre = camera.project(w.point).at;
      const double radius = camera.zoom * w.radius;
      if (radius > straight_beyond * std::hypot(window.width(), window.height()))
        add_tangent(edges, centre, radius, window);
      else
        draw_circle(canvas, centre, radius, letter);
    } else if (tilt < 1e-6) {
      const Vec<3> sideways = cross(w.direction, camera.toward);
      add(w.point - w.radius * sideways, sideways);
      add(w.point + w.radius * sideways, -sideways);
    }
  }
  const std::vector<HalfPlane> sides = {{{window.left, window.top}, {1, 0}},
                                        {{window.right, window.top}, {-1, 0}},
                                        {{window.left, window.top}, {0, 1}},
                                        {{window.left, window.bottom}, {0, -1}}};
  for (std::size_t i = 0; i < edges.size(); ++i) {
    std::vector<HalfPlane> others = sides;
    for (std::size_t j = 0; j < edges.size(); ++j)
      if (j != i) others.push_back(edges[j]);
    Segment visible = trimmed(edges[i], others);
    // Walls that leave no room to each other (passed by a moving one, say) are still to be seen.
    if (visible.empty) visible = trimmed(edges[i], sides);
    if (!visible.empty) draw_edge(canvas, edges[i], visible, letter);
  }
}

// Convex hull, counter-clockwise (Andrew).
std::vector<Point> hull(std::vector<Point> points) {
  std::sort(points.begin(), points.end(), [](const Point& p, const Point& q) { return p.x < q.x || (p.x == q.x && p.y < q.y); });
  std::vector<Point> chain;
  const auto sweep = [&](auto begin, auto end) {
    const std::size_t base = chain.size();
    for (auto p = begin; p != end; ++p) {
      const auto turns_back = [&](const Point& a, const Point& b) {
        return (b.x - a.x) * (p->y - a.y) - (b.y - a.y) * (p->x - a.x) <= 0.0;
      };
      while (chain.size() >= base + 2 && turns_back(chain[chain.size() - 2], chain.back())) chain.pop_back();
      chain.push_back(*p);
    }
    chain.pop_back();
  };
  sweep(points.begin(), points.end());
  sweep(points.rbegin(), points.rend());
  return chain;
}

// The shadow of the region on the plane, if the viewer stands on the side of the bodies.
void draw_panel(Canvas& canvas, const Camera& camera, const WallGeometry<3>& wall, const Box& region, double letter) {
  const Vec<3> eye = camera.centre + camera.distance * camera.toward;
  const double reach = dot(region.centre() - wall.point, wall.direction);
  if (dot(eye - wall.point, wall.direction) <= 0.0 || std::abs(reach) > norm(region.size())) return;
  // Beyond the region it would stand apart from the other walls, and be cut off by the edge of the picture.
  double half = 0.0;  // of the region, along the normal
  for (int k = 0; k < 3; ++k) half += 0.5 * region.size()[k] * std::abs(wall.direction[k]);
  if (std::abs(reach) - half > 0.02 * norm(region.size())) return;
  std::vector<Point> corners;
  for (int corner = 0; corner < 8; ++corner) {
    Vec<3> p;
    for (int k = 0; k < 3; ++k) p[k] = (corner >> k & 1) ? region.high[k] : region.low[k];
    corners.push_back(camera.project(p - dot(p - wall.point, wall.direction) * wall.direction).at);
  }
  std::vector<Point> outline = hull(std::move(corners));
  if (outline.size() < 3) return;
  canvas.polygon(outline, grey(wall.direction[2] > 0.7 ? 0.91 : 0.955));
  outline.push_back(outline.front());
  canvas.polyline(outline, 0.08 * letter, grey(0.72));
}

void draw_rims(Canvas& canvas, const Camera& camera, const WallGeometry<3>& wall, const Box& region, double letter) {
  const Vec<3> size = region.size();
  if (2.0 * wall.radius > 1.6 * std::max({size[0], size[1], size[2]})) return;
  double low = 0.0, high = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double from = (region.low[k] - wall.point[k]) * wall.direction[k],
                 to = (region.high[k] - wall.point[k]) * wall.direction[k];
    low += std::min(from, to);
    high += std::max(from, to);
  }
  const Vec<3> any = std::abs(wall.direction[0]) < 0.9 ? Vec<3>{{1, 0, 0}} : Vec<3>{{0, 1, 0}};
  const Vec<3> first = normalized(cross(wall.direction, any)), second = cross(wall.direction, first);
  for (const double height : {low, high}) {
    std::vector<Point> rim;
    for (int k = 0; k <= 120; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / 120;
      const Vec<3> arm = std::cos(angle) * first + std::sin(angle) * second;
      rim.push_back(camera.project(wall.point + height * wall.direction + wall.radius * arm).at);
    }
    canvas.polygon(rim, grey(0.5, height == low ? 0.1 : 0.04));
    canvas.polyline(rim, 0.1 * letter, grey(0.55));
  }
}

}  // namespace

void draw_walls(Canvas& canvas, const Camera& camera, const std::vector<WallGeometry<3>>& walls, const Box& region,
                const Rectangle& window, double letter) {
  if (!camera.perspective()) return draw_edges(canvas, camera, walls, window, letter);
  for (const WallGeometry<3>& w : walls) {
    if (w.shape == WallShape::plane)
      draw_panel(canvas, camera, w, region, letter);
    else
      draw_rims(canvas, camera, w, region, letter);
  }
}

}  // namespace moreau::inline draw

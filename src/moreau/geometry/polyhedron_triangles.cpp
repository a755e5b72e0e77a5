#include "moreau/geometry/polyhedron_triangles.hpp"

#include <algorithm>
#include <utility>

namespace moreau::inline geometry {
namespace {

__extension__ typedef __int128 Wide;

class Surface {
 public:
  Surface(const std::vector<GridPoint>& points, std::array<std::int32_t, 4> start) : points_(points), from_(points.size(), -1) {
    if (side(start[0], start[1], start[2], start[3]) > 0) std::swap(start[1], start[2]);
    const auto [a, b, c, d] = start;
    for (std::size_t i = 0; i < 3; ++i) centre_[i] = point(a)[i] + point(b)[i] + point(c)[i] + point(d)[i];
    triangles_ = {{{a, b, c}, {1, 2, 3}}, {{b, a, d}, {0, 3, 2}}, {{c, b, d}, {0, 1, 3}}, {{a, c, d}, {0, 2, 1}}};
    alive_.assign(4, 1);
  }

  // Replaces the triangles that see p by a fan from p over their common border. A triangle in whose plane p lies does not see it:
  // then no new triangle is degenerate, and the visible ones form a disc.
  void add(std::int32_t p) {
    near_ = below(p);
    if (!sees(p, near_)) return;  // it lies inside
    visible_ = {near_}, alive_[index(near_)] = 2;
    for (std::size_t k = 0; k < visible_.size(); ++k)
      for (const std::int32_t t : at(visible_[k]).neighbours)
        if (alive_[index(t)] == 1 && sees(p, t)) visible_.push_back(t), alive_[index(t)] = 2;
    std::ranges::sort(visible_);  // the order of the triangles to come does not depend on the way there
    border_.clear();
    for (const std::int32_t t : visible_)
      for (int i = 0; i < 3; ++i)
        if (alive_[index(at(t).neighbours[static_cast<std::size_t>(i)])] == 1) border_.push_back({t, i});
    const auto first = static_cast<std::int32_t>(triangles_.size());
    for (const auto& [t, i] : border_) {  // one new triangle per side of the border, found by the vertex it starts from
      const std::int32_t tail = vertex(t, i), head = vertex(t, i + 1), beyond = at(t).neighbours[static_cast<std::size_t>(i)];
      const auto fresh = static_cast<std::int32_t>(triangles_.size());
      from_[index(tail)] = fresh;
      for (int j = 0; j < 3; ++j)
        if (vertex(beyond, j) == head && vertex(beyond, j + 1) == tail)
          triangles_[index(beyond)].neighbours[static_cast<std::size_t>(j)] = fresh;
      triangles_.push_back({{tail, head, p}, {beyond, -1, -1}});
      alive_.push_back(1);
    }
    for (std::int32_t t = first; t < static_cast<std::int32_t>(triangles_.size()); ++t) {
      const std::int32_t next = from_[index(vertex(t, 1))];
      triangles_[index(t)].neighbours[1] = next;
      triangles_[index(next)].neighbours[2] = t;
    }
    for (const std::int32_t t : visible_) alive_[index(t)] = 0;
    near_ = first;
  }

  std::vector<HullTriangle> compact() const {
    std::vector<std::int32_t> number(triangles_.size(), -1);
    std::int32_t count = 0;
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      if (alive_[t]) number[t] = count++;
    std::vector<HullTriangle> result;
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      if (!alive_[t]) continue;
      result.push_back(triangles_[t]);
      for (std::int32_t& neighbour : result.back().neighbours) neighbour = number[index(neighbour)];
    }
    return result;
  }

 private:
  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  const HullTriangle& at(std::int32_t t) const { return triangles_[index(t)]; }
  bool alive(std::int32_t t) const { return alive_[index(t)] != 0; }
  const GridPoint& point(std::int32_t p) const { return points_[index(p)]; }
  bool sees(std::int32_t p, std::int32_t t) const {
    const auto& v = at(t).vertices;
    return side(v[0], v[1], v[2], p) > 0;
  }

  // The triangle that the ray from the centre through p passes: p sees it, or nothing. Found by walking over the surface from the
  // last one, since points of a mesh follow their neighbours; a walk among triangles of one plane, which might go round, is cut short.
  std::int32_t below(std::int32_t p) const {
    std::int32_t t = near_;
    for (std::size_t steps = 0; steps <= triangles_.size(); ++steps) {
      int beyond = -1;  // side of t across which the ray lies
      for (int i = 0; i < 3 && beyond < 0; ++i)
        if (side_of_ray(vertex(t, i), vertex(t, i + 1), p) < 0) beyond = i;
      if (beyond < 0) return t;
      t = at(t).neighbours[static_cast<std::size_t>(beyond)];
    }
    for (t = 0; t < static_cast<std::int32_t>(triangles_.size()); ++t)
      if (alive(t) && sees(p, t)) return t;
    return near_;
  }
  // Of the plane through the centre, a and b, seen from the centre with a to the right of b: p lies above (1) or below (-1). The
  // centre is given four times, as a sum of points, so that its distance to a is below 2^42 and the determinant below 6 * 2^122.
  int side_of_ray(std::int32_t a, std::int32_t b, std::int32_t p) const {
    Wide u[3], v[3], w[3];
    for (std::size_t i = 0; i < 3; ++i)
      u[i] = point(b)[i] - point(a)[i], v[i] = point(p)[i] - point(a)[i], w[i] = centre_[i] - 4 * point(a)[i];
    const Wide volume =
        w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) + w[2] * (u[0] * v[1] - u[1] * v[0]);
    return (volume < 0) - (volume > 0);
  }
  std::int32_t vertex(std::int32_t t, int i) const { return at(t).vertices[static_cast<std::size_t>(i % 3)]; }
  int side(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) const {
    return side_of_plane(points_[index(a)], points_[index(b)], points_[index(c)], points_[index(d)]);
  }

  const std::vector<GridPoint>& points_;
  GridPoint centre_{};      // of the start, times 4: inside the surface
  std::int32_t near_ = 0;  // a triangle near the last point
  std::vector<std::int32_t> from_;
  std::vector<HullTriangle> triangles_;
  std::vector<char> alive_;  // 0 replaced, 1 on the surface, 2 sees the point being added
  std::vector<std::int32_t> visible_;
  std::vector<std::pair<std::int32_t, int>> border_;
};

}  // namespace

int side_of_plane(const GridPoint& a, const GridPoint& b, const GridPoint& c, const GridPoint& d) {
  Wide u[3], v[3], w[3];
  for (std::size_t i = 0; i < 3; ++i) u[i] = b[i] - a[i], v[i] = c[i] - a[i], w[i] = d[i] - a[i];
  const Wide volume =
      w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) + w[2] * (u[0] * v[1] - u[1] * v[0]);
  return (volume > 0) - (volume < 0);
}

std::vector<HullTriangle> hull_triangles(const std::vector<GridPoint>& points, std::array<std::int32_t, 4> start) {
  Surface surface(points, start);
  for (std::int32_t p = 0; p < static_cast<std::int32_t>(points.size()); ++p)
    if (p != start[0] && p != start[1] && p != start[2] && p != start[3]) surface.add(p);
  return surface.compact();
}

}  // namespace moreau::inline geometry

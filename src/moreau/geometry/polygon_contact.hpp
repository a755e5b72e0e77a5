// Contact points of rounded convex polygons in the plane.
//
// A part is its core, the hull of its vertices, thickened by its radius; gaps and normals are those of the cores, less the two
// radii. Let s(n) = min over b in B of n.b - max over a in A of n.a, the separation of the cores along the unit vector n from A
// to B. Their signed distance is the greatest s(n). It is reached either
//   - at the normal of a side of A or B: a corner faces that side; this always holds on overlap; or
//   - between the normals of neighbouring sides: a corner faces a corner, and n runs along the line of the two.
// So: s at all sides' normals (the facing corner moves round B as the side moves round A: linear cost), take the greatest; if the
// cores are apart and the facing corner lies beside the side, look at the corners and sides next to it.
//
// Both choices give the same s and, but for two corners that meet, the same n when one turns into the other: gap and normal are
// continuous. Two corners that meet exactly have no tangent line (Moreau 2003: "a mechanically plausible contact plane" must be
// chosen): while apart it is the one across the line between them, once touching or overlapping the side least crossed. Features
// touch when they are nearer than `tie` of the size of the parts: what is left of such a distance is rounding or the tolerance of
// a solver, and neither its direction nor the side on which it falls may choose the normal; only s along the sides may. When
// several sides tie, within the same length, the most clockwise of their normals from A to B is taken, so that rounding does not
// decide; this rule knows neither the order of the parts nor the frame.
//
// With n chosen, the side of A and the side of B that face each other are compared over the interval they share across n: its two
// ends are the contact points. Each end is a corner of one of the two, which names the point, so names last while blocks slide or
// rock. Where corners of both end the interval together (columns of equal blocks), the corner of the first part names it.
#pragma once

#include <algorithm>
#include <utility>

#include "moreau/geometry/manifold.hpp"
#include "moreau/geometry/polygon_axes.hpp"

namespace moreau::inline geometry {
namespace sides {

// All relative to the size of the two parts (sum of their reaches), except the last.
constexpr double tie = 1e-8;          // axes closer than this are equally deep; features nearer than this touch
constexpr double crossing = 1e-12;    // two bare segments (capsules) cross if they overlap more than this along every normal
constexpr double same_place = 1e-9;   // the ends of a shared interval shorter than this are one point
constexpr double same_corner = 1e-3;  // of the shorter side: corners closer than this end an interval together, see above

using Vec2 = Vec<2>;

using Placed = PlacedPolygon;
using Axis = PolygonAxis;

// A corner, or the foot of a corner on a side.
struct Facing {
  Vec2 across{};  // from A to B, not unit
  double distance = HUGE_VAL;
  int corner_a = -1, corner_b = -1;  // both, if a corner faces a corner
  int edge = -1;                     // the side faced, if a corner faces a side
};

struct Both {
  Placed a, b;
  Vec2 towards;   // from A to B, roughly: where to begin
  double margin;  // between the cores
  double size;
  Manifold<2>& manifold;

  MOREAU_BOTH const Placed& owner(bool first) const { return first ? a : b; }

  // Across n, at one end of a shared interval: where it lies on either core, and its name.
  struct End {
    double t = 0.0;
    Vec2 on_a{}, on_b{};
    double gap = 0.0;
    std::uint32_t name = 0;
  };

  MOREAU_BOTH void emit(const End& end, const Vec2& normal) {
    if (!(end.gap <= margin)) return;
    const double rounding = a.radius + b.radius;
    ManifoldPoint<2>& point = manifold.point[manifold.count++];
    point.point = 0.5 * (end.on_a + end.on_b + (a.radius - b.radius) * normal);  // from the centre of the first body
    point.normal = -normal;
    point.gap = end.gap - rounding;
    point.feature = end.name;
  }

  MOREAU_BOTH static std::uint32_t name(int corner, bool first) { return 2 * static_cast<std::uint32_t>(corner) + (first ? 0u : 1u); }

  // The name of an end where corners of A and B, `lead` ahead of each other (> 0: that of B ends the interval), compete.
  MOREAU_BOTH std::uint32_t name_of(int corner_a, int corner_b, double lead, double shorter_side) const {
    if (a.count == 1) return name(corner_a, true);
    if (b.count == 1) return name(corner_b, false);
    return name(lead > same_corner * shorter_side ? corner_b : corner_a, !(lead > same_corner * shorter_side));
  }

  // A side seen along n: t across, corners in the order of t.
  struct Side {
    Vec2 low, high;
    double t_low, t_high;
    int corner_low, corner_high;

    MOREAU_BOTH Side(const Placed& part, int first, int second, const Vec2& across)
        : low(part.corner(first)),
          high(part.corner(second)),
          t_low(dot(across, low)),
          t_high(dot(across, high)),
          corner_low(first),
          corner_high(second) {
      if (t_low > t_high) std::swap(low, high), std::swap(t_low, t_high), std::swap(corner_low, corner_high);
    }
    // `t` beyond the ends: the end. A side along n has no extent in t but rounding: its foremost end, which is where the contact
    // is.
    MOREAU_BOTH Vec2 at(double t, const Vec2& forwards, double least_extent) const {
      if (t_high - t_low > least_extent) {
        const double s = (t - t_low) / (t_high - t_low);
        return s <= 0.0 ? low : s >= 1.0 ? high : low + s * (high - low);
      }
      return dot(forwards, low) >= dot(forwards, high) ? low : high;
    }
  };

  MOREAU_BOTH End end_at(const Side& on_a, const Side& on_b, double t, const Vec2& normal, std::uint32_t named) const {
    End end{t, on_a.at(t, normal, same_place * size), on_b.at(t, -normal, same_place * size), 0.0, named};
    end.gap = dot(normal, end.on_b - end.on_a);
    return end;
  }

  // The two ends of the interval that side A and side B share; where they only meet in a corner, low and high are there.
  struct Shared {
    Vec2 normal;
    End low, high;

    MOREAU_BOTH double length() const { return high.t - low.t; }
    MOREAU_BOTH const End& least() const { return high.gap < low.gap ? high : low; }
    MOREAU_BOTH End& least() { return high.gap < low.gap ? high : low; }
  };
  MOREAU_BOTH Shared compare(int a0, int a1, int b0, int b1, const Vec2& normal) const {
    const Vec2 across{{normal[1], -normal[0]}};
    const Side on_a(a, a0, a1, across), on_b(b, b0, b1, across);
    const double low = std::max(on_a.t_low, on_b.t_low), high = std::min(on_a.t_high, on_b.t_high);
    const double shorter = std::min(on_a.t_high - on_a.t_low, on_b.t_high - on_b.t_low);
    return {normal, end_at(on_a, on_b, low, normal, name_of(on_a.corner_low, on_b.corner_low, on_b.t_low - on_a.t_low, shorter)),
            end_at(on_a, on_b, high, normal, name_of(on_a.corner_high, on_b.corner_high, on_a.t_high - on_b.t_high, shorter))};
  }

  // A corner of the other part faces a side: of the two sides at that corner the one that opens less takes part.
  MOREAU_BOTH Shared shared_by(const Axis& axis) const {
    const Placed &reference = owner(axis.of_first), &other = owner(!axis.of_first);
    const auto opening = [&](int neighbour) {
      const Vec2 along = other.corner(neighbour) - other.corner(axis.facing);
      const double length = norm(along);
      return length > 0.0 ? dot(axis.normal, along) / length : 0.0;
    };
    const int before = other.before(axis.facing), after = other.after(axis.facing);
    const int neighbour = opening(before) < opening(after) ? before : after;
    const int next = reference.after(axis.edge);
    return axis.of_first ? compare(axis.edge, next, axis.facing, neighbour, axis.normal)
                         : compare(axis.facing, neighbour, axis.edge, next, -axis.normal);
  }

  // The corner faced may lie beside the interval by as much as sides tie; the end next to it stands for it. Where the interval
  // lies behind a side nearly along n that leads away (a capsule on its end), the corner itself is the contact.
  MOREAU_BOTH void side_contact(const Axis& axis) {
    Shared shared = shared_by(axis);
    if (shared.least().gap > axis.separation + tie * size) {
      const Vec2 corner = owner(!axis.of_first).corner(axis.facing), foot = corner - axis.separation * axis.normal;
      return emit(
          {0.0, axis.of_first ? foot : corner, axis.of_first ? corner : foot, axis.separation, name(axis.facing, !axis.of_first)},
          shared.normal);
    }
    shared.least().gap = axis.separation;
    if (shared.length() <= same_place * size) return emit(shared.least(), shared.normal);
    const bool in_order = shared.low.name < shared.high.name;
    emit(in_order ? shared.low : shared.high, shared.normal);
    emit(in_order ? shared.high : shared.low, shared.normal);
  }

  // A corner faces a corner; where the sides on one hand run nearly alongside each other, the end of these too.
  MOREAU_BOTH void corner_contact(const Facing& facing) {
    // Two discs with the same centre: any direction parts them.
    const Vec2 normal = facing.distance > 0.0 ? (1.0 / facing.distance) * facing.across : Vec2{{1.0, 0.0}};
    const Vec2 across{{normal[1], -normal[0]}};
    const int i = facing.corner_a, j = facing.corner_b;
    const End main{0.0, a.corner(i), b.corner(j), facing.distance, name_of(i, j, 0.0, 1.0)};
    const double t0 = dot(across, main.on_a);
    End far;
    double least_opening = HUGE_VAL;
    const int neighbours[2][2] = {{a.after(i), b.before(j)}, {a.before(i), b.after(j)}};
    for (const auto& [ka, kb] : neighbours) {
      const Side on_a(a, i, ka, across), on_b(b, j, kb, across);
      const bool up_a = on_a.corner_low == i, up_b = on_b.corner_low == j;
      const double reach_a = on_a.t_high - on_a.t_low, reach_b = on_b.t_high - on_b.t_low;
      if (up_a != up_b || std::min(reach_a, reach_b) <= same_place * size) continue;
      const double t = up_a ? std::min(on_a.t_high, on_b.t_high) : std::max(on_a.t_low, on_b.t_low);
      const End end = end_at(on_a, on_b, t, normal, name_of(ka, kb, reach_a - reach_b, std::min(reach_a, reach_b)));
      const double opening = (end.gap - main.gap) / std::abs(t - t0);
      if (opening < least_opening) least_opening = opening, far = end;
    }
    const bool two = least_opening < HUGE_VAL;
    if (two && far.name < main.name) emit(far, normal);
    emit(main, normal);
    if (two && far.name > main.name) emit(far, normal);
  }

  // Distance of corner i of one part to its nearest point on the side j -> k of the other.
  MOREAU_BOTH void consider(bool first, int i, int j, int k, Facing& best) const {
    const Vec2 x = owner(first).corner(i), p = owner(!first).corner(j), side = owner(!first).corner(k) - p, arm = x - p;
    const double length2 = dot(side, side), s = length2 > 0.0 ? dot(arm, side) / length2 : 0.0;
    const bool at_corner = !(s > 0.0 && s < 1.0);
    const Vec2 between = s <= 0.0 ? arm : s >= 1.0 ? arm - side : arm - s * side;
    const double distance = norm(between);
    if (!(distance < best.distance)) return;
    best.distance = distance;
    best.across = first ? -between : between;
    const int foot = s >= 1.0 ? k : j;
    best.corner_a = first ? i : at_corner ? foot : -1;
    best.corner_b = !first ? i : at_corner ? foot : -1;
    best.edge = at_corner ? -1 : j;
  }

  // Nearest points among the sides next to corner i of A and corner j of B.
  MOREAU_BOTH Facing nearest_about(int i, int j) const {
    Facing best;
    consider(false, j, i, a.after(i), best);
    consider(false, j, a.before(i), i, best);
    consider(true, i, j, b.after(j), best);
    consider(true, i, b.before(j), j, best);
    return best;
  }
  MOREAU_BOTH Facing nearest_of_segments() const {
    Facing best;
    for (int j = 0; j < b.count; ++j) consider(false, j, 0, a.after(0), best);
    for (int i = 0; i < a.count; ++i) consider(true, i, 0, b.after(0), best);
    return best;
  }

  // The nearest features are known; `axis` is the side along which the parts are farthest apart, if any has sides.
  MOREAU_BOTH void apart(const Facing& facing, const Axis& axis) {
    if (!(facing.distance <= margin)) return;
    const bool has_direction = facing.distance > tie * size;
    if (!has_direction && axis.edge >= 0) return side_contact(axis);
    if (facing.edge >= 0) {  // the side's own normal
      const bool of_first = facing.corner_a < 0;
      const Placed& reference = owner(of_first);
      const Vec2 along = normalized(reference.corner(reference.after(facing.edge)) - reference.corner(facing.edge));
      Vec2 normal{{along[1], -along[0]}};
      if (reference.count == 2 && (dot(normal, facing.across) < 0.0) == of_first) normal = -normal;  // the back of a segment
      side_contact({facing.distance, normal, facing.edge, of_first ? facing.corner_b : facing.corner_a, of_first});
    } else {
      corner_contact(facing);
    }
  }

  // Of the sides that tie with `best`, among those before which the other part lies.
  MOREAU_BOTH Axis most_clockwise(Axis best) const {
    const double least = best.separation - tie * size;
    const auto lies_before = [&](const Axis& axis) {
      const Shared shared = shared_by(axis);
      return shared.length() >= -tie * size && shared.least().gap <= axis.separation + tie * size;
    };
    const auto look = [&](const Axis& axis) {
      const Vec2 one = axis.of_first ? axis.normal : -axis.normal, other = best.of_first ? best.normal : -best.normal;
      if (axis.separation >= least && moment(one, other)[0] > 0.0 && lies_before(axis)) best = axis;
      return true;
    };
    for_each_side(a, b, true, towards, least, look);
    for_each_side(b, a, false, -towards, least, look);
    return best;
  }

  MOREAU_BOTH void find() {
    Axis best;
    double second = -HUGE_VAL, least = -HUGE_VAL;  // sides below `least` cannot matter
    const auto look = [&](const Axis& axis) {
      if (axis.separation > best.separation)
        second = best.separation, best = axis, least = best.separation - tie * size;
      else if (axis.separation > second)
        second = axis.separation;
      return axis.separation <= margin;  // s never exceeds the distance
    };
    if (!for_each_side(a, b, true, towards, least, look) || !for_each_side(b, a, false, -towards, least, look)) return;

    const bool segments = a.count <= 2 && b.count <= 2;
    const bool cross = a.count == 2 && b.count == 2 && best.separation < -crossing * size;
    if (segments && !cross) return apart(nearest_of_segments(), best);
    const bool touch = best.separation <= tie * size;  // or overlap
    const Axis axis = touch && second >= best.separation - tie * size ? most_clockwise(best) : best;
    if (!(best.separation > 0.0)) return side_contact(axis);

    const Placed &reference = owner(best.of_first), &other = owner(!best.of_first);
    const int next = reference.after(best.edge);
    const Vec2 p = reference.corner(best.edge), side = reference.corner(next) - p, x = other.corner(best.facing);
    const double s = dot(x - p, side), length2 = dot(side, side);
    if (s >= 0.0 && s <= length2) return side_contact(axis);
    const int beside = s < 0.0 ? best.edge : next;
    apart(best.of_first ? nearest_about(beside, best.facing) : nearest_about(best.facing, beside), axis);
  }
};

}  // namespace sides

template <class Part>
MOREAU_INLINE void find_polygon_contact(const Part& a, const Pose<2>& at_a, const Part& b, const Pose<2>& at_b, double margin,
                                      Manifold<2>& manifold) {
  using namespace sides;
  manifold.count = 0;
  const Vec2 offset = at_b.position - at_a.position;
  const Vec2 between = offset + at_b.rotation * b.centre - at_a.rotation * a.centre;
  const double size = a.reach + b.reach, farthest = size + margin;
  if (!(dot(between, between) <= farthest * farthest)) return;
  Both{{a, at_a.rotation, Vec2{}}, {b, at_b.rotation, offset}, between, margin + a.radius + b.radius, size, manifold}.find();
  for (int k = 0; k < manifold.count; ++k) manifold.point[k].point += at_a.position;
}

// Contact points of rounded convex polygons with walls: the two corners nearest to the wall. The inside of a circle curves towards the part, a plane not at all: either way corners touch first.
template <class Part, class Wall>
MOREAU_INLINE void find_polygon_wall_contact(const Part& a, const Pose<2>& at_a, const Wall& wall, const Vec<2>& shift,
                                           double margin, Manifold<2>& manifold) {
  manifold.count = 0;
  const Separation<2> whole = separation(wall, shift, at_a.place(a.centre), a.reach);
  if (!(whole.gap <= margin)) return;
  double gap[2] = {HUGE_VAL, HUGE_VAL};  // of the two lowest corners
  int corner[2] = {-1, -1};
  for (int i = 0; i < static_cast<int>(a.vertices.size()); ++i) {
    const double g = separation(wall, shift, at_a.place(a.vertices[static_cast<std::size_t>(i)]), a.radius).gap;
    if (!(g <= margin) || g >= gap[1]) continue;
    gap[1] = g, corner[1] = i;
    if (gap[1] < gap[0]) std::swap(gap[0], gap[1]), std::swap(corner[0], corner[1]);
  }
  if (corner[1] >= 0 && corner[1] < corner[0]) std::swap(corner[0], corner[1]);
  for (const int i : corner) {
    if (i < 0) continue;
    const Vec<2> x = at_a.place(a.vertices[static_cast<std::size_t>(i)]);
    const Separation<2> s = separation(wall, shift, x, a.radius);
    manifold.point[manifold.count++] = {x - (a.radius + 0.5 * s.gap) * s.normal, s.normal, s.gap,
                                        2 * static_cast<std::uint32_t>(i)};
  }
}

}  // namespace moreau::inline geometry

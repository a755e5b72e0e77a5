// Area, centre and polar moment of the union of rounded convex polygons, from its outline.
//
// By Green's theorem each piece p -> q of the outline, straight or round, counts for the region between it and a fixed point, in
// closed form. The outline of a union is what remains of the outlines of the parts after the stretches inside other parts are
// taken away: cut every side and arc where it meets the lines and circles of the others, keep the pieces whose middle lies
// outside. Pieces shared by two parts count once where both lie on the same side and cancel where they lie on opposite sides, so
// parts may touch along edges. No quadrature: the result is exact up to rounding, about 1e-13.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "moreau/base/elementary.hpp"
#include "moreau/geometry/enclosing_ball.hpp"
#include "moreau/geometry/mass_properties.hpp"

namespace moreau::inline geometry {
namespace {

constexpr double pi = std::numbers::pi;
// Pieces closer than this to the outline of another part, relative to the extent of the shape, lie on it.
constexpr double coincidence = 1e-12;

struct Moments {  // of a plane region: area, first moment, polar second moment, about the origin
  double area = 0.0;
  Vec<2> first{};
  double second = 0.0;

  Moments& operator+=(const Moments& o) {
    area += o.area, first += o.first, second += o.second;
    return *this;
  }
};

// Triangle from the origin to p to q, signed.
Moments triangle(const Vec<2>& p, const Vec<2>& q) {
  const double doubled = moment(p, q)[0];
  return {0.5 * doubled, (doubled / 6.0) * (p + q), doubled / 12.0 * (dot(p, p) + dot(p, q) + dot(q, q))};
}

// Of a part's outline: a side p -> q, or a counter-clockwise arc about `centre` from the angle `from` over `opening`.
struct Piece {
  bool round = false;
  Vec<2> p{}, q{};
  Vec<2> centre{};
  double radius = 0.0, from = 0.0, opening = 0.0;

  Vec<2> at(double s) const {  // 0 <= s <= 1
    if (!round) return (1.0 - s) * p + s * q;
    const double angle = from + s * opening;
    return centre + radius * Vec<2>{{cosine(angle), sine(angle)}};
  }
  Vec<2> outwards(double s) const {
    if (round) return (1.0 / radius) * (at(s) - centre);
    const Vec<2> along = normalized(q - p);
    return {{along[1], -along[0]}};
  }
  Piece between(double s, double t) const {
    if (!round) return {.p = at(s), .q = at(t)};
    return {.round = true, .centre = centre, .radius = radius, .from = from + s * opening, .opening = (t - s) * opening};
  }
};

// Between the origin and a piece. For an arc: two triangles and a sector.
Moments moments(const Piece& piece) {
  if (!piece.round) return triangle(piece.p, piece.q);
  const double r = piece.radius, half = 0.5 * piece.opening, middle = piece.from + half;
  const Vec<2> bisector{{cosine(middle), sine(middle)}};
  Moments sector;
  sector.area = half * r * r;
  const Vec<2> lever = (2.0 / 3.0) * r * r * r * sine(half) * bisector;  // first moment about its own centre
  sector.first = lever + sector.area * piece.centre;
  sector.second = 0.5 * half * r * r * r * r + 2.0 * dot(lever, piece.centre) + sector.area * dot(piece.centre, piece.centre);
  Moments sum = triangle(piece.at(0.0), piece.centre);
  sum += sector;
  sum += triangle(piece.centre, piece.at(1.0));
  return sum;
}

std::vector<Piece> outline(const ConvexPart<2>& part) {
  std::vector<Piece> pieces;
  const std::size_t n = part.vertices.size();
  if (n == 1) {
    if (part.radius > 0.0)
      pieces.push_back({.round = true, .centre = part.vertices[0], .radius = part.radius, .opening = 2.0 * pi});
    return pieces;
  }
  const auto angle_of_side = [&](std::size_t i) {  // of its outward normal
    const Vec<2> along = part.vertices[(i + 1) % n] - part.vertices[i % n];
    return arctangent(-along[0], along[1]);
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Vec<2>&p = part.vertices[i], &q = part.vertices[(i + 1) % n];
    const double angle = angle_of_side(i);
    const Vec<2> along = normalized(q - p), shift{{part.radius * along[1], -part.radius * along[0]}};
    pieces.push_back({.p = p + shift, .q = q + shift});
    if (part.radius == 0.0) continue;
    double opening = angle_of_side(i + 1) - angle;
    if (opening < 0.0) opening += 2.0 * pi;
    pieces.push_back({.round = true, .centre = q, .radius = part.radius, .from = angle, .opening = opening});
  }
  return pieces;
}

// Distance of x outside the part, negative inside.
double distance_outside(const ConvexPart<2>& part, const Vec<2>& x) {
  const std::size_t n = part.vertices.size();
  double nearest = n == 1 ? norm(x - part.vertices[0]) : HUGE_VAL;
  bool inside = n > 2;
  for (std::size_t i = 0; i < n && n > 1; ++i) {
    const Vec<2> side = part.vertices[(i + 1) % n] - part.vertices[i], arm = x - part.vertices[i];
    inside = inside && moment(side, arm)[0] >= 0.0;
    const double s = std::clamp(dot(arm, side) / dot(side, side), 0.0, 1.0);
    nearest = std::min(nearest, norm(arm - s * side));
  }
  return (inside ? -nearest : nearest) - part.radius;
}

// Where along a piece (s) it meets a line or a circle. Cuts too many do no harm, so the ends of the cutting piece do not matter.
void cut_by_line(const Piece& piece, const Vec<2>& p, const Vec<2>& q, std::vector<double>& cuts) {
  const Vec<2> along = normalized(q - p);
  const auto height = [&](const Vec<2>& x) { return moment(along, x - p)[0]; };
  if (!piece.round) {
    const double start = height(piece.p), end = height(piece.q);
    if (start != end) cuts.push_back(start / (start - end));
    return;
  }
  const double h = height(piece.centre) / piece.radius;  // height(angle) = h + sin(angle - angle of the line)
  if (std::abs(h) > 1.0) return;
  const double base = arctangent(along[1], along[0]), rise = arcsine(-h);
  for (const double angle : {base + rise, base + pi - rise}) {
    const double turn = std::fmod(std::fmod(angle - piece.from, 2.0 * pi) + 2.0 * pi, 2.0 * pi);
    cuts.push_back(turn / piece.opening);
  }
}

void cut_by_circle(const Piece& piece, const Vec<2>& centre, double radius, std::vector<double>& cuts) {
  if (!piece.round) {
    const Vec<2> side = piece.q - piece.p, arm = centre - piece.p;
    const double length = norm(side), foot = dot(arm, side) / length, height = moment(side, arm)[0] / length;
    if (std::abs(height) > radius) return;
    const double half = std::sqrt((radius - height) * (radius + height));
    cuts.push_back((foot - half) / length);
    cuts.push_back((foot + half) / length);
    return;
  }
  const Vec<2> apart = centre - piece.centre;
  const double d = norm(apart);
  if (d == 0.0) return;
  const double cosine = (d * d + piece.radius * piece.radius - radius * radius) / (2.0 * d * piece.radius);
  if (std::abs(cosine) > 1.0) return;
  const double base = arctangent(apart[1], apart[0]), half = arccosine(cosine);
  for (const double angle : {base - half, base + half}) {
    const double turn = std::fmod(std::fmod(angle - piece.from, 2.0 * pi) + 2.0 * pi, 2.0 * pi);
    cuts.push_back(turn / piece.opening);
  }
}

struct PartOutline {
  const ConvexPart<2>* part;
  std::vector<Piece> pieces;
};

// Whether the middle of a piece of part `own` belongs to the outline of the union.
bool is_outline(const std::vector<PartOutline>& outlines, std::size_t own, const Piece& piece, double tolerance) {
  const Vec<2> middle = piece.at(0.5), outwards = piece.outwards(0.5);
  for (std::size_t other = 0; other < outlines.size(); ++other) {
    if (other == own) continue;
    const ConvexPart<2>& part = *outlines[other].part;
    const double distance = distance_outside(part, middle);
    if (distance < -tolerance) return false;
    if (distance > tolerance || other > own) continue;
    // On the outline of an earlier part: that one counts it if both lie on the same side, that is, look the same way.
    const Vec<2> step = 1e-3 * norm(piece.at(1.0) - middle) * outwards;
    if (distance_outside(part, middle + step) > distance_outside(part, middle - step)) return false;
  }
  return true;
}

Moments moments_of_union(const std::vector<ConvexPart<2>>& parts, double extent) {
  std::vector<PartOutline> outlines;
  for (const ConvexPart<2>& part : parts) outlines.push_back({&part, outline(part)});
  Moments sum;
  std::vector<double> cuts;
  for (std::size_t own = 0; own < parts.size(); ++own)
    for (const Piece& piece : outlines[own].pieces) {
      cuts = {0.0, 1.0};
      for (std::size_t other = 0; other < parts.size(); ++other) {
        if (other == own || norm(parts[own].centre - parts[other].centre) > parts[own].reach + parts[other].reach) continue;
        for (const Piece& cutting : outlines[other].pieces)
          if (cutting.round)
            cut_by_circle(piece, cutting.centre, cutting.radius, cuts);
          else
            cut_by_line(piece, cutting.p, cutting.q, cuts);
      }
      std::erase_if(cuts, [](double s) { return !(s >= 0.0 && s <= 1.0); });
      std::sort(cuts.begin(), cuts.end());
      for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
        if (!(cuts[k + 1] > cuts[k])) continue;
        const Piece stretch = piece.between(cuts[k], cuts[k + 1]);
        if (is_outline(outlines, own, stretch, coincidence * extent)) sum += moments(stretch);
      }
    }
  return sum;
}

void move(ConvexPart<2>& part, const Vec<2>& by) {
  for (Vec<2>& x : part.vertices) x += by;
  part.centre += by;
}

}  // namespace

template <>
PlacedShape<2> make_shape<2>(std::vector<ConvexPart<2>> parts) {
  PlacedShape<2> placed;
  if (parts.empty()) {
    placed.fault = "it has no parts";
    return placed;
  }
  std::vector<Vec<2>> vertices;
  double thickest = 0.0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const Vec<2>& x : parts[i].vertices)
      if (!is_finite(x)) {
        placed.fault = fmt::format("part {} has the vertex ({}, {}), not finite", i + 1, x[0], x[1]);
        return placed;
      }
    const double radius = parts[i].radius;
    if (!std::isfinite(radius) || radius < 0.0 || (radius == 0.0 && parts[i].vertices.size() < 3) || parts[i].vertices.empty()) {
      placed.fault =
          fmt::format("part {} has {} vertices and the radius {}: its area is zero", i + 1, parts[i].vertices.size(), radius);
      return placed;
    }
    vertices.insert(vertices.end(), parts[i].vertices.begin(), parts[i].vertices.end());
    thickest = std::max(thickest, radius);
  }
  // Moments are taken about the middle of all parts, where the subtraction of A c^2 below costs no digits.
  const EnclosingBall<2> ball = enclosing_ball(vertices);
  for (ConvexPart<2>& part : parts) move(part, -ball.centre);
  const Moments sum = moments_of_union(parts, ball.radius + thickest);
  if (!(sum.area > 0.0) || !std::isfinite(sum.second)) {
    placed.fault = "its area is zero";
    return placed;
  }
  const Vec<2> centre = (1.0 / sum.area) * sum.first;
  placed.centre = ball.centre + centre;
  placed.shape.volume = sum.area;
  placed.shape.gyration[0] = sum.second / sum.area - dot(centre, centre);
  for (ConvexPart<2>& part : parts) {
    move(part, -centre);
    for (const Vec<2>& x : part.vertices) placed.shape.reach = std::max(placed.shape.reach, norm(x) + part.radius);
  }
  placed.shape.parts = std::move(parts);
  return placed;
}

}  // namespace moreau::inline geometry

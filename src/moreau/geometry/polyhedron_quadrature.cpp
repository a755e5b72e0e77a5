// Moments of a union of convex parts that overlap. On a line parallel to x the union is a few intervals, integrated exactly; over
// y and then z by Gauss-Kronrod quadrature, intervals halved where the estimate of the error is largest until the sum of them is
// below 1e-8 of the value (y) and 1e-7 (z), starting from intervals between the heights of the vertices.
#include <algorithm>
#include <array>
#include <queue>

#include "moreau/geometry/polyhedron_chord.hpp"
#include "moreau/geometry/polyhedron_moments.hpp"

namespace moreau::inline geometry {
namespace {

using Values = std::array<double, 10>;  // integrals of 1, x, y, z, xx, xy, xz, yy, yz, zz

void add(Values& sum, double weight, const Values& v) {
  for (std::size_t i = 0; i < v.size(); ++i) sum[i] += weight * v[i];
}

// Kronrod's 15 nodes on [-1, 1] and weights, and the weights of the 7 Gauss nodes among them (0 elsewhere).
struct Node {
  double at, kronrod, gauss;
};
constexpr Node nodes[] = {
    {0.991455371120812639206854697526329, 0.022935322010529224963732008058970, 0.0},
    {0.949107912342758524526189684047851, 0.063092092629978553290700663189204, 0.129484966168869693270611432679082},
    {0.864864423359769072789712788640926, 0.104790010322250183839876322541518, 0.0},
    {0.741531185599394439863864773280788, 0.140653259715525918745189590510238, 0.279705391489276667901467771423780},
    {0.586087235467691130294144258735300, 0.169004726639267902826583426598550, 0.0},
    {0.405845151377397166906606412076961, 0.190350578064785409913256402421014, 0.381830050505118944950369775488975},
    {0.207784955007898467600689403773245, 0.204432940075298892414161999234649, 0.0},
    {0.0, 0.209482141084727828012999174891714, 0.417959183673469387755102040816327}};

struct Piece {
  double from, to, error;
  Values value;
  bool operator<(const Piece& other) const { return error < other.error; }
};

template <class Function>
Piece integrate_piece(const Function& f, double from, double to) {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  Values fine{}, coarse{};
  for (const Node& node : nodes)
    for (const double side : {-1.0, 1.0}) {
      if (node.at == 0.0 && side > 0.0) continue;
      const Values v = f(middle + side * node.at * half);
      add(fine, half * node.kronrod, v);
      if (node.gauss > 0.0) add(coarse, half * node.gauss, v);
    }
  return {from, to, std::abs(fine[0] - coarse[0]),
          fine};  // the volume stands for all: the parts are given about their own middle
}

// Between consecutive `breaks` (sorted); `error` is the sum of the estimates left.
template <class Function>
Values integrate(const Function& f, const std::vector<double>& breaks, double relative, std::size_t most_pieces, double& error) {
  std::priority_queue<Piece> pieces;
  Values total{};
  double left = 0.0;
  const auto take = [&](double from, double to) {
    const Piece piece = integrate_piece(f, from, to);
    add(total, 1.0, piece.value);
    left += piece.error;
    pieces.push(piece);
  };
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    const double cut = breaks[i] + 0.45 * (breaks[i + 1] - breaks[i]);  // a kink seldom deceives both pieces
    take(breaks[i], cut);
    take(cut, breaks[i + 1]);
  }
  while (!pieces.empty() && pieces.size() < most_pieces && left > relative * std::abs(total[0])) {
    const Piece worst = pieces.top();
    pieces.pop();
    add(total, -1.0, worst.value);
    left -= worst.error;
    const double middle = 0.5 * (worst.from + worst.to);
    take(worst.from, middle);
    take(middle, worst.to);
  }
  error = std::max(left, 0.0);
  return total;
}

std::vector<double> heights(const std::vector<ConvexPart<3>>& parts, int axis) {
  std::vector<double> list;
  for (const ConvexPart<3>& part : parts)
    for (const Vec<3>& x : part.vertices) list.insert(list.end(), {x[axis] - part.radius, x[axis] + part.radius});
  std::sort(list.begin(), list.end());
  const double least = 1e-6 * (list.back() - list.front());
  std::vector<double> apart{list.front()};
  for (const double h : list)
    if (h > apart.back() + least) apart.push_back(h);
  return apart;
}

Values on_line(const std::vector<ConvexPart<3>>& parts, double y, double z, std::vector<Chord>& chords) {
  chords.clear();
  for (const ConvexPart<3>& part : parts)
    if (const Chord chord = chord_of(part, y, z); !chord.empty()) chords.push_back(chord);
  std::sort(chords.begin(), chords.end(), [](const Chord& a, const Chord& b) { return a.from < b.from; });
  double length = 0.0, first = 0.0, second = 0.0, reached = -HUGE_VAL;
  for (const Chord& chord : chords) {
    const double from = std::max(chord.from, reached), to = chord.to;
    if (!(to > from)) continue;
    length += to - from;
    first += 0.5 * (to - from) * (to + from);
    second += (to - from) * (to * to + to * from + from * from) / 3.0;
    reached = to;
  }
  return {length, first, y * length, z * length, second, y * first, z * first, y * y * length, y * z * length, z * z * length};
}

}  // namespace

Moments moments_by_quadrature(std::vector<ConvexPart<3>> parts) {
  double scale = 0.0;  // lengths of order one, so that one tolerance serves all moments
  for (const ConvexPart<3>& part : parts) scale = std::max(scale, part.reach);
  for (ConvexPart<3>& part : parts) {
    part.radius /= scale;
    for (Vec<3>& x : part.vertices) x *= 1.0 / scale;
    for (PolyhedronFace& face : part.topology.faces) face.offset /= scale;
  }
  const std::vector<double> across = heights(parts, 1), up = heights(parts, 2);
  std::vector<Chord> chords;
  const auto slice = [&](double z) {
    double ignored;
    return integrate([&](double y) { return on_line(parts, y, z, chords); }, across, 1e-8, 200, ignored);
  };
  double ignored;
  Values v = integrate(slice, up, 1e-7, 200, ignored);
  const double cube = scale * scale * scale;
  for (std::size_t i = 0; i < v.size(); ++i) v[i] *= i == 0 ? cube : i < 4 ? cube * scale : cube * scale * scale;
  return {v[0], {{v[1], v[2], v[3]}}, {{{{v[4], v[5], v[6]}}, {{v[5], v[7], v[8]}}, {{v[6], v[8], v[9]}}}}};
}

}  // namespace moreau::inline geometry

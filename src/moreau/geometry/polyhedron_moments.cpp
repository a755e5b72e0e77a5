// A rounded polyhedron is cut into the polyhedron, a prism on each face, a sector of a cylinder along each edge and a sector of a
// ball at each vertex (Steiner); each has its moments in closed form.
#include "moreau/geometry/polyhedron_moments.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/base/elementary.hpp"

namespace moreau::inline geometry {
namespace {

constexpr double pi = 3.14159265358979323846;

const Vec<3>& vertex(const ConvexPart<3>& part, std::int32_t i) { return part.vertices[static_cast<std::size_t>(i)]; }

// Simplex with one corner at the origin: second moment V/20 (s s^T + sum of x x^T), s the sum of the other corners.
Moments tetrahedron(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c) {
  Moments m;
  m.volume = dot(a, cross(b, c)) / 6.0;
  const Vec<3> sum = a + b + c;
  m.first = 0.25 * m.volume * sum;
  add_product(m.second, m.volume / 20.0, sum, sum);
  for (const Vec<3>& x : {a, b, c}) add_product(m.second, m.volume / 20.0, x, x);
  return m;
}

// On a triangle, of height h along its unit normal.
Moments prism(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c, const Vec<3>& normal, double h) {
  const double area = 0.5 * dot(normal, cross(b - a, c - a));
  const Vec<3> sum = a + b + c;
  Moments m;
  m.volume = area * h;
  m.first = area * h / 3.0 * sum + 0.5 * area * h * h * normal;
  add_product(m.second, area * h / 12.0, sum, sum);
  for (const Vec<3>& x : {a, b, c}) add_product(m.second, area * h / 12.0, x, x);
  add_product(m.second, area * h * h / 3.0, sum, normal);
  add_product(m.second, area * h * h * h / 3.0, normal, normal);
  return m;
}

// An arc of the unit circle from `from`, by `angle`, towards `towards` (unit, orthogonal).
struct Arc {
  Vec<3> from, towards;
  double angle;
  Vec<3> integral() const { return sine(angle) * from + (1.0 - cosine(angle)) * towards; }  // of the unit vector
};
Arc arc_between(const Vec<3>& from, const Vec<3>& to) {
  const Vec<3> off = to - dot(from, to) * from;
  const double height = norm(off);
  return {from, height > 0.0 ? (1.0 / height) * off : Vec<3>{}, arctangent(height, dot(from, to))};
}

// Sector of a cylinder of radius r about the segment from `tail`, over an arc across it.
Moments cylinder_sector(const Vec<3>& tail, const Vec<3>& along, const Arc& arc, double r) {
  const double length = norm(along), section = 0.5 * arc.angle * r * r, height = sine(arc.angle),
               both = 0.25 * sine(2.0 * arc.angle);
  const Vec<3> first = r * r * r / 3.0 * arc.integral(), middle = tail + 0.5 * along;
  Moments m;
  m.volume = length * section;
  m.first = length * section * middle + length * first;
  add_product(m.second, length * section, middle, middle);
  add_product(m.second, length * section / 12.0, along, along);
  add_product(m.second, 2.0 * length, middle, first);
  const double quartic = length * r * r * r * r / 4.0;
  add_product(m.second, quartic * (0.5 * arc.angle + both), arc.from, arc.from);
  add_product(m.second, quartic * (0.5 * arc.angle - both), arc.towards, arc.towards);
  add_product(m.second, quartic * height * height, arc.from, arc.towards);
  return m;
}

// Sector of a ball of radius r at `centre` from the integrals of 1, n and n n^T over its solid angle.
Moments ball_sector(const Vec<3>& centre, double r, double solid_angle, const Vec<3>& first, const Matrix<3>& second) {
  Moments m;
  m.volume = solid_angle * r * r * r / 3.0;
  m.first = r * r * (r * r) / 4.0 * first;
  for (int i = 0; i < 3; ++i) m.second.row[i] = r * r * (r * r) * r / 5.0 * second.row[i];
  return moved(m, centre);
}

Matrix<3> multiple_of_one(double factor) { return {{{{factor, 0.0, 0.0}}, {{0.0, factor, 0.0}}, {{0.0, 0.0, factor}}}}; }

Moments ball(const Vec<3>& centre, double r) { return ball_sector(centre, r, 4.0 * pi, {}, multiple_of_one(4.0 * pi / 3.0)); }

Moments capsule(const Vec<3>& tail, const Vec<3>& head, double r) {
  const Vec<3> along = head - tail;
  if (!(norm(along) > 0.0)) return ball(tail, r);
  const Vec<3> d = normalized(along);
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(d[i]) < std::abs(d[least])) least = i;
  Vec<3> axis{};
  axis[least] = 1.0;
  const Vec<3> from = normalized(cross(d, axis));
  Moments m = cylinder_sector(tail, along, {from, cross(d, from), 2.0 * pi}, r);
  m += ball_sector(tail, r, 2.0 * pi, -pi * d, multiple_of_one(2.0 * pi / 3.0));
  m += ball_sector(head, r, 2.0 * pi, pi * d, multiple_of_one(2.0 * pi / 3.0));
  return m;
}

Moments polyhedron(const ConvexPart<3>& part) {
  Moments m;
  const Vec<3> apex = part.vertices[0];
  for (const PolyhedronFace& face : part.topology.faces) {
    const Vec<3> a = vertex(part, face.vertices[0]);
    for (std::size_t i = 1; i + 1 < face.vertices.size(); ++i)
      m += tetrahedron(a - apex, vertex(part, face.vertices[i]) - apex, vertex(part, face.vertices[i + 1]) - apex);
  }
  return moved(m, apex);
}

// The normals at a vertex v fill a spherical polygon whose sides are the arcs of the edges d leaving v, with outward conormal d.
//   solid angle = 2 pi - sum of the angles of the faces at v        (Gauss and Bonnet)
//   int n       = - 1/2 sum angle d                                 (divergence theorem on the cone)
//   int n n^T   = (2 solid_angle 1 - sum (d N^T + N d^T)) / 6       (the same on the sphere, from its Laplacian of n n^T), N =
//   int n ds
struct NormalCone {
  double solid_angle = 2.0 * pi;
  Vec<3> first{};
  Matrix<3> arcs{};
};

void add_rounding(const ConvexPart<3>& part, Moments& m) {
  const double r = part.radius;
  std::vector<NormalCone> cones(part.vertices.size());
  for (const PolyhedronFace& face : part.topology.faces) {
    const std::size_t n = face.vertices.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Vec<3>& at = vertex(part, face.vertices[i]);
      const Vec<3> next = vertex(part, face.vertices[(i + 1) % n]) - at, last = vertex(part, face.vertices[(i + n - 1) % n]) - at;
      cones[static_cast<std::size_t>(face.vertices[i])].solid_angle -= arctangent(norm(cross(next, last)), dot(next, last));
      if (i > 0 && i + 1 < n) m += prism(vertex(part, face.vertices[0]), at, at + next, face.normal, r);
    }
  }
  for (const PolyhedronEdge& edge : part.topology.edges) {
    const Vec<3> tail = vertex(part, edge.vertices[0]), along = vertex(part, edge.vertices[1]) - tail, d = normalized(along);
    const Arc arc = arc_between(part.topology.faces[static_cast<std::size_t>(edge.faces[0])].normal,
                                part.topology.faces[static_cast<std::size_t>(edge.faces[1])].normal);
    m += cylinder_sector(tail, along, arc, r);
    for (std::size_t end = 0; end < 2; ++end) {
      NormalCone& cone = cones[static_cast<std::size_t>(edge.vertices[end])];
      const Vec<3> leaving = end == 0 ? d : -d;
      cone.first -= 0.5 * arc.angle * leaving;
      add_product(cone.arcs, 2.0, leaving, arc.integral());
    }
  }
  for (std::size_t v = 0; v < cones.size(); ++v) {
    Matrix<3> second = multiple_of_one(cones[v].solid_angle / 3.0);
    for (int i = 0; i < 3; ++i) second.row[i] -= (1.0 / 6.0) * cones[v].arcs.row[i];
    m += ball_sector(part.vertices[v], r, cones[v].solid_angle, cones[v].first, second);
  }
}

}  // namespace

Moments moments_of(const ConvexPart<3>& part) {
  if (part.vertices.size() == 1) return ball(part.vertices[0], part.radius);
  if (part.vertices.size() == 2) return capsule(part.vertices[0], part.vertices[1], part.radius);
  Moments m = polyhedron(part);
  if (part.radius > 0.0) add_rounding(part, m);
  return m;
}

}  // namespace moreau::inline geometry

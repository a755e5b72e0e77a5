// Contacts of polyhedra that share vertices, edges and faces, exactly or to rounding, against all axes and all features.
#include <gtest/gtest.h>

#include <sstream>

#include "polyhedron_oracle.hpp"

namespace moreau::oracle {
namespace {

struct Placing {
  ConvexPart<3> a, b;
  Pose<3> at_a, at_b;

  double size() const { return std::min(a.reach, b.reach); }
  Placing swapped() const { return {b, a, at_b, at_a}; }
};

double some(RandomStream& random, std::initializer_list<double> values) {
  return *(values.begin() + random.next() % values.size());
}
double some_error(RandomStream& random) {
  return some(random, {0.0, 0.0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7}) *
         random.uniform(-1.0, 1.0);
}
Matrix<3> product(const Matrix<3>& p, const Matrix<3>& q) {
  Matrix<3> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r.row[i][j] = p.row[i][0] * q.row[0][j] + p.row[i][1] * q.row[1][j] + p.row[i][2] * q.row[2][j];
  return r;
}
void jitter(RandomStream& random, Placing& p) {
  p.at_b.rotation = product(matrix_of(turned(Rotation<3>{}, random_direction(random), some_error(random))), p.at_b.rotation);
  for (int d = 0; d < 3; ++d) p.at_b.position[d] += p.size() * some_error(random);
}

// How far x is outside the core (positive) or inside it (negative), by its faces.
double outside(const ConvexPart<3>& part, const Pose<3>& at, const Vec<3>& x) {
  double most = -HUGE_VAL;
  for (const PolyhedronFace& f : part.topology.faces) {
    const Vec<3> n = at.turn(f.normal);
    most = std::max(most, dot(n, x - at.place(part.vertices[static_cast<std::size_t>(f.vertices[0])])));
  }
  return most;
}

// What is wrong with these contacts, or nothing. Below `noise` a distance has no direction and axes are equally deep.
std::string fault_of(const Placing& p, const Manifold<3>& m, double margin) {
  const double rounding = 1e-12 * (p.a.reach + p.b.reach), noise = 1e-8 * p.size() + rounding;
  std::ostringstream fault;
  const double radii = p.a.radius + p.b.radius, gap = slow_gap(p.a, p.at_a, p.b, p.at_b);
  if (m.count == 0) {
    if (gap < margin - noise) fault << "no contact at a gap of " << gap;
    return fault.str();
  }
  const Vec<3> n = m.point[0].normal;
  const double along = separation_along(placed(p.a, p.at_a), placed(p.b, p.at_b), n) - radii;
  if (std::abs(norm(n) - 1.0) > 1e-13) fault << "normal of length " << norm(n) << "; ";
  if (std::abs(along - gap) > noise) fault << "gap " << gap << ", along the normal " << along << "; ";
  if (std::abs(least_gap(m) - gap) > noise) fault << "gap " << gap << ", least " << least_gap(m) << "; ";
  // Edges that cross at less than 0.02 rad touch at the ends of their common stretch, half-way between them.
  const double off = m.count > 2 ? 10.0 * noise : 0.01 * p.size();
  for (int k = 0; k < m.count; ++k) {
    const ManifoldPoint<3>& c = m.point[k];
    if (!(c.normal == n)) fault << "two normals; ";
    const Vec<3> on_a = c.point + (0.5 * c.gap + p.a.radius) * n, on_b = c.point - (0.5 * c.gap + p.b.radius) * n;
    const double off_a = outside(p.a, p.at_a, on_a), off_b = outside(p.b, p.at_b, on_b);
    if (std::abs(off_a) > off) fault << "point " << off_a << " off the first; ";
    if (std::abs(off_b) > off) fault << "point " << off_b << " off the second; ";
  }
  return fault.str();
}

// A place on the surface of a part, a normal there, and an edge that begins there, in the frame of the part.
struct Place {
  Vec<3> point, normal, along;
};
Place random_place(RandomStream& random, const ConvexPart<3>& part) {
  const auto at = [&](std::int32_t i) { return part.vertices[static_cast<std::size_t>(i)]; };
  const auto normal_of = [&](std::int32_t f) { return part.topology.faces[static_cast<std::size_t>(f)].normal; };
  const PolyhedronEdge& edge = part.topology.edges[random.next() % part.topology.edges.size()];
  const Vec<3> tail = at(edge.vertices[0]), along = at(edge.vertices[1]) - tail;
  const double s = some(random, {0.0, 1.0, random.uniform()});
  switch (random.next() % 3) {
    case 0: {  // of a face; somewhere between its vertices, or at one
      const PolyhedronFace& face = part.topology.faces[static_cast<std::size_t>(edge.faces[0])];
      Vec<3> middle{};
      for (const std::int32_t v : face.vertices) middle += (1.0 / static_cast<double>(face.vertices.size())) * at(v);
      return {tail + some(random, {0.0, random.uniform()}) * (middle - tail), face.normal, normalized(along)};
    }
    case 1: {  // of an edge
      const double t = random.uniform();
      return {tail + s * along, normalized(t * normal_of(edge.faces[0]) + (1.0 - t) * normal_of(edge.faces[1])),
              normalized(along)};
    }
    default: {  // of a vertex
      Vec<3> normal{};
      for (const PolyhedronFace& face : part.topology.faces)
        for (const std::int32_t v : face.vertices)
          if (v == edge.vertices[0]) normal += random.uniform() * face.normal;
      return {tail, normalized(normal), normalized(along)};
    }
  }
}

Matrix<3> frame_of(const Vec<3>& z, const Vec<3>& x_about) {
  Vec<3> x = x_about - dot(x_about, z) * z;
  if (norm(x) < 1e-6) x = cross(z, Vec<3>{{0.3, -0.5, 0.8}});
  x = normalized(x);
  return {{x, cross(z, x), z}};  // takes vectors into the frame
}
Matrix<3> transposed(const Matrix<3>& m) {
  Matrix<3> t;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) t.row[i][j] = m.row[j][i];
  return t;
}

// Random places of two bodies laid against each other; half the time with their edges in line or across.
Placing places_together(RandomStream& random) {
  Placing p{
      random_part(random, false), random_part(random, false), pose(random_vector(random, 3.0), random_rotation(random)), {}};
  if (random.uniform() < 0.3) p.b = p.a;
  const Place on_a = random_place(random, p.a), on_b = random_place(random, p.b);
  const double twist =
      some(random, {0.0, 3.14159265358979324, 1.57079632679489662, random.uniform(0.0, 6.0), random.uniform(0.0, 6.0)});
  const Matrix<3> of_a = frame_of(p.at_a.turn(on_a.normal), p.at_a.turn(on_a.along)), of_b = frame_of(-on_b.normal, on_b.along);
  const Matrix<3> about = matrix_of(turned(Rotation<3>{}, Vec<3>{{0.0, 0.0, 1.0}}, twist));
  p.at_b.rotation = product(transposed(of_a), product(about, of_b));
  p.at_b.position = p.at_a.place(on_a.point) - p.at_b.turn(on_b.point);
  return p;
}

// Neighbouring stones of a vault: rings flush or in running bond.
Placing vault_joint(RandomStream& random) {
  const double inner = random.uniform(0.3, 10.0), outer = inner * random.uniform(1.02, 1.8),
               depth = inner * random.uniform(0.1, 1.0);
  const double from = random.uniform(-3.0, 3.0), step = random.uniform(0.03, 0.8),
               shift = depth * some(random, {0.0, 0.0, 0.5, random.uniform(), 1.0});
  const Matrix<3> turn = matrix_of(random.uniform() < 0.5 ? Rotation<3>{} : random_rotation(random));
  const auto stone = [&](double left, double right, double y, ConvexPart<3>& part, Pose<3>& at) {
    Points corners;
    for (const double r : {inner, outer})
      for (const double angle : {left, right})
        for (const double d : {y, y + depth}) corners.push_back(turn * Vec<3>{{r * std::cos(angle), d, r * std::sin(angle)}});
    const PlacedShape<3> shape = make_shape<3>({hull(corners)});
    part = shape.shape.parts[0];
    at = {shape.centre, matrix_of(shape.orientation)};
  };
  Placing p;
  stone(from, from + step, 0.0, p.a, p.at_a);
  if (random.uniform() < 0.3)  // the next ring
    stone(from + step * some(random, {0.0, 0.5, 1.0}), from + step * 1.5, depth, p.b, p.at_b);
  else
    stone(from + step, from + 2.0 * step, shift, p.b, p.at_b);
  return p;
}

// A body cut by planes into stones, all through one point or anywhere.
std::vector<Points> cut_into_stones(RandomStream& random, int cuts) {
  std::vector<Points> stones{random.uniform() < 0.5 ? box_points(1.0, 0.8, 0.6) : dodecahedron_points()};
  const Vec<3> hub = random_vector(random, 0.3);
  const bool star = random.uniform() < 0.5;
  for (int c = 0; c < cuts; ++c) {
    const Vec<3> through = star ? hub : random_vector(random, 0.4), normal = random_direction(random);
    std::vector<Points> halves;
    for (const Points& stone : stones) {
      const ConvexPart<3> part = hull(stone);
      Points half[2];
      for (const Vec<3>& x : part.vertices) {
        const double height = dot(normal, x - through);
        if (height > -1e-12) half[0].push_back(x);
        if (height < 1e-12) half[1].push_back(x);
      }
      for (const auto& [p, q] : edges_of(part, part.vertices)) {
        const double at_p = dot(normal, p - through), at_q = dot(normal, q - through);
        if (std::min(std::abs(at_p), std::abs(at_q)) < 1e-12 || (at_p > 0.0) == (at_q > 0.0)) continue;
        const Vec<3> cut = p + (at_p / (at_p - at_q)) * (q - p);
        half[0].push_back(cut), half[1].push_back(cut);
      }
      for (const Points& h : half)
        if (h.size() > 3 && convex_hull<3>(h).fault.empty()) halves.push_back(h);
    }
    stones = halves;
  }
  return stones;
}

template <class Make>
void expect_sound(std::uint64_t seed, int trials, Make&& make) {
  RandomStream random(seed);
  int wrong = 0, touching = 0;
  std::string first;
  for (int trial = 0; trial < trials; ++trial) {
    Placing p = make(random);
    jitter(random, p);
    const double margin = some(random, {0.0, 1e-9, 1e-4, 0.1});
    const Manifold<3> m = contact(p.a, p.at_a, p.b, p.at_b, margin);
    touching += m.count > 0;
    const std::string fault = fault_of(p, m, margin);
    if (!fault.empty() && ++wrong == 1) first = "trial " + std::to_string(trial) + ": " + fault;
  }
  EXPECT_EQ(wrong, 0) << "of " << trials << ", first: " << first;
  EXPECT_GT(touching, trials / 4);
}

TEST(SharedPolyhedronFeatures, vertices_edges_and_faces_laid_together) { expect_sound(1, 10000, places_together); }
TEST(SharedPolyhedronFeatures, stones_of_a_vault) { expect_sound(2, 10000, vault_joint); }

TEST(SharedPolyhedronFeatures, stones_cut_from_one_body_touch_without_overlap) {
  RandomStream random(3);
  int wrong = 0, pairs = 0;
  std::string first;
  for (int trial = 0; trial < 150; ++trial) {
    std::vector<ConvexPart<3>> parts;
    std::vector<Pose<3>> at;
    for (const Points& points : cut_into_stones(random, 1 + static_cast<int>(random.next() % 3))) {
      const PlacedShape<3> shape = make_shape<3>({hull(points)});
      parts.push_back(shape.shape.parts[0]), at.push_back({shape.centre, matrix_of(shape.orientation)});
    }
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t j = 0; j < parts.size(); ++j) {
        if (i == j) continue;
        const Placing p{parts[i], parts[j], at[i], at[j]};
        const Manifold<3> m = contact(p.a, p.at_a, p.b, p.at_b, 1e-9);
        std::string fault = fault_of(p, m, 1e-9);
        if (m.count > 0 && least_gap(m) < -1e-11) fault += "overlap";
        if (!fault.empty() && ++wrong == 1) first = "trial " + std::to_string(trial) + ": " + fault;
        pairs += m.count > 0;
      }
  }
  EXPECT_EQ(wrong, 0) << "of " << pairs << ", first: " << first;
  EXPECT_GT(pairs, 2000);
}

// The same of two clumps, each of some of the stones: their parts lie in frames of two bodies.
TEST(SharedPolyhedronFeatures, clumps_cut_from_one_body_touch_without_overlap) {
  RandomStream random(4);
  int wrong = 0, pairs = 0;
  std::string first;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<ConvexPart<3>> parts[2];
    for (const Points& points : cut_into_stones(random, 2 + static_cast<int>(random.next() % 2)))
      parts[random.next() % 2].push_back(hull(points));
    if (parts[0].empty() || parts[1].empty()) continue;
    const PlacedShape<3> a = make_shape<3>(parts[0]), b = make_shape<3>(parts[1]);
    const Pose<3> at_a{a.centre, matrix_of(a.orientation)}, at_b{b.centre, matrix_of(b.orientation)};
    for (const ConvexPart<3>& one : a.shape.parts)
      for (const ConvexPart<3>& other : b.shape.parts) {
        const Placing p{one, other, at_a, at_b};
        const Manifold<3> m = contact(p.a, p.at_a, p.b, p.at_b, 1e-9);
        std::string fault = fault_of(p, m, 1e-9);
        if (m.count > 0 && least_gap(m) < -1e-11) fault += "overlap";
        if (!fault.empty() && ++wrong == 1) first = "trial " + std::to_string(trial) + ": " + fault;
        pairs += m.count > 0;
      }
  }
  EXPECT_EQ(wrong, 0) << "of " << pairs << ", first: " << first;
  EXPECT_GT(pairs, 500);
}

}  // namespace
}  // namespace moreau::oracle

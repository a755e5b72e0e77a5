// Convex hulls in space: faces, edges and vertices of known solids in any position, and what is refused.
#include <cmath>
#include <ctime>
#include <limits>

#include "geometry/polyhedron_oracle.hpp"

namespace moreau {
namespace {

using namespace oracle;

void expect_counts(const ConvexPart<3>& part, std::size_t vertices, std::size_t edges, std::size_t faces, std::size_t corners) {
  EXPECT_EQ(part.vertices.size(), vertices);
  EXPECT_EQ(part.topology.edges.size(), edges);
  EXPECT_EQ(part.topology.faces.size(), faces);
  for (const PolyhedronFace& face : part.topology.faces) EXPECT_EQ(face.vertices.size(), corners);
}

// Every face supports the part, every edge belongs to its two faces, left and right.
void expect_sound(const ConvexPart<3>& part, const Points& given) {
  const double tolerance = 1e-8 * part.reach;
  for (const PolyhedronFace& face : part.topology.faces) {
    EXPECT_NEAR(norm(face.normal), 1.0, 1e-12);
    for (const Vec<3>& x : given) EXPECT_LE(dot(face.normal, x), face.offset + tolerance);
    for (const std::int32_t v : face.vertices)
      EXPECT_NEAR(dot(face.normal, part.vertices[static_cast<std::size_t>(v)]), face.offset, tolerance);
  }
  for (const PolyhedronEdge& edge : part.topology.edges) {
    const auto follows = [&](std::int32_t f, std::int32_t tail, std::int32_t head) {
      const auto& loop = part.topology.faces[static_cast<std::size_t>(f)].vertices;
      for (std::size_t i = 0; i < loop.size(); ++i)
        if (loop[i] == tail && loop[(i + 1) % loop.size()] == head) return true;
      return false;
    };
    EXPECT_TRUE(follows(edge.faces[0], edge.vertices[0], edge.vertices[1]));
    EXPECT_TRUE(follows(edge.faces[1], edge.vertices[1], edge.vertices[0]));
  }
  EXPECT_EQ(part.vertices.size() + part.topology.faces.size(), part.topology.edges.size() + 2);
  for (const Vec<3>& x : part.vertices) EXPECT_LE(norm(x - part.centre) + part.radius, part.reach * (1.0 + 1e-12));
}

TEST(PolyhedronHull, known_solids_turned_shifted_and_scaled_keep_their_faces) {
  RandomStream random(1);
  Points octahedron;
  for (int d = 0; d < 3; ++d)
    for (const double s : {-1.0, 1.0}) octahedron.push_back({}), octahedron.back()[d] = s;
  const struct {
    Points points;
    std::size_t vertices, edges, faces, corners;
  } solids[] = {{box_points(1.0, 1.0, 1.0), 8, 12, 6, 4},
                {box_points(1.0, 1e-3, 1e-3), 8, 12, 6, 4},
                {dodecahedron_points(), 20, 30, 12, 5},
                {octahedron, 6, 12, 8, 3},
                {{{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}}, 4, 6, 4, 3}};
  for (const auto& solid : solids)
    for (int k = 0; k < 200; ++k) {
      const Rotation<3> turn = random_rotation(random);
      const double scale = std::pow(10.0, random.uniform(-8.0, 8.0));
      const Vec<3> shift = random_vector(random, 10.0 * scale);
      Points p = solid.points;
      for (Vec<3>& x : p) x = shift + scale * rotate(turn, x);
      for (std::size_t i = p.size() - 1; i > 0; --i) std::swap(p[i], p[random.next() % (i + 1)]);
      const ConvexPart<3> part = hull(p);
      expect_counts(part, solid.vertices, solid.edges, solid.faces, solid.corners);
      expect_sound(part, p);
      if (testing::Test::HasFailure()) FAIL() << k;
    }
}

TEST(PolyhedronHull, points_inside_on_faces_on_edges_and_given_twice_are_left_out) {
  RandomStream random(2);
  for (int k = 0; k < 100; ++k) {
    Points p = box_points(1.0, 0.7, 0.4);
    for (int i = 0; i < 40; ++i) {
      Vec<3> x{{random.uniform(-1.0, 1.0), random.uniform(-0.7, 0.7), random.uniform(-0.4, 0.4)}};
      const int pinned = static_cast<int>(random.uniform(0.0, 4.0));  // coordinates on the surface: inside, face, edge, vertex
      for (int d = 0; d < pinned; ++d) x[d] = std::copysign(d == 0 ? 1.0 : d == 1 ? 0.7 : 0.4, x[d]);
      p.push_back(x);
    }
    const Rotation<3> turn = random_rotation(random);
    for (Vec<3>& x : p) x = rotate(turn, x);
    for (std::size_t i = p.size() - 1; i > 0; --i) std::swap(p[i], p[random.next() % (i + 1)]);
    const ConvexPart<3> part = hull(p);
    expect_counts(part, 8, 12, 6, 4);
    expect_sound(part, p);
    if (testing::Test::HasFailure()) FAIL() << k;
  }
}

TEST(PolyhedronHull, random_clouds_and_noisy_solids_give_closed_surfaces) {
  RandomStream random(3);
  for (int k = 0; k < 300; ++k) {
    Points p;
    const int count = static_cast<int>(random.uniform(4.0, 120.0));
    for (int i = 0; i < count; ++i) p.push_back(random_direction(random));
    expect_sound(hull(p), p);
    const double noise = std::pow(10.0, random.uniform(-16.0, -5.0));  // the edge of every tolerance
    Points q;
    for (int i = 0; i < 3; ++i)
      for (const Vec<3>& x : dodecahedron_points()) q.push_back(x + random_vector(random, noise));
    expect_sound(hull(q), q);
    Points grid;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        for (int l = 0; l < 4; ++l) grid.push_back(Vec<3>{{1.0 * i, 1.0 * j, 1.0 * l}} + random_vector(random, noise));
    expect_sound(hull(grid), grid);
    if (testing::Test::HasFailure()) FAIL() << k << " " << noise;
  }
}

TEST(PolyhedronHull, refuses_what_is_no_polyhedron_and_says_why) {
  const auto fault = [](const Points& p, double radius = 0.0) {
    return convex_hull<3>(std::span<const Vec<3>>(p), radius).fault;
  };
  const auto contains = [](const std::string& text, const char* words) { return text.find(words) != std::string::npos; };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(fault({}), "0 vertices"));
  EXPECT_TRUE(contains(fault({{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}}), "at least 4"));
  EXPECT_TRUE(contains(fault({{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{1, 1, 0}}}), "in a plane"));
  EXPECT_TRUE(contains(fault({{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 0}}, {{0, 1, 0}}}), "in a plane"));
  EXPECT_TRUE(contains(fault({{{0, 0, 0}}, {{1, 1, 1}}, {{2, 2, 2}}, {{3, 3, 3}}}), "in a line"));
  EXPECT_TRUE(contains(fault({{{1, 2, 3}}, {{1, 2, 3}}, {{1, 2, 3}}, {{1, 2, 3}}}), "the same point"));
  EXPECT_TRUE(contains(fault({{{0, 0, 0}}, {{1, 0, 0}}, {{0, nan, 0}}, {{0, 0, 1}}}), "vertex 3 is not finite"));
  EXPECT_TRUE(contains(fault({{{1e300, 0, 0}}, {{-1e300, 0, 0}}, {{0, 1e300, 0}}, {{0, 0, HUGE_VAL}}}), "not finite"));
  EXPECT_TRUE(contains(fault(box_points(1, 1, 1), -0.1), "rounding"));
  EXPECT_TRUE(contains(fault(box_points(1, 1, 1), nan), "rounding"));
  Points far = box_points(1e-3, 1e-3, 1e-3);
  for (Vec<3>& x : far) x[0] += 1e8;
  EXPECT_TRUE(contains(fault(far), "distance to the origin"));
  EXPECT_TRUE(contains(fault(box_points(1e-120, 1e-120, 1e-120)), "too small"));
  EXPECT_TRUE(contains(fault(box_points(1.0, 1.0, 1e-10)), "in a plane"));
  EXPECT_EQ(fault(box_points(1e-9, 1e-9, 1e-9)), "");
}

// Points of a sphere ring by ring, as files of meshes list them. What is left of a square (every point lies below every face, which is
// looked at in the end) is cheap.
TEST(PolyhedronHull, time_grows_by_far_less_than_the_square_of_the_vertices) {
  const auto seconds = [](int rings) {
    Points points;
    for (int i = 0; i <= rings; ++i)
      for (int j = 0; j < (i == 0 || i == rings ? 1 : 2 * rings); ++j) {
        const double a = M_PI * i / rings, b = M_PI * j / rings;
        points.push_back({{std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)}});
      }
    double least = HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
      const std::clock_t begin = std::clock();
      EXPECT_EQ(convex_hull<3>(points).fault, "");
      least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return least;
  };
  const double few = seconds(20), many = seconds(60);  // 762 and 7 082 vertices, whose squares are as 1 to 86
  RecordProperty("ratio", std::to_string(many / few));
  EXPECT_LT(many, 45.0 * few);
}

}  // namespace
}  // namespace moreau

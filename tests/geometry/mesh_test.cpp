// Meshes: connectivity, the tree, and what a ball touches of them.
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "geometry/mesh_samples.hpp"
#include "moreau/geometry/mass_properties.hpp"
#include "moreau/geometry/mesh_ball.hpp"
#include "moreau/geometry/mesh_inside.hpp"
#include "moreau/geometry/mesh_part.hpp"

namespace moreau {
namespace {

using sample::box_mesh;
using sample::sheet;

std::vector<std::int32_t> all_faces(const Mesh<3>& mesh) {
  std::vector<std::int32_t> faces;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) faces.push_back(static_cast<std::int32_t>(f));
  return faces;
}

std::vector<MeshTouch<3>> touches_of(const Mesh<3>& mesh, const Vec<3>& centre, double reach) {
  std::vector<MeshTouch<3>> touches;
  ball_touches(mesh, all_faces(mesh), centre, reach, touches);
  return touches;
}

// Distance to a triangle by descent over its points, independent of regions.
double distance_by_search(const Mesh<3>& mesh, std::size_t face, const Vec<3>& p) {
  const auto& f = mesh.faces[face];
  const Vec<3>&a = mesh.vertices[static_cast<std::size_t>(f[0])], ab = mesh.vertices[static_cast<std::size_t>(f[1])] - a,
               ac = mesh.vertices[static_cast<std::size_t>(f[2])] - a;
  const auto along = [&](double s) {  // the best t for this s, in closed form
    const double t = std::clamp(dot(p - a - s * ab, ac) / dot(ac, ac), 0.0, 1.0 - s);
    return norm(p - a - s * ab - t * ac);
  };
  double low = 0.0, high = 1.0;
  for (int k = 0; k < 70; ++k) {
    const double s = low + (high - low) / 3.0, t = high - (high - low) / 3.0;
    (along(s) < along(t) ? high : low) = along(s) < along(t) ? t : s;
  }
  return along(0.5 * (low + high));
}

TEST(Mesh, box_has_six_patches_twelve_edges_that_are_felt_and_is_closed) {
  const Mesh<3> box = box_mesh({{1.0, 2.0, 3.0}});
  std::vector<std::int32_t> patches = box.patch;
  std::sort(patches.begin(), patches.end());
  patches.erase(std::unique(patches.begin(), patches.end()), patches.end());
  EXPECT_EQ(patches.size(), 6u);
  EXPECT_EQ(box.edges.size(), 18u);
  EXPECT_EQ(std::count(box.edge_patch.begin(), box.edge_patch.end(), -1), 12);
  EXPECT_TRUE(borders_of(box).closed());
  const MeshBorders open = borders_of(sheet(3, 1.0, 0.0, [](double, double) { return 0.0; }));
  EXPECT_EQ(open.open, 12u);
  EXPECT_EQ(open.branching, 0u);
}

TEST(Mesh, tree_finds_what_all_faces_looked_at_one_by_one_give) {
  const Mesh<3> mesh = sheet(20, 1.0, 0.3, [](double x, double y) { return 0.1 * std::sin(9.0 * x) * std::cos(7.0 * y); });
  const MeshTree<3> tree(mesh);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-0.3, 1.3), size(0.0, 0.3);
  for (int k = 0; k < 30; ++k) {
    const Vec<3> p{{uniform(random), uniform(random), 0.3 * uniform(random)}};
    const double reach = size(random);
    std::vector<std::int32_t> found, wanted;
    tree.near(mesh, p, reach, found);
    double least = 10.0;
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
      const double d = distance_by_search(mesh, f, p);
      least = std::min(least, d);
      ASSERT_GT(std::abs(d - reach), 1e-9);
      if (d <= reach) wanted.push_back(static_cast<std::int32_t>(f));
    }
    EXPECT_EQ(found, wanted);
    EXPECT_NEAR(tree.distance(mesh, p, 10.0), least, 1e-9);
  }
}

TEST(MeshBall, flat_sheet_is_one_plane_above_faces_edges_and_corners) {
  const Mesh<3> mesh = sheet(7, 1.0, 0.3, [](double, double) { return 0.0; });
  std::vector<Vec<3>> places = mesh.vertices;
  for (const auto& [v, w] : mesh.edges) places.push_back(0.5 * (mesh.vertices[static_cast<std::size_t>(v)] + mesh.vertices[static_cast<std::size_t>(w)]));
  for (double s = 0.03; s < 1.0; s += 0.0137) places.push_back({{s, 0.7 * s + 0.1, 0.0}});
  for (Vec<3> p : places) {
    if (p[0] <= 0.0 || p[1] <= 0.0 || p[0] >= 1.0 || p[1] >= 1.0) continue;
    for (const double side : {1.0, -1.0}) {
      p[2] = 0.1 * side;
      const auto touches = touches_of(mesh, p, 0.2);
      ASSERT_EQ(touches.size(), 1u);
      EXPECT_EQ(touches[0].feature, MeshFeature::patch);
      EXPECT_EQ(touches[0].index, 0);
      EXPECT_EQ(touches[0].distance, 0.1);
      EXPECT_EQ(touches[0].normal[2], side);
    }
  }
}

TEST(MeshBall, nearest_point_is_always_among_the_contacts_and_none_is_hidden) {
  const Mesh<3> mesh = sheet(12, 1.0, 0.3, [](double x, double y) { return 0.15 * std::sin(11.0 * x) * std::cos(8.0 * y); });
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(-0.1, 1.1);
  int several = 0;
  for (int k = 0; k < 60; ++k) {
    const Vec<3> p{{uniform(random), uniform(random), 0.4 * uniform(random)}};
    double least = 10.0;
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) least = std::min(least, distance_by_search(mesh, f, p));
    const double reach = 1.3 * least + 0.02;
    const auto touches = touches_of(mesh, p, reach);
    ASSERT_FALSE(touches.empty());
    double nearest = 10.0;
    for (const auto& t : touches) {
      nearest = std::min(nearest, t.distance);
      EXPECT_NEAR(norm(p - t.foot), t.distance, 1e-12);
      EXPECT_NEAR(norm(p - t.foot - t.distance * t.normal), 0.0, 1e-9);
      // A local minimum: of the faces at the foot no point close to it is nearer to the centre.
      for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        if (distance_by_search(mesh, f, t.foot) > 1e-9) continue;
        for (int n = 0; n < 20; ++n) {
          double s = (uniform(random) + 0.1) / 1.2, q = (uniform(random) + 0.1) / 1.2;
          if (s + q > 1.0) s = 1.0 - s, q = 1.0 - q;
          const auto& face = mesh.faces[f];
          const Vec<3>& a = mesh.vertices[static_cast<std::size_t>(face[0])];
          const Vec<3> x = a + s * (mesh.vertices[static_cast<std::size_t>(face[1])] - a) + q * (mesh.vertices[static_cast<std::size_t>(face[2])] - a);
          EXPECT_GE(norm(p - t.foot - 1e-3 * (x - t.foot)), t.distance - 1e-9);
        }
      }
    }
    EXPECT_NEAR(nearest, least, 1e-9);
    several += touches.size() > 1;
  }
  EXPECT_GT(several, 4);
}

TEST(MeshBall, inner_corner_of_a_box_holds_by_three_faces_and_outer_edge_by_one_edge) {
  const Mesh<3> box = box_mesh({{1.0, 1.0, 1.0}});
  const auto inside = touches_of(box, {{0.8, -0.8, 0.8}}, 0.21);
  ASSERT_EQ(inside.size(), 3u);
  for (const auto& t : inside) EXPECT_EQ(t.feature, MeshFeature::patch);
  const auto edge = touches_of(box, {{1.1, 1.1, 0.3}}, 0.2);
  ASSERT_EQ(edge.size(), 1u);
  EXPECT_EQ(edge[0].feature, MeshFeature::edge);
  EXPECT_NEAR(edge[0].distance, 0.1 * std::sqrt(2.0), 1e-15);
  const auto corner = touches_of(box, {{1.1, 1.1, 1.1}}, 0.2);
  ASSERT_EQ(corner.size(), 1u);
  EXPECT_EQ(corner[0].feature, MeshFeature::vertex);
}

TEST(MeshBall, far_side_of_a_thin_plate_is_not_felt) {
  const Mesh<3> plate = box_mesh({{1.0, 1.0, 0.001}});
  const auto touches = touches_of(plate, {{0.3, 0.2, 0.101}}, 0.2);
  ASSERT_EQ(touches.size(), 1u);
  EXPECT_NEAR(touches[0].distance, 0.1, 1e-15);
}

ConvexPart<3> block(const Vec<3>& half) {
  std::vector<Vec<3>> corners;
  for (int k = 0; k < 8; ++k) corners.push_back({{k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1], k & 4 ? half[2] : -half[2]}});
  return convex_hull<3>(corners, 0.0).part;
}

std::vector<PartTouch<3>> part_touches_of(const Mesh<3>& mesh, const ConvexPart<3>& part, const Pose<3>& pose, double margin) {
  std::vector<PartTouch<3>> touches;
  part_touches(mesh, all_faces(mesh), part, pose, margin, touches);
  return touches;
}

Pose<3> upright(const Vec<3>& at, double angle = 0.0) {
  return {at, matrix_of(turned(Rotation<3>{}, {{0.0, 0.0, 1.0}}, angle))};
}

TEST(MeshPart, block_on_a_flat_sheet_stands_on_its_four_corners) {
  const Mesh<3> mesh = sheet(10, 1.0, 0.3, [](double, double) { return 0.0; });
  const ConvexPart<3> part = block({{0.2, 0.1, 0.05}});
  for (double angle = 0.0; angle < 3.0; angle += 0.37)
    for (const double depth : {0.0, 1e-6, -1e-6}) {
      const auto touches = part_touches_of(mesh, part, upright({{0.45 + 0.01 * angle, 0.53, 0.05 - depth}}, angle), 1e-5);
      ASSERT_EQ(touches.size(), 4u) << angle << " " << depth;
      for (const auto& t : touches) {
        EXPECT_NEAR(t.gap, -depth, 1e-15);
        EXPECT_EQ(t.normal[2], 1.0);
        EXPECT_NEAR(t.point[2], -0.5 * depth, 1e-12);
      }
    }
}

// Half over the border of a table: two corners and two crossings of edges.
TEST(MeshPart, block_half_over_the_border_is_held_where_its_edges_cross_it) {
  for (const bool solid : {false, true}) {
    const Mesh<3> table = solid ? box_mesh({{0.5, 0.5, 0.2}}) : sheet(4, 1.0, 0.2, [](double, double) { return 0.0; });
    const Vec<3> at = solid ? Vec<3>{{0.5, 0.03, 0.25 - 1e-7}} : Vec<3>{{1.0, 0.53, 0.05 - 1e-7}};
    const auto touches = part_touches_of(table, block({{0.2, 0.1, 0.05}}), upright(at), 1e-6);
    ASSERT_EQ(touches.size(), 4u) << solid;
    double x[2] = {10.0, -10.0};
    for (const auto& t : touches) {
      EXPECT_NEAR(t.normal[2], 1.0, 1e-12);
      EXPECT_NEAR(t.gap, -1e-7, 1e-12);
      x[0] = std::min(x[0], t.point[0]), x[1] = std::max(x[1], t.point[0]);
    }
    EXPECT_NEAR(x[0], at[0] - 0.2, 1e-12);
    EXPECT_NEAR(x[1], solid ? 0.5 : 1.0, 1e-12);
  }
}

TEST(MeshPart, peak_of_a_mesh_under_the_middle_of_a_face_is_felt) {
  const Mesh<3> hill = sheet(2, 1.0, 0.0, [](double x, double y) { return x == 0.5 && y == 0.5 ? 0.1 : 0.0; });
  const auto touches = part_touches_of(hill, block({{0.2, 0.2, 0.05}}), upright({{0.45, 0.55, 0.15 - 1e-6}}), 1e-5);
  ASSERT_EQ(touches.size(), 1u);
  EXPECT_NEAR(touches[0].gap, -1e-6, 1e-12);
  EXPECT_NEAR(touches[0].normal[2], 1.0, 1e-12);
  EXPECT_NEAR(norm(touches[0].point - Vec<3>{{0.5, 0.5, 0.1 - 0.5e-6}}), 0.0, 1e-12);
}

// Against the oracle of the plane: a mesh of two triangles gives what a plane gives to blocks of any shape and pose above it.
TEST(MeshPart, corners_on_a_large_face_agree_with_a_plane) {
  Mesh<3> mesh;
  mesh.vertices = {{{-9.0, -9.0, 0.0}}, {{9.0, -9.0, 0.0}}, {{9.0, 9.0, 0.0}}, {{-9.0, 9.0, 0.0}}};
  mesh.faces = {{0, 1, 2}, {0, 2, 3}};
  connect(mesh);
  WallGeometry<3> plane;
  plane.direction = {{0.0, 0.0, 1.0}};
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int k = 0; k < 300; ++k) {
    std::vector<Vec<3>> points;
    for (int n = 0; n < 7; ++n) points.push_back({{uniform(random), uniform(random), uniform(random)}});
    const auto hull = convex_hull<3>(points, k % 2 ? 0.1 : 0.0);
    ASSERT_TRUE(hull.fault.empty());
    Pose<3> pose{{}, matrix_of(turned(Rotation<3>{}, {{uniform(random), uniform(random), uniform(random)}}, 3.0))};
    double lowest = 10.0;
    for (const auto& v : hull.part.vertices) lowest = std::min(lowest, pose.place(v)[2]);
    pose.position[2] = hull.part.radius - lowest + 1e-3 * uniform(random);
    const double margin = 2e-3;
    Manifold<3> wanted;
    wall_manifold(hull.part, pose, plane, {}, margin, wanted);
    const auto touches = part_touches_of(mesh, hull.part, pose, margin);
    ASSERT_EQ(static_cast<int>(touches.size()), wanted.count);
    for (int i = 0; i < wanted.count; ++i) {
      double nearest = 1.0;
      for (const auto& t : touches) nearest = std::min(nearest, norm(t.point - wanted.point[i].point) + std::abs(t.gap - wanted.point[i].gap));
      EXPECT_LT(nearest, 1e-12);
    }
  }
}

TEST(Mesh, closed_ones_tell_what_they_enclose) {
  const Mesh<3> box = box_mesh({{1.0, 2.0, 3.0}});
  Vec<3> low = box.vertices[0], high = low;
  for (const Vec<3>& v : box.vertices)
    for (int d = 0; d < 3; ++d) low[d] = std::min(low[d], v[d]), high[d] = std::max(high[d], v[d]);
  const MeshInside<3> inside(box);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> share(-0.3, 1.3);
  int held = 0;
  for (int k = 0; k < 1000; ++k) {
    Vec<3> p;
    bool within = true;
    for (int d = 0; d < 3; ++d) {
      const double s = share(random);
      p[d] = low[d] + s * (high[d] - low[d]), within = within && s > 0.0 && s < 1.0;
    }
    EXPECT_EQ(inside.holds(p), within) << k;
    held += within;
  }
  EXPECT_GT(held, 100);
  EXPECT_LE(inside.most_looked_at(), 12u);
  EXPECT_TRUE(inside.holds(0.5 * (low + high)));  // the ray goes through an edge of its two triangles
}

// Two fans of slender triangles between points of a circle and two tips: as many columns as faces would list each of them a
// thousand times.
TEST(Mesh, of_slender_faces_is_looked_up_in_lists_no_longer_than_a_few_meshes) {
  Mesh<3> spindle;
  constexpr int n = 5000;
  for (int k = 0; k < n; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / n;
    spindle.vertices.push_back({{0.0, std::cos(angle), std::sin(angle)}});
  }
  spindle.vertices.push_back({{-1.0, 0.0, 0.0}}), spindle.vertices.push_back({{1.0, 0.0, 0.0}});
  for (int k = 0; k < n; ++k)
    for (const int tip : {n, n + 1}) spindle.faces.push_back({k, (k + 1) % n, tip});
  const MeshInside<3> inside(spindle);
  for (double x = -1.05; x < 1.1; x += 0.1)
    for (double r = 0.03; r < 1.1; r += 0.05)
      EXPECT_EQ(inside.holds({{x, r * std::cos(r), r * std::sin(r)}}), r + std::abs(x) < 1.0) << x << " " << r;
}

}  // namespace
}  // namespace moreau

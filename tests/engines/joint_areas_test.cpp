// The area that the contact points of a joint span.
#include "moreau/engines/rigid/joint_areas.hpp"

#include <gtest/gtest.h>

using namespace moreau;

TEST(JointAreas, length_in_the_plane) {
  const Vec<2> points[] = {{{0, 0}}, {{3, 4}}, {{1.5, 2}}};
  EXPECT_DOUBLE_EQ(spanned_area(points, 3, normalized(Vec<2>{{-4, 3}})), 5.0);
  EXPECT_EQ(spanned_area(points, 1, Vec<2>{{0, 1}}), 0.0);
}

// A square with a point inside and one on its side, in a tilted plane, in any order.
TEST(JointAreas, hull_in_space) {
  const Vec<3> u = normalized(Vec<3>{{1, 2, 3}}), v = normalized(cross(u, Vec<3>{{0, 0, 1}})), n = cross(u, v);
  std::vector<Vec<3>> points;
  for (const auto& [a, b] : {std::pair{0.0, 0.0}, {2.0, 2.0}, {1.0, 0.7}, {2.0, 0.0}, {0.0, 2.0}, {1.0, 0.0}})
    points.push_back(Vec<3>{{5, 5, 5}} + a * u + b * v);
  EXPECT_NEAR(spanned_area(points.data(), points.size(), n), 4.0, 1e-12);
  EXPECT_NEAR(spanned_area(points.data(), points.size(), -n), 4.0, 1e-12);
  EXPECT_EQ(spanned_area(points.data(), 2, n), 0.0);
  const Vec<3> line[] = {points[0], points[5], points[3]};
  EXPECT_NEAR(spanned_area(line, 3, n), 0.0, 1e-12);
}

#include "moreau/geometry/thickness.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace moreau {
namespace {

ConvexPart<2> polygon(std::vector<Vec<2>> vertices, double radius = 0.0) {
  ConvexPart<2> part;
  part.vertices = std::move(vertices), part.radius = radius;
  return part;
}

TEST(Thickness, of_a_plate_is_its_short_side) {
  Shape<2> plate;
  plate.parts.push_back(polygon({{{-1.0, -0.005}}, {{1.0, -0.005}}, {{1.0, 0.005}}, {{-1.0, 0.005}}}));
  EXPECT_NEAR(thickness(plate), 0.01, 1e-15);
}

TEST(Thickness, of_an_equilateral_triangle_is_its_height) {
  Shape<2> triangle;
  triangle.parts.push_back(polygon({{{0.0, 0.0}}, {{2.0, 0.0}}, {{1.0, std::sqrt(3.0)}}}));
  EXPECT_NEAR(thickness(triangle), std::sqrt(3.0), 1e-14);
}

TEST(Thickness, of_rounded_parts_counts_the_rounding_and_the_thinnest_part_decides) {
  Shape<2> clump;
  clump.parts.push_back(polygon({{{0.0, 0.0}}}, 0.3));                // a disc
  clump.parts.push_back(polygon({{{0.0, 0.0}}, {{1.0, 0.0}}}, 0.1));  // a capsule
  EXPECT_DOUBLE_EQ(thickness(clump), 0.2);
}

TEST(Thickness, of_a_box_in_space_is_its_least_side) {
  ConvexPart<3> part;
  for (int k = 0; k < 8; ++k) part.vertices.push_back({{k & 1 ? 1.0 : 0.0, k & 2 ? 0.5 : 0.0, k & 4 ? 0.02 : 0.0}});
  part.topology.faces = {{{}, {{1, 0, 0}}, 1.0},  {{}, {{-1, 0, 0}}, 0.0}, {{}, {{0, 1, 0}}, 0.5},
                         {{}, {{0, -1, 0}}, 0.0}, {{}, {{0, 0, 1}}, 0.02}, {{}, {{0, 0, -1}}, 0.0}};
  Shape<3> box;
  box.parts.push_back(part);
  EXPECT_NEAR(thickness(box), 0.02, 1e-15);
}

}  // namespace
}  // namespace moreau

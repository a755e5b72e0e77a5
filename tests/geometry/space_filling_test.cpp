// The order of bodies in memory: a permutation that keeps neighbours in space near each other, from positions alone.
#include "moreau/geometry/space_filling.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "moreau/base/random.hpp"

namespace moreau {
namespace {

template <int D>
std::vector<Vec<D>> random_points(std::size_t count) {
  RandomStream random(7);
  std::vector<Vec<D>> points(count);
  for (Vec<D>& x : points)
    for (int d = 0; d < D; ++d) x[d] = random.uniform(-3.0, 5.0);
  return points;
}

template <int D>
double length_of_path(const std::vector<Vec<D>>& x, const std::vector<std::int32_t>& order) {
  double length = 0.0;
  for (std::size_t i = 1; i < order.size(); ++i)
    length += norm(x[static_cast<std::size_t>(order[i])] - x[static_cast<std::size_t>(order[i - 1])]);
  return length;
}

template <int D>
void visits_all_once_by_short_steps() {
  const auto x = random_points<D>(4096);
  const auto order = morton_order(x);
  std::vector<int> visits(x.size(), 0);
  for (std::int32_t i : order) ++visits[static_cast<std::size_t>(i)];
  for (int v : visits) EXPECT_EQ(v, 1);
  std::vector<std::int32_t> as_given(x.size());
  std::iota(as_given.begin(), as_given.end(), 0);
  EXPECT_LT(length_of_path(x, order), 0.2 * length_of_path(x, as_given));
}

TEST(SpaceFilling, visits_all_points_once_by_short_steps_in_the_plane) { visits_all_once_by_short_steps<2>(); }
TEST(SpaceFilling, visits_all_points_once_by_short_steps_in_space) { visits_all_once_by_short_steps<3>(); }

TEST(SpaceFilling, coincident_points_keep_their_order_and_undefined_ones_do_no_harm) {
  std::vector<Vec<3>> x(5, Vec<3>{{1.0, 2.0, 3.0}});
  EXPECT_EQ(morton_order(x), (std::vector<std::int32_t>{0, 1, 2, 3, 4}));
  x[2][1] = std::numeric_limits<double>::quiet_NaN();
  x[4][0] = 7.0;
  EXPECT_EQ(morton_order(x), (std::vector<std::int32_t>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(morton_order(std::vector<Vec<2>>{}).empty());
}

}  // namespace
}  // namespace moreau

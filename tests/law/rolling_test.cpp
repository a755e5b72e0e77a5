// The law of rolling and pivoting as a graph.
#include "moreau/law/rolling.hpp"

#include <gtest/gtest.h>

#include "moreau/base/random.hpp"

namespace moreau {
namespace {

// One lane at a time.
template <int D>
Spin<D> couple(const Vec<D>& n, const Spin<D>& w, const Spin<D>& m, double inverse, double rolling, double pivoting) {
  Vec<D, Lanes> normal{};
  Spin<D, Lanes> spin{}, present{};
  for (int d = 0; d < D; ++d) normal[d] += n[d];
  for (int d = 0; d < spin_dimension<D>; ++d) spin[d] += w[d], present[d] += m[d];
  const auto solved = rolling_couple<Lanes>(normal, spin, present, Lanes{} + inverse, Lanes{} + rolling, Lanes{} + pivoting);
  Spin<D> result;
  for (int d = 0; d < spin_dimension<D>; ++d) result[d] = solved[d][3];
  return result;
}

TEST(Rolling, solution_stands_still_or_is_opposed_by_the_whole_couple) {
  RandomStream random(7);
  int held = 0, turning = 0, pivots_alone = 0;
  for (int n = 0; n < 20000; ++n) {
    Vec<3> normal, w, m{};
    for (double& c : normal.c) c = random.uniform(-1, 1);
    for (double& c : w.c) c = random.uniform(-1, 1);
    normal = normalized(normal);
    const double k = 0.7, rolling = random.uniform(0, 2), pivoting = random.uniform(0, 2);
    m = couple<3>(normal, w, m, 1.0 / k, rolling, pivoting);
    w += k * m;  // the spin under the couple
    const double m_n = dot(m, normal), w_n = dot(w, normal);
    const Vec<3> m_t = m - m_n * normal, w_t = w - w_n * normal;
    ASSERT_LE(std::abs(m_n), pivoting + 1e-14);  // rounding of the whole couple
    ASSERT_LE(norm(m_t), rolling + 1e-14);
    ASSERT_NEAR(dot(m_t, w_t), -rolling * norm(w_t), 1e-12);
    ASSERT_NEAR(m_n * w_n, -pivoting * std::abs(w_n), 1e-12);
    held += norm(w)<1e-12, turning += norm(w_t)> 1e-3 && std::abs(w_n) > 1e-3,
        pivots_alone += norm(w_t) < 1e-12 && std::abs(w_n) > 1e-3;
    ASSERT_LE(norm(couple<3>(normal, w, m, 1.0 / k, rolling, pivoting) - m), 1e-12);  // and stays there
  }
  EXPECT_GT(held, 1000);
  EXPECT_GT(turning, 1000);
  EXPECT_GT(pivots_alone, 1000);
}

TEST(Rolling, pair_off_the_graph_is_moved) {
  EXPECT_GT(norm(couple<2>({{0, 1}}, {{0.5}}, {{0.1}}, 1.0, 0.3, 0.0) - Vec<1>{{0.1}}), 0.1);     // turns, couple along
  EXPECT_GT(norm(couple<2>({{0, 1}}, {{0.5}}, {{-0.2}}, 1.0, 0.3, 0.0) - Vec<1>{{-0.2}}), 0.05);  // turns below the bound
  EXPECT_GT(norm(couple<2>({{0, 1}}, {{0.0}}, {{0.4}}, 1.0, 0.3, 0.0) - Vec<1>{{0.4}}), 0.05);    // beyond the bound
}

TEST(Rolling, reduced_radius_is_that_of_curvatures_added) {
  EXPECT_DOUBLE_EQ(reduced_radius(1 / 0.5, 1 / 0.5), 0.25);
  EXPECT_DOUBLE_EQ(reduced_radius(1 / 0.5, 0.0), 0.5);
  EXPECT_EQ(reduced_radius(0.0, 0.0), 0.0);
}

}  // namespace
}  // namespace moreau

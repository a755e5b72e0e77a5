#include "moreau/law/coulomb_diagonal.hpp"

#include <gtest/gtest.h>

#include "law/random_contact.hpp"
#include "moreau/law/coulomb_plane.hpp"
#include "moreau/law/coulomb_space.hpp"
#include "oracle/property.hpp"

namespace moreau {
namespace {

// A homogeneous disc or sphere of unit mass on a plane: h_N = 1, h_T = 3 or 7/2 (Moreau 1994).
TEST(CoulombDiagonal, open_stick_and_slide_have_their_closed_forms) {
  EXPECT_EQ(solve_coulomb_diagonal(Vec<2>{{0.0, 1.0}}, 1.0, 3.0, 0.5), (Vec<2>{{0.0, 0.0}}));
  EXPECT_EQ(solve_coulomb_diagonal(Vec<2>{{-1.0, 1.5}}, 1.0, 3.0, 0.5), (Vec<2>{{1.0, -0.5}}));    // border of stick
  EXPECT_EQ(solve_coulomb_diagonal(Vec<2>{{-1.0, 0.75}}, 1.0, 3.0, 0.5), (Vec<2>{{1.0, -0.25}}));  // stick
  EXPECT_EQ(solve_coulomb_diagonal(Vec<2>{{-1.0, -6.0}}, 1.0, 3.0, 0.5), (Vec<2>{{1.0, 0.5}}));    // slide
  const Vec<3> p = solve_coulomb_diagonal(Vec<3>{{-2.0, 30.0, 40.0}}, 1.0, 3.5, 0.5);
  EXPECT_DOUBLE_EQ(p[0], 2.0);
  EXPECT_DOUBLE_EQ(p[1], -0.6);
  EXPECT_DOUBLE_EQ(p[2], -0.8);
}

TEST(CoulombDiagonal, is_on_the_graph_and_agrees_with_the_general_solvers) {
  RandomStream random(3);
  for (int n = 0; n < 100000; ++n) {
    const double hn = random.uniform(0.01, 2), ht = random.uniform(0.01, 2), mu = random.uniform(0, 2);
    const Vec<3> v{{random.uniform(-1, 0.2), random.uniform(-1, 1), random.uniform(-1, 1)}};
    const OneContact<3> contact{v, {{{hn, 0, 0}, {0, ht, 0}, {0, 0, ht}}}, mu};
    const Vec<3> p = solve_coulomb_diagonal(v, hn, ht, mu);
    ASSERT_LE(contact.relative_error(p), 1e-15) << n;
    ASSERT_LE(norm(p - solve_coulomb_space(v, contact.H, mu)), 1e-14 * norm(p)) << n;
    const Vec<2> plane = solve_coulomb_diagonal(Vec<2>{{v[0], v[1]}}, hn, ht, mu);
    ASSERT_LE(norm(plane - solve_coulomb_plane({{v[0], v[1]}}, {{{hn, 0}, {0, ht}}}, mu)), 1e-15 * norm(plane)) << n;
  }
}

// The law is positively homogeneous: P scales with v, exactly for powers of two.
TEST(CoulombDiagonal, impulse_scales_with_velocity) {
  EXPECT_TRUE(rc::check([] {
    const Vec<3> v{{oracle::signed_unit(), oracle::signed_unit(), oracle::signed_unit()}};
    const double mu = std::abs(oracle::signed_unit()), scale = std::ldexp(1.0, *rc::gen::inRange(-40, 41));
    const Vec<3> p = solve_coulomb_diagonal(v, 1.0, 3.5, mu), scaled = solve_coulomb_diagonal(scale * v, 1.0, 3.5, mu);
    RC_ASSERT(scaled == scale * p);
  }));
}

TEST(CoulombDiagonal, degenerate_inputs_stay_finite) {
  EXPECT_EQ(solve_coulomb_diagonal(Vec<3>{}, 1.0, 3.5, 0.5), Vec<3>{});
  EXPECT_EQ(solve_coulomb_diagonal(Vec<3>{{-1, 0, 0}}, 1.0, 3.5, 0.0), (Vec<3>{{1, 0, 0}}));
  EXPECT_EQ(solve_coulomb_diagonal(Vec<3>{{-1, 3, 4}}, 1.0, 3.5, 0.0), (Vec<3>{{1, 0, 0}}));
  for (const double scale : {1e-12, 1e12})
    for (const double h : {1e-12, 1e12}) {
      const Vec<3> p = solve_coulomb_diagonal(Vec<3>{{-scale, scale, scale}}, h, 3.5 * h, 0.1);
      EXPECT_NEAR(p[0] * h / scale, 1.0, 1e-15);
      EXPECT_NEAR(std::hypot(p[1], p[2]) / p[0], 0.1, 1e-16);
    }
}

}  // namespace
}  // namespace moreau

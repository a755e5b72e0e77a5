#include "moreau/law/coulomb_plane.hpp"

#include <gtest/gtest.h>

#include "law/random_contact.hpp"
#include "oracle/enumeration.hpp"
#include "oracle/property.hpp"

namespace moreau {
namespace {

DenseProblem dense(const OneContact<2>& c) {
  DenseProblem p;
  p.delassus = Eigen::Matrix2d{{c.H.c[0][0], c.H.c[0][1]}, {c.H.c[1][0], c.H.c[1][1]}};
  p.free = Eigen::Vector2d(c.v[0], c.v[1]);
  p.friction = {c.friction};
  return p;
}

TEST(CoulombPlane, each_branch_by_hand) {
  const DelassusBlock<2> H{{{2, 1}, {1, 2}}};
  EXPECT_EQ(solve_coulomb_plane({{0, 1}}, H, 0.5), (Vec<2>{{0, 0}}));
  // stick: P = -H^-1 v = (1, 0.5)
  EXPECT_EQ(solve_coulomb_plane({{-2.5, -2}}, H, 0.5), (Vec<2>{{1, 0.5}}));
  // slip forward, w_T > 0: P = P_N (1, -mu), P_N = 3 / (2 - 0.5) = 2, w_T = 10 + 2 - 2 = 10
  EXPECT_EQ(solve_coulomb_plane({{-3, 10}}, H, 0.5), (Vec<2>{{2, -1}}));
  // slip backward, w_T < 0: P_N = 5 / (2 + 0.5) = 2, w_T = -10 + 2 + 2 = -6
  EXPECT_EQ(solve_coulomb_plane({{-5, -10}}, H, 0.5), (Vec<2>{{2, 1}}));
}

// Fact of seed 1.6: with v_N < 0 there is exactly one solution, also in the Painleve range.
TEST(CoulombPlane, approaching_contact_has_one_solution_and_the_solver_finds_it) {
  RandomStream random(4);
  int painleve = 0, modes[4] = {};
  for (int n = 0; n < 50000; ++n) {
    auto contact = random_contact<2>(random);
    contact.v[0] = -std::abs(contact.v[0]);
    // The oracle, solving by LU, needs H clear of singularity; near-singular H is tested below against the graph.
    if (contact.H.c[0][0] * contact.H.c[1][1] - contact.H.c[0][1] * contact.H.c[0][1] < 1e-6) continue;
    const auto all = oracle::enumerate_solutions(dense(contact));
    const Vec<2> p = solve_coulomb_plane(contact.v, contact.H, contact.friction);
    ASSERT_LE(contact.relative_error(p), 5e-16) << n;
    ASSERT_EQ(all.size(), 1u) << n;
    ASSERT_LE((all[0].impulse - Eigen::Vector2d(p[0], p[1])).norm(), contact.conditioned(p, 1e-14)) << n;
    ++modes[static_cast<int>(all[0].modes[0])];
    painleve += contact.painleve();
  }
  EXPECT_GT(painleve, 5000);
  for (const int m : {1, 2, 3}) EXPECT_GT(modes[m], 5000);
  EXPECT_EQ(modes[0], 0);
}

// Only in the Painleve range can a separating contact have three solutions; the documented choice is "open".
TEST(CoulombPlane, separating_contact_opens_though_painleve_admits_two_more_solutions) {
  RandomStream random(5);
  int three = 0;
  for (int n = 0; n < 20000; ++n) {
    auto contact = random_contact<2>(random);
    contact.v[0] = std::abs(contact.v[0]);
    const auto all = oracle::enumerate_solutions(dense(contact));
    ASSERT_EQ(solve_coulomb_plane(contact.v, contact.H, contact.friction), Vec<2>{});
    ASSERT_TRUE(all.size() == 1 || (all.size() == 3 && contact.painleve())) << n << ' ' << all.size();
    three += all.size() == 3;
  }
  EXPECT_GT(three, 100);
}

TEST(CoulombPlane, a_million_random_contacts_all_on_the_graph) {
  RandomStream random(6);
  double worst = 0.0;
  for (int n = 0; n < 1000000; ++n) {
    const auto contact = random_contact<2>(random, 2 + n % 2);
    worst = std::max(worst, contact.relative_error(solve_coulomb_plane(contact.v, contact.H, contact.friction)));
  }
  EXPECT_LE(worst, 1e-15);
}

TEST(CoulombPlane, impulse_scales_with_velocity) {
  EXPECT_TRUE(rc::check([] {
    const Vec<2> v{{oracle::signed_unit(), oracle::signed_unit()}};
    const double mu = std::abs(oracle::signed_unit()), coupling = 1.4 * oracle::signed_unit();
    const double scale = std::ldexp(1.0, *rc::gen::inRange(-40, 41)), mass = std::ldexp(1.0, *rc::gen::inRange(-40, 41));
    const DelassusBlock<2> H{{{1, coupling}, {coupling, 2}}}, light{{{mass, mass * coupling}, {mass * coupling, mass * 2}}};
    const Vec<2> p = solve_coulomb_plane(v, H, mu);
    RC_ASSERT(solve_coulomb_plane(scale * v, H, mu) == scale * p);
    RC_ASSERT(mass * solve_coulomb_plane(v, light, mu) == p);
  }));
}

TEST(CoulombPlane, degenerate_inputs_stay_on_the_graph) {
  const DelassusBlock<2> H{{{1.6, 1.2}, {1.2, 3.4}}};
  EXPECT_EQ(solve_coulomb_plane({}, H, 2.0), Vec<2>{});
  EXPECT_EQ(solve_coulomb_plane({{-1.6, 5}}, H, 0.0), (Vec<2>{{1, 0}}));
  RandomStream random(7);
  for (int n = 0; n < 100000; ++n) {
    // Coupling as close to singular as rounding allows, and scales of 24 decades.
    auto contact = random_contact<2>(random, n % 3 == 0 ? 1 : 2);
    const double decades = random.uniform(-12, 12), velocity_scale = std::pow(10.0, random.uniform(-12, 12));
    for (auto& line : contact.H.c)
      for (double& x : line) x *= std::pow(10.0, decades);
    if (n % 3 == 0) contact.H.c[1][1] *= 1.0 + std::pow(10.0, random.uniform(-15, -8));
    contact.v = velocity_scale * contact.v;
    const Vec<2> p = solve_coulomb_plane(contact.v, contact.H, contact.friction);
    ASSERT_TRUE(is_finite(p)) << n;
    ASSERT_LE(contact.relative_error(p), 2e-15) << n;
  }
}

// Rank 1, and indefinite by one unit of rounding: the Schur complement comes out 0 or negative.
TEST(CoulombPlane, singular_contact_still_has_a_solution) {
  for (const double tangent : {1.0, std::nextafter(1.0, 0.0)})
    for (const Vec<2>& v : {Vec<2>{{-1, -1}}, Vec<2>{{-1, -2}}, Vec<2>{{-1, 2}}, Vec<2>{{-1, 0}}})
      for (const double mu : {0.0, 0.5, 2.0}) {
        const OneContact<2> contact{v, {{{1, 1}, {1, tangent}}}, mu};
        EXPECT_LE(contact.relative_error(solve_coulomb_plane(v, contact.H, mu)), 1e-15) << v[1] << ' ' << mu;
      }
}

}  // namespace
}  // namespace moreau

#include "moreau/law/coulomb_space.hpp"

#include <gtest/gtest.h>

#include "law/random_contact.hpp"
#include "moreau/law/coulomb_plane.hpp"
#include "oracle/enumeration.hpp"
#include "oracle/property.hpp"

namespace moreau {
namespace {

TEST(CoulombSpace, a_million_random_contacts_all_on_the_graph) {
  RandomStream random(8);
  double worst = 0.0;
  int painleve = 0;
  for (int n = 0; n < 1000000; ++n) {
    const auto contact = random_contact<3>(random, 3 + n % 2);
    const Vec<3> p = solve_coulomb_space(contact.v, contact.H, contact.friction);
    ASSERT_GE(p[0], 0.0);
    worst = std::max(worst, contact.relative_error(p));
    painleve += contact.painleve();
  }
  EXPECT_LE(worst, 1e-15);
  EXPECT_GT(painleve, 250000);
}

// Half of the problems lie in the Painleve range, where f need not be monotone; in a few of them several solutions exist.
TEST(CoulombSpace, agrees_with_a_fine_search_over_slip_directions) {
  RandomStream random(9);
  int several = 0, sticking = 0;
  for (int n = 0; n < 3000; ++n) {
    auto contact = random_contact<3>(random);
    contact.v[0] = -std::abs(contact.v[0]);
    if (n % 2) contact.friction = random.uniform(1, 4) * contact.H.c[0][0] / std::hypot(contact.H.c[0][1], contact.H.c[0][2]);
    const Vec<3> p = solve_coulomb_space(contact.v, contact.H, contact.friction);
    const auto all = oracle::enumerate_one_contact(contact.v, contact.H, contact.friction);
    double nearest = INFINITY;
    for (const auto& other : all) nearest = std::min(nearest, norm(other - p));
    ASSERT_LE(nearest, contact.conditioned(p, 1e-11)) << n << " of " << all.size() << " solutions";
    ASSERT_TRUE(all.size() == 1 || contact.painleve()) << n;
    several += all.size() > 1;
    sticking += tangent_norm(p) < 0.999 * contact.friction * p[0];
  }
  EXPECT_GE(several, 5);
  EXPECT_GT(sticking, 100);
}

// A problem symmetric about a plane is a plane problem.
TEST(CoulombSpace, contact_moving_in_a_plane_of_symmetry_is_the_plane_contact) {
  RandomStream random(10);
  for (int n = 0; n < 100000; ++n) {
    const auto flat = random_contact<2>(random);
    const DelassusBlock<3> H{
        {{flat.H.c[0][0], flat.H.c[0][1], 0}, {flat.H.c[1][0], flat.H.c[1][1], 0}, {0, 0, random.uniform(0.1, 2)}}};
    const Vec<2> expected = solve_coulomb_plane(flat.v, flat.H, flat.friction);
    const Vec<3> p = solve_coulomb_space({{flat.v[0], flat.v[1], 0}}, H, flat.friction);
    ASSERT_LE(std::hypot(p[0] - expected[0], p[1] - expected[1], p[2]), flat.conditioned(expected, 1e-13)) << n;
  }
}

TEST(CoulombSpace, result_turns_with_the_tangent_frame) {
  RandomStream random(11);
  for (int n = 0; n < 20000; ++n) {
    const auto contact = random_contact<3>(random, 4);
    if (contact.painleve()) continue;  // several solutions: the choice may depend on the frame
    const double angle = random.uniform(0, 2 * M_PI), c = std::cos(angle), s = std::sin(angle);
    const double R[3][3] = {{1, 0, 0}, {0, c, -s}, {0, s, c}};
    OneContact<3> turned = contact;
    for (int i = 0; i < 3; ++i) {
      turned.v[i] = 0;
      for (int j = 0; j < 3; ++j) {
        turned.v[i] += R[i][j] * contact.v[j];
        turned.H.c[i][j] = 0;
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l) turned.H.c[i][j] += R[i][k] * contact.H.c[k][l] * R[j][l];
      }
    }
    const Vec<3> p = solve_coulomb_space(contact.v, contact.H, contact.friction);
    const Vec<3> q = solve_coulomb_space(turned.v, turned.H, contact.friction);
    const Vec<3> expected{{p[0], c * p[1] - s * p[2], s * p[1] + c * p[2]}};
    ASSERT_LE(norm(q - expected), contact.conditioned(p, 1e-13)) << n;
  }
}

TEST(CoulombSpace, impulse_scales_with_velocity_exactly_for_powers_of_two) {
  EXPECT_TRUE(rc::check([] {
    const Vec<3> v{{oracle::signed_unit(), oracle::signed_unit(), oracle::signed_unit()}};
    const double mu = std::abs(oracle::signed_unit()), scale = std::ldexp(1.0, *rc::gen::inRange(-40, 41));
    const double a = 0.7 * oracle::signed_unit(), b = 0.7 * oracle::signed_unit();
    const DelassusBlock<3> H{{{1, a, b}, {a, 2, 0.3}, {b, 0.3, 3}}};
    RC_ASSERT(solve_coulomb_space(scale * v, H, mu) == scale * solve_coulomb_space(v, H, mu));
  }));
}

TEST(CoulombSpace, degenerate_inputs_stay_on_the_graph) {
  const DelassusBlock<3> H{{{2, 0.5, 0.1}, {0.5, 3, 0.2}, {0.1, 0.2, 4}}};
  EXPECT_EQ(solve_coulomb_space({}, H, 2.0), Vec<3>{});
  EXPECT_EQ(solve_coulomb_space({{-2, 5, 1}}, H, 0.0), (Vec<3>{{1, 0, 0}}));
  EXPECT_EQ(solve_coulomb_space({{-2, 0, 0}}, {{{2, 0, 0}, {0, 3, 0}, {0, 0, 3}}}, 0.5), (Vec<3>{{1, 0, 0}}));
  RandomStream random(12);
  for (int n = 0; n < 100000; ++n) {
    auto contact = random_contact<3>(random, 1 + n % 3);  // rank 1, 2 or 3
    const double mass_scale = std::pow(10.0, random.uniform(-12, 12)), velocity_scale = std::pow(10.0, random.uniform(-12, 12));
    for (int i = 0; i < 3; ++i) contact.H.c[i][i] *= 1.0 + std::pow(10.0, random.uniform(-14, -6));
    for (auto& line : contact.H.c)
      for (double& x : line) x *= mass_scale;
    contact.v = velocity_scale * contact.v;
    if (n % 7 == 0) contact.friction = 1e-12;
    if (n % 11 == 0) contact.friction = 1e12;
    const Vec<3> p = solve_coulomb_space(contact.v, contact.H, contact.friction);
    ASSERT_TRUE(is_finite(p)) << n;
    ASSERT_LE(contact.relative_error(p), 2e-15) << n;
  }
}

// Rank 1, and indefinite by one unit of rounding.
TEST(CoulombSpace, singular_contact_still_has_a_solution) {
  for (const double tangent : {1.0, std::nextafter(1.0, 0.0)})
    for (const Vec<3>& v : {Vec<3>{{-1, -1, -1}}, Vec<3>{{-1, -2, 0}}, Vec<3>{{-1, 2, 2}}, Vec<3>{{-1, 0, 0}}})
      for (const double mu : {0.0, 0.5, 2.0}) {
        const OneContact<3> contact{v, {{{1, 1, 1}, {1, tangent, 1}, {1, 1, tangent}}}, mu};
        const Vec<3> p = solve_coulomb_space(v, contact.H, mu);
        EXPECT_TRUE(is_finite(p));
        EXPECT_LE(contact.relative_error(p), 1e-15) << v[1] << ' ' << mu;
      }
}

}  // namespace
}  // namespace moreau

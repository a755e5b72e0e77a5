// Coulomb's law between round bodies in closed form: closed forms of Moreau 1994, the graph of the law, the solvers of one
// contact with any operator, and the number types over which the kernels use it.
#include "moreau/law/coulomb_round.hpp"

#include <gtest/gtest.h>

#include "law/random_contact.hpp"
#include "moreau/geometry/tangent.hpp"
#include "moreau/law/coulomb_plane.hpp"
#include "moreau/law/coulomb_space.hpp"
#include "oracle/property.hpp"

namespace moreau {
namespace {

// The impulse from none, with the normal along the first axis: U is then the velocity v without the contact.
template <int D>
Vec<D> solved(const Vec<D>& v, double h_n, double h_t, double friction) {
  Vec<D> normal{};
  normal[0] = 1.0;
  return coulomb_round(normal, v, Vec<D>{}, 1.0 / h_n, 1.0 / h_t, friction, 1.0);
}

// A homogeneous disc or sphere of unit mass on a plane: h_N = 1, h_T = 3 or 7/2 (Moreau 1994).
TEST(CoulombRound, open_stick_and_slide_have_their_closed_forms) {
  const auto expect = [](const Vec<2>& p, const Vec<2>& expected) { EXPECT_LE(norm(p - expected), 1e-15); };
  expect(solved(Vec<2>{{0.0, 1.0}}, 1.0, 3.0, 0.5), {{0.0, 0.0}});
  expect(solved(Vec<2>{{-1.0, 1.5}}, 1.0, 3.0, 0.5), {{1.0, -0.5}});    // border of stick
  expect(solved(Vec<2>{{-1.0, 0.75}}, 1.0, 3.0, 0.5), {{1.0, -0.25}});  // stick
  expect(solved(Vec<2>{{-1.0, -6.0}}, 1.0, 3.0, 0.5), {{1.0, 0.5}});    // slide
  expect(solved(Vec<2>{{-1.0, 6.0}}, 1.0, 3.0, 0.0), {{1.0, 0.0}});     // without friction
  EXPECT_LE(norm(solved(Vec<3>{{-2.0, 30.0, 40.0}}, 1.0, 3.5, 0.5) - Vec<3>{{2.0, -0.6, -0.8}}), 1e-15);
}

// From any impulse, in any direction, the one that satisfies the law; the same as for an operator that is not known to be
// diagonal.
TEST(CoulombRound, is_on_the_graph_and_agrees_with_the_solvers_of_any_operator) {
  RandomStream random(3);
  int open = 0, stick = 0, slide = 0;
  for (int n = 0; n < 100000; ++n) {
    const double hn = random.uniform(0.01, 2), ht = random.uniform(0.01, 2), mu = random.uniform(0, 2);
    const Vec<3> v{{random.uniform(-1, 0.2), random.uniform(-1, 1), random.uniform(-1, 1)}};
    const OneContact<3> contact{v, {{{hn, 0, 0}, {0, ht, 0}, {0, 0, ht}}}, mu};
    const Vec<3> before{{random.uniform(0, 1), random.uniform(-1, 1), random.uniform(-1, 1)}};
    const Vec<3> p = coulomb_round(Vec<3>{{1, 0, 0}}, v + contact.H * before, before, 1.0 / hn, 1.0 / ht, mu, 1.0);
    const double size = norm(p) + norm(before) + norm(v) / std::min(hn, ht);
    ASSERT_LE(norm(p - solve_coulomb_space(v, contact.H, mu)), 1e-14 * size) << n;
    ASSERT_LE(contact.relative_error(solved(v, hn, ht, mu)), 1e-15) << n;
    const Vec<2> plane = solved(Vec<2>{{v[0], v[1]}}, hn, ht, mu);
    ASSERT_LE(norm(plane - solve_coulomb_plane({{v[0], v[1]}}, {{{hn, 0}, {0, ht}}}, mu)), 1e-14 * norm(plane)) << n;
    const double tangent = std::hypot(p[1], p[2]);
    ++(p[0] == 0.0 ? open : tangent < mu * p[0] * (1 - 1e-9) ? stick : slide);
  }
  for (const int seen : {open, stick, slide}) EXPECT_GT(seen, 10000);
}

// In world vectors: what turns with velocity, impulse and normal is the impulse.
TEST(CoulombRound, does_not_depend_on_the_axes) {
  RandomStream random(4);
  for (int n = 0; n < 10000; ++n) {
    Vec<3> normal, u, p;
    for (int d = 0; d < 3; ++d) normal[d] = random.uniform(-1, 1), u[d] = random.uniform(-1, 1), p[d] = random.uniform(-1, 1);
    normal = normalized(normal);
    const Vec<3> t = any_tangent(normal), s = cross(normal, t);
    const auto seen = [&](const Vec<3>& x) { return Vec<3>{{dot(normal, x), dot(t, x), dot(s, x)}}; };
    const Vec<3> here = seen(coulomb_round(normal, u, p, 0.7, 0.3, 0.4, 1.0));
    ASSERT_LE(norm(here - coulomb_round(Vec<3>{{1, 0, 0}}, seen(u), seen(p), 0.7, 0.3, 0.4, 1.0)), 1e-14) << n;
  }
}

// Eight numbers side by side have the bits of one; sixteen in single precision those of one in single precision.
template <class Real>
void lanes_have_the_bits_of_one() {
  using Wide = LanesOf<Real>;
  constexpr int count = lanes_of<Real>;
  RandomStream random(5);
  for (int trial = 0; trial < 2000; ++trial) {
    Vec<3, Wide> n{}, u{}, p{};
    Wide inverse_normal{}, inverse_tangent{}, friction{};
    Vec<3, Real> one_n[count], one_u[count], one_p[count];
    for (int l = 0; l < count; ++l) {
      const Vec<3> normal = normalized(Vec<3>{{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}});
      for (int d = 0; d < 3; ++d) {
        n[d][l] = one_n[l][d] = static_cast<Real>(normal[d]);
        u[d][l] = one_u[l][d] = static_cast<Real>(random.uniform(-1, 1));
        p[d][l] = one_p[l][d] = static_cast<Real>(random.uniform(-1, 1));
      }
      inverse_normal[l] = static_cast<Real>(random.uniform(0.2, 2)), inverse_tangent[l] = inverse_normal[l] / 3;
      friction[l] = static_cast<Real>(random.uniform(0, 1));
    }
    const Vec<3, Wide> all = coulomb_round(n, u, p, inverse_normal, inverse_tangent, friction, Real{1});
    for (int l = 0; l < count; ++l) {
      const Real f = friction[l], i_n = inverse_normal[l], i_t = inverse_tangent[l];
      const Vec<3, Real> one = coulomb_round(one_n[l], one_u[l], one_p[l], i_n, i_t, f, Real{1});
      for (int d = 0; d < 3; ++d) ASSERT_EQ(all[d][l], one[d]) << trial << ' ' << l;
    }
  }
}
TEST(CoulombRound, eight_numbers_have_the_bits_of_one) { lanes_have_the_bits_of_one<double>(); }
TEST(CoulombRound, sixteen_in_single_precision_have_the_bits_of_one) { lanes_have_the_bits_of_one<float>(); }

// The law is positively homogeneous: P scales with v, exactly for powers of two.
TEST(CoulombRound, impulse_scales_with_velocity) {
  EXPECT_TRUE(rc::check([] {
    const Vec<3> v{{oracle::signed_unit(), oracle::signed_unit(), oracle::signed_unit()}};
    const double mu = std::abs(oracle::signed_unit()), scale = std::ldexp(1.0, *rc::gen::inRange(-40, 41));
    RC_ASSERT(solved(scale * v, 1.0, 3.5, mu) == scale * solved(v, 1.0, 3.5, mu));
  }));
}

// Relaxed beyond the solution it stays in the cone; relaxed by nothing, what is in the cone stays where it is.
TEST(CoulombRound, relaxed_impulses_stay_in_the_cone) {
  RandomStream random(6);
  for (int n = 0; n < 10000; ++n) {
    Vec<3> u, p;
    for (int d = 0; d < 3; ++d) u[d] = random.uniform(-1, 1), p[d] = random.uniform(-1, 1);
    const Vec<3> normal{{0, 0, 1}}, far = coulomb_round(normal, u, p, 1.0, 0.3, 0.4, 1.7);
    ASSERT_GE(far[2], 0.0);
    ASSERT_LE(std::hypot(far[0], far[1]), 0.4 * far[2] * (1 + 1e-15));
    ASSERT_LE(norm(coulomb_round(normal, u, far, 1.0, 0.3, 0.4, 0.0) - far), 1e-15);
  }
}

TEST(CoulombRound, degenerate_inputs_stay_finite) {
  EXPECT_EQ(solved(Vec<3>{}, 1.0, 3.5, 0.5), Vec<3>{});
  EXPECT_EQ(solved(Vec<3>{{-1, 0, 0}}, 1.0, 3.5, 0.0), (Vec<3>{{1, 0, 0}}));
  EXPECT_EQ(solved(Vec<3>{{-1, 3, 4}}, 1.0, 3.5, 0.0), (Vec<3>{{1, 0, 0}}));
  for (const double scale : {1e-12, 1e12})
    for (const double h : {1e-12, 1e12}) {
      const Vec<3> p = solved(Vec<3>{{-scale, scale, scale}}, h, 3.5 * h, 0.1);
      EXPECT_NEAR(p[0] * h / scale, 1.0, 1e-15);
      EXPECT_NEAR(std::hypot(p[1], p[2]) / p[0], 0.1, 1e-16);
    }
}

}  // namespace
}  // namespace moreau

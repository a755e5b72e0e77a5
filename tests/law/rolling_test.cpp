// The law of rolling and pivoting as a graph.
#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "moreau/law/rolling_round.hpp"

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

// One contact with force and couple, its velocities under them, and what the laws leave to be desired.
struct Contact {
  RollingContact<double> k;
  Vec<3> normal, velocity, force{};
  Spin<3> spin, couple{};

  void relax() {
    const Vec<3> force_before = force, couple_before = couple;
    couple = rolling_round<3>(normal, velocity, spin, force, couple, k, 1.0);
    const Vec<3> f = force - force_before, m = couple - couple_before;
    const double f_n = dot(f, normal);
    velocity +=
        (f_n / k.inverse_normal) * normal + (1.0 / k.inverse_tangent) * (f - f_n * normal) + k.coupling * cross(normal, m);
    spin += (1.0 / k.inverse_turning) * m - k.coupling * cross(normal, f);
  }
  Vec<3> across(const Vec<3>& x) const { return x - dot(x, normal) * normal; }
  double limit() const { return k.bound.friction * dot(force, normal); }
  double rolling_limit() const { return k.rolling * dot(force, normal); }
  bool sticks() const { return norm(across(velocity)) < 1e-12; }
  bool rolls() const { return norm(across(spin)) > 1e-12; }
  // Zero where Coulomb's law, and that of rolling, hold: bounds kept, and what slides or rolls opposed by the whole of them.
  double wrong() const {
    const double p = dot(force, normal), u = dot(velocity, normal), w = dot(spin, normal), m = dot(couple, normal);
    double worst = std::max({-p, -u, std::abs(p * u), norm(across(force)) - limit(), norm(across(couple)) - rolling_limit()});
    worst = std::max(worst, std::abs(dot(across(force), across(velocity)) + limit() * norm(across(velocity))));
    worst = std::max(worst, std::abs(dot(across(couple), across(spin)) + rolling_limit() * norm(across(spin))));
    return std::max({worst, std::abs(m) - k.pivoting * p, std::abs(m * w + k.pivoting * p * std::abs(w))});
  }
};

TEST(Rolling, force_and_couple_of_a_grain_on_a_wall_satisfy_both_laws_at_once) {
  RandomStream random(11);
  int stick = 0, slides_alone = 0, both = 0, open = 0;
  for (int n = 0; n < 5000; ++n) {
    Contact c;
    for (double& x : c.normal.c) x = random.uniform(-1, 1);
    for (double& x : c.velocity.c) x = random.uniform(-1, 1);
    for (double& x : c.spin.c) x = random.uniform(-1, 1);
    c.normal = normalized(c.normal);
    // A homogeneous ball of mass and radius 1: h_N = 1, h_T = 1 + 5/2, h_W = c = 5/2, if it moves on a wall; of another inertia.
    const double turning = n % 2 == 0 ? 2.5 : random.uniform(1.0, 20.0);
    c.k = {1.0,
           1.0 / (1.0 + turning),
           1.0 / turning,
           turning,
           {random.uniform(0, 1.5), 0.0, 1e30, 0.0},
           random.uniform(0, 0.8),
           random.uniform(0, 0.8)};
    ASSERT_EQ(c.wrong() < 1e-12, dot(c.velocity, c.normal) >= 0.0);  // a test that can fail
    c.relax();
    const double first = c.wrong();
    for (int more = 0; more < 600 && c.wrong() > 1e-12; ++more) c.relax();
    ASSERT_LT(c.wrong(), 1e-11);
    const bool closed = dot(c.force, c.normal) > 0.0, exact = first < 1e-11;
    open += !closed, stick += closed && c.sticks();
    ASSERT_TRUE(exact || !closed || !c.sticks()) << first;
    slides_alone += closed && !c.sticks() && !c.rolls(), both += closed && !c.sticks() && c.rolls();
  }
  EXPECT_GT(open, 1000);
  EXPECT_GT(stick, 300);
  EXPECT_GT(slides_alone, 100);
  EXPECT_GT(both, 300);
}

// Eight at a time, where some are coupled strongly and some not: the bits of one at a time.
TEST(Rolling, lanes_do_not_know_each_other) {
  RandomStream random(12);
  for (int n = 0; n < 500; ++n) {
    Contact one[lanes];
    Vec<3, Lanes> normal, velocity, force{};
    Spin<3, Lanes> spin, couple{};
    RollingContact<Lanes> k{};
    for (int l = 0; l < lanes; ++l) {
      Contact& c = one[l];
      for (int d = 0; d < 3; ++d) c.normal[d] = random.uniform(-1, 1), c.velocity[d] = random.uniform(-1, 1);
      for (double& x : c.spin.c) x = random.uniform(-1, 1);
      c.normal = normalized(c.normal);
      c.k = {1.0, 1.0 / 3.5, 1.0 / 2.5, random.uniform(0, 2.5), {0.5, 0.0, 1e30, 0.0}, 0.1, 0.05};
      for (int d = 0; d < 3; ++d) normal[d][l] = c.normal[d], velocity[d][l] = c.velocity[d], spin[d][l] = c.spin[d];
      k.inverse_normal[l] = c.k.inverse_normal, k.inverse_tangent[l] = c.k.inverse_tangent;
      k.inverse_turning[l] = c.k.inverse_turning, k.coupling[l] = c.k.coupling, k.rolling[l] = c.k.rolling;
      k.pivoting[l] = c.k.pivoting, k.bound.friction[l] = c.k.bound.friction, k.bound.cap[l] = c.k.bound.cap;
    }
    couple = rolling_round<3>(normal, velocity, spin, force, couple, k, 1.0);
    for (int l = 0; l < lanes; ++l) {
      one[l].couple = rolling_round<3>(one[l].normal, one[l].velocity, one[l].spin, one[l].force, one[l].couple, one[l].k, 1.0);
      for (int d = 0; d < 3; ++d) {
        ASSERT_EQ(force[d][l], one[l].force[d]);
        ASSERT_EQ(couple[d][l], one[l].couple[d]);
      }
    }
  }
}

TEST(Rolling, reduced_radius_is_that_of_curvatures_added) {
  EXPECT_DOUBLE_EQ(reduced_radius(1 / 0.5, 1 / 0.5), 0.25);
  EXPECT_DOUBLE_EQ(reduced_radius(1 / 0.5, 0.0), 0.5);
  EXPECT_EQ(reduced_radius(0.0, 0.0), 0.0);
}

}  // namespace
}  // namespace moreau

// Coulomb's law with a cap on friction and shear strength (tangent_bound.hpp), as a graph: points on it, points off it, and
// random one-contact problems against an enumeration of all modes.
#include <gtest/gtest.h>

#include <vector>

#include "moreau/base/random.hpp"
#include "moreau/law/bounded_coulomb.hpp"
#include "moreau/law/delassus_block.hpp"

namespace moreau {
namespace {

TEST(BoundedLaw, points_on_the_graph_violate_nothing) {
  const TangentBound bound{0.5, 0.2, 1.0};
  const auto violation = [&](Vec<2> w, Vec<2> p) { return bounded_violation<2>(w, p, bound, 2.0); };
  EXPECT_EQ(violation({{1, 0}}, {{0, 0.1}}), 0.0);            // open, shear below its strength
  EXPECT_NEAR(violation({{1, -3}}, {{0, 0.2}}), 0.0, 1e-16);  // open, shearing
  EXPECT_EQ(violation({{0, 0}}, {{1, 0.6}}), 0.0);            // stick
  EXPECT_NEAR(violation({{0, -3}}, {{1, 0.7}}), 0.0, 1e-15);  // slide on the cone
  EXPECT_NEAR(violation({{0, 3}}, {{5, -1.0}}), 0.0, 1e-15);  // slide at the cap
  EXPECT_NEAR(bounded_violation<3>({{0, 3, 4}}, {{5, -0.6, -0.8}}, bound, 2.0), 0.0, 1e-15);
}

TEST(BoundedLaw, points_off_the_graph_are_noticed) {
  const TangentBound bound{0.5, 0.2, 1.0};
  const std::pair<Vec<2>, Vec<2>> wrong[] = {
      {{{-1, 0}}, {{0, 0}}},     // approaching
      {{{0, 0}}, {{-1, 0}}},     // pulling
      {{{1, 0}}, {{1, 0}}},      // carries and opens
      {{{0, 0}}, {{1, 0.8}}},    // beyond the cone
      {{{0, 0}}, {{9, 1.1}}},    // beyond the cap
      {{{0, 3}}, {{1, 0.7}}},    // friction pushes along
      {{{0, 3}}, {{1, -0.6}}},   // slides before the bound
      {{{0, -3}}, {{9, 0.99}}},  // same at the cap
      {{{1, 1}}, {{0, 0}}},      // open, shears without resistance
  };
  for (const auto& [w, p] : wrong) EXPECT_GT(bounded_violation<2>(w, p, bound, 2.0), 1e-2) << w[0] << ' ' << w[1];
}

template <int D>
struct Problem {
  Vec<D> v;
  FramedDelassus<D> H;
  TangentBound bound;

  DelassusBlock<D> full() const {
    DelassusBlock<D> h{};
    h.c[0][0] = 1.0 / H.inverse_normal;
    for (int i = 1; i < D; ++i) {
      h.c[0][i] = h.c[i][0] = H.coupling[i - 1];
      for (int j = 1; j < D; ++j)
        h.c[i][j] = H.coupling[i - 1] * H.inverse_normal * H.coupling[j - 1] + (i == j ? H.schur[i - 1] : 0.0);
    }
    return h;
  }
  double scale(const Vec<D>& p) const { return (1.0 + bound.friction) * (norm(v) + norm(full() * p) + full().c[0][0] * norm(p)); }
};

template <int D>
Problem<D> random_problem(RandomStream& random) {
  Problem<D> problem{};
  problem.H.inverse_normal = std::exp(random.uniform(-1, 1));
  for (int i = 0; i < D - 1; ++i)
    problem.H.coupling[i] = random.uniform(-1, 1), problem.H.schur[i] = std::exp(random.uniform(-2, 1));
  for (double& c : problem.v.c) c = random.uniform(-1, 1);
  problem.bound.friction = random.uniform() < 0.1 ? 0.0 : std::pow(10.0, random.uniform(-2, 1));
  if (random.uniform() < 0.5) problem.bound.shear = random.uniform(0, 1);
  if (random.uniform() < 0.6) problem.bound.cap = random.uniform(0, 1.5);
  return problem;
}

// Every mode in the plane: P_T from one linear equation each, then the inequalities.
std::vector<Vec<2>> all_solutions(const Problem<2>& problem) {
  const DelassusBlock<2> H = problem.full();
  const Vec<2>& v = problem.v;
  const TangentBound& b = problem.bound;
  std::vector<Vec<2>> found;
  const auto offer = [&](Vec<2> p) {
    if (!(bounded_violation<2>(v + H * p, p, b, H.c[0][0]) <= 1e-9 * problem.scale(p))) return;
    for (const auto& other : found)
      if (norm(other - p) <= 1e-6 * (norm(p) + 1e-3)) return;
    found.push_back(p);
  };
  offer({{0, -v[1] / H.c[1][1]}});
  const double determinant = H.c[0][0] * H.c[1][1] - H.c[0][1] * H.c[0][1];
  offer({{-(H.c[1][1] * v[0] - H.c[0][1] * v[1]) / determinant, -(H.c[0][0] * v[1] - H.c[0][1] * v[0]) / determinant}});
  for (const double s : {-1.0, 1.0}) {
    offer({{0, s * b.at(0.0)}});
    const double cone = -(v[0] + H.c[0][1] * s * b.shear) / (H.c[0][0] + s * b.friction * H.c[0][1]);
    offer({{cone, s * (b.shear + b.friction * cone)}});
    if (b.cap < HUGE_VAL) offer({{-(v[0] + H.c[0][1] * s * b.cap) / H.c[0][0], s * b.cap}});
  }
  return found;
}

TEST(BoundedLaw, in_the_plane_the_solution_is_among_all_modes) {
  RandomStream random(91);
  int sliding_at_cap = 0, shearing_open = 0, several = 0;
  for (int n = 0; n < 200000; ++n) {
    const auto problem = random_problem<2>(random);
    const Vec<2> p = solve_bounded(problem.v, problem.H, problem.bound);
    const double violation = bounded_violation<2>(problem.v + problem.full() * p, p, problem.bound, problem.full().c[0][0]);
    ASSERT_LE(violation, 1e-11 * problem.scale(p)) << n;
    const auto all = all_solutions(problem);
    double nearest = HUGE_VAL;
    for (const auto& q : all) nearest = std::min(nearest, norm(p - q));
    ASSERT_LE(nearest, 1e-6 * (norm(p) + 1e-3)) << n;
    several += all.size() > 1;
    sliding_at_cap += p[0] > 0.0 && std::abs(p[1]) == problem.bound.cap;
    shearing_open += p[0] == 0.0 && p[1] != 0.0;
  }
  EXPECT_GT(sliding_at_cap, 10000);
  EXPECT_GT(shearing_open, 10000);
  EXPECT_GT(several, 0);
}

// Every mode in space: sliding directions are searched on the circle.
std::vector<Vec<3>> all_solutions(const Problem<3>& problem) {
  const DelassusBlock<3> H = problem.full();
  const Vec<3>& v = problem.v;
  const TangentBound& b = problem.bound;
  std::vector<Vec<3>> found;
  const auto offer = [&](const Vec<3>& p, double tolerance) {
    if (bounded_violation<3>(v + H * p, p, b, H.c[0][0]) <= tolerance * problem.scale(p)) found.push_back(p);
  };
  const double det = H.c[1][1] * H.c[2][2] - H.c[1][2] * H.c[1][2];
  offer({{0, -(H.c[2][2] * v[1] - H.c[1][2] * v[2]) / det, -(H.c[1][1] * v[2] - H.c[1][2] * v[1]) / det}}, 1e-9);
  const FramedDelassus<3>& f = problem.H;
  Vec<3> stick{};
  for (int i = 0; i < 2; ++i) stick[i + 1] = -(v[i + 1] - f.coupling[i] * f.inverse_normal * v[0]) / f.schur[i];
  stick[0] = -(v[0] + f.coupling[0] * stick[1] + f.coupling[1] * stick[2]) * f.inverse_normal;
  offer(stick, 1e-9);
  const auto impulse_at = [&](int mode, double angle) -> Vec<3> {
    const double c = std::cos(angle), s = std::sin(angle), kd = H.c[0][1] * c + H.c[0][2] * s;
    double normal = 0.0, tangent = b.at(0.0);
    if (mode == 1) normal = -(v[0] + kd * b.shear) / (H.c[0][0] + b.friction * kd), tangent = b.shear + b.friction * normal;
    if (mode == 2) normal = -(v[0] + kd * b.cap) / H.c[0][0], tangent = b.cap;
    return {{normal, tangent * c, tangent * s}};
  };
  const int directions = 720;
  for (int mode = 0; mode < (b.cap < HUGE_VAL ? 3 : 2); ++mode) {
    const auto turn = [&](double angle) {
      const Vec<3> w = v + H * impulse_at(mode, angle);
      return std::cos(angle) * w[2] - std::sin(angle) * w[1];
    };
    for (int i = 0; i < directions; ++i) {
      double low = 2.0 * M_PI * i / directions, high = 2.0 * M_PI * (i + 1) / directions;
      const double at_low = turn(low);
      if (at_low * turn(high) > 0.0) continue;
      for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        (at_low * turn(middle) > 0.0 ? low : high) = middle;
      }
      offer(impulse_at(mode, low), 1e-7);
    }
  }
  return found;
}

TEST(BoundedLaw, in_space_the_solution_is_among_all_modes) {
  RandomStream random(92);
  int missed = 0, at_cap = 0, open_shear = 0;
  const int cases = 4000;
  for (int n = 0; n < cases; ++n) {
    const auto problem = random_problem<3>(random);
    const Vec<3> p = solve_bounded(problem.v, problem.H, problem.bound);
    const auto all = all_solutions(problem);
    double nearest = HUGE_VAL;
    for (const auto& q : all) nearest = std::min(nearest, norm(p - q));
    missed += !(nearest <= 1e-5 * (norm(p) + 1e-3));  // two roots within one direction of the search
    at_cap += p[0] > 0.0 && std::abs(tangent_norm(p) - problem.bound.cap) < 1e-9;
    open_shear += p[0] == 0.0 && tangent_norm(p) > 0.0;
  }
  EXPECT_LE(missed, cases / 500);
  EXPECT_GT(at_cap, 100);
  EXPECT_GT(open_shear, 100);
}

TEST(BoundedLaw, in_space_a_hundred_thousand_solutions_are_on_the_graph) {
  RandomStream random(93);
  for (int n = 0; n < 100000; ++n) {
    const auto problem = random_problem<3>(random);
    const auto check = [&](const Vec<3>& p) {
      return bounded_violation<3>(problem.v + problem.full() * p, p, problem.bound, problem.full().c[0][0]) / problem.scale(p);
    };
    ASSERT_LE(check(solve_bounded(problem.v, problem.H, problem.bound)), 1e-11) << n;
    if (n % 50 == 0) {
      ASSERT_LE(check(solve_bounded_slowly(problem.v, problem.H, problem.bound)), 1e-9) << n;
    }
  }
}

}  // namespace
}  // namespace moreau

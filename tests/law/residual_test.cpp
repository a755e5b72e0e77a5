// Coulomb's law as a graph: points on it are accepted by every residual, points off it are refused.
#include "moreau/law/residual.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "moreau/base/random.hpp"
#include "oracle/property.hpp"

namespace moreau {
namespace {

struct Pair {
  Vec<3> w, p;
};

Vec<3> in_cone(RandomStream& random, double mu) {
  const double angle = random.uniform(0.0, 2.0 * M_PI), normal = random.uniform(), radius = mu * normal * random.uniform();
  return {{normal, radius * std::cos(angle), radius * std::sin(angle)}};
}

TEST(CoulombGraph, accepts_open_sticking_and_sliding_points) {
  RandomStream random(1);
  for (int n = 0; n < 100000; ++n) {
    const double mu = random.uniform(0.0, 2.0), angle = random.uniform(0.0, 2.0 * M_PI), c = std::cos(angle), s = std::sin(angle);
    const double speed = random.uniform(), normal = random.uniform();
    const Pair on_graph[] = {{{{random.uniform(), speed * c, speed * s}}, {}},
                             {{}, in_cone(random, mu)},
                             {{{0.0, speed * c, speed * s}}, {{normal, -mu * normal * c, -mu * normal * s}}}};
    for (const auto& [w, p] : on_graph)
      for (const double compliance : {0.1, 1.0, 30.0}) {
        ASSERT_LE(natural_residual(w, p, mu, compliance), 1e-14 * (1.0 + compliance)) << n;
        const LawViolation violation = law_violation(w, p, mu);
        ASSERT_EQ(violation.approach, 0.0);
        ASSERT_LE(violation.cone, 1e-15);
        ASSERT_LE(violation.power, 2e-15);
      }
  }
}

TEST(CoulombGraph, refuses_every_kind_of_point_off_it) {
  const double mu = 0.5;
  const std::vector<std::pair<const char*, Pair>> off_graph = {
      {"approaching", {{{-0.01, 0, 0}}, {}}},
      {"pulling", {{}, {{-0.01, 0, 0}}}},
      {"pushing while separating", {{{0.01, 0, 0}}, {{0.01, 0, 0}}}},
      {"too much friction at rest", {{}, {{1, 0.36, 0.36}}}},
      {"friction without pressure", {{}, {{0, 0.01, 0}}}},
      {"sliding with too little friction", {{{0, 0.01, 0}}, {{1, -0.49, 0}}}},
      {"sliding with friction forward", {{{0, 0.01, 0}}, {{1, 0.5, 0}}}},
      {"sliding with friction askew", {{{0, 0.1, 0}}, {{1, -0.5 * std::cos(0.1), 0.5 * std::sin(0.1)}}}},
      {"sliding under pressure without friction", {{{0, 0.01, 0}}, {{1, 0, 0}}}}};
  for (const auto& [name, pair] : off_graph) {
    EXPECT_GT(natural_residual(pair.w, pair.p, mu, 1.0), 1e-3) << name;
    const LawViolation violation = law_violation(pair.w, pair.p, mu);
    EXPECT_GT(std::max({violation.approach, violation.cone, violation.power}), 5e-5) << name;
  }
}

// Fact 10 (Moreau 2003, eq. 29): V.S + mu |V_T| S_N >= 0 on K x C, and 0 only on the graph.
TEST(CoulombGraph, bipotential_is_nonnegative_and_vanishes_only_on_the_law) {
  RandomStream random(2);
  int far_from_law = 0;
  for (int n = 0; n < 200000; ++n) {
    const double mu = random.uniform(0.0, 2.0);
    const Vec<3> w{{random.uniform(), random.uniform(-1, 1), random.uniform(-1, 1)}}, p = in_cone(random, mu);
    const double b = bipotential(w, p, mu);
    ASSERT_GE(b, -1e-15);
    const double residual = natural_residual(w, p, mu, 1.0);
    // |natural map|^2 <= b for compliance 1: the projection inequality with p itself as test point of the cone.
    ASSERT_LE(residual * residual, b + 1e-15);
    far_from_law += b > 1e-3;
  }
  EXPECT_GT(far_from_law, 100000);
}

TEST(CoulombCone, projection_is_the_nearest_point) {
  EXPECT_TRUE(rc::check([] {
    const double mu = std::abs(oracle::signed_unit()) * oracle::power_of_ten(-3, 1);
    const Vec<3> p{{oracle::signed_unit(), oracle::signed_unit(), oracle::signed_unit()}}, nearest = project_on_cone(p, mu);
    RC_ASSERT(tangent_norm(nearest) <= mu * nearest[0] * (1 + 1e-15) + 1e-300);
    // Moreau's two cones: p - nearest is orthogonal to nearest and polar to the cone.
    const Vec<3> rest = p - nearest;
    RC_ASSERT(std::abs(dot(rest, nearest)) <= 1e-15 * (1 + mu));
    RC_ASSERT(rest[0] + mu * tangent_norm(rest) <= 1e-15 * (1 + mu));
  }));
}

TEST(CoulombGraph, residual_scales_with_velocity) {
  EXPECT_TRUE(rc::check([] {
    const double mu = std::abs(oracle::signed_unit()), scale = oracle::power_of_ten(-12, 12);
    const Vec<2> w{{oracle::signed_unit(), oracle::signed_unit()}}, p{{oracle::signed_unit(), oracle::signed_unit()}};
    const double one = natural_residual(w, p, mu, 1.0), scaled = natural_residual(scale * w, scale * p, mu, 1.0);
    RC_ASSERT(std::abs(scaled - scale * one) <= 1e-14 * scale);
  }));
}

}  // namespace
}  // namespace moreau

// Sweeps in single precision bring a step near its solution; what the step ends with is of double precision in every respect.
#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

constexpr std::size_t many = 1024;  // contacts, from which on single precision is used

// Grains dropped into a box, just before a step with many contacts and no impulses recalled. Everything moves at `drift`.
template <int D>
Sample<D> heap(PairLaw law, double drift = 0.0) {
  RandomStream random(11);
  Sample<D> s(5e-4, law);
  s.model.solver = {};
  const int across = D == 2 ? 30 : 8;
  const int moving = s.motion(steady<D>(at<D>(drift, 0)));
  for (int d = 0; d + 1 < D; ++d) {
    Vec<D> e{}, far{};
    e[d] = 1.0, far[d] = across * 1e-2;
    s.wall({}, e, moving), s.wall(far, -e, moving);
  }
  s.wall({}, at<D>(0, 1), moving);
  fill_lattice<D>(s, random, D == 2 ? 900 : 640, across, 1e-2, 0.8, 0.99, 0.0, 0.05);
  for (auto& v : s.bodies.state.velocity) v[0] += drift;
  auto simulation = s.start();
  for (int n = 0; n < 500; ++n) simulation.step();
  s.bodies = simulation.state().bodies;
  for (Wall<D>& wall : s.model.walls) wall.geometry.point[0] += drift * simulation.state().time;
  return s;
}

template <int D>
double largest_difference(const Simulation<D>& a, const Simulation<D>& b) {
  double largest = 0.0;
  const auto &v = a.state().bodies.state.velocity, &w = b.state().bodies.state.velocity;
  for (std::size_t i = 0; i < v.size(); ++i) largest = std::max(largest, norm(v[i] - w[i]));
  return largest;
}

// Without friction the velocities are unique.
template <int D>
void same_solution() {
  auto s = heap<D>({0.0, 0.0, 0.0});
  s.model.solver = {.tolerance = 1e-11, .unbalanced_tolerance = 1e-8, .max_sweeps = 100000};
  auto mixed = s.start();
  const StepReport report = mixed.step();
  s.model.solver.mixed_precision = false;
  auto pure = s.start();
  ASSERT_TRUE(pure.step().certificate.converged);
  EXPECT_GT(report.contacts, many);
  EXPECT_TRUE(report.certificate.converged);
  EXPECT_LE(report.certificate.relative_residual(), 1e-11);
  EXPECT_LE(largest_difference(mixed, pure), 1e-6 * g * s.model.time_step);
}
TEST(MixedPrecision, leads_to_the_same_velocities_of_discs) { same_solution<2>(); }
TEST(MixedPrecision, leads_to_the_same_velocities_of_balls) { same_solution<3>(); }

// At the default tolerances: certified in double precision, and every impulse in its cone to rounding errors of double precision.
template <int D>
void law_is_exact() {
  auto s = heap<D>({0.5, 0.0, 0.0});
  auto mixed = s.start();
  const StepReport report = mixed.step();
  s.model.solver.mixed_precision = false;
  auto pure = s.start();
  const StepReport reference = pure.step();
  EXPECT_GT(report.contacts, many);
  EXPECT_TRUE(report.certificate.converged);
  EXPECT_LE(report.certificate.relative_residual(), s.model.solver.tolerance);
  EXPECT_GT(report.certificate.sweeps, 5);
  EXPECT_LE(report.certificate.sweeps, 1.5 * reference.certificate.sweeps);  // the end is near the rounding of single precision
  const ContactTable<D>& contacts = mixed.state().contacts;
  std::size_t sliding = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double normal = dot(contacts.impulse[i], contacts.normal[i]);
    const double tangent = norm(contacts.impulse[i] - normal * contacts.normal[i]);
    EXPECT_GE(normal, -1e-25) << i;
    EXPECT_LE(tangent, 0.5 * normal * (1 + 1e-12) + 1e-25) << i;
    sliding += normal > 0.0 && tangent > 0.5 * normal * (1 - 1e-12);
  }
  EXPECT_GT(sliding, contacts.size() / 100);
  const EnergyLedger& energy = mixed.state().energy;
  EXPECT_LE(std::abs(energy.error()), 1e-12 * (std::abs(energy.potential) + energy.kinetic));
}
TEST(MixedPrecision, leaves_impulses_of_discs_in_their_cones) { law_is_exact<2>(); }
TEST(MixedPrecision, leaves_impulses_of_balls_in_their_cones) { law_is_exact<3>(); }

// A lid pressed down by its servo: one degree of freedom in which many contacts take part.
TEST(MixedPrecision, leads_to_the_same_speed_of_a_piston) {
  auto s = heap<2>({0.0, 0.0, 0.0});
  double top = 0.0, weight = 0.0;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    top = std::max(top, s.bodies.state.position[i][1] + s.bodies.parameters.radius[i]);
    weight += g * s.bodies.parameters.mass[i];
  }
  s.wall(at<2>(0, top - 3e-3), at<2>(0, -1));  // a little below the highest grains: it touches several
  Piston<2> lid;
  lid.walls.push_back({static_cast<std::int32_t>(s.model.walls.size()) - 1, at<2>(0, -1)});
  lid.control = PistonControl::force, lid.target.mean = weight, lid.mass = weight / g;
  s.model.pistons.push_back(lid);
  s.model.solver = {.tolerance = 1e-11, .unbalanced_tolerance = 1e-8, .max_sweeps = 100000};
  auto mixed = s.start();
  const StepReport report = mixed.step();
  s.model.solver.mixed_precision = false;
  auto pure = s.start();
  ASSERT_TRUE(pure.step().certificate.converged);
  EXPECT_GT(report.contacts, many);
  EXPECT_TRUE(report.certificate.converged);
  const double speed = pure.state().pistons[0].speed;
  EXPECT_LT(speed, 0.9 * 2 * g * s.model.time_step);  // held up by what is below
  EXPECT_NEAR(mixed.state().pistons[0].speed, speed, 1e-6 * g * s.model.time_step);
  EXPECT_LE(largest_difference(mixed, pure), 1e-6 * g * s.model.time_step);
}

// Units do not matter: grains 2^-200 times as heavy move alike to the last bit, though single precision knows no such masses.
TEST(MixedPrecision, does_not_depend_on_the_unit_of_mass) {
  auto s = heap<3>({0.5, 0.0, 0.0});
  auto heavy = s.start();
  EXPECT_GT(heavy.step().contacts, many);
  for (double& m : s.bodies.parameters.mass) m = std::ldexp(m, -200);
  for (double& i : s.bodies.parameters.inertia) i = std::ldexp(i, -200);
  auto light = s.start();
  light.step();
  EXPECT_EQ(largest_difference(heavy, light), 0.0);
}

// Where everything moves fast together, single precision cannot tell the velocities apart well enough; the step is then finished
// in double precision.
TEST(MixedPrecision, converges_where_single_precision_cannot) {
  const double drift = 1e5 * g * 5e-4;
  auto s = heap<3>({0.5, 0.0, 0.0}, drift);
  auto simulation = s.start();
  const StepReport report = simulation.step();
  EXPECT_GT(report.contacts, many);
  EXPECT_TRUE(report.certificate.converged);
  EXPECT_LE(report.certificate.relative_residual(), s.model.solver.tolerance);
}

}  // namespace
}  // namespace moreau

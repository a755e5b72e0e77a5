// Periodic cells: images, prescribed deformation, stress control.
#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

template <int D>
Lattice<D> cube(double side) {
  Lattice<D> lattice;
  for (int d = 0; d < D; ++d) lattice.vectors.row[d][d] = side, lattice.periodic[d] = true;
  return lattice;
}

template <int D>
Vec<D> total_momentum(const Simulation<D>& simulation) {
  Vec<D> sum{};
  const Bodies<D>& bodies = simulation.state().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) sum += bodies.parameters.mass[i] * bodies.state.velocity[i];
  return sum;
}

// Balls on a square lattice with random velocities of mean zero.
template <int D>
Sample<D> gas(int side, double spacing, PairLaw law, double speed) {
  Sample<D> s(1e-2, law, {});
  s.model.cell.start = cube<D>(side * spacing);
  RandomStream random(7);
  int count = 1;
  for (int d = 0; d < D; ++d) count *= side;
  for (int i = 0; i < count; ++i) {
    Vec<D> x{}, v{};
    for (int d = 0, rest = i; d < D; ++d, rest /= side)
      x[d] = (0.5 + rest % side) * spacing, v[d] = speed * random.uniform(-1.0, 1.0);
    s.ball(x, random.uniform(0.3, 0.45), v, {}, 1.0);
  }
  return s;
}

//  | o->    .    o->|   the ball that leaves on the right hits the other one from the left
TEST(PeriodicCell, ball_meets_another_across_the_border) {
  Sample<2> s(1e-3, {0.0, 1.0, 0.0}, {});
  s.model.cell.start = cube<2>(10.0);
  s.ball(at<2>(2, 5), 0.5, {}, {}, 1.0).ball(at<2>(8, 5), 0.5, at<2>(1, 0), {}, 1.0);
  auto simulation = s.start();
  for (int n = 0; n < 2900; ++n) simulation.step();
  EXPECT_NEAR(simulation.state().bodies.state.velocity[0][0], 0.0, 1e-12);
  for (int n = 0; n < 300; ++n) simulation.step();  // the gap of 3 closes at t = 3
  EXPECT_NEAR(simulation.state().bodies.state.velocity[0][0], 1.0, 1e-12);
  EXPECT_NEAR(simulation.state().bodies.state.velocity[1][0], 0.0, 1e-12);
  EXPECT_NEAR(simulation.state().bodies.state.position[1][0], 11.0, 2e-3);
}

// Which copy of a body is named makes no difference.
template <int D>
void copies_are_alike() {
  Sample<D> one = gas<D>(5, 1.0, {0.3, 0.2, 0.0}, 0.5), other = one;
  for (std::size_t i = 0; i < other.bodies.size(); ++i)
    for (int d = 0; d < D; ++d) other.bodies.state.position[i][d] += 5.0 * (static_cast<double>((i * 7 + d) % 5) - 2.0);
  auto a = one.start(), b = other.start();
  std::size_t contacts = 0;
  for (int n = 0; n < 100; ++n) {
    const StepReport first = a.step(), second = b.step();
    ASSERT_EQ(first.contacts, second.contacts);
    ASSERT_EQ(first.recalled, second.recalled);
    contacts += first.contacts;
  }
  EXPECT_GT(contacts, 100u);
  for (std::size_t i = 0; i < one.bodies.size(); ++i) {
    const Vec<D> apart = a.state().bodies.state.position[i] - b.state().bodies.state.position[i];
    for (int d = 0; d < D; ++d) EXPECT_NEAR(apart[d] / 5.0, std::round(apart[d] / 5.0), 1e-8);
  }
}
TEST(PeriodicCell, any_copy_of_a_disc_will_do) { copies_are_alike<2>(); }
TEST(PeriodicCell, any_copy_of_a_ball_will_do) { copies_are_alike<3>(); }

// A row of discs that closes on itself, pressed: every contact carries stress x height of the cell, whatever the mass of the
// cell.
TEST(PeriodicCell, row_under_stress_carries_it) {
  for (const double mass : {0.1, 10.0}) {
    Sample<2> s(1e-2, {}, {});
    s.model.cell.start = cube<2>(5.0);
    s.model.cell.deforms = true;
    s.model.cell.mass = mass;
    s.model.cell.component[0][0].stress = true;
    s.model.cell.component[0][0].target.mean = 2.0;
    for (int i = 0; i < 5; ++i) s.ball(at<2>(0.5 + i, 2.5), 0.5 + 1e-12, {}, {}, 1.0);  // gaps closed beyond rounding
    auto simulation = s.start();
    for (int n = 0; n < 50; ++n) ASSERT_TRUE(simulation.step().certificate.converged);
    const auto contacts = simulation.contact_records();
    ASSERT_EQ(contacts.size(), 5u);
    for (std::size_t c = 0; c < 5; ++c) EXPECT_NEAR(norm(contacts.force[c]), 2.0 * 5.0, 1e-7) << "cell of mass " << mass;
    EXPECT_NEAR(simulation.state().cell.vectors.row[0][0], 5.0, 1e-9);
  }
}

// No contact: the content moves affinely with the cell, without knowing where its border is.
TEST(PeriodicCell, strain_rate_carries_the_content_along) {
  Sample<2> s(1e-3, {}, {});
  s.model.cell.start = cube<2>(10.0);
  s.model.cell.deforms = true;
  s.model.cell.component[0][0].target.mean = -0.1;  // compression
  s.model.cell.component[0][1].target.mean = 0.3;   // simple shear
  s.ball(at<2>(1, 1), 0.5, {}, {}, 1.0).ball(at<2>(7, 6), 0.5, {}, {}, 1.0).ball(at<2>(4, 9), 0.5, {}, {}, 1.0);
  auto simulation = s.start();
  for (int n = 0; n < 1000; ++n) simulation.step();
  // dV/dt = L V with L = [[-0.1, 0.3], [0, 0]]: V_xx = 10 exp(-0.1 t), and V_xy = 3 (10 - V_xx), to second order of h: each half step
  // has the rate from its beginning on.
  const Matrix<2>& v = simulation.state().cell.vectors;
  EXPECT_NEAR(v.row[0][0], 10 * std::exp(-0.1), 3e-5);
  EXPECT_NEAR(v.row[0][0], 10 * std::pow(1 - 0.5e-4, 2000), 1e-10);
  EXPECT_NEAR(v.row[0][1], 3 * (10 - v.row[0][0]), 1e-10);
  EXPECT_NEAR(v.row[1][1], 10.0, 1e-12);
  const auto& x = simulation.state().bodies.state.position;
  const Vec<2> expected = (1.0 / 10.0) * (v * at<2>(6, 5));
  EXPECT_NEAR((x[1] - x[0])[0], expected[0], 1e-9);
  EXPECT_NEAR((x[1] - x[0])[1], expected[1], 1e-9);
}

template <int D>
void ledger_closes(bool stress, double drag = 0.0) {
  Sample<D> s = gas<D>(5, 1.0, {0.4, 0.0, 0.0}, 0.3);
  s.model.solver = {.tolerance = 1e-8, .unbalanced_tolerance = 1e-6, .max_sweeps = 5000};
  s.model.cell.deforms = true;
  s.model.cell.mass = 100.0;
  s.model.damping = drag;
  for (int d = 0; d < D; ++d) {
    s.model.cell.component[d][d].stress = stress;
    s.model.cell.component[d][d].target.mean = stress ? 1.0 : -0.05;
  }
  s.model.cell.component[0][D - 1].target.mean = 0.5;
  auto simulation = s.start();
  const Vec<D> momentum = total_momentum(simulation);
  for (int n = 0; n < 300; ++n) {
    const StepReport report = simulation.step();
    ASSERT_NEAR(report.energy.error(), 0.0, 1e-10);
  }
  EXPECT_GT(simulation.state().energy.dissipated, 1.0);
  if (drag == 0.0) {
    EXPECT_NEAR(norm(total_momentum(simulation) - momentum), 0.0, 1e-10);
  }
  EXPECT_LT(simulation.state().cell.vectors.row[0][0], 5.0);
}
TEST(PeriodicCell, ledger_closes_with_a_drag) {
  ledger_closes<2>(false, 3.0);
  ledger_closes<2>(true, 3.0);
  ledger_closes<3>(true, 20.0);
}
TEST(PeriodicCell, ledger_and_momentum_close_when_discs_are_sheared) { ledger_closes<2>(false); }
TEST(PeriodicCell, ledger_and_momentum_close_when_balls_are_sheared) { ledger_closes<3>(false); }
TEST(PeriodicCell, ledger_and_momentum_close_when_discs_are_pressed) { ledger_closes<2>(true); }
TEST(PeriodicCell, ledger_and_momentum_close_when_balls_are_pressed) { ledger_closes<3>(true); }

}  // namespace
}  // namespace moreau

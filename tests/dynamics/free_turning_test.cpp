// An asymmetric body turning freely: energy and angular momentum.
#include <gtest/gtest.h>

#include <cmath>

#include "moreau/dynamics/gyroscopic.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/geometry/mass_properties.hpp"

namespace moreau {
namespace {

Simulation<3> spinning_box(double h) {
  Model<3> model;
  model.time_step = h;
  model.materials = {{"stone", 1.0}};
  model.pair_laws = {{}};
  std::vector<Vec<3>> corners;
  for (int k = 0; k < 8; ++k) corners.push_back({{k & 1 ? 1.0 : -1.0, k & 2 ? 0.6 : -0.6, k & 4 ? 0.25 : -0.25}});
  const PlacedShape<3> placed = make_shape<3>({convex_hull<3>(corners).part});
  Bodies<3> bodies;
  bodies.shapes.push_back(placed.shape);
  auto body = homogeneous_block<3>(placed.shape, 0, {}, placed.orientation, 1.0);
  body.spin = {{0.1, 2.0, 0.1}};  // near the unstable middle axis: it flips over and over
  bodies.append(body);
  return Simulation<3>(model, bodies);
}

Vec<3> angular_momentum(const Simulation<3>& s) {
  const Bodies<3>& b = s.state().bodies;
  const Matrix<3> axes = matrix_of(b.state.orientation[0]);
  Vec<3> own = transposed_times(axes, b.state.spin[0]);
  const Vec<3> inertia = b.principal_inertia(0);
  for (int d = 0; d < 3; ++d) own[d] *= inertia[d];
  return axes * own;
}

TEST(FreeTurning, asymmetric_top_keeps_its_energy_and_the_size_of_its_angular_momentum) {
  auto simulation = spinning_box(1e-2);
  const double energy = simulation.state().energy.kinetic, size = norm(angular_momentum(simulation));
  for (int n = 0; n < 10000; ++n) simulation.step();
  EXPECT_NEAR(simulation.state().energy.kinetic, energy, 1e-11 * energy);
  EXPECT_NEAR(norm(angular_momentum(simulation)), size, 1e-11 * size);
}

TEST(FreeTurning, direction_of_the_angular_momentum_converges_at_second_order) {
  std::vector<double> drift;
  for (const double h : {1e-2, 5e-3, 2.5e-3}) {
    auto simulation = spinning_box(h);
    const Vec<3> start = angular_momentum(simulation);
    double worst = 0.0;
    for (int n = 0; n < std::lround(20.0 / h); ++n) {
      simulation.step();
      worst = std::max(worst, norm(angular_momentum(simulation) - start) / norm(start));
    }
    drift.push_back(worst);
  }
  EXPECT_LE(drift[2], 1e-3);
  EXPECT_NEAR(drift[0] / drift[1], 4.0, 0.6);
  EXPECT_NEAR(drift[1] / drift[2], 4.0, 0.6);
}

// dW/dt of a symmetric top: the component across its axis turns at the rate (I3 - I1)/I1 W3.
TEST(FreeTurning, symmetric_top_precesses_at_the_exact_rate) {
  const Vec<3> inertia{{2.0, 2.0, 3.0}};
  const double h = 1e-3, rate = (3.0 - 2.0) / 2.0 * 5.0;
  Vec<3> w{{1.0, 0.0, 5.0}};
  for (int n = 0; n < 1000; ++n) w = turned_freely(w, inertia, h);
  EXPECT_NEAR(w[2], 5.0, 1e-12);
  EXPECT_NEAR(w[0], std::cos(rate), 1e-5);
  EXPECT_NEAR(w[1], std::sin(rate), 1e-5);
}

}  // namespace
}  // namespace moreau

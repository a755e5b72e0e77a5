// Between contacts the step is exact for any h: q_f = q_i + h u_i + h^2 g / 2 (Moreau 2004, sec. 3.3).
#include <gtest/gtest.h>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

template <int D>
void thrown_ball_follows_its_parabola() {
  for (const double h : {1e-3, 0.03, 1.0, 17.0}) {
    Vec<D> gravity{}, velocity{};
    Spin<D> spin{};
    for (int d = 0; d < D; ++d) gravity[d] = -1.0 - d, velocity[d] = 3.0 - 1.3 * d;
    for (int d = 0; d < spin_dimension<D>; ++d) spin[d] = 0.7 + 0.4 * d;
    auto simulation = Sample<D>(h, {0.5, 0.5, 0.5}, gravity).ball({}, 0.3, velocity, spin, 1.7).start();
    const int steps = 1000;
    for (int n = 1; n <= steps; ++n) {
      const StepReport report = simulation.step();
      const double t = n * h;
      const auto& state = simulation.state().bodies.state;
      const Vec<D> exact = t * velocity + (0.5 * t * t) * gravity, exact_velocity = velocity + t * gravity;
      ASSERT_LE(norm(state.position[0] - exact), 1e-12 * (norm(exact) + norm(velocity) * t)) << h << ' ' << n;
      ASSERT_LE(norm(state.velocity[0] - exact_velocity), 1e-12 * (1 + norm(exact_velocity))) << h << ' ' << n;
      ASSERT_LE(norm(state.spin[0] - spin), 1e-15) << h << ' ' << n;
      ASSERT_EQ(report.contacts, 0u);
      ASSERT_EQ(report.energy.dissipated, 0.0);
      ASSERT_LE(std::abs(report.energy.error()), 1e-12 * (report.energy.kinetic + report.energy.initial));
    }
  }
}
TEST(FreeFlight, thrown_disc_follows_its_parabola_for_any_step) { thrown_ball_follows_its_parabola<2>(); }
TEST(FreeFlight, thrown_ball_follows_its_parabola_for_any_step) { thrown_ball_follows_its_parabola<3>(); }

TEST(FreeFlight, spinning_disc_turns_at_its_spin) {
  auto simulation = Sample<2>(0.01).ball({}, 0.3, {}, {{2.5}}).start();
  for (int n = 0; n < 400; ++n) simulation.step();
  EXPECT_NEAR(simulation.state().bodies.state.orientation[0].angle, 2.5 * 4.0, 1e-12);
}

TEST(FreeFlight, spinning_ball_turns_about_its_axis) {
  const Vec<3> spin{{0.6, -1.2, 0.4}};  // 1.4 rad per unit time
  auto simulation = Sample<3>(0.01).ball({}, 0.3, {}, spin).start();
  for (int n = 0; n < 400; ++n) simulation.step();
  const Vec<3> axis = normalized(spin), arm{{0.2, 0.5, -0.1}};
  const double angle = 1.4 * 4.0;  // Rodrigues
  const Vec<3> exact =
      std::cos(angle) * arm + std::sin(angle) * cross(axis, arm) + ((1 - std::cos(angle)) * dot(axis, arm)) * axis;
  EXPECT_LE(norm(rotate(simulation.state().bodies.state.orientation[0], arm) - exact), 1e-12);
}

}  // namespace
}  // namespace moreau

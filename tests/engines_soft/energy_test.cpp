// The ledger of energy: what is not dissipated stays, and its error is that of the integration.
#include <gtest/gtest.h>

#include "engines_soft/soft_sample.hpp"
#include "moreau/base/random.hpp"

namespace moreau {
namespace {

using namespace soft_sample;

// Discs or balls that fly about in a box, spinning.
template <int D>
SoftSample<D> gas(double step, const YieldingLaw& law, Integrator integrator = Integrator::verlet) {
  SoftSample<D> s(step, law, integrator, at<D>(0.0, -1.0));
  RandomStream random(7);
  const int side = D == 2 ? 6 : 4;
  for (int d = 0; d < D; ++d) {
    Vec<D> e{}, far{};
    e[d] = 1.0, far[d] = side;
    s.wall({}, e).wall(far, -e);
  }
  int count = 1;
  for (int d = 0; d < D; ++d) count *= side;
  for (int k = 0; k < count; ++k) {
    Vec<D> x{}, v{};
    int rest = k;
    for (int d = 0; d < D; ++d) x[d] = rest % side + 0.5, rest /= side, v[d] = random.uniform(-1, 1);
    const double radius = random.uniform(0.3, 0.5);
    Spin<D> spin{};
    spin[0] = random.uniform(-2, 2);
    s.ball(x, radius, v, spin, ball_mass<D>(radius, 1.0));
  }
  return s;
}

template <int D>
double relative_error(double step, const YieldingLaw& law, Integrator integrator, double time) {
  auto s = gas<D>(step, law, integrator);
  const StepReport first = s.step();
  StepReport last = first;
  while (s.state.time < time) last = s.step();
  EXPECT_GT(last.energy.kinetic + last.energy.potential, 0.0);
  return std::abs(last.energy.error()) / (first.energy.kinetic + first.energy.potential);
}

// Verlet's energy oscillates and does not drift; frictionless, without dashpots.
TEST(SoftEnergy, springs_alone_conserve_it) {
  EXPECT_LT(relative_error<2>(5e-4, soft_law(1e4, 0.0), Integrator::verlet, 10.0), 2e-3);
  EXPECT_LT(relative_error<2>(1e-4, soft_law(1e4, 0.0), Integrator::verlet, 10.0), 1e-4);
  EXPECT_LT(relative_error<3>(1e-4, soft_law(1e4, 0.0), Integrator::verlet, 2.0), 1e-4);
}
TEST(SoftEnergy, nothing_is_dissipated_without_dashpots_and_friction) {
  auto s = gas<2>(5e-4, soft_law(1e4, 0.0));
  const StepReport report = s.steps(5000);
  EXPECT_EQ(report.energy.dissipated, 0.0);
}
TEST(SoftEnergy, dashpots_springs_and_sliding_are_accounted_for) {
  const YieldingLaw law = soft_law(1e4, 0.2, 0.3, 5e3, 0.1);
  EXPECT_LT(relative_error<2>(2e-4, law, Integrator::verlet, 4.0), 5e-3);
  EXPECT_LT(relative_error<2>(2e-5, law, Integrator::verlet, 4.0), 5e-4);
  EXPECT_LT(relative_error<3>(1e-4, law, Integrator::gear, 2.0), 5e-3);
}
TEST(SoftEnergy, walton_braun_is_accounted_for) {
  YieldingLaw law = soft_law(1e4, 0.0, 0.3, 5e3);
  law.soft.unloading_stiffness = 3e4;
  EXPECT_LT(relative_error<2>(5e-5, law, Integrator::verlet, 2.0), 5e-3);
}

// A wall that pushes does work, and a body thrown by it has it.
TEST(SoftEnergy, work_of_a_driven_wall) {
  SoftSample<2> s(1e-4, soft_law(1e4, 0.0));
  Motion<2> push;
  push.kind = MotionKind::constant, push.velocity = at<2>(1.0, 0.0);
  s.model.motions.push_back(push);
  s.ball(at<2>(1.0, 0), 0.5).wall({}, at<2>(1, 0), 0);
  while (s.state.time < 1.0) s.step();
  EXPECT_NEAR(s.v(0)[0], 2.0, 1e-4);
  EXPECT_NEAR(s.state.energy.wall_work, 2.0, 1e-3);
  EXPECT_NEAR(s.state.energy.error(), 0.0, 1e-3);
}

}  // namespace
}  // namespace moreau

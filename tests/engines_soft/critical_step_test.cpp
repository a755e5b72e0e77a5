// The largest stable step: of the schemes, of a lattice, and what is refused.
#include <gtest/gtest.h>

#include <complex>

#include "engines_soft/soft_sample.hpp"
#include "moreau/engines/soft/stiffness_level.hpp"

namespace moreau {
namespace {

using namespace soft_sample;

// Growth of x'' = - w^2 x - 2 z w x' per step, from many steps of the scheme itself with h = 1: x, v, a and jerk as the engine
// does.
double growth(Integrator integrator, double phase, double zeta) {
  const soft::Scheme scheme = soft::scheme_of(integrator);
  double x = 1.0, v = 0.3, a = -phase * phase * x - 2.0 * zeta * phase * v, jerk = 0.0;
  double logarithm = 0.0;
  for (int n = 0; n < 4000; ++n) {
    x += soft::path(1.0, v, a, jerk), v += soft::gain(1.0, a, jerk), a += jerk;
    const double error = -phase * phase * x - 2.0 * zeta * phase * v - a;
    x += scheme.position * error, v += scheme.velocity * error, a += error, jerk += scheme.jerk * error;
    const double size = std::abs(x) + std::abs(v) + std::abs(a) + std::abs(jerk);
    if (n >= 2000) logarithm += std::log(size);
    x /= size, v /= size, a /= size, jerk /= size;
  }
  return logarithm / 2000;
}
TEST(CriticalStep, schemes_are_stable_below_it_and_not_above) {
  for (const Integrator integrator : {Integrator::verlet, Integrator::gear})
    for (const double zeta : {0.0, 0.05, 0.3, 1.0, 2.5}) {
      const double limit = soft::stable_phase(integrator, zeta);
      EXPECT_LT(growth(integrator, 0.99 * limit, zeta), 1e-3) << zeta;
      EXPECT_GT(growth(integrator, 1.01 * limit, zeta), 1e-3) << zeta;
    }
}

// Discs on a triangular lattice in a cell, pressed and slightly disturbed: kinetic energy stays or explodes.
double kinetic_after(double share_of_critical, double zeta, double friction, Integrator integrator) {
  SoftSample<2> s(1.0, soft_law(1e4, zeta, friction, friction > 0.0 ? 5e3 : 0.0, friction > 0.0 ? zeta : 0.0), integrator);
  const int side = 8;
  const double pitch = 0.99, height = 0.5 * std::sqrt(3.0) * pitch;
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i)
      s.ball({{(i + 0.5 * (j % 2)) * pitch, j * height}}, 0.5, {{1e-6 * ((i * 7 + j * 5) % 3 - 1), 1e-6 * ((i * 3 + j) % 5 - 2)}},
             {{1e-6 * ((i + 2 * j) % 4 - 1.5)}});
  Cell<2>& cell = s.model.cell;
  cell.start.vectors = {{{{side * pitch, 0.0}}, {{0.0, side * height}}}};
  cell.start.periodic[0] = cell.start.periodic[1] = true;
  s.model.time_step = share_of_critical * soft::critical_step(s.model, s.state.bodies).step;
  if (share_of_critical > 1.0) {  // refused; the engine is asked by another path: a model that was checked with a smaller step
    EXPECT_THROW(s.step(), EngineRefusal);
    return HUGE_VAL;
  }
  return s.steps(2000).energy.kinetic / (36.0 * 1e-12);
}
TEST(CriticalStep, lattice_is_stable_just_below_it) {
  for (const Integrator integrator : {Integrator::verlet, Integrator::gear})
    for (const double zeta : {0.0, 0.5, 1.0})
      for (const double friction : {0.0, 10.0})
        EXPECT_LT(kinetic_after(0.98, zeta, friction, integrator), 100.0) << zeta << " " << friction;
}
TEST(CriticalStep, step_above_it_is_refused) { EXPECT_EQ(kinetic_after(1.01, 0.5, 0.0, Integrator::verlet), HUGE_VAL); }

// The bound is not lavish: on the lattice without friction it is exact.
TEST(CriticalStep, is_exact_for_the_triangular_lattice) {
  SoftSample<2> s(1e-3, soft_law(1e4, 0.0));
  s.ball(at<2>(0, 0), 0.5);
  EXPECT_NEAR(soft::critical_step(s.model, s.state.bodies).frequency, std::sqrt(6.0 * 1e4), 1e-9);  // omega^2 = 6 k / m
}

TEST(CriticalStep, refusals_say_what_is_accepted) {
  const auto sentence = [](SoftSample<2>& s) {
    try {
      s.step();
    } catch (const EngineRefusal& refusal) {
      return std::string(refusal.what());
    }
    return std::string();
  };
  SoftSample<2> step(1.0, soft_law(1e4, 0.5));
  step.ball(at<2>(0, 0), 0.5);
  EXPECT_NE(sentence(step).find("accepted: at most"), std::string::npos);
  SoftSample<2> stiffness(1e-4, YieldingLaw{});
  stiffness.ball(at<2>(0, 0), 0.5);
  EXPECT_NE(sentence(stiffness).find("have no stiffness"), std::string::npos);
  YieldingLaw law = soft_law(1e4, 0.5);
  law.cohesion = 1.0;
  SoftSample<2> beyond(1e-4, law);
  beyond.ball(at<2>(0, 0), 0.5);
  EXPECT_NE(sentence(beyond).find("does not know"), std::string::npos);
  SoftSample<2> block(1e-4, soft_law(1e4, 0.5));
  block.ball(at<2>(0, 0), 0.5);
  block.state.bodies.parameters.shape[0] = 0;
  EXPECT_NE(sentence(block).find("blocks"), std::string::npos);
}

// Combe 2001, annex A: kappa = [3 pi / (8 (1 - nu^2)^2 phi z)]^(1/3) (E/P)^(2/3): glass at 100 kPa and 1 MPa.
TEST(CriticalStep, stiffness_level_of_spheres) {
  EXPECT_NEAR(soft::stiffness_level_of_spheres(70e9, 0.3, 100e3, 0.64, 6.0), 5662.0, 6.0);
  EXPECT_NEAR(soft::stiffness_level_of_spheres(70e9, 0.3, 1e6, 0.64, 6.0), 1220.0, 2.0);
}

}  // namespace
}  // namespace moreau

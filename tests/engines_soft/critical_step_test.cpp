// The largest stable step: of the schemes, of a lattice, and what is refused.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <complex>

#include "engines_soft/soft_sample.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/engines/soft/stiffness_level.hpp"
#include "moreau/statics/contact_matrix.hpp"
#include "moreau/statics/isostatic_list.hpp"
#include "statics/packing.hpp"

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
// Spectral radius of a step of M x'' = - K x - C x' by a scheme, h = 1 after scaling: rows are x, v, a, jerk.
double spectral_radius(const soft::Scheme& scheme, const Eigen::MatrixXd& K, const Eigen::MatrixXd& C) {
  const Eigen::Index n = K.rows();
  Eigen::MatrixXd P = Eigen::MatrixXd::Identity(4 * n, 4 * n);
  const auto block = [&](Eigen::MatrixXd& m, int i, int j) { return m.block(i * n, j * n, n, n); };
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(n, n);
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 4; ++j) block(P, i, j) = one / std::tgamma(j - i + 1);
  if (!scheme.keeps_jerk()) P.rightCols(n).setZero();
  const Eigen::MatrixXd error = -K * P.topRows(n) - C * P.middleRows(n, n) - P.middleRows(2 * n, n);
  const double share[4] = {scheme.position, scheme.velocity, 1.0, scheme.jerk};
  for (int i = 0; i < 4; ++i) P.middleRows(i * n, n) += share[i] * error;
  return P.eigenvalues().cwiseAbs().maxCoeff();
}

// A packing between pistons, light and heavy, against the eigenvalues of its own step: contacts of the packing and no others,
// so that the bound may be too careful but never too bold.
TEST(CriticalStep, is_below_the_limit_of_a_packing_between_pistons) {
  constexpr double k = 1e4;
  for (const double mass : {0.02, 0.3, 3.0})
    for (const double zeta : {0.05, 0.9})
      for (const Integrator integrator : {Integrator::verlet, Integrator::gear}) {
        statics::Packing<2> p = statics::pressed_packing<2>(5, 2);
        ASSERT_TRUE(p.finished.isostatic);
        p.model.soft.integrator = integrator, p.model.soft_laws = {soft_law(k, zeta).soft};
        for (Piston<2>& piston : p.model.pistons) piston.mass = mass;
        const soft::CriticalStep critical = soft::critical_step(p.model, p.state.bodies);
        const auto contacts = statics::contacts_of_table(p.model, p.state);
        std::vector<statics::Pair> pairs;
        for (const auto& c : contacts) pairs.push_back(c.pair);
        const auto freedoms = statics::freedoms_of_pairs(p.model, p.state, std::span<const statics::Pair>(pairs), p.load());
        const std::vector<double>&m = p.state.bodies.parameters.mass, &r = p.state.bodies.parameters.radius;
        const Eigen::MatrixXd G = statics::contact_matrix<2>(freedoms, r, contacts, std::vector<bool>(contacts.size(), false));
        Eigen::VectorXd inverse(G.cols()), g(G.rows());
        for (std::size_t b = 0; b < freedoms.body.size(); ++b)
          inverse.segment<2>(2 * static_cast<Eigen::Index>(b)).setConstant(1.0 / m[freedoms.body[b]]);
        for (int piston = 0; piston < 2; ++piston) inverse[freedoms.column_of_piston(piston)] = 1.0 / (2.0 * mass);
        for (std::size_t c = 0; c < contacts.size(); ++c) {
          const auto& [a, b, image, feature] = contacts[c].pair;
          const double m_a = m[static_cast<std::size_t>(a)], m_b = is_wall(b) ? HUGE_VAL : m[static_cast<std::size_t>(b)];
          g[static_cast<Eigen::Index>(c)] = 2.0 * zeta * std::sqrt(k / (1.0 / m_a + 1.0 / m_b));
        }
        const Eigen::MatrixXd K = inverse.asDiagonal() * (k * G.transpose() * G),
                              C = inverse.asDiagonal() * (G.transpose() * g.asDiagonal() * G);
        const auto radius = [&](double h) { return spectral_radius(soft::scheme_of(integrator), h * h * K, h * C); };
        EXPECT_LT(radius(critical.step), 1.0 + 1e-6) << mass << " " << zeta;
        EXPECT_GT(radius(4.0 * critical.step), 1.0 + 1e-3) << mass << " " << zeta;
      }
}

// With contacts that slide, open and close, packings between pistons come to rest with steps up to the bound. (Without friction the
// softest motions and loose discs take far longer, the more so the shorter the step is.)
TEST(CriticalStep, packings_come_to_rest_just_below_it) {
  for (const std::uint64_t seed : {1, 2})
    for (const Integrator integrator : {Integrator::verlet, Integrator::gear})
      for (const double share : {0.63, 0.97}) {
        statics::Packing<2> p = statics::pressed_packing<2>(6, seed);
        ASSERT_TRUE(p.finished.isostatic);
        const YieldingLaw law = soft_law(1e4, 0.9, 0.25, 5e3);
        p.model.engine = EngineKind::soft, p.model.soft.integrator = integrator;
        p.model.pair_laws = {law}, p.model.soft_laws = {law.soft};
        p.model.time_step = share * soft::critical_step(p.model, p.state.bodies).step;
        p.model.pistons[1].target.mean = 1.1;
        Simulation<2> simulation(p.model, p.state);
        StepReport r;
        int steps = 0;
        for (; steps < 200'000 && (steps < 100 || r.unbalanced_force > 1e-7); ++steps) r = simulation.step();
        EXPECT_LT(r.unbalanced_force, 1e-7) << seed << " " << share << " " << steps;
      }
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
  statics::Packing<2> light = statics::pressed_packing<2>(3, 1, false);
  light.model.soft_laws = {soft_law(1e4, 0.9).soft}, light.model.pistons[1].mass = 1e-3, light.model.time_step = 1e-4;
  EXPECT_NE(soft::refusal(light.model, light.state.bodies).find("of the piston 'y' of mass 0.001"), std::string::npos);
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

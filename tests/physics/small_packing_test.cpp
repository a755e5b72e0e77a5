// The velocities of a real step against oracles that know nothing of Gauss-Seidel: the quadratic program without friction
// (Moreau 2003, eqs. 26-28), the enumeration of contact modes with friction.
//
//    \ o o /       a few discs thrown into a V, or balls into a box with a closing wall
//     \ o /
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "moreau/base/random.hpp"
#include "oracle/enumeration.hpp"
#include "oracle/quadratic_program.hpp"
#include "oracle/rigid_system.hpp"
#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

template <int D>
Eigen::Matrix<double, D, 1> eigen(const Vec<D>& v) {
  return Eigen::Map<const Eigen::Matrix<double, D, 1>>(v.c);
}

// Velocity of the obstacle of a contact at the middle of the step that began at `time`.
template <int D>
Vec<D> obstacle_velocity(const Model<D>& model, std::int32_t b, double time) {
  if (!is_wall(b)) return {};
  const int motion = model.walls[static_cast<std::size_t>(wall_index(b))].motion;
  return motion < 0 ? Vec<D>{} : velocity(model.motions[static_cast<std::size_t>(motion)], time + 0.5 * model.time_step);
}

// Velocities of the centres by quadratic program, from the contact table of the step that led from `before` to the present.
template <int D>
bool projected_velocity(const Model<D>& model, const State<D>& before, const ContactTable<D>& table, Eigen::VectorXd& u) {
  const int bodies = static_cast<int>(before.bodies.size()), n = static_cast<int>(table.size());
  Eigen::VectorXd inverse_mass(D * bodies), initial(D * bodies);
  for (int i = 0; i < bodies; ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    inverse_mass.segment<D>(D * i).setConstant(1.0 / before.bodies.parameters.mass[k]);
    initial.segment<D>(D * i) = eigen<D>(before.bodies.state.velocity[k]);
  }
  u = initial;
  for (int i = 0; i < bodies; ++i) u.segment<D>(D * i) += model.time_step * eigen<D>(model.gravity);
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(n, D * bodies);
  Eigen::VectorXd drift = Eigen::VectorXd::Zero(n), restitution(n);
  for (int c = 0; c < n; ++c) {
    const std::size_t k = static_cast<std::size_t>(c);
    const bool wall = is_wall(table.b[k]);
    G.block<1, D>(c, D * table.a[k]) = eigen<D>(table.normal[k]).transpose();
    if (!wall) G.block<1, D>(c, D * table.b[k]) = -eigen<D>(table.normal[k]).transpose();
    drift[c] = -dot(table.normal[k], obstacle_velocity(model, table.b[k], before.time));
    restitution[c] = model.law(grains, wall ? walls : grains).normal_restitution;
  }
  const Eigen::MatrixXd W = G * inverse_mass.asDiagonal() * G.transpose();
  const Eigen::VectorXd q =
      G * u + restitution.cwiseProduct(G * initial) + (Eigen::VectorXd::Ones(n) + restitution).cwiseProduct(drift);
  Eigen::VectorXd impulse;
  if (n <= 8)
    impulse = oracle::solve_frictionless_by_enumeration(W, q);
  else if (n <= 14 && Eigen::FullPivLU<Eigen::MatrixXd>(W).setThreshold(1e-3).isInvertible())
    impulse = oracle::solve_frictionless_by_pivoting(W, q);
  else
    return false;
  u += inverse_mass.asDiagonal() * (G.transpose() * impulse);
  return true;
}

template <int D>
void step_is_a_projection() {
  int compared = 0;
  std::size_t most = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    RandomStream random(seed);
    const int count = 6 + static_cast<int>(seed), across = D == 2 ? 3 : 2;
    Sample<D> s(2e-3, {});
    s.laws({0.0, seed % 2 ? 0.5 : 0.0, 0.0}, {0.0, 0.2, 0.0});
    s.sides(across).floor().wall(at<D>(0, 6), at<D>(0.2, -1), s.motion(steady<D>(at<D>(0, -2))));
    fill_lattice<D>(s, random, count, across, 1.0, 0.7, 0.99, 0.0, 1.0);
    auto simulation = s.start();
    for (int n = 0; n < 500; ++n) {
      const State<D> before = simulation.state();
      const StepReport report = simulation.step();
      if (report.contacts < 2 || n % 3 > 0) continue;
      ASSERT_TRUE(report.certificate.converged);
      Eigen::VectorXd exact;
      if (!projected_velocity(s.model, before, simulation.state().contacts, exact)) continue;
      for (std::size_t i = 0; i < s.bodies.size(); ++i)
        ASSERT_LE((eigen<D>(simulation.state().bodies.state.velocity[i]) - exact.segment<D>(D * static_cast<int>(i))).norm(),
                  1e-9)
            << seed << " step " << n << " contacts " << report.contacts;
      ++compared;
      most = std::max(most, report.contacts);
    }
  }
  EXPECT_GT(compared, 300);
  EXPECT_GE(most, 10u);
}
TEST(SmallPacking, smooth_discs_move_as_the_quadratic_program_says) { step_is_a_projection<2>(); }
TEST(SmallPacking, smooth_balls_move_as_the_quadratic_program_says) { step_is_a_projection<3>(); }

oracle::RigidSystem as_system(const Model<2>& model, const State<2>& before, const ContactTable<2>& table) {
  oracle::RigidSystem system;
  const auto& p = before.bodies.parameters;
  for (std::size_t i = 0; i < before.bodies.size(); ++i) system.add_body(p.mass[i], p.inertia[i]);
  for (std::size_t c = 0; c < table.size(); ++c) {
    const Eigen::Vector2d n = eigen<2>(table.normal[c]);
    const std::size_t a = static_cast<std::size_t>(table.a[c]);
    if (is_wall(table.b[c]))
      system.add_contact(table.a[c], -p.radius[a] * n, n, model.law(grains, walls), -1, {0, 0},
                         eigen<2>(obstacle_velocity(model, table.b[c], before.time)));
    else
      system.add_contact(table.a[c], -p.radius[a] * n, n, model.law(grains, grains), table.b[c],
                         p.radius[static_cast<std::size_t>(table.b[c])] * n);
  }
  return system;
}

TEST(SmallPacking, rough_discs_move_as_one_of_the_enumerated_solutions) {
  int compared[5] = {}, several = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomStream random(seed);
    const double mu = random.uniform(0.0, 0.9), rho = random.uniform(0, 0.7), tau = random.uniform(0, 0.7),
                 slope = random.uniform(0.3, 1.2);
    Sample<2> s(2e-3, {});
    s.laws({mu, rho, tau}, {random.uniform(0.0, 0.9), rho, tau});
    const int slide = s.motion(steady<2>(at<2>(random.uniform(-0.5, 0.5), 0)));
    s.wall({}, at<2>(std::sin(slope), std::cos(slope)), slide).wall({}, at<2>(-std::sin(slope), std::cos(slope)));
    const int count = 1 + static_cast<int>(seed % 3);
    for (int i = 0; i < count; ++i)
      s.ball(at<2>(random.uniform(-0.3, 0.3), 1.5 + 1.1 * i), random.uniform(0.3, 0.5), at<2>(random.uniform(-1, 1), -2),
             {{random.uniform(-3, 3)}}, random.uniform(0.5, 2));
    auto simulation = s.start();
    for (int n = 0, done = 0; n < 1500 && done < 6; ++n) {
      const State<2> before = simulation.state();
      const StepReport report = simulation.step();
      if (report.contacts < 2 || report.contacts > 4 || random.uniform() > 0.1) continue;
      ++done;
      if (!report.certificate.converged) continue;
      const auto system = as_system(s.model, before, simulation.state().contacts);
      Eigen::VectorXd initial(3 * count), free(3 * count), reached(3 * count);
      for (int i = 0; i < count; ++i) {
        const std::size_t k = static_cast<std::size_t>(i);
        const auto& b = before.bodies.state;
        initial.segment<3>(3 * i) << eigen<2>(b.velocity[k]), b.spin[k][0];
        free.segment<3>(3 * i) << eigen<2>(b.velocity[k] + s.model.time_step * s.model.gravity), b.spin[k][0];
        const auto& f = simulation.state().bodies.state;
        reached.segment<3>(3 * i) << eigen<2>(f.velocity[k]), f.spin[k][0];
      }
      const auto solutions = oracle::enumerate_solutions(system.problem(initial, free));
      ASSERT_FALSE(solutions.empty()) << seed << ' ' << n;
      double nearest = HUGE_VAL;
      for (const auto& solution : solutions)
        nearest = std::min(nearest, (system.velocity_after(free, solution.impulse) - reached).norm());
      ASSERT_LE(nearest, 1e-8) << "seed " << seed << " step " << n << " contacts " << report.contacts;
      ++compared[report.contacts];
      several += solutions.size() > 1;
    }
  }
  for (const int contacts : {2, 3, 4}) EXPECT_GT(compared[contacts], 15) << contacts;
  RecordProperty("problems_with_several_solutions", several);
}

}  // namespace
}  // namespace moreau

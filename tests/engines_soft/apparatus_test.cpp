// Pistons, cells, walls of every shape, and the rigid limit of a pressed packing.
#include <gtest/gtest.h>

#include "engines_soft/soft_sample.hpp"
#include "moreau/base/random.hpp"

namespace moreau {
namespace {

using namespace soft_sample;

// One disc between two pistons, each a pair of facing walls: the stress on a face is a force of stress times the other distance.
TEST(SoftApparatus, stress_on_pistons_is_what_the_contacts_carry) {
  for (const Integrator integrator : {Integrator::verlet, Integrator::gear}) {
    SoftSample<2> s(1e-3, soft_law(1e4, 0.5), integrator);
    s.ball(at<2>(0.5, 0.5), 0.5);
    s.wall({}, at<2>(1, 0)).wall(at<2>(1, 0), at<2>(-1, 0)).wall({}, at<2>(0, 1)).wall(at<2>(0, 1), at<2>(0, -1));
    for (const int axis : {0, 1}) {
      Piston<2> piston;
      piston.control = PistonControl::stress, piston.mass = 1.0, piston.target.mean = axis == 0 ? 1.0 : 3.0;
      for (const int side : {0, 1})
        piston.walls.push_back({2 * axis + side, s.model.walls[static_cast<std::size_t>(2 * axis + side)].geometry.direction});
      piston.between = {{{2 - 2 * axis, 3 - 2 * axis}}};
      s.model.pistons.push_back(piston);
    }
    const StepReport report = s.steps(20000);
    EXPECT_LT(report.unbalanced_force, 1e-9);
    const double x = 1.0 - 2.0 * s.state.pistons[0].displacement, y = 1.0 - 2.0 * s.state.pistons[1].displacement;
    ASSERT_EQ(s.state.contacts.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
      const double force = norm(s.state.contacts.impulse[i]) / s.model.time_step;
      const bool along_x = std::abs(s.state.contacts.normal[i][0]) > 0.5;
      EXPECT_NEAR(force, along_x ? 1.0 * y : 3.0 * x, 1e-8);
    }
    EXPECT_NEAR(s.state.energy.error(), 0.0, 1e-6);
  }
}

TEST(SoftApparatus, piston_at_a_given_velocity_keeps_it) {
  SoftSample<2> s(1e-3, soft_law(1e4, 0.5));
  s.ball(at<2>(0.5, 0.5), 0.5).fixed(at<2>(1.5, 0.5), 0.5).wall({}, at<2>(1, 0));
  Piston<2> piston;
  piston.control = PistonControl::velocity, piston.target.mean = 1e-3, piston.mass = 1.0, piston.walls = {{0, at<2>(1, 0)}};
  s.model.pistons.push_back(piston);
  s.steps(10000);
  EXPECT_NEAR(s.state.pistons[0].displacement, 1e-2, 1e-6);
  EXPECT_NEAR(s.state.contacts.impulse[0][0] / 1e-3, 0.5e-2 * 1e4, 0.1);  // two springs in a row
}

// A ball at rest on the inside of a cylinder, and one carried by a belt.
TEST(SoftApparatus, cylinder_and_belt) {
  SoftSample<3> drum(4e-4, soft_law(1e4, 0.9), Integrator::verlet, {{0.0, -1.0, 0.0}});
  drum.model.walls.push_back({"drum", {WallShape::cylinder, {}, {{0, 0, 1}}, 2.0}, 0});
  drum.ball({{0.0, -1.5, 0.3}}, 0.5);
  drum.steps(10000);
  EXPECT_NEAR(drum.x(0)[1], -1.5 - 1e-4, 1e-9);

  SoftSample<2> belt(4e-4, soft_law(1e4, 0.9, 0.3, 5e3, 0.5), Integrator::verlet, at<2>(0, -1));
  Motion<2> moving;
  moving.kind = MotionKind::constant, moving.velocity = at<2>(0.5, 0);
  belt.model.motions.push_back(moving);
  belt.wall({}, at<2>(0, 1)).ball(at<2>(0, 0.5), 0.5);
  belt.model.walls[0].surface = 0;
  belt.steps(10000);  // rolls at last: the disc gets a third of the speed of the belt
  EXPECT_NEAR(belt.v(0)[0], 0.5 / 3.0, 1e-3);
  EXPECT_NEAR(belt.state.energy.error(), 0.0, 1e-3);
}

namespace {

// Discs in a periodic cell under stress control.
SoftSample<2> pressed_cell(double step) {
  SoftSample<2> s(step, soft_law(1e3, 0.5));
  const int side = 6;
  RandomStream random(3);
  for (int k = 0; k < side * side; ++k)
    s.ball({{k % side + 0.5 + random.uniform(-0.02, 0.02), k / side + 0.5 + random.uniform(-0.02, 0.02)}},
           random.uniform(0.4, 0.5));
  Cell<2>& cell = s.model.cell;
  cell.start.vectors = {{{{double(side), 0.0}}, {{0.0, double(side)}}}};
  cell.start.periodic[0] = cell.start.periodic[1] = cell.deforms = true;
  cell.mass = 36.0;
  for (const int p : {0, 1}) cell.component[p][p].stress = true, cell.component[p][p].target.mean = p == 0 ? 1.0 : 1.2;
  s.model.damping = 0.5;
  s.state.cell.vectors = s.state.cell.phase_vectors = cell.start.vectors;
  return s;
}

}  // namespace

// Stress control of a periodic cell: what is asked of both components is what the contacts carry.
TEST(SoftApparatus, cell_comes_to_the_stress_that_is_asked) {
  SoftSample<2> s = pressed_cell(2e-3);
  const Cell<2>& cell = s.model.cell;
  const StepReport report = s.steps(60000);
  EXPECT_LT(report.unbalanced_force, 1e-6);
  Lattice<2> lattice = cell.start;
  lattice.vectors = s.state.cell.vectors;
  const ContactTable<2>& t = s.state.contacts;
  double stress[2] = {};
  for (std::size_t i = 0; i < t.size(); ++i) {
    const std::vector<double>& r = s.state.bodies.parameters.radius;
    const double l = r[static_cast<std::size_t>(t.a[i])] + r[static_cast<std::size_t>(t.b[i])] + t.gap[i];
    for (const int p : {0, 1}) stress[p] += t.impulse[i][p] / s.model.time_step * l * t.normal[i][p] / lattice.volume();
  }
  EXPECT_NEAR(stress[0], 1.0, 1e-6);
  EXPECT_NEAR(stress[1], 1.2, 1e-6);
}

// What the ledger misses is the error of the integration: a quarter with half the step.
TEST(SoftApparatus, energy_of_a_cell_under_stress_is_balanced_to_second_order) {
  const auto error = [](double step) {
    SoftSample<2> s = pressed_cell(step);
    while (s.state.time < 3.0) s.step();
    return std::abs(s.state.energy.error()) / s.state.energy.wall_work;
  };
  const double coarse = error(2e-3), fine = error(1e-3), finest = error(5e-4);
  EXPECT_LT(coarse, 0.01);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.3);
  EXPECT_NEAR(std::log2(fine / finest), 2.0, 0.3);
}

// Discs pressed without friction, at increasing stiffness, the same contacts all along (Combe 2001): forces differ from those of
// rigid discs by a part that falls as 1/kappa, and the area by sum f^2 / (k_n p).
TEST(SoftApparatus, rigid_limit_of_a_pressed_packing) {
  SoftSample<2> s(1e-3, soft_law(1e3, 0.8));
  RandomStream random(5);
  const int side = 4;
  for (int k = 0; k < side * side; ++k) {
    const double radius = random.uniform(0.25, 0.5);
    s.ball({{k % side + 0.5, k / side + 0.5}}, radius, {}, {}, ball_mass<2>(radius, 1.0));
  }
  s.wall({}, at<2>(1, 0)).wall(at<2>(side, 0), at<2>(-1, 0)).wall({}, at<2>(0, 1)).wall(at<2>(0, side), at<2>(0, -1));
  for (const int axis : {0, 1}) {
    Piston<2> piston;
    piston.control = PistonControl::stress, piston.mass = 5.0, piston.target.mean = 1.0;
    for (const int wall : {2 * axis, 2 * axis + 1})
      piston.walls.push_back({wall, s.model.walls[static_cast<std::size_t>(wall)].geometry.direction});
    piston.between = {{{2 - 2 * axis, 3 - 2 * axis}}};
    s.model.pistons.push_back(piston);
  }
  s.model.damping = 0.3;
  struct Rest {
    std::vector<std::pair<int, int>> pairs;
    std::vector<double> forces;
    double area = 0.0, squares = 0.0;
  };
  const auto rest_at = [&](double kappa) {
    s.obey(soft_law(kappa, 0.8));
    s.model.time_step = 0.3 * soft::critical_step(s.model, s.state.bodies).step;
    s.engine.forget();
    StepReport report;
    for (int k = 0; k < 300; ++k)
      if (report = s.steps(2000); report.unbalanced_force < 1e-9) break;
    EXPECT_LT(report.unbalanced_force, 1e-9) << kappa;
    Rest rest;
    const ContactTable<2>& t = s.state.contacts;
    for (std::size_t i = 0; i < t.size(); ++i) {
      const double f = dot(t.impulse[i], t.normal[i]) / s.model.time_step;
      rest.pairs.push_back({t.a[i], t.b[i]}), rest.forces.push_back(f), rest.squares += f * f;
    }
    rest.area = (side - 2.0 * s.state.pistons[0].displacement) * (side - 2.0 * s.state.pistons[1].displacement);
    return rest;
  };
  rest_at(1e3);
  const Rest a = rest_at(1e4), b = rest_at(1e5), c = rest_at(1e6);
  ASSERT_EQ(a.pairs, b.pairs);
  ASSERT_EQ(b.pairs, c.pairs);
  const auto difference = [](const Rest& x, const Rest& y) {
    double most = 0.0;
    for (std::size_t i = 0; i < x.forces.size(); ++i) most = std::max(most, std::abs(x.forces[i] - y.forces[i]));
    return most;
  };
  EXPECT_NEAR(std::log10(difference(a, b) / difference(b, c)), 1.0, 0.1);
  EXPECT_NEAR((c.area - b.area) / (c.squares * (1e-5 - 1e-6)), 1.0, 0.02);
  EXPECT_NEAR((c.area - a.area) / (c.squares * (1e-4 - 1e-6)), 1.0, 0.02);
}

}  // namespace
}  // namespace moreau

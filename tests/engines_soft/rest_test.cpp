// Bodies at rest on contacts that yield: overlaps, springs that remember, moduli of a lattice, digits far below those of
// positions.
#include <gtest/gtest.h>

#include <numbers>

#include "engines_soft/soft_sample.hpp"

namespace moreau {
namespace {

using namespace soft_sample;

TEST(Rest, overlap_of_a_disc_under_its_weight_is_weight_over_stiffness) {
  SoftSample<2> s(1e-3, soft_law(1e4, 0.9), Integrator::verlet, at<2>(0, -9.81));
  s.ball(at<2>(0, 0.5), 0.5, {}, {}, 2.0).wall({}, at<2>(0, 1));
  const StepReport report = s.steps(3000);
  EXPECT_NEAR(0.5 - s.x(0)[1], 2.0 * 9.81 / 1e4, 1e-12);
  EXPECT_LT(report.unbalanced_force, 1e-9);
  EXPECT_NEAR(s.state.contacts.impulse[0][1], 1e-3 * 2.0 * 9.81, 1e-12);
  EXPECT_NEAR(report.energy.elastic, 0.5 * 2.0 * 9.81 * 2.0 * 9.81 / 1e4, 1e-9);
}

// A disc that does not turn (its inertia is huge), pressed on a plane by N, pulled along it by T.
struct Pressed {
  SoftSample<2> s{5e-4, soft_law(1e4, 0.9, 0.5, 4e3, 0.9)};
  Pressed() {
    s.ball(at<2>(0, 0.5), 0.5).wall({}, at<2>(0, 1));
    s.state.bodies.parameters.inertia[0] = 1e18;
    pull(0.0);
  }
  double pull(double t) {
    s.model.gravity = at<2>(t, -10.0);
    s.steps(8000);
    return s.x(0)[0];
  }
};
TEST(Rest, tangential_load_below_friction_moves_by_the_spring_and_back) {
  Pressed p;
  EXPECT_NEAR(p.pull(0.0), 0.0, 1e-15);
  EXPECT_NEAR(p.pull(1.5), 1.5 / 4e3, 1e-12);
  EXPECT_NEAR(p.pull(3.0), 3.0 / 4e3, 1e-12);
  EXPECT_NEAR(p.pull(2.0), 2.0 / 4e3, 1e-12);
  EXPECT_NEAR(p.pull(0.0), 0.0, 1e-12);
}
TEST(Rest, tangential_load_above_friction_has_no_equilibrium) {
  Pressed p;
  const double before = p.pull(5.5), speed = p.s.v(0)[0];
  EXPECT_NEAR(speed, 0.5 * 8000 * 5e-4, 0.05);  // (T - mu N) t / m
  EXPECT_GT(before, 1.0);
}

TEST(Rest, slipped_spring_keeps_what_it_slipped) {
  Pressed p;
  p.s.model.damping = 50.0;
  const double slid = p.pull(5.5), back = p.pull(0.0);
  EXPECT_GT(slid, 0.01);
  EXPECT_NEAR(back, slid - 5.0 / 4e3, 1e-4);  // what the spring held when it slid
}

// Triangular lattice of equal discs in a periodic cell, deformed affinely: K = sqrt(3) k_n / 2, G = sqrt(3) (k_n + k_t) / 4.
struct Triangles {
  static constexpr double k_n = 2.0, k_t = 0.7, squeezed = 1e-7;
  static constexpr int columns = 6, rows = 6;
  SoftSample<2> s{0.02, soft_law(k_n, 0.0, 10.0, k_t)};
  double volume = 0.0;

  Triangles() {
    const double pitch = 1.0 - squeezed, height = 0.5 * std::sqrt(3.0) * pitch;
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < columns; ++i) s.ball({{(i + 0.5 * (j % 2)) * pitch, j * height}}, 0.5);
    Cell<2>& cell = s.model.cell;
    cell.start.vectors = {{{{columns * pitch, 0.0}}, {{0.0, rows * height}}}};
    cell.start.periodic[0] = cell.start.periodic[1] = cell.deforms = true;
    cell.mass = 1.0;
    s.state.cell.vectors = s.state.cell.phase_vectors = cell.start.vectors;
    volume = columns * rows * pitch * height;
  }
  double stress(int p, int q) const {
    double sum = 0.0;
    const ContactTable<2>& t = s.state.contacts;
    for (std::size_t i = 0; i < t.size(); ++i) sum += t.impulse[i][p] / s.model.time_step * (1.0 + t.gap[i]) * t.normal[i][q];
    return sum / volume;
  }
  // Change of stress xx over strain while the cell shortens along x and along y `along_y` times as much: a strain of 1e-9,
  // reached by steps of 1e-12.
  double modulus(double along_y) {
    s.step();
    const double rate = -1e-12 / s.model.time_step;
    s.model.cell.component[0][0].target.mean = rate, s.model.cell.component[1][1].target.mean = along_y * rate;
    s.steps(2);  // the velocity jumps
    const double before = stress(0, 0);
    const int n = 1000;
    s.steps(n);
    EXPECT_EQ(s.state.contacts.size(), 3u * columns * rows);
    return (stress(0, 0) - before) / (n * 1e-12);
  }
};
TEST(Rest, triangular_lattice_has_its_bulk_modulus) {
  Triangles t;
  const double along = t.modulus(1.0);
  EXPECT_NEAR(0.5 * along, std::sqrt(3.0) / 2.0 * Triangles::k_n, 1e-5 * Triangles::k_n);  // sigma = K (eps_x + eps_y)
}
TEST(Rest, triangular_lattice_has_its_shear_modulus) {
  Triangles t;
  const double shear = t.modulus(-1.0);  // sigma_xx = G (eps_x - eps_y)
  EXPECT_NEAR(0.5 * shear, std::sqrt(3.0) / 4.0 * (Triangles::k_n + Triangles::k_t), 1e-5 * Triangles::k_n);
}

// Cubic lattices of equal balls of diameter 1 in a periodic cell, strained by 1e-9 in steps of 1e-12.
struct CubicLattice {
  static constexpr double k_n = 2.0, k_t = 0.7, squeezed = 1e-7;
  SoftSample<3> s{0.02, soft_law(k_n, 0.0, 10.0, k_t)};
  double volume = 0.0;
  std::size_t contacts = 0;

  // Places in the unit cube, its edge over the diameter, contacts of a ball.
  CubicLattice(const std::vector<Vec<3>>& places, double edge, std::size_t around, int cubes) {
    const double pitch = edge * (1.0 - squeezed), side = cubes * pitch;
    for (int n = 0; n < cubes * cubes * cubes; ++n)
      for (const Vec<3>& at : places)
        s.ball(pitch * (at + Vec<3>{{double(n % cubes), double(n / cubes % cubes), double(n / cubes / cubes)}}), 0.5);
    Cell<3>& cell = s.model.cell;
    for (int d = 0; d < 3; ++d)
      cell.start.vectors.row[d] = {}, cell.start.vectors.row[d][d] = side, cell.start.periodic[d] = true;
    cell.deforms = true, cell.mass = 1.0;
    s.state.cell.vectors = s.state.cell.phase_vectors = cell.start.vectors;
    volume = side * side * side, contacts = s.state.bodies.size() * around / 2;
  }
  double stress(int p, int q) const {
    double sum = 0.0;
    const ContactTable<3>& t = s.state.contacts;
    for (std::size_t i = 0; i < t.size(); ++i) sum += t.impulse[i][p] / s.model.time_step * (1.0 + t.gap[i]) * t.normal[i][q];
    return sum / volume;
  }
  // Change of stress pq over the strain rr, or over twice the strain rt where r and t differ.
  double modulus(int p, int q, int r, int t) {
    s.step();
    const double rate = -1e-12 / s.model.time_step;
    s.model.cell.component[r][t].target.mean = s.model.cell.component[t][r].target.mean = rate;
    s.steps(2);  // the velocity jumps
    const double before = stress(p, q);
    const int n = 1000;
    s.steps(n);
    EXPECT_EQ(s.state.contacts.size(), contacts);
    return (stress(p, q) - before) / ((r == t ? 1.0 : 2.0) * n * 1e-12);
  }
};
void check_cubic(const std::vector<Vec<3>>& places, double edge, std::size_t around, int cubes, double c11, double c12,
                 double c44) {
  const auto modulus = [&](int p, int q, int r, int t) { return CubicLattice(places, edge, around, cubes).modulus(p, q, r, t); };
  EXPECT_NEAR(modulus(0, 0, 0, 0), c11, 1e-5);
  EXPECT_NEAR(modulus(1, 1, 0, 0), c12, 1e-5);
  EXPECT_NEAR(modulus(0, 1, 0, 1), c44, 1e-5);
}
TEST(Rest, simple_cubic_lattice_has_its_moduli) {
  check_cubic({Vec<3>{}}, 1.0, 6, 3, CubicLattice::k_n, 0.0, 0.5 * CubicLattice::k_t);
}
TEST(Rest, face_centred_cubic_lattice_has_its_moduli) {
  constexpr double n = CubicLattice::k_n, t = CubicLattice::k_t, root = std::numbers::sqrt2;
  check_cubic({Vec<3>{}, {{0.5, 0.5, 0.0}}, {{0.5, 0.0, 0.5}}, {{0.0, 0.5, 0.5}}}, root, 12, 2, root * (n + t), (n - t) / root,
              (n + t) / root);
}

// A body that moves by 1e-18 per step, at a place of which the last digit is 1e-14, gets there.
TEST(Rest, motions_below_the_last_digit_add_up) {
  for (const Integrator integrator : {Integrator::verlet, Integrator::gear}) {
    SoftSample<2> s(1e-3, soft_law(1.0, 0.0), integrator);
    s.ball(at<2>(100.0, 0), 0.5, at<2>(1e-15, 0));
    s.steps(100'000);
    const double moved = (s.x(0)[0] - 100.0) + s.state.integration.remainder[0][0];
    EXPECT_NEAR(moved, 1e-13, 1e-18);
  }
}

}  // namespace
}  // namespace moreau

// What is read off the apparatus, by hand: a ball pressed in a box, a row closed on itself, an unbalanced grain.
#include "moreau/measure/stress/load.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "moreau/measure/motion/motion_field.hpp"
#include "moreau/measure/stress/balance.hpp"

namespace moreau::measure {
namespace {

struct Hand {
  Model<2> model;
  BodyParameters<2> parameters;
  BodyState<2> state;
  ContactRecords<2> contacts;
  std::vector<Vec<2>> shift;
  Lattice<2> lattice;

  Hand() {
    model.time_step = 1.0;
    model.materials = {{"m", 1.0}};
    model.pair_laws = {{}};
  }
  void disc(Vec<2> x, double r) {
    Bodies<2> one;
    one.append(homogeneous_ball<2>(x, r, 1.0));
    parameters.radius.push_back(r), parameters.mass.push_back(one.parameters.mass[0]);
    parameters.inertia.push_back(one.parameters.inertia[0]), parameters.shape.push_back(-1), parameters.material.push_back(0);
    parameters.motion.push_back(-1), parameters.kind.push_back(BodyKind::free), parameters.birth.push_back(0.0);
    parameters.origin.push_back(x);
    state.position.push_back(x), state.orientation.push_back({}), state.velocity.push_back({}), state.spin.push_back({});
  }
  void contact(std::int32_t a, std::int32_t b, Vec<2> point, Vec<2> normal, Vec<2> force, Vec<2> image = {}) {
    contacts.a.push_back(a), contacts.b.push_back(b), contacts.point.push_back(point), contacts.normal.push_back(normal);
    contacts.gap.push_back(0.0), contacts.impulse.push_back(force), contacts.force.push_back(force);
    contacts.relative_velocity.push_back({}), contacts.status.push_back(ContactStatus::stick);
    if (lattice.any()) contacts.shift.push_back(image);
  }
  void plane(Vec<2> point, Vec<2> normal) { model.walls.push_back({"w", {WallShape::plane, point, normal, 0.0}, 0, -1}); }
  Sample<2> sample() const { return sample_of(model, {}, 0.0, parameters, state, contacts, shift, lattice); }
};

// No length, no share of matter: walls that have passed each other.
TEST(Load, between_walls_that_have_passed_each_other_has_no_solid_fraction) {
  Hand h;
  h.disc({{0.5, 0.5}}, 0.5);
  h.plane({{0.75, 0.0}}, {{1.0, 0.0}}), h.plane({{0.25, 0.0}}, {{-1.0, 0.0}});
  h.plane({{0.0, 0.0}}, {{0.0, 1.0}}), h.plane({{0.0, 1.0}}, {{0.0, -1.0}});
  h.shift.resize(4);
  const Load<2> l = load(h.sample());
  EXPECT_EQ(l.length[0], 0.0);
  EXPECT_EQ(l.volume, 0.0);
  EXPECT_TRUE(std::isnan(l.solid_fraction)) << l.solid_fraction;
}

// A disc of diameter 1 in a box of 1 x 1, pressed with 2 across and 3 upright: stress = force x diameter / area.
TEST(Load, of_a_disc_in_a_box) {
  Hand h;
  h.disc({{0.5, 0.5}}, 0.5);
  h.plane({{0, 0}}, {{1, 0}}), h.plane({{1, 0}}, {{-1, 0}}), h.plane({{0, 0}}, {{0, 1}}), h.plane({{0, 1}}, {{0, -1}});
  h.contact(0, ~3, {{0.5, 1}}, {{0, -1}}, {{0, -3}}), h.contact(0, ~2, {{0.5, 0}}, {{0, 1}}, {{0, 3}});
  h.contact(0, ~1, {{1, 0.5}}, {{-1, 0}}, {{-2, 0}}), h.contact(0, ~0, {{0, 0.5}}, {{1, 0}}, {{2, 0}});
  const Load<2> l = load(h.sample());
  EXPECT_NEAR(l.length[0], 1.0, 1e-15);
  EXPECT_NEAR(l.volume, 1.0, 1e-15);
  EXPECT_NEAR(l.solid_fraction, std::numbers::pi / 4, 1e-12);
  EXPECT_NEAR(l.stress(0, 0), 2.0, 1e-14);
  EXPECT_NEAR(l.stress(1, 1), 3.0, 1e-14);
  EXPECT_NEAR(l.stress(0, 1), 0.0, 1e-14);
  EXPECT_NEAR(l.deviator, 1.0, 1e-14);
  EXPECT_NEAR(l.pressure, 2.5, 1e-14);
}

// Two discs of diameter 1 in a cell of 2 x 4 touch each other and the image of each other with force 6: sigma_xx = 6 / 4. The
// second is given in another copy of the cell.
TEST(Load, of_a_row_that_closes_on_itself) {
  Hand h;
  h.lattice.vectors = {{{{2, 0.5}}, {{0, 4}}}};
  h.lattice.periodic[0] = h.lattice.periodic[1] = true;
  h.disc({{0.5, 2}}, 0.5), h.disc({{5.5, 2}}, 0.5);
  h.contact(0, 1, {{1, 2}}, {{-1, 0}}, {{-6, 0}}, {{-4, 0}}), h.contact(0, 1, {{0, 2}}, {{1, 0}}, {{6, 0}}, {{-6, 0}});
  const Sample<2> now = h.sample();
  const Load<2> l = load(now);
  EXPECT_NEAR(l.volume, 8.0, 1e-14);
  EXPECT_NEAR(l.solid_fraction, std::numbers::pi / 16, 1e-12);
  EXPECT_NEAR(l.stress(0, 0), 6.0 / 4.0, 1e-14);
  EXPECT_NEAR(l.stress(1, 1), 0.0, 1e-14);
  EXPECT_NEAR(balance(now).force_residual, 0.0, 1e-14);
  EXPECT_NEAR(balance(now).moment_residual, 0.0, 1e-14);

  Hand before = h;
  before.lattice.vectors = {{{{4, 0}}, {{0, 4}}}};
  EXPECT_NEAR(wall_strain(before.sample(), now)[0], std::log(2.0), 1e-14);
  EXPECT_NEAR(wall_strain(before.sample(), now)[1], 0.0, 1e-14);
  EXPECT_NEAR(cell_shear(before.sample(), now)[0], 0.5 / 4, 1e-14);
}

// A disc on the ground with weight pi/4 x 10, pushed up by 3 in the middle and by 4 at a quarter of its width.
TEST(Load, balance_of_a_disc_that_is_not_in_equilibrium) {
  Hand h;
  h.model.time_step = 1e-16;  // centres in the middle of the step are those at its end
  h.model.gravity = {{0, -10}};
  h.disc({{0, 0.5}}, 0.5);
  h.disc({{3, 0.5}}, 0.5);
  h.plane({{0, 0}}, {{0, 1}});
  h.contact(0, ~0, {{0, 0}}, {{0, 1}}, {{0, 3}}), h.contact(0, ~0, {{0.25, 0}}, {{0, 1}}, {{0, 4}});
  h.contact(1, ~0, {{3, 0}}, {{0, 1}}, {{0, 2.5 * std::numbers::pi}});
  h.state.velocity[1] = {{2, 0}};
  const Balance b = balance(h.sample());
  EXPECT_EQ(b.loaded, 2u);
  EXPECT_EQ(b.monovalent, 1u);
  EXPECT_NEAR(b.force_residual, std::abs(7 - 2.5 * std::numbers::pi) / 4, 1e-14);
  EXPECT_NEAR(b.mean_force_residual, b.force_residual / 2, 1e-14);
  EXPECT_NEAR(b.moment_residual, 0.25 * 4 / (4 * 0.5), 1e-14);
  EXPECT_NEAR(b.greatest_energy, 0.5 * std::numbers::pi / 4 * 4, 1e-14);
  EXPECT_NEAR(b.kinetic_energy, b.greatest_energy / 2, 1e-14);
}

// Two discs in free fall are out of balance by all their weight; without gravity, or with one far below the contact forces, a
// disc that touches nothing is a rattler.
TEST(Load, a_body_with_weight_that_nothing_carries_is_unbalanced) {
  Hand h;
  h.model.gravity = {{0, -10}};
  h.disc({{0, 0.5}}, 0.5), h.disc({{3, 0.5}}, 0.5);
  Balance b = balance(h.sample());
  EXPECT_EQ(b.unsupported, 2u);
  EXPECT_EQ(b.loaded, 0u);
  EXPECT_EQ(b.force_residual, 1.0);
  EXPECT_EQ(b.mean_force_residual, 1.0);
  h.plane({{0, 0}}, {{0, 1}});
  h.contact(0, ~0, {{0, 0}}, {{0, 1}}, {{0, 2.5 * std::numbers::pi}});
  b = balance(h.sample());
  EXPECT_EQ(b.unsupported, 1u);
  EXPECT_EQ(b.force_residual, 1.0);
  EXPECT_NEAR(b.mean_force_residual, 0.5, 1e-14);
  h.model.gravity = {{0, -1e-6}};
  EXPECT_EQ(balance(h.sample()).unsupported, 0u);
  h.model.gravity = {};
  EXPECT_EQ(balance(h.sample()).unsupported, 0u);
}

}  // namespace
}  // namespace moreau::measure

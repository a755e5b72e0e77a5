// Solid fraction, coordination, rattlers, Voronoi cells.
#include <gtest/gtest.h>

#include <numbers>

#include "measure/small_sample.hpp"
#include "moreau/base/random.hpp"
#include "moreau/measure/contacts/coordination.hpp"
#include "moreau/measure/packing/solid_fraction.hpp"
#include "moreau/measure/packing/voronoi.hpp"

namespace moreau::measure {
namespace {

using std::numbers::pi;

TEST(SolidFraction, square_lattice_fills_a_quarter_of_pi) {
  const SmallSample<2> s = lattice_under_stress(8, 1, 1, 0);
  const SolidFraction whole = solid_fraction(s.sample(), box(0, 0, 8, 8));
  EXPECT_NEAR(whole.fraction(), pi / 4, 1e-12);
  EXPECT_NEAR(whole.void_ratio(), 4 / pi - 1, 1e-12);
  EXPECT_NEAR(solid_fraction(s.sample(), box(1.5, 1.5, 5.5, 5.5)).fraction(), pi / 4,
              2e-3);  // cuts discs in half and in quarters
  // Without the skin of the walls, a lattice is the same.
  EXPECT_NEAR(solid_fraction(s.sample(), *domain_of(s.sample()).bulk(1.0)).fraction(), pi / 4, 1e-12);
}

TEST(Coordination, lattice_has_four_contacts_a_disc) {
  const SmallSample<2> s = lattice_under_stress(4, 1, 1, 0);
  const Coordination z = coordination(s.sample(), domain_of(s.sample()).whole());
  EXPECT_EQ(z.bodies, 16u);
  EXPECT_EQ(z.contacts, 24u + 16u);  // 2 n (n - 1) between discs, 4 n at walls
  EXPECT_EQ(z.obstacle_contacts, 16u);
  EXPECT_DOUBLE_EQ(z.mean, 4.0);
  EXPECT_EQ(z.rattlers, 0u);
}

TEST(Coordination, chain_hanging_on_one_contact_is_taken_away_grain_by_grain) {
  // A disc held by three contacts, and a tail of two discs that lean on it: the last has one contact, then the one before has
  // one.
  SmallSample<2> s;
  const auto floor = s.plane({{0, 0}}, {{0, 1}}), left = s.plane({{0, 0}}, {{1, 0}}), top = s.plane({{0, 2}}, {{0, -1}});
  const auto held = s.body({{1, 1}}, 1), first = s.body({{3, 1}}, 1), second = s.body({{5, 1}}, 1), loose = s.body({{9, 9}}, 1);
  s.contact(held, floor, 1), s.contact(held, left, 1), s.contact(held, top, 1);
  s.contact(first, held, 1), s.contact(second, first, 1);
  const std::vector<bool> r = rattlers(s.sample(), carrying_contacts(s.sample()), 2);
  EXPECT_FALSE(r[static_cast<std::size_t>(held)]);
  EXPECT_TRUE(r[static_cast<std::size_t>(first)] && r[static_cast<std::size_t>(second)] && r[static_cast<std::size_t>(loose)]);
  const Coordination z = coordination(s.sample(), everywhere<2>(), 1e-6, 2);
  EXPECT_EQ(z.rattlers, 3u);
  EXPECT_DOUBLE_EQ(z.mean, (3 + 2 + 2) / 4.0);  // 3 obstacle contacts and 2 between discs, 7 ends in all
  EXPECT_DOUBLE_EQ(z.without_rattlers, 3.0);
  EXPECT_EQ(least_contacts(s.sample()), 3);  // no tangential force anywhere
}

TEST(Coordination, points_of_one_pair_are_one_neighbour) {
  SmallSample<2> s;
  const auto one = s.body({{0, 1}}, 1.0), two = s.body({{2, 1}}, 1.0), floor = s.plane({{0, 0}}, {{0, 1}});
  for (const double height : {0.9, 1.1}) s.contact_at(two, one, {{1, height}}, {{1, 0}}, {{1, 0}});
  for (const auto body : {one, two})
    for (int point = 0; point < 2; ++point) s.contact(body, floor, 1.0);
  const Coordination z = coordination(s.sample(), everywhere<2>());
  EXPECT_DOUBLE_EQ(z.mean, 4.0);
  EXPECT_DOUBLE_EQ(z.neighbours, 2.0);
}

TEST(Coordination, contacts_without_force_do_not_count) {
  SmallSample<2> s;
  const auto floor = s.plane({{0, 0}}, {{0, 1}});
  s.contact(s.body({{0, 1}}, 1), floor, 1.0);
  s.contact(s.body({{5, 1}}, 1), floor, 0.0, {}, ContactStatus::open);
  EXPECT_EQ(coordination(s.sample(), everywhere<2>()).contacts, 1u);
}

TEST(Voronoi, cells_of_a_lattice_are_unit_squares) {
  const SmallSample<2> s = lattice_under_stress(5, 1, 1, 0);
  for (const VoronoiCell& cell : voronoi_cells(s.sample(), domain_of(s.sample()))) {
    EXPECT_NEAR(cell.volume, 1.0, 1e-9);
    EXPECT_NEAR(cell.fraction, pi / 4, 1e-9);
    EXPECT_FALSE(cell.open);
  }
}

TEST(Voronoi, radical_plane_lies_where_the_powers_are_equal) {
  // Radii 0.5 and 0.25 at distance 1: |x|^2 - R^2 = (1 - x)^2 - r^2 gives x = (1 + R^2 - r^2) / 2 = 0.59375.
  SmallSample<3> s;
  const auto wall = s.plane({{-1, 0, 0}}, {{1, 0, 0}});
  s.plane({{2, 0, 0}}, {{-1, 0, 0}}), s.plane({{0, -1, 0}}, {{0, 1, 0}}), s.plane({{0, 1, 0}}, {{0, -1, 0}});
  s.plane({{0, 0, -1}}, {{0, 0, 1}}), s.plane({{0, 0, 1}}, {{0, 0, -1}});
  s.contact_at(s.body({{0, 0, 0}}, 0.5), wall, {{-1, 0, 0}}, {{1, 0, 0}}, {{1, 0, 0}});
  s.body({{1, 0, 0}}, 0.25);
  const auto cells = voronoi_cells(s.sample(), domain_of(s.sample()));
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_NEAR(cells[0].volume, 1.59375 * 4, 1e-9);
  EXPECT_NEAR(cells[1].volume, 1.40625 * 4, 1e-9);
}

TEST(Voronoi, cells_fill_a_periodic_cell) {
  RandomStream random(3);
  SmallSample<2> s;
  for (int i = 0; i < 200; ++i)
    s.body({{random.uniform(-9, 9), random.uniform(0, 2)}}, random.uniform(0.02, 0.04));  // in several copies
  Sample<2> sample = s.sample();
  sample.lattice.vectors = {{{{3.0, 0.0}}, {{0.0, 2.0}}}};
  sample.lattice.origin = {{1.0, 0.0}};
  for (bool& p : sample.lattice.periodic) p = true;
  double sum = 0.0;
  const auto cells = voronoi_cells(sample, domain_of(sample));
  ASSERT_EQ(cells.size(), 200u);
  for (const VoronoiCell& cell : cells) {
    sum += cell.volume;
    EXPECT_FALSE(cell.open);
  }
  EXPECT_NEAR(sum, 6.0, 1e-9);
}

TEST(Voronoi, cells_fill_the_domain) {
  RandomStream random(7);
  SmallSample<3> s;
  s.cylinder({{0, 0, 0}}, 2.0), s.plane({{0, 0, 0}}, {{0, 0, 1}}), s.plane({{0, 0, 4}}, {{0, 0, -1}});
  for (int i = 0; i < 300;) {
    const Vec<3> x{{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(0, 4)}};
    if (std::hypot(x[0], x[1]) < 1.9) s.body(x, random.uniform(0.05, 0.1)), ++i;
  }
  double sum = 0.0;
  for (const VoronoiCell& cell : voronoi_cells(s.sample(), domain_of(s.sample()))) sum += cell.volume;
  EXPECT_NEAR(sum, pi * 16.0, 0.03 * pi * 16.0);  // each cell meets the cylinder in one plane, tangent: a little too large
  EXPECT_GT(sum, pi * 16.0);
}

}  // namespace
}  // namespace moreau::measure

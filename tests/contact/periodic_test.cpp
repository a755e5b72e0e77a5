// Contacts across the borders of periodic cells, against looking at every image of every pair.
#include <gtest/gtest.h>

#include <set>

#include "contact/brute_force.hpp"
#include "moreau/geometry/reduced_lattice.hpp"

namespace moreau {
namespace {

template <int D>
struct CellScene {
  brute_force::Scene<D> bodies;
  Lattice<D> lattice;
  Matrix<D> gradient{};
  Surroundings<D> around() const { return {bodies.walls, bodies.wall_shift, bodies.wall_velocity, lattice, gradient, {}}; }
};

// A cell sheared by up to `shear`, with bodies in any copies of it. Some are fixed, and some so fast that they reach much farther
// than others.
template <int D>
CellScene<D> random_scene(RandomStream& random, int count, double shear) {
  CellScene<D> s;
  for (int d = 0; d < D; ++d) {
    s.lattice.vectors.row[d][d] = random.uniform(5.0, 8.0);
    s.lattice.periodic[d] = true;
    for (int q = d + 1; q < D; ++q) s.lattice.vectors.row[d][q] = shear * 6.0 * random.uniform(-1.0, 1.0);
    for (int q = d; q < D; ++q) s.gradient.row[d][q] = random.uniform(-0.1, 0.1);
    s.lattice.origin[d] = random.uniform(-3.0, 3.0);
  }
  for (int i = 0; i < count; ++i) {
    Vec<D> x, v;
    for (int d = 0; d < D; ++d) x[d] = random.uniform(-20.0, 20.0), v[d] = random.uniform(-1.0, 1.0);
    const double radius = random.uniform(0.2, 0.6);
    if (i % 7 == 3)
      s.bodies.add(x, radius, {}, BodyKind::fixed);
    else
      s.bodies.add(x, radius, i % 10 == 5 ? 15.0 * v : v);
  }
  return s;
}

using Found = std::vector<std::tuple<std::int32_t, std::int32_t, Image>>;

// Every image k of every pair whose distance is a touch. The range of k holds all that can be: x_a - x_b is at most 40 sqrt(D).
template <int D>
Found all_images(const CellScene<D>& s, const std::vector<Vec<D>>& x, LookAhead ahead) {
  Found found;
  const Matrix<D> to_numbers = inverse(s.lattice.vectors);
  const auto& radius = s.bodies.bodies.parameters.radius;
  const auto& v = s.bodies.bodies.state.velocity;
  const auto is_free = [&](std::size_t i) { return s.bodies.bodies.is_free(i); };
  for (std::size_t a = 0; a < x.size(); ++a)
    for (std::size_t b = 0; b < x.size(); ++b) {
      if (b == a || !is_free(a) || (b < a && is_free(b))) continue;
      const Vec<D> middle = to_numbers * (x[a] - x[b]);
      std::int64_t low[D], high[D], k[D];
      for (int d = 0; d < D; ++d) {
        const double range = 1.0 + 4.0 * norm(to_numbers.row[d]);  // a sphere of radius 4 holds every touch
        low[d] = k[d] = static_cast<std::int64_t>(std::floor(middle[d] - range));
        high[d] = static_cast<std::int64_t>(std::ceil(middle[d] + range));
      }
      for (bool more = true; more;) {
        const Vec<D> shift = s.lattice.shift(image_of<D>(k)), apart = x[a] - x[b] - shift;
        const double approach = -dot(v[a] - v[b] - s.gradient * shift, apart) / norm(apart);
        if (norm(apart) - radius[a] - radius[b] <= ahead.distance + ahead.time * std::max(0.0, approach))
          found.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), image_of<D>(k)});
        more = false;
        for (int d = 0; d < D && !more; ++d) {
          if (k[d] < high[d])
            ++k[d], more = true;
          else
            k[d] = low[d];
        }
      }
    }
  std::sort(found.begin(), found.end());
  return found;
}

template <int D>
void finds_every_image(double shear, LookAhead ahead) {
  RandomStream random(11);
  for (int trial = 0; trial < (D == 2 ? 20 : 5); ++trial) {
    CellScene<D> s = random_scene<D>(random, 60, shear);
    std::vector<Vec<D>> x = s.bodies.bodies.state.position;
    Neighbours<D> neighbours;
    Detector<D> detector;
    for (int step = 0; step < 5; ++step) {  // the cell and the bodies move; the list is built anew only when it must
      neighbours.update(s.bodies.bodies, x, s.around(), 1e-3, ahead);
      detector.detect(s.bodies.bodies, x, {}, s.around(), neighbours, ahead, ContactTable<D>{});
      Found found;
      for (std::size_t i = 0; i < detector.found.size(); ++i)
        found.push_back({detector.found[i].a, detector.found[i].b, detector.image[i]});
      ASSERT_EQ(found, all_images(s, x, ahead));
      ASSERT_GT(found.size(), 3u);
      s.lattice.vectors = s.lattice.vectors + 0.003 * (s.gradient * s.lattice.vectors);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += 0.003 * (s.gradient * x[i]) + 2e-3 * s.bodies.bodies.state.velocity[i];
    }
  }
}
TEST(Periodic, every_image_of_discs_is_found_once_and_in_order) {
  finds_every_image<2>(0.0, {}), finds_every_image<2>(0.7, {}), finds_every_image<2>(30.0, {0.05, 0.01});
}
TEST(Periodic, every_image_of_balls_is_found_once_and_in_order) {
  finds_every_image<3>(0.0, {}), finds_every_image<3>(0.7, {}), finds_every_image<3>(5.0, {0.05, 0.01});
}

TEST(Periodic, numbers_of_an_image_come_back) {
  for (const std::int64_t x : {-700000, -1, 0, 3, 900000})
    for (const std::int64_t y : {-12, 0, 999999})
      for (const std::int64_t z : {-1000000, 0, 77}) {
        const std::int64_t k[3] = {x, y, z};
        std::int64_t back[3], opposite[3];
        numbers_of<3>(image_of<3>(k), back);
        numbers_of<3>(-image_of<3>(k), opposite);
        for (int d = 0; d < 3; ++d) {
          EXPECT_EQ(back[d], k[d]);
          EXPECT_EQ(opposite[d], -k[d]);
        }
      }
}

TEST(Periodic, folding_moves_by_whole_vectors_into_the_cell) {
  RandomStream random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const CellScene<3> s = random_scene<3>(random, 1, 2.0);
    const Vec<3> x = s.bodies.bodies.state.position[0], inside = s.lattice.folded(x);
    const Vec<3> place = inverse(s.lattice.vectors) * (inside - s.lattice.origin),
                 cells = inverse(s.lattice.vectors) * (inside - x);
    for (int d = 0; d < 3; ++d) {
      EXPECT_GE(place[d], -1e-12);
      EXPECT_LT(place[d], 1.0 + 1e-12);
      EXPECT_NEAR(cells[d], std::round(cells[d]), 1e-9);
    }
  }
}

// Sheared by whole numbers a square lattice is the square lattice, whose nearest cell to a cube is a square.
TEST(Periodic, compact_cell_of_a_sheared_lattice_is_that_of_the_lattice) {
  Lattice<2> lattice;
  lattice.vectors = {{{{4, 28}}, {{0, 4}}}};
  lattice.periodic[0] = lattice.periodic[1] = true;
  const Lattice<2> cell = compact(lattice);
  EXPECT_EQ(cell.vectors.row[0][0], 4.0);
  EXPECT_EQ(cell.vectors.row[0][1], 0.0);
  EXPECT_EQ(cell.vectors.row[1][1], 4.0);
  EXPECT_EQ(least_width(lattice), 4.0);
}

}  // namespace
}  // namespace moreau

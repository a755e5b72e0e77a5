// Points sorted into cells, against a look at every pair: each pair within reach is met once, whatever the crowd and wherever it
// is.
#include "moreau/contact/sorted_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "moreau/base/random.hpp"
#include "moreau/contact/pair_lists.hpp"

namespace moreau {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

template <int D>
struct Crowd {
  std::vector<Vec<D>> at;
  std::vector<std::int32_t> body;
  std::vector<double> reach;
  ReachingPoints<D> points() const { return {at, body, reach}; }

  // Some more points of a box, with reaches from `least` to twice that; returns their numbers.
  std::vector<std::uint32_t> add(RandomStream& random, int count, double half_width, double least, const Vec<D>& centre = {}) {
    std::vector<std::uint32_t> numbers;
    for (int i = 0; i < count; ++i) {
      Vec<D> x = centre;
      for (int d = 0; d < D; ++d) x[d] += random.uniform(-half_width, half_width);
      numbers.push_back(static_cast<std::uint32_t>(at.size()));
      at.push_back(x), reach.push_back(random.uniform(least, 2.0 * least));
    }
    return numbers;
  }
  double largest(const std::vector<std::uint32_t>& of) const {
    double most = 0.0;
    for (const std::uint32_t i : of) most = std::max(most, reach[points().body_of(i)]);
    return most;
  }
  bool meet(std::uint32_t p, std::uint32_t q) const {
    const Vec<D> apart = at[p] - at[q];
    return dot(apart, apart) <= (reach[p] + reach[q]) * (reach[p] + reach[q]);
  }
};

Pairs sorted(Pairs pairs) {
  for (auto& [p, q] : pairs)
    if (q < p) std::swap(p, q);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

template <int D>
Pairs met_within(const Crowd<D>& crowd, const std::vector<std::uint32_t>& numbers, std::size_t chunk) {
  const SortedCells<D> cells(crowd.points(), numbers, crowd.largest(numbers));
  EXPECT_EQ(cells.size(), numbers.size());
  Pairs met;
  for (std::size_t c = 0; c < cells.cells(); c += chunk)
    cells.each_pair(c, std::min(cells.cells(), c + chunk), [&](std::uint32_t p, std::uint32_t q) { met.push_back({p, q}); });
  return sorted(met);
}

template <int D>
Pairs all_within(const Crowd<D>& crowd, const std::vector<std::uint32_t>& numbers) {
  Pairs met;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    for (std::size_t j = i + 1; j < numbers.size(); ++j)
      if (crowd.meet(numbers[i], numbers[j])) met.push_back({numbers[i], numbers[j]});
  return sorted(met);
}

template <int D>
void meets_once(const Crowd<D>& crowd, const std::vector<std::uint32_t>& numbers, const std::string& name) {
  const Pairs all = all_within(crowd, numbers);
  EXPECT_GT(all.size(), 20u) << name;
  for (const std::size_t chunk : {1, 7, 1000000}) EXPECT_EQ(met_within(crowd, numbers, chunk), all) << name << ' ' << chunk;
}

template <int D>
void within_a_level() {
  RandomStream random(1);
  const std::string dimension = std::to_string(D);
  for (const double half_width : {0.3, 3.0, 12.0}) {  // hundreds in a cell; some; mostly empty cells
    Crowd<D> crowd;
    const auto numbers = crowd.add(random, 400, half_width, 0.5, Vec<D>{{1e3, -7.0}});
    meets_once(crowd, numbers, dimension + " half width " + std::to_string(half_width));
  }
  Crowd<D> flat, scattered, apart, touching;
  auto numbers = flat.add(random, 300, 5.0, 0.3);  // one layer: a single row in one direction
  for (Vec<D>& x : flat.at) x[D - 1] = 2.0;
  meets_once(flat, numbers, dimension + " flat");
  // Crowds beyond all cells: farther than a key can tell, and as far as numbers go.
  numbers = scattered.add(random, 200, 3.0, 0.4);
  for (const double far : {1e5, -1e9, 1e15})
    for (const std::uint32_t i : scattered.add(random, 40, 1.0, 0.4, Vec<D>{{far, 0.5 * far}})) numbers.push_back(i);
  for (const std::uint32_t i : scattered.add(random, 2, 1.0, 0.4, Vec<D>{{-1e300, 1e300}})) numbers.push_back(i);
  meets_once(scattered, numbers, dimension + " scattered");
  // Two halves: the middle is in one of them.
  numbers = apart.add(random, 150, 2.0, 0.4, Vec<D>{{-1e8, 0.0}});
  for (const std::uint32_t i : apart.add(random, 150, 2.0, 0.4, Vec<D>{{1e8, 0.0}})) numbers.push_back(i);
  meets_once(apart, numbers, dimension + " apart");
  // A lattice of points just within reach of each other, all on the borders of cells, but for rounding.
  for (int i = 0; i < (D == 2 ? 400 : 343); ++i) {
    const int side = D == 2 ? 20 : 7;
    Vec<D> x;
    for (int d = 0, k = i; d < D; ++d, k /= side) x[d] = 0.2 * (k % side) - 0.7;
    touching.at.push_back(x), touching.reach.push_back(0.1 * (1.0 + 1e-12));
  }
  numbers.resize(touching.at.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  meets_once(touching, numbers, dimension + " lattice");
}
TEST(SortedCells, every_pair_of_points_in_the_plane_is_met_once) { within_a_level<2>(); }
TEST(SortedCells, every_pair_of_points_in_space_is_met_once) { within_a_level<3>(); }

// Both ways between points of short and of long reach give all pairs, each once.
template <int D>
void between_levels() {
  RandomStream random(2);
  for (const double ratio : {1.0, 2.5, 40.0, 1e4})
    for (const double half_width : {1.0, 3.0}) {
      Crowd<D> crowd;
      auto fine = crowd.add(random, 300, half_width, 0.2);
      auto coarse = crowd.add(random, 40, 1.2 * half_width, 0.2 * ratio, Vec<D>{{0.5 * half_width, 0.0}});
      for (const std::uint32_t i : crowd.add(random, 2, 1.0, 0.2, Vec<D>{{1e12, -1e300}})) fine.push_back(i);
      for (const std::uint32_t i : crowd.add(random, 2, 1.0, 0.2 * ratio, Vec<D>{{-1e12, 1e13}})) coarse.push_back(i);
      Pairs all, looked_through, sorted_anew;
      for (const std::uint32_t p : fine)
        for (const std::uint32_t q : coarse)
          if (crowd.meet(p, q)) all.push_back({p, q});
      const double longest = std::max(crowd.largest(fine), crowd.largest(coarse));
      SortedCells<D> small(crowd.points(), fine, crowd.largest(fine));
      const SortedCells<D> large(crowd.points(), coarse, longest);
      small.index_rows();
      for (std::size_t k = 0; k < large.size(); ++k)
        small.each_near(large.point(k), [&](std::uint32_t p) { looked_through.push_back({p, large.number(k)}); });
      const SortedCells<D> alike = large.sorted_alike(small);
      for (std::size_t c = 0; c < alike.cells(); c += 5)
        alike.each_pair_between(large, c, std::min(alike.cells(), c + 5), [&](std::uint32_t p, std::uint32_t q) {
          sorted_anew.push_back({p, q});
        });
      EXPECT_GT(all.size(), 10u);
      EXPECT_EQ(sorted(looked_through), sorted(all)) << D << " ratio " << ratio << " half width " << half_width;
      EXPECT_EQ(sorted(sorted_anew), sorted(all)) << D << " ratio " << ratio << " half width " << half_width;
    }
}
TEST(SortedCells, points_of_long_reach_in_the_plane_meet_those_of_short) { between_levels<2>(); }
TEST(SortedCells, points_of_long_reach_in_space_meet_those_of_short) { between_levels<3>(); }

// Copies share the reach of their body.
TEST(SortedCells, copies_of_a_body_have_its_reach) {
  Crowd<2> crowd;
  crowd.at = {{{0, 0}}, {{10, 0}}, {{3, 0}}, {{13, 0}}};
  crowd.body = {0, 1, 1, 0};
  crowd.reach = {1.0, 2.0};
  EXPECT_EQ(met_within(crowd, {0, 1, 2, 3}, 100), (Pairs{{0, 2}, {1, 3}}));
}

// Rows of any length, filled from several lists, come out in order of bodies, partners and images.
TEST(PairLists, partners_are_in_order_in_rows_of_any_length) {
  for (const bool with_images : {false, true}) {
    RandomStream random(3);
    PairLists lists(with_images);
    const std::size_t n = 60;
    EXPECT_EQ(lists.more(3), 0u);
    EXPECT_EQ(lists.more(4), 3u);
    std::vector<std::tuple<std::int32_t, std::int32_t, Image>> expected;
    for (std::int32_t a = 0; a < static_cast<std::int32_t>(n); ++a)
      for (std::int32_t b = -3; b < a; ++b)  // row a has up to a + 3 partners
        for (Image image = -1; image <= 1; ++image)
          if ((with_images || image == 0) && random.uniform() < 0.8) expected.push_back({a, b, image});
    std::vector<std::pair<double, std::size_t>> shuffled;
    for (std::size_t i = 0; i < expected.size(); ++i) shuffled.push_back({random.uniform(), i});
    std::sort(shuffled.begin(), shuffled.end());
    for (const auto& [key, i] : shuffled) {
      const auto [a, b, image] = expected[i];
      lists.add(i % 7, a, b, image);
    }
    std::vector<std::uint32_t> row;
    std::vector<std::int32_t> partner;
    std::vector<Image> image;
    lists.order(n, row, partner, image);
    ASSERT_EQ(row.size(), n + 1);
    ASSERT_EQ(partner.size(), expected.size());
    ASSERT_EQ(image.size(), with_images ? expected.size() : 0);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t p = row[a]; p < row[a + 1]; ++p)
        EXPECT_EQ(std::make_tuple(static_cast<std::int32_t>(a), partner[p], with_images ? image[p] : 0), expected[p]);
  }
}

}  // namespace
}  // namespace moreau

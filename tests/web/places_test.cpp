#include "moreau/web/places.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace moreau::web {
namespace {

Vec<3> unpacked(const Places& p, std::size_t k) {
  Vec<3> x;
  for (int d = 0; d < 3; ++d)
    x[d] = p.corner[3 * p.places[4 * k] + static_cast<std::size_t>(d)] +
           (p.places[4 * k + 1 + static_cast<std::size_t>(d)] + 0.5) * p.side / 65536.0;
  return x;
}

double worst(const Places& p, const std::vector<Vec<3>>& positions) {
  double error = 0.0;
  for (std::size_t k = 0; k < positions.size(); ++k)
    for (int d = 0; d < 3; ++d) error = std::max(error, std::abs(unpacked(p, k)[d] - positions[k][d]));
  return error;
}

std::vector<Vec<3>> scattered(std::size_t count, double reach) {
  std::vector<Vec<3>> positions;
  std::uint64_t state = 1;
  const auto next = [&] {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (static_cast<double>(state >> 11) * 0x1p-53 - 0.5) * 2.0 * reach;
  };
  for (std::size_t k = 0; k < count; ++k) positions.push_back({{next(), next(), next()}});
  return positions;
}

TEST(Places, eight_bytes_hold_a_position_to_a_4000th_of_a_radius) {
  const std::vector<Vec<3>> positions = scattered(20000, 50.0);
  const Places p = places_of(positions, 1.0);
  EXPECT_EQ(p.places.size() * sizeof p.places[0], 8 * positions.size());
  EXPECT_EQ(p.side, 32.0);
  EXPECT_LE(worst(p, positions), 32.0 / 131072.0 * (1.0 + 1e-9));
}

TEST(Places, a_body_that_has_flown_off_costs_the_others_nothing) {
  std::vector<Vec<3>> positions = scattered(1000, 5.0);
  positions.push_back({{1e9, -1e12, 0.0}});
  const Places p = places_of(positions, 1.0);
  EXPECT_EQ(p.side, 32.0);
  positions.pop_back();
  EXPECT_LE(worst(p, positions), 32.0 / 131072.0 * (1.0 + 1e-9));
}

TEST(Places, cells_grow_until_they_can_be_numbered) {
  const std::vector<Vec<3>> positions = scattered(100000, 1e5);  // nearly every one in a cell of its own
  const Places p = places_of(positions, 1.0);
  EXPECT_GT(p.side, 32.0);
  EXPECT_LE(p.corner.size() / 3, 65536u);
  EXPECT_LE(worst(p, positions), p.side / 131072.0 * (1.0 + 1e-9));
}

TEST(Places, numbers_beyond_counting_are_survived) {
  const Places p = places_of({Vec<3>{{1e308, -1e308, 1e-308}}, Vec<3>{{1.0, 1.0, 1.0}}}, 1e-300);
  EXPECT_EQ(p.places.size(), 8u);
}

TEST(Places, no_bodies_and_no_size_are_fine) {
  EXPECT_TRUE(places_of({}, 1.0).places.empty());
  EXPECT_LE(worst(places_of({Vec<3>{{1.0, 2.0, -3.0}}}, 0.0), {Vec<3>{{1.0, 2.0, -3.0}}}), 1e-5);
}

}  // namespace
}  // namespace moreau::web

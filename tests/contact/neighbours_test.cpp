// The neighbour lists against a look at every pair: nothing is missed, nothing is listed twice, and which contacts are found does
// not depend on when the lists were built.
#include <gtest/gtest.h>

#include "contact/brute_force.hpp"

namespace moreau {
namespace {

using namespace brute_force;

// Dense enough for several contacts per body; radii from 1 to `ratio`, in equal numbers per octave.
template <int D>
Scene<D> random_scene(std::uint64_t seed, int count, double ratio, bool clustered) {
  RandomStream random(seed);
  Scene<D> s;
  double volume = 0.0;
  std::vector<double> radii;
  for (int i = 0; i < count; ++i) radii.push_back(std::pow(ratio, std::pow(random.uniform(), 2.0)));
  for (const double r : radii) volume += std::pow(2 * r, D);
  const double half = 0.5 * std::pow(volume, 1.0 / D);
  for (int i = 0; i < count; ++i) {
    Vec<D> x = random_vector<D>(random, half);
    if (clustered && i % 2) x = 0.1 * x + (i % 4 == 1 ? 0.7 * half : -half) * Vec<D>{{1, 1}};
    const double kind = random.uniform();
    s.add(x, radii[static_cast<std::size_t>(i)], random_vector<D>(random, 1.0), kind < 0.1 ? BodyKind::fixed : BodyKind::free);
  }
  for (int d = 0; d < D; ++d) {
    Vec<D> normal{};
    normal[d] = 1.0;
    s.add({WallShape::plane, -half * normal, normal, 0.0});
  }
  s.add({WallShape::plane, {}, normalized(random_vector<D>(random, 1.0)), 0.0});
  Vec<D> axis{};
  axis[D - 1] = 1.0;
  s.add({WallShape::cylinder, random_vector<D>(random, 1.0), axis, 0.8 * half});
  return s;
}

template <int D>
void finds_every_contact() {
  for (const double ratio : {1.0, 10.0, 100.0})
    for (const bool clustered : {false, true})
      for (const LookAhead ahead : {LookAhead{0, 0}, LookAhead{0.3, 0.0}, LookAhead{0.2, 0.1}, LookAhead{0.0, 0.2}}) {
        const auto s = random_scene<D>(11, 500, ratio, clustered);
        Search<D> search;
        const Pairs found = search(s, s.bodies.state.position, 0.1, ahead),
                    expected = contacts(s, s.bodies.state.position, ahead);
        ASSERT_EQ(found, expected) << "ratio " << ratio << " clustered " << clustered << " ahead " << ahead.time << ' '
                                   << ahead.distance;
        EXPECT_GT(expected.size(), 200u);
      }
}
TEST(Neighbours, every_contact_of_discs_is_found_once_and_in_order) { finds_every_contact<2>(); }
TEST(Neighbours, every_contact_of_balls_is_found_once_and_in_order) { finds_every_contact<3>(); }

template <int D>
void gaps_and_normals() {
  const auto s = random_scene<D>(12, 300, 10.0, false);
  const auto& x = s.bodies.state.position;
  const Pairs found = contacts(s, x, {});
  ASSERT_GT(found.size(), 100u);
  for (const auto& [a, b] : found) {
    const Separation<D> between = separation_of<D>(s.bodies, x, {s.walls, s.wall_shift, s.wall_velocity}, a, b);
    EXPECT_NEAR(between.gap, gap_and_approach(s, x, static_cast<std::size_t>(a), b).first, 1e-12);
    EXPECT_NEAR(norm(between.normal), 1.0, 1e-14);
    if (is_wall(b)) continue;
    const Vec<D> apart = x[static_cast<std::size_t>(a)] - x[static_cast<std::size_t>(b)];
    EXPECT_NEAR(dot(apart, between.normal), norm(apart), 1e-12);
  }
}
TEST(Neighbours, gaps_are_measured_and_normals_point_to_the_first_body) { gaps_and_normals<2>(), gaps_and_normals<3>(); }

TEST(Neighbours, coincident_centres_still_have_a_normal) {
  Scene<3> s;
  s.add({{1, 1, 1}}, 1.0);
  s.add({{1, 1, 1}}, 0.5);
  const auto between = separation_of<3>(s.bodies, s.bodies.state.position, {s.walls, s.wall_shift, s.wall_velocity}, 0, 1);
  EXPECT_EQ(norm(between.normal), 1.0);
  EXPECT_EQ(between.gap, -1.5);
}

// Escaped grains do not disturb the others and still see each other, a million diameters away.
template <int D>
void escaped_grains() {
  auto s = random_scene<D>(13, 200, 3.0, false);
  RandomStream random(5);
  for (int k = 0; k < 20; ++k) {
    const Vec<D> far = 1e6 * random_vector<D>(random, 1.0);
    Vec<D> step{};
    step[k % D] = 1.9;
    s.add(far, 1.0, random_vector<D>(random, 10));
    s.add(far + step, 1.0);
  }
  s.add(1e6 * Vec<D>{{1, 1}}, 1.0), s.add(1e300 * Vec<D>{{1, -1}}, 1.0);
  Search<D> search;
  const Pairs expected = contacts(s, s.bodies.state.position, {});
  ASSERT_EQ(search(s, s.bodies.state.position, 0.1, {}), expected);
}
TEST(Neighbours, escaped_grains_are_no_trouble) { escaped_grains<2>(), escaped_grains<3>(); }

// Few grains with a long reach among many of short: fast ones, large ones, one that has gone out of hand.
template <int D>
void few_of_long_reach() {
  for (const double speed : {30.0, 1e3, 1e9})
    for (const LookAhead ahead : {LookAhead{}, LookAhead{0.02, 0.0}}) {
      auto s = random_scene<D>(15, 600, 2.0, false);
      RandomStream random(7);
      for (const std::size_t i : {5u, 77u, 300u, 301u}) s.bodies.state.velocity[i] = random_vector<D>(random, speed);
      s.add({}, 20.0), s.add(Vec<D>{{30.0, 3.0}}, 15.0, {}, BodyKind::fixed);
      s.add(Vec<D>{{1e4, -1e5}}, 1.0, random_vector<D>(random, speed));
      s.bodies.parameters.kind[10] = BodyKind::removed;  // touches nothing
      s.bodies.parameters.kind[20] = BodyKind::driven;
      Search<D> search;
      const auto& x = s.bodies.state.position;
      Pairs expected = contacts(s, x, ahead);
      std::erase_if(expected, [](const auto& pair) { return pair.second == 10; });
      ASSERT_EQ(search(s, x, 0.01, ahead), expected) << "speed " << speed << " ahead " << ahead.time;
      EXPECT_GT(expected.size(), 200u);
    }
}
TEST(Neighbours, few_grains_of_long_reach_find_the_others) { few_of_long_reach<2>(), few_of_long_reach<3>(); }

// Fast erratic motion: at every step the lists, rebuilt only when they must be, give what a look at every pair gives.
template <int D>
void nothing_is_missed_in_motion(bool predictive, double speed, double ratio) {
  RandomStream random(14);
  auto s = random_scene<D>(14, 250, ratio, false);
  const double h = 0.01;
  const LookAhead ahead = predictive ? LookAhead{2 * h, 0.01} : LookAhead{};
  Search<D> search;
  auto& x = s.bodies.state.position;
  auto& v = s.bodies.state.velocity;
  const int steps = 200;
  std::size_t changes = 0;
  Pairs last;
  for (int n = 0; n < steps; ++n) {
    for (std::size_t i = 0; i < s.bodies.size(); ++i) {
      if (!s.bodies.is_free(i)) continue;
      v[i] += random_vector<D>(random, 0.3 * speed);
      if (random.uniform() < 0.002) v[i] = random_vector<D>(random, 20 * speed);  // a sudden blow
      v[i] *= 0.9;
      x[i] += h * v[i];
    }
    for (std::size_t w = 0; w < s.walls.size(); ++w) {
      s.wall_velocity[w] += random_vector<D>(random, 0.3 * speed);
      s.wall_shift[w] += h * s.wall_velocity[w];
    }
    const Pairs expected = contacts(s, x, ahead);
    ASSERT_EQ(search(s, x, h, ahead), expected) << "step " << n << " speed " << speed;
    changes += expected != last;
    last = expected;
  }
  EXPECT_GT(changes, 20u);
  EXPECT_LT(search.rebuilds, steps) << "the lists are never reused: the test would see nothing";
}
TEST(Neighbours, nothing_is_missed_while_discs_fly) {
  for (const bool predictive : {false, true})
    for (const double speed : {0.5, 5.0}) nothing_is_missed_in_motion<2>(predictive, speed, 3.0);
}
TEST(Neighbours, nothing_is_missed_while_balls_fly) {
  for (const bool predictive : {false, true})
    for (const double speed : {0.5, 5.0}) nothing_is_missed_in_motion<3>(predictive, speed, 20.0);
}

// A longer look ahead than the lists were built for makes them stale.
TEST(Neighbours, lists_follow_a_longer_look_ahead) {
  Scene<2> s;
  s.add({{0, 0}}, 1.0, {{1, 0}});
  s.add({{4, 0}}, 1.0, {{-1, 0}});
  s.add({WallShape::plane, {{0, -3}}, {{0, 1}}, 0.0});
  Search<2> search;
  const auto& x = s.bodies.state.position;
  for (const LookAhead ahead :
       {LookAhead{0.01, 0.0}, LookAhead{1.1, 0.0}, LookAhead{1.1, 2.5}, LookAhead{0.0, 2.5}, LookAhead{0.0, 0.1}})
    EXPECT_EQ(search(s, x, 0.01, ahead), contacts(s, x, ahead)) << ahead.time << ' ' << ahead.distance;
}

}  // namespace
}  // namespace moreau

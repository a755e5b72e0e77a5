// A contact is known by its two bodies: from one step to the next it keeps its impulse, carried along with its normal.
#include <gtest/gtest.h>

#include "contact/brute_force.hpp"

namespace moreau {
namespace {

using namespace brute_force;

template <int D>
ContactTable<D> table_of(const Pairs& pairs) {
  ContactTable<D> table;
  table.resize(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) table.a[i] = pairs[i].first, table.b[i] = pairs[i].second;
  return table;
}

template <int D>
void known_by_its_bodies() {
  RandomStream random(1);
  Scene<D> s;
  const double half = D == 2 ? 17.0 : 6.5;
  for (int i = 0; i < 300; ++i) s.add(random_vector<D>(random, half), 1.0, {}, i % 10 ? BodyKind::free : BodyKind::fixed);
  for (int d = 0; d < D; ++d) {
    Vec<D> normal{};
    normal[d] = 1.0;
    s.add({WallShape::plane, -half * normal, normal, 0.0});
    s.add({WallShape::plane, half * normal, -normal, 0.0});
  }
  Search<D> search;
  auto& x = s.bodies.state.position;
  const Pairs first = search(s, x, 0.01, {});
  ASSERT_GT(first.size(), 300u);
  for (const FoundContact& c : search.detector.found) EXPECT_EQ(c.recalled, -1);

  search.previous = table_of<D>(first);
  ASSERT_EQ(search(s, x, 0.01, {}), first);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(search.detector.found[i].recalled, static_cast<std::int32_t>(i));

  for (auto& y : x) y += random_vector<D>(random, 0.2);
  const Pairs now = search(s, x, 0.01, {});
  std::size_t kept = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto place = std::find(first.begin(), first.end(), now[i]);
    const bool known = place != first.end();
    EXPECT_EQ(search.detector.found[i].recalled, known ? static_cast<std::int32_t>(place - first.begin()) : -1);
    kept += known;
  }
  EXPECT_GT(kept, now.size() / 3);
  EXPECT_LT(kept, now.size());
}
TEST(Recall, contacts_of_discs_are_known_by_their_bodies) { known_by_its_bodies<2>(); }
TEST(Recall, contacts_of_balls_are_known_by_their_bodies) { known_by_its_bodies<3>(); }

TEST(Recall, grains_born_since_have_no_past) {
  Scene<2> s;
  for (int i = 0; i < 3; ++i) s.add({{1.9 * i, 0}}, 1.0);
  Search<2> search;
  search.previous = table_of<2>(search(s, s.bodies.state.position, 0.01, {}));
  s.add({{5.7, 0}}, 1.0);
  search(s, s.bodies.state.position, 0.01, {});
  ASSERT_EQ(search.detector.found.size(), 3u);
  EXPECT_EQ(search.detector.found[1].recalled, 1);
  EXPECT_EQ(search.detector.found[2].recalled, -1);
}

TEST(Recall, normal_part_turns_with_the_normal_and_tangential_part_is_projected) {
  RandomStream random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const Vec<3> m = normalized(random_vector<3>(random, 1)), n = normalized(m + random_vector<3>(random, 0.2));
    const Vec<3> p = random_vector<3>(random, 1), q = transported(p, m, n, 1.0), tangent = p - dot(p, m) * m;
    EXPECT_NEAR(dot(q, n), dot(p, m), 1e-14);
    EXPECT_LE(norm(q - dot(q, n) * n - (tangent - dot(tangent, n) * n)), 1e-14);
    EXPECT_LE(norm(transported(p, m, m, 0.25) - 0.25 * p), 1e-15);
  }
}

}  // namespace
}  // namespace moreau

// The geometric method in a periodic cell.
#include "moreau/engines/geometric/quasi_static.hpp"
#include "moreau/statics/rank.hpp"
#include "statics/cell_packing.hpp"

namespace moreau::geometric {

TEST(QuasiStatic, goes_from_one_isostatic_equilibrium_to_the_next_in_a_periodic_cell) {
  std::size_t events = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    statics::Packing<2> p = statics::packing_in_cell(7, seed, true);
    const statics::Finish finished = finish(p.model, p.state, p.load());
    ASSERT_TRUE(finished.isostatic) << finished.reason;
    Load<2> to = p.load();
    to.cell.row[1][1] += 0.4;
    const Event last = QuasiStatic<2>(p.model).follow(p.state, p.load(), to, [&](const Event& e, const State<2>& state) {
      if (!e.moved) return true;
      ++events;
      EXPECT_EQ(e.contacts, e.freedoms);
      EXPECT_LT(e.imbalance, 1e-11);
      EXPECT_LT(e.largest_gap, 1e-12);
      EXPECT_GT(e.work, 0.0);
      Neighbours<2> neighbours;
      for (const auto& c : statics::contacts_within(p.model, state, neighbours, 0.0)) EXPECT_GT(c.gap, -1e-11);
      return true;
    });
    EXPECT_EQ(last.failure, "") << seed;
  }
  EXPECT_GT(events, 5u);
}

TEST(QuasiStatic, goes_on_between_walls_of_a_cell_that_is_periodic_in_one_direction) {
  std::size_t events = 0;
  for (const std::uint64_t seed : {1, 2}) {
    statics::Packing<2> p = statics::packing_between_walls<2>(8, seed);
    const Load<2> from = p.load();
    const statics::Finish finished = finish(p.model, p.state, from);
    ASSERT_TRUE(finished.isostatic) << finished.reason << finished.contacts << " " << finished.freedoms;
    Load<2> to = from;
    const std::vector<statics::Pair> pairs = statics::pushing_pairs(p.state);
    to.force.assign(p.state.bodies.size(), Vec<2>{});  // two of the bodies that carry are pulled apart along the cell
    to.force[static_cast<std::size_t>(pairs.front().a)][0] = -0.6;
    to.force[static_cast<std::size_t>(pairs.back().a)][0] = 0.6;
    const Event last = QuasiStatic<2>(p.model).follow(p.state, from, to, [&](const Event& e, const State<2>& state) {
      if (!e.moved) return true;
      ++events;
      EXPECT_EQ(e.contacts, e.freedoms);
      EXPECT_LT(e.imbalance, 1e-11);
      EXPECT_GT(e.work, 0.0);
      Neighbours<2> neighbours;
      for (const auto& c : statics::contacts_within(p.model, state, neighbours, 0.0)) EXPECT_GT(c.gap, -1e-11);
      return true;
    });
    EXPECT_EQ(last.failure, "") << seed;
  }
  EXPECT_GT(events, 1u);
}

}  // namespace moreau::geometric

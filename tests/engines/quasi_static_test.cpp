// Biaxial compression of small frictionless packings by the geometric method (Combe 2001, chapter 4).
#include "moreau/engines/geometric/quasi_static.hpp"

#include "moreau/statics/rank.hpp"
#include "statics/packing.hpp"

namespace moreau::geometric {

using statics::Packing;
using statics::pressed_packing;

namespace {

template <int D>
std::vector<Event> carry(Packing<D>& p, double from, double to,
                         const std::function<void(const Event&, const State<D>&)>& look = {}) {
  std::vector<Event> events;
  const Event last = QuasiStatic<D>(p.model).carry(p.state, p.with_deviator(from), p.with_deviator(to),
                                                   [&](const Event& e, const State<D>& state) {
                                                     if (e.moved) events.push_back(e);
                                                     if (look) look(e, state);
                                                     return true;
                                                   });
  EXPECT_EQ(last.failure, "");
  return events;
}

template <int D>
double deepest_overlap(const Packing<D>& p, const State<D>& state) {
  Neighbours<D> neighbours;
  double least = 0.0;
  for (const auto& c : statics::contacts_within(p.model, state, neighbours, 0.0)) least = std::min(least, c.gap);
  return -least;
}

}  // namespace

TEST(QuasiStatic, every_event_of_a_biaxial_test_ends_in_an_exact_isostatic_equilibrium) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Packing<2> p = pressed_packing<2>(7, seed);
    ASSERT_TRUE(p.finished.isostatic) << p.finished.reason;
    double at = 0.0;
    const std::vector<Event> events = carry<2>(p, 0.0, 0.3, [&](const Event& e, const State<2>& state) {
      EXPECT_GE(e.at, at), at = e.at;
      if (!e.moved) return;
      EXPECT_EQ(e.contacts, e.freedoms);
      EXPECT_LT(e.imbalance, 1e-11);
      EXPECT_GT(e.least_force, -1e-11);
      EXPECT_LT(e.largest_gap, 1e-12);
      EXPECT_LT(deepest_overlap(p, state), 1e-10);
      const auto list = list_of(p.model, state, statics::pushing_pairs(state), p.with_deviator(0.3 * e.at));
      const statics::Degrees degrees = statics::degrees_of(matrix_of(p.model, state, list));
      EXPECT_EQ(degrees.hyperstatic(), 0);
      EXPECT_EQ(degrees.hypostatic(), 0);
    });
    EXPECT_GT(events.size(), 3u);
  }
}

}  // namespace moreau::geometric

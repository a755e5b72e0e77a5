// The geometric method between walls under weight, with answers by hand: two discs in a box narrower than both, the lower one
// against the left wall, the upper one between it and the right wall, and a force that pushes the upper one to the left.
#include "moreau/engines/geometric/quasi_static.hpp"
#include "statics/packing.hpp"

namespace moreau::geometric {

namespace {

constexpr double width = 2.2, lower = 0.7, upper = 0.5, gravity = 10.0;
const double across = width - lower - upper, up = std::sqrt((lower + upper) * (lower + upper) - across * across);

struct Box {
  statics::Packing<2> p;
  std::vector<Event> events;

  Box() {
    p.model.gravity = {{0.0, -gravity}};
    const auto wall = [&](const char* name, Vec<2> point, Vec<2> normal) {
      p.model.walls.push_back({name, {WallShape::plane, point, normal, 0.0}, 0, -1});
    };
    wall("floor", {}, {{0.0, 1.0}}), wall("left", {}, {{1.0, 0.0}}), wall("right", {{width, 0.0}}, {{-1.0, 0.0}});
    p.state.bodies.append(homogeneous_ball<2>({{lower + 0.01, lower + 0.02}}, lower, 1.0));
    p.state.bodies.append(homogeneous_ball<2>({{lower + across - 0.02, lower + up + 0.05}}, upper, 1.0));
    const statics::Finish f = finish(p.model, p.state, load(0.0));
    EXPECT_TRUE(f.isostatic) << f.reason;
    EXPECT_EQ(f.contacts, 4);
  }
  Load<2> load(double push) const {
    Load<2> l = p.load();
    l.force = {{}, {{-push, 0.0}}};
    return l;
  }
  double weight() const { return gravity * p.state.bodies.parameters.mass[1]; }
  // Pairs that push, with their forces.
  double force_between(std::int32_t a, std::int32_t b) const {
    const auto& table = p.state.contacts;
    for (std::size_t k = 0; k < table.size(); ++k)
      if (table.a[k] == a && table.b[k] == b) return dot(table.impulse[k], table.normal[k]) / p.model.time_step;
    return 0.0;
  }
  double push(double from, double to) {
    double work = 0.0;
    events.clear();
    const Event last = QuasiStatic<2>(p.model).follow(p.state, load(from), load(to), [&](const Event& e, const State<2>&) {
      if (e.moved) events.push_back(e), events.back().at = from + e.at * (to - from);
      work += e.work;
      return true;
    });
    EXPECT_EQ(last.failure, "");
    return work;
  }
  void expect_places(double x_lower, double x_upper) const {
    const auto& x = p.state.bodies.state.position;
    EXPECT_NEAR(x[0][0], x_lower, 1e-12);
    EXPECT_NEAR(x[0][1], lower, 1e-12);
    EXPECT_NEAR(x[1][0], x_upper, 1e-12);
    EXPECT_NEAR(x[1][1], lower + up, 1e-12);
  }
};

constexpr std::int32_t on_floor = ~0, on_left = ~1, on_right = ~2;

}  // namespace

TEST(QuasiStaticUnderWeight, forces_of_two_discs_between_walls_are_those_by_hand) {
  const Box box;
  box.expect_places(lower, width - upper);
  const double leans = box.weight() * across / up;
  EXPECT_NEAR(box.force_between(0, 1), box.weight() * (lower + upper) / up, 1e-11);
  EXPECT_NEAR(box.force_between(0, on_left), leans, 1e-11);
  EXPECT_NEAR(box.force_between(1, on_right), leans, 1e-11);
  EXPECT_NEAR(box.force_between(0, on_floor), box.weight() + gravity * box.p.state.bodies.parameters.mass[0], 1e-11);
}

// The upper disc leaves the right wall when the push bears its thrust, rolls over the lower one to the left wall and wedges it
// away to the right wall: the mirror image. Back again it goes at the opposite push, so that a cycle dissipates twice the work.
TEST(QuasiStaticUnderWeight, a_disc_rolls_over_the_other_when_its_thrust_on_the_wall_is_gone) {
  Box box;
  const double leans = box.weight() * across / up;
  const double there = box.push(0.0, 2.0 * leans);
  ASSERT_EQ(box.events.size(), 1u);
  EXPECT_NEAR(box.events[0].at, leans, 1e-11);
  EXPECT_EQ(box.events[0].list_changes, 2);
  EXPECT_EQ(box.events[0].contacts, box.events[0].freedoms);
  box.expect_places(width - lower, upper);
  EXPECT_NEAR(there, leans * (width - 2.0 * upper), 1e-10);
  EXPECT_NEAR(box.force_between(1, on_left), 3.0 * leans, 1e-11);
  EXPECT_NEAR(box.force_between(0, on_right), leans, 1e-11);
  const double back = box.push(2.0 * leans, -2.0 * leans);
  ASSERT_EQ(box.events.size(), 1u);
  EXPECT_NEAR(box.events[0].at, -leans, 1e-11);
  box.expect_places(lower, width - upper);
  EXPECT_NEAR(there + back, 2.0 * leans * (width - 2.0 * upper), 1e-10);
}

// A packing with weight, sheared between pressing walls: nobody is loose, since every disc has to be borne.
TEST(QuasiStaticUnderWeight, every_event_of_a_packing_ends_in_an_exact_equilibrium_that_bears_all_discs) {
  std::size_t events = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    statics::Packing<2> p = statics::pressed_packing<2>(7, seed, false);
    p.model.gravity = {{0.0, -0.02}};
    p.finished = finish(p.model, p.state, p.load());
    ASSERT_TRUE(p.finished.isostatic) << p.finished.reason;
    const Event last = QuasiStatic<2>(p.model).follow(
        p.state, p.with_deviator(0.0), p.with_deviator(0.2), [&](const Event& e, const State<2>& state) {
          if (!e.moved) return true;
          ++events;
          EXPECT_EQ(e.contacts, e.freedoms);
          EXPECT_LT(e.imbalance, 1e-11);
          EXPECT_GT(e.least_force, -1e-11);
          EXPECT_LT(e.largest_gap, 1e-12);
          EXPECT_GT(e.work, 0.0);
          const auto list = list_of(p.model, state, statics::pushing_pairs(state), p.with_deviator(0.2 * e.at));
          EXPECT_EQ(list.freedoms.body.size(), state.bodies.size());
          return true;
        });
    EXPECT_EQ(last.failure, "") << "seed " << seed;
  }
  EXPECT_GT(events, 5u);
}

}  // namespace moreau::geometric

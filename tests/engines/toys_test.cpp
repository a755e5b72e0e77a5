// The minimal examples of Combe 2001, sec. 3.5, with coordinates of our own: one disc pushed along a row of fixed discs, all of
// diameter 1, F_Y = 1 downwards. Windows and loops follow from geometry by hand.
#include <numbers>

#include "moreau/engines/geometric/quasi_static.hpp"
#include "statics/packing.hpp"

namespace moreau::geometric {

namespace {

struct Toy {
  statics::Packing<2> p;
  std::vector<Event> events;
  std::size_t disc;

  Toy(const std::vector<Vec<2>>& fixed, const Vec<2>& start) : p(statics::disc_among(fixed, start)), disc(fixed.size()) {
    statics::Finish f = finish(p.model, p.state, load(0.0));
    EXPECT_TRUE(f.isostatic) << f.reason;
  }
  Load<2> load(double x) const {
    Load<2> l;
    l.force.assign(disc + 1, Vec<2>{});
    l.force[disc] = {{x, -1.0}};
    return l;
  }
  Vec<2> place() const { return p.state.bodies.state.position[disc]; }
  // Events of the path with the force at which each happened; the energy that they dissipate.
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
};

void expect_place(const Toy& toy, double x, double y) {
  EXPECT_NEAR(toy.place()[0], x, 5e-7);
  EXPECT_NEAR(toy.place()[1], y, 5e-7);
}

}  // namespace

TEST(Toys, a_disc_on_two_leaves_when_the_force_passes_outside_their_normals) {
  for (const double width : {0.4, 1.2, 1.41421356, 1.9}) {
    Toy toy({{{0.0, 0.0}}, {{width, 0.0}}}, {{0.5 * width, std::sqrt(1.0 - 0.25 * width * width)}});
    const double cot = 0.5 * width / std::sqrt(1.0 - 0.25 * width * width);
    State<2> state = toy.p.state;
    const Event e = QuasiStatic<2>(toy.p.model).next(state, toy.load(0.0), toy.load(2.0 * cot), 0.0);
    EXPECT_NEAR(2.0 * cot * e.at, cot, 1e-12);
    EXPECT_NE(e.failure, "");
    EXPECT_EQ(state_hash(state), state_hash(toy.p.state)) << "a failed event leaves the last equilibrium";
  }
}

TEST(Toys, the_loop_of_two_pockets_dissipates_its_area) {
  Toy toy({{{0.0, 0.0}}, {{1.2, 0.0}}, {{2.2, 0.6}}}, {{0.6, 0.8}});
  const double loading = toy.push(0.0, 2.3);
  ASSERT_EQ(toy.events.size(), 1u);
  EXPECT_NEAR(toy.events[0].at, 0.75, 1e-12);
  expect_place(toy, 1.282022, 0.996631);
  const double unloading = toy.push(2.3, -0.7);
  ASSERT_EQ(toy.events.size(), 1u);
  EXPECT_NEAR(toy.events[0].at, -0.082299, 5e-7);
  expect_place(toy, 0.6, 0.8);
  EXPECT_NEAR(loading + unloading, 0.567646, 5e-7);
}

TEST(Toys, a_pocket_that_cannot_hold_is_passed_on_the_way_out_and_holds_on_the_way_back) {
  Toy toy({{{0.0, 0.0}}, {{1.2, 0.0}}, {{2.22, -0.07}}, {{3.17, 0.53}}}, {{0.6, 0.8}});
  double loop = toy.push(0.0, 2.2);
  ASSERT_EQ(toy.events.size(), 1u);
  EXPECT_NEAR(toy.events[0].at, 0.75, 1e-12);
  EXPECT_EQ(toy.events[0].list_changes, 2);
  expect_place(toy, 2.253244, 0.929447);
  loop += toy.push(2.2, -0.7);
  ASSERT_EQ(toy.events.size(), 2u);
  EXPECT_NEAR(toy.events[0].at, -0.033262, 5e-7);
  EXPECT_NEAR(toy.events[1].at, -0.691650, 5e-7);
  expect_place(toy, 0.6, 0.8);
  EXPECT_NEAR(loop, 2.064476, 5e-7);
}

// Rolling over the first disc the disc meets the other two at the same place. Whatever the order in which the method takes them,
// it stays there: the pair under it bears its weight, and so does the first disc with the last.
TEST(Toys, two_contacts_that_close_at_once_hold) {
  const auto at_angle = [](const Vec<2>& from, double degrees) {
    const double a = degrees / 180.0 * std::numbers::pi;
    return from + Vec<2>{{std::cos(a), std::sin(a)}};
  };
  const Vec<2> first{{0.0, 0.0}}, meeting = at_angle(first, 30.0);
  Toy toy({at_angle(at_angle(first, 95.0), 185.0), first, at_angle(meeting, -130.0), at_angle(meeting, -50.0)},
          at_angle(first, 95.0));
  toy.push(0.0, 0.5);
  ASSERT_FALSE(toy.events.empty());
  expect_place(toy, meeting[0], meeting[1]);
}

TEST(Toys, a_path_cut_into_pieces_is_the_same_path) {
  const std::vector<Vec<2>> fixed{{{0.0, 0.0}}, {{1.2, 0.0}}, {{2.22, -0.07}}, {{3.17, 0.53}}};
  Toy whole(fixed, {{0.6, 0.8}}), pieces(fixed, {{0.6, 0.8}});
  whole.push(0.0, 2.2);
  for (const auto& [from, to] : {std::pair{0.0, 0.4}, {0.4, 0.9}, {0.9, 2.2}}) pieces.push(from, to);
  EXPECT_NEAR(norm(whole.place() - pieces.place()), 0.0, 1e-13);
}

}  // namespace moreau::geometric

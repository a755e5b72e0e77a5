// Biaxial compression of small frictionless packings by the geometric method (Combe 2001, chapters 3 and 4).
#include "moreau/engines/geometric/quasi_static.hpp"

#include "moreau/dynamics/apparatus.hpp"
#include "moreau/statics/rank.hpp"
#include "statics/packing.hpp"

namespace moreau::geometric {

using statics::Packing;
using statics::pressed_packing;

namespace {

// Distance between the walls of a pair.
template <int D>
double width(const Model<D>& model, const State<D>& state, int d) {
  const std::vector<Vec<D>> shift = wall_shifts(model, state);
  const std::size_t low = static_cast<std::size_t>(2 * d), high = low + 1;
  return model.walls[high].geometry.point[d] + shift[high][d] - model.walls[low].geometry.point[d] - shift[low][d];
}

template <int D>
std::vector<Event> follow(Packing<D>& p, double from, double to,
                          const std::function<void(const Event&, const State<D>&, const State<D>&)>& look = {}) {
  std::vector<Event> events;
  State<D> before = p.state;
  const Event last = QuasiStatic<D>(p.model).follow(p.state, p.with_deviator(from), p.with_deviator(to),
                                                    [&](const Event& e, const State<D>& state) {
                                                      if (e.moved) events.push_back(e);
                                                      if (look) look(e, before, state);
                                                      before = state;
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

template <int D>
void expect_exact_equilibrium(const Packing<D>& p, const Event& e, const State<D>& state, double q) {
  EXPECT_EQ(e.contacts, e.freedoms);
  EXPECT_LT(e.imbalance, 1e-11);
  EXPECT_GT(e.least_force, -1e-11);
  EXPECT_LT(e.largest_gap, 1e-12);
  EXPECT_LT(deepest_overlap(p, state), 1e-11);
  const auto list = list_of(p.model, state, statics::pushing_pairs(state), p.with_deviator(q));
  const statics::Degrees degrees = statics::degrees_of(matrix_of(p.model, state, list));
  EXPECT_EQ(degrees.hyperstatic(), 0);
  EXPECT_EQ(degrees.hypostatic(), 0);
}

}  // namespace

TEST(QuasiStatic, every_event_of_a_biaxial_test_ends_in_an_exact_isostatic_equilibrium) {
  std::size_t events = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    Packing<2> p = pressed_packing<2>(10, seed);
    ASSERT_TRUE(p.finished.isostatic) << p.finished.reason;
    events += follow<2>(p, 0.0, 0.2, [&](const Event& e, const State<2>&, const State<2>& state) {
                if (e.moved) expect_exact_equilibrium(p, e, state, 0.2 * e.at);
              }).size();
  }
  EXPECT_GT(events, 12u);
}

// An event begins with a factor; the lists it passes through are updates of it.
TEST(QuasiStatic, factors_are_updated_when_the_list_changes) {
  int changes = 0, anew = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    Packing<2> p = pressed_packing<2>(10, seed);
    ASSERT_TRUE(p.finished.isostatic) << p.finished.reason;
    for (const Event& e : follow<2>(p, 0.0, 0.2)) changes += e.list_changes, anew += e.factorisations - 1;
  }
  EXPECT_GT(changes, 40);
  EXPECT_LT(anew, 0.1 * changes);
}

TEST(QuasiStatic, balls_in_space_go_from_one_isostatic_equilibrium_to_the_next) {
  Packing<3> p = pressed_packing<3>(4, 5);
  ASSERT_TRUE(p.finished.isostatic) << p.finished.reason;
  const auto events = follow<3>(p, 0.0, 0.3, [&](const Event& e, const State<3>&, const State<3>& state) {
    if (e.moved) expect_exact_equilibrium(p, e, state, 0.3 * e.at);
  });
  EXPECT_GT(events.size(), 1u);
}

// Where a motion cannot be followed, linear programs lead on from there. Here it is given up after one change of the list, which
// many events need more of: they too end in exact equilibria, and the load has worked on the way.
TEST(QuasiStatic, programs_lead_on_where_the_motion_is_given_up) {
  Settings hasty;
  hasty.most_list_changes = 1;
  int by_programs = 0;
  for (const std::uint64_t seed : {1, 2}) {
    Packing<2> p = pressed_packing<2>(10, seed);
    ASSERT_TRUE(p.finished.isostatic) << p.finished.reason;
    State<2> before = p.state;
    const auto look = [&](const Event& e, const State<2>& after) {
      if (e.programs > 0) {
        ++by_programs;
        const double q = 0.2 * e.at;
        expect_exact_equilibrium(p, e, after, q);
        EXPECT_GT(e.work, 0.0);
        const double across = std::log(width(p.model, before, 0) / width(p.model, after, 0));
        const double upright = std::log(width(p.model, before, 1) / width(p.model, after, 1));
        EXPECT_LE(-across - upright, q * upright + 1e-11);
      }
      before = after;
      return true;
    };
    const Event last = QuasiStatic<2>(p.model, hasty).follow(p.state, p.with_deviator(0.0), p.with_deviator(0.2), look);
    EXPECT_EQ(last.failure, "");
    EXPECT_EQ(last.at, 1.0);
  }
  EXPECT_GT(by_programs, 2);
}

// Combe 2001, eq. 3.17: the load works on every motion; with constant stresses that says how much the sample may grow.
TEST(QuasiStatic, no_event_dilates_by_more_than_the_deviator_pays_for) {
  for (const std::uint64_t seed : {4, 5, 6}) {
    Packing<2> p = pressed_packing<2>(10, seed);
    follow<2>(p, 0.0, 0.2, [&](const Event& e, const State<2>& before, const State<2>& after) {
      if (!e.moved) return;
      EXPECT_GT(e.work, 0.0);
      const double q = 0.2 * e.at;
      const double across = std::log(width(p.model, before, 0) / width(p.model, after, 0));
      const double upright = std::log(width(p.model, before, 1) / width(p.model, after, 1));
      EXPECT_LE(-across - upright, q * upright + 1e-11) << "q = " << q;
    });
  }
}

TEST(QuasiStatic, a_plateau_is_reversible_and_an_event_is_not) {
  for (const std::uint64_t seed : {7, 8, 9}) {
    Packing<2> p = pressed_packing<2>(10, seed);
    const State<2> start = p.state;
    State<2> probe = start;
    const Event first = QuasiStatic<2>(p.model).next(probe, p.load(), p.with_deviator(1.0), 0.0);
    ASSERT_TRUE(first.moved);
    // Within the plateau: up, and back.
    EXPECT_TRUE(follow<2>(p, 0.0, 0.99 * first.at).empty());
    EXPECT_EQ(p.state.bodies.state.position, start.bodies.state.position);
    EXPECT_TRUE(follow<2>(p, 0.99 * first.at, 0.0).empty());
    EXPECT_EQ(p.state.bodies.state.position, start.bodies.state.position);
    EXPECT_EQ(p.state.pistons[1].displacement, start.pistons[1].displacement);
    // Beyond it: under the load that was borne before it stays where it has come to; if it returns, then at a lower one, and the
    // cycle has cost work.
    double work = 0.0;
    for (const Event& e : follow<2>(p, 0.0, first.at + 1e-9)) work += e.work;
    EXPECT_TRUE(follow<2>(p, first.at + 1e-9, 0.99 * first.at).empty());
    EXPECT_GT(std::abs(p.state.pistons[1].displacement - start.pistons[1].displacement), 1e-4);
    for (const Event& e : follow<2>(p, 0.99 * first.at, 0.0)) work += e.work;
    EXPECT_GT(work, 1e-9);
  }
}

TEST(QuasiStatic, the_same_path_gives_the_same_bits_whole_or_resumed_between_events) {
  Packing<2> whole = pressed_packing<2>(10, 11), pieces = whole;
  follow<2>(whole, 0.0, 0.2);
  QuasiStatic<2> method(pieces.model);
  for (double at = 0.0;;) {
    State<2> copy = pieces.state;  // all that a checkpoint keeps
    const Event e = QuasiStatic<2>(pieces.model).next(copy, pieces.with_deviator(0.0), pieces.with_deviator(0.2), at);
    pieces.state = copy, at = e.at;
    if (!e.moved) break;
  }
  EXPECT_EQ(state_hash(whole.state), state_hash(pieces.state));
}

TEST(QuasiStatic, what_is_no_equilibrium_of_the_method_is_refused_in_words) {
  Packing<2> p = pressed_packing<2>(6, 1);
  const QuasiStatic<2> method(p.model);
  EXPECT_EQ(method.refusal(p.state, p.load()), "");
  EXPECT_EQ(method.refusal(p.state, p.with_deviator(5.0)), "the load lies outside the range that the list of contacts supports");
  State<2> fewer = p.state;
  fewer.contacts.impulse[0] = {};
  EXPECT_NE(method.refusal(fewer, p.load()).find("not isostatic"), std::string::npos);
  fewer.contacts.resize(0);
  EXPECT_EQ(method.refusal(fewer, p.load()), "no contact carries a force");
  State<2> thinner = p.state;
  for (double& r : thinner.bodies.parameters.radius) r *= 0.999;
  EXPECT_NE(method.refusal(thinner, p.load()).find("from touching"), std::string::npos) << method.refusal(thinner, p.load());
  for (std::uint64_t seed = 1;; ++seed) {  // until there is a body that carries nothing: into the place of another
    ASSERT_LT(seed, 10u);
    Packing<2> q = pressed_packing<2>(8, seed);
    const auto carries = list_of(q.model, q.state, statics::pushing_pairs(q.state), q.load()).freedoms;
    std::size_t loose = 0;
    while (loose < q.state.bodies.size() && (carries.takes_part(loose) || !q.state.bodies.is_free(loose))) ++loose;
    if (loose == q.state.bodies.size()) continue;
    EXPECT_EQ(QuasiStatic<2>(q.model).refusal(q.state, q.load()), "");
    q.state.bodies.state.position[loose] = q.state.bodies.state.position[carries.body[0]] + Vec<2>{{0.1, 0.0}};
    const std::string said = QuasiStatic<2>(q.model).refusal(q.state, q.load());
    EXPECT_NE(said.find("bodies overlap"), std::string::npos) << said;
    break;
  }
  Model<2> rough = p.model;
  rough.pair_laws[0].friction = 0.3;
  EXPECT_EQ(QuasiStatic<2>(rough).refusal(p.state, p.load()), "friction between 'grain' and 'grain' is 0.3");
}

}  // namespace moreau::geometric

// The geometric method as an engine: time is the parameter of the load.
#include "moreau/engines/geometric/geometric_engine.hpp"

#include "moreau/dynamics/body_energy.hpp"
#include "moreau/engines/geometric/quasi_static.hpp"
#include "statics/packing.hpp"

namespace moreau::geometric {

namespace {

// The stress of the last piston grows by q within the time 1.
statics::Packing<2> ramped(std::uint64_t seed, double q) {
  statics::Packing<2> p = statics::pressed_packing<2>(8, seed);
  p.model.time_step = 0.1;
  p.model.pistons.back().target.mean = 0.0;
  p.model.pistons.back().target.times = {0.0, 1.0};
  p.model.pistons.back().target.values = {1.0, 1.0 + q};
  return p;
}

}  // namespace

TEST(GeometricEngine, steps_lead_where_the_whole_path_leads) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    statics::Packing<2> stepped = ramped(seed, 0.3), whole = stepped;
    int events = 0, expected = 0;
    GeometricEngine<2> engine;
    engine.listen([&](const Event&, double time, const State<2>&) {
      ++events;
      EXPECT_GE(time, stepped.state.time);
    });
    for (int k = 1; k <= 10; ++k) {
      const StepReport report = engine.step(stepped.model, stepped.state);
      EXPECT_TRUE(report.certificate.converged);
      EXPECT_NEAR(report.time, 0.1 * k, 1e-12);
      EXPECT_NEAR(report.energy.error(), 0.0, 1e-12);
      EXPECT_EQ(report.energy.kinetic, 0.0);
    }
    QuasiStatic<2>(whole.model)
        .follow(whole.state, statics::load_at(whole.model, whole.state, 0.0), statics::load_at(whole.model, whole.state, 1.0),
                [&](const Event& e, const State<2>&) { return expected += e.moved, true; });
    EXPECT_EQ(events, expected);
    for (std::size_t p = 0; p < 2; ++p)
      EXPECT_NEAR(stepped.state.pistons[p].displacement, whole.state.pistons[p].displacement, 1e-10);
    EXPECT_EQ(statics::pushing_pairs(stepped.state), statics::pushing_pairs(whole.state));
  }
}

TEST(GeometricEngine, one_made_anew_for_every_step_gives_the_same_bits) {
  statics::Packing<2> one = ramped(5, 0.3), anew = one;
  GeometricEngine<2> engine;
  for (int k = 0; k < 10; ++k) engine.step(one.model, one.state), GeometricEngine<2>().step(anew.model, anew.state);
  EXPECT_EQ(state_hash(one.state), state_hash(anew.state));
}

// Radii that a phase changes, a little and by much: the contacts that push touch, and nothing overlaps.
TEST(GeometricEngine, contacts_that_push_are_brought_to_touch) {
  for (const double factor : {1.0 - 1e-9, 1.0 + 1e-6, 0.999, 1.01}) {
    statics::Packing<2> p = statics::pressed_packing<2>(6, 2);
    for (double& r : p.state.bodies.parameters.radius) r *= factor;
    GeometricEngine<2> engine;
    const StepReport report = engine.step(p.model, p.state);
    EXPECT_TRUE(report.certificate.converged) << factor << report.reason;
    EXPECT_EQ(QuasiStatic<2>(p.model).refusal(p.state, p.load()), "") << factor;
    EXPECT_LT(report.max_penetration, 1e-11) << factor;
    const std::vector<statics::Pair> pairs = statics::pushing_pairs(p.state);
    for (const auto& c : statics::contacts_of(p.model, p.state, std::span<const statics::Pair>(pairs)))
      EXPECT_LT(std::abs(c.gap), 1e-13) << factor;
  }
}

TEST(GeometricEngine, a_state_that_is_no_equilibrium_is_finished_first) {
  statics::Packing<2> p = statics::pressed_packing<2>(6, 2, false);
  GeometricEngine<2> engine;
  EXPECT_TRUE(engine.step(p.model, p.state).certificate.converged);
  EXPECT_EQ(QuasiStatic<2>(p.model).refusal(p.state, p.load()), "");
  p.model.pair_laws[0].friction = 0.3;
  EXPECT_FALSE(engine.step(p.model, p.state).certificate.converged);
}

// The load jumps beyond what the list bears: what the programs then do is an event, and the walls' work is theirs.
TEST(GeometricEngine, what_linear_programs_move_at_the_beginning_of_a_step_is_an_event_and_booked) {
  statics::Packing<2> p = statics::pressed_packing<2>(8, 4);
  p.model.time_step = 0.1;
  p.model.pistons.back().target.mean = 1.5;
  const statics::Load<2> load = p.load();
  const State<2> before = p.state;
  ASSERT_NE(QuasiStatic<2>(p.model).refusal(p.state, load), "");
  GeometricEngine<2> engine;
  std::vector<Event> events;
  engine.listen([&](const Event& e, double, const State<2>&) { events.push_back(e); });
  const StepReport report = engine.step(p.model, p.state);
  ASSERT_TRUE(report.certificate.converged) << report.reason;
  ASSERT_EQ(events.size(), 1u);
  EXPECT_TRUE(events[0].moved);
  EXPECT_EQ(events[0].contacts, events[0].freedoms);
  EXPECT_GT(events[0].programs, 0);
  EXPECT_EQ(events[0].first_opened.a, -1);
  EXPECT_GT(events[0].gained.size(), 0u);
  EXPECT_LT(events[0].imbalance, 1e-9);
  double work = 0.0;  // of the stresses on the faces as they were
  for (std::size_t k = 0; k < 2; ++k)
    work += 2.0 * load.piston[k] * (8.04 + 2.0 * 0.0 - 2.0 * before.pistons[1 - k].displacement) *
            (p.state.pistons[k].displacement - before.pistons[k].displacement);
  EXPECT_GT(work, 1e-6);
  EXPECT_NEAR(report.energy.wall_work, work, 1e-9 * work);
  EXPECT_NEAR(report.energy.dissipated, work, 1e-9 * work);
}

// Bodies in the air are led to the floor by their weight: walls that stand do no work.
TEST(GeometricEngine, weight_that_goes_down_is_dissipated_and_no_work_of_walls_that_stand) {
  statics::Packing<2> p;
  p.model.gravity = {{0.0, -10.0}};
  const auto wall = [&](const char* name, Vec<2> point, Vec<2> normal) {
    p.model.walls.push_back({name, {WallShape::plane, point, normal, 0.0}, 0, -1});
  };
  wall("floor", {}, {{0.0, 1.0}}), wall("left", {}, {{1.0, 0.0}}), wall("right", {{2.2, 0.0}}, {{-1.0, 0.0}});
  p.state.bodies.append(homogeneous_ball<2>({{0.75, 1.5}}, 0.7, 1.0));
  p.state.bodies.append(homogeneous_ball<2>({{1.6, 3.5}}, 0.5, 1.0));
  const double before = potential_energy(p.state.bodies, p.model.gravity);
  p.state.energy.potential = p.state.energy.initial = before;
  const StepReport report = GeometricEngine<2>().step(p.model, p.state);
  ASSERT_TRUE(report.certificate.converged) << report.reason;
  const double lost = before - potential_energy(p.state.bodies, p.model.gravity);
  EXPECT_GT(lost, 10.0);
  EXPECT_EQ(report.energy.wall_work, 0.0);
  EXPECT_NEAR(report.energy.dissipated, lost, 1e-12 * lost);
  EXPECT_NEAR(report.energy.error(), 0.0, 1e-12 * lost);
}

// A disc on two others, and nothing beyond: gravity tilts until it rolls away.
TEST(GeometricEngine, an_event_that_fails_is_none) {
  statics::Packing<2> p = statics::disc_among({{{0.0, 0.0}}, {{1.2, 0.0}}}, {{0.6, 0.8}});
  p.model.time_step = 0.1;
  p.model.gravity = {{0.0, -1.0}};
  ASSERT_TRUE(finish(p.model, p.state, p.load()).isostatic);
  GeometricEngine<2> engine;
  int told = 0;
  engine.listen([&](const Event&, double, const State<2>&) { ++told; });
  p.model.tilt.to = 1.5, p.model.tilt.rate = 15.0, p.model.tilt.axis = {{1.0}};
  EXPECT_FALSE(engine.step(p.model, p.state).certificate.converged);
  EXPECT_EQ(told, 0);
}

}  // namespace moreau::geometric

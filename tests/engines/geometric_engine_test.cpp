// The geometric method as an engine: time is the parameter of the load.
#include "moreau/engines/geometric/geometric_engine.hpp"

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

}  // namespace moreau::geometric

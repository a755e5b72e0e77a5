// The hash of a state sees every number of it.
#include <gtest/gtest.h>

#include <functional>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

TEST(StateHash, every_field_counts_and_every_bit_of_it) {
  auto s = Sample<3>(1e-3, {0.5, 0.0, 0.0}).floor().ball(at<3>(0, 0.5), 0.5).ball(at<3>(2, 0.5), 0.5);
  Source<3> source;
  source.rate = 1, source.start = 1, source.sizes.low = 0.1, source.density = 1.0;
  s.model.sources.push_back(source);
  auto simulation = s.start();
  simulation.step();
  const State<3> state = simulation.state();
  ASSERT_EQ(state.contacts.size(), 2u);
  const std::string hash = state_hash(state);
  EXPECT_EQ(hash.size(), 32u);
  EXPECT_EQ(state_hash(State<3>(state)), hash);

  const auto nudge = [](double& x) { x = std::nextafter(x, 1e300); };
  const std::function<void(State<3>&)> changes[] = {
      [&](auto& x) { nudge(x.time); },
      [&](auto& x) { ++x.step; },
      [&](auto& x) { nudge(x.impulse_time_step); },
      [&](auto& x) { nudge(x.bodies.parameters.radius[1]); },
      [&](auto& x) { nudge(x.bodies.parameters.mass[1]); },
      [&](auto& x) { nudge(x.bodies.parameters.inertia[1]); },
      [&](auto& x) { x.bodies.parameters.material[1] = 1; },
      [&](auto& x) { x.bodies.parameters.motion[1] = 0; },
      [&](auto& x) { x.bodies.parameters.kind[1] = BodyKind::fixed; },
      [&](auto& x) { nudge(x.bodies.parameters.birth[1]); },
      [&](auto& x) { nudge(x.bodies.parameters.origin[1][2]); },
      [&](auto& x) { nudge(x.bodies.state.position[1][2]); },
      [&](auto& x) { nudge(x.bodies.state.orientation[1].z); },
      [&](auto& x) { nudge(x.bodies.state.velocity[1][2]); },
      [&](auto& x) { x.bodies.state.velocity[1][0] = -x.bodies.state.velocity[1][0]; },  // also the sign of zero
      [&](auto& x) { nudge(x.bodies.state.spin[1][0]); },
      [&](auto& x) { x.contacts.a[0] = 7; },
      [&](auto& x) { x.contacts.b[0] = 7; },
      [&](auto& x) { nudge(x.contacts.gap[1]); },
      [&](auto& x) { nudge(x.contacts.normal[1][0]); },
      [&](auto& x) { nudge(x.contacts.impulse[1][2]); },
      [&](auto& x) { x.contacts.resize_law_rows(true, false); },
      [&](auto& x) { x.contacts.resize_law_rows(false, true); },
      [&](auto& x) { x.contacts.resize(1); },
      [&](auto& x) { std::swap(x.order[0], x.order[1]); },
      [&](auto& x) { ++x.sources[0].emitted; },
      [&](auto& x) { x.sources[0].random.next(); },
      [&](auto& x) { nudge(x.energy.wall_work); },
      [&](auto& x) { nudge(x.energy.dissipated); },
      [&](auto& x) { x.bodies.append({}); },
  };
  int k = 0;
  for (const auto& change : changes) {
    State<3> other = state;
    change(other);
    EXPECT_NE(state_hash(other), hash) << "change " << k;
    ++k;
  }
}

}  // namespace
}  // namespace moreau

// Steps made by the processor and by the loops of a card, run here in shuffled order, side by side.
#pragma once

#include <gtest/gtest.h>

#include "moreau/gpu/device.hpp"
#include "physics/sample.hpp"

namespace moreau::gpu {

// What a step leaves and says.
template <int D>
std::string story(const Simulation<D>& simulation, const StepReport& r) {
  const Certificate& c = r.certificate;
  char text[400];
  std::snprintf(text, sizeof(text), " %d sweeps, %a %a %a %a; %zu contacts, %zu open, %zu stick, %zu slide, %zu recalled; %a %a %a %a",
                c.sweeps, c.residual_rms, c.residual_max, c.unbalanced, c.velocity_scale, r.contacts, r.open, r.stick, r.slide,
                r.recalled, r.max_penetration, r.mean_penetration, r.unbalanced_force, r.max_speed);
  return state_hash(simulation.state()) + text;
}

// `before` steps by the processor; then `count` by both, which must be the same. Returns how many the card made: after such a
// step a body here is where it was.
// `swept`: those made here of which the card made the sweeps.
template <int D>
int compared_steps(const sample::Sample<D>& s, int before, int count, bool swept = false) {
  choose(Device::processor);
  Simulation<D> here = s.start(5);
  for (int n = 0; n < before; ++n) here.step();
  Simulation<D> there(s.model, here.state());
  int made = 0;
  for (int n = 0; n < count; ++n) {
    const StepReport report = here.step();
    const Vec<D> old = there.present().bodies.state.position[0];
    choose(Device::imitation);
    const StepReport report_there = there.step();
    choose(Device::processor);
    made += (swept ? report_there.swept_on_card : there.present().bodies.state.position[0] == old) ? 1 : 0;
    EXPECT_EQ(story(here, report), story(there, report_there)) << "step " << n;
    if (::testing::Test::HasFailure()) return made;
  }
  return made;
}

}  // namespace moreau::gpu

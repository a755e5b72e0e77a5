// Steps made by several ranks together leave the state and say the words of one process, bit for bit.
#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include "moreau/base/random.hpp"
#include "moreau/ranks/member.hpp"
#include "physics/sample.hpp"
#include "ranks/threads_as_ranks.hpp"

namespace moreau::ranks {
namespace {

using namespace sample;

template <int D>
Sample<D> box_of_grains(std::size_t count, int across, ContactRule rule, double restitution) {
  RandomStream random(11);
  Sample<D> s(5e-4, {restitution, restitution, 0.4});
  s.model.rule = rule;
  s.model.solver = {};
  for (int d = 0; d + 1 < D; ++d) {
    Vec<D> e{}, far{};
    e[d] = 1.0, far[d] = across * 1e-2;
    s.wall({}, e), s.wall(far, -e);
  }
  s.wall({}, at<D>(0, 1));
  fill_lattice<D>(s, random, count, across, 1e-2, 0.8, 0.99, 0.0, 0.3);
  return s;
}

template <int D>
std::string story(const State<D>& state, const StepReport& report) {
  const Certificate& c = report.certificate;
  char text[400];
  std::snprintf(text, sizeof(text), " %zu contacts, %zu recalled, %zu stick, %zu slide, %d sweeps, %d finished, %a, %a, %a, %a, %a, %a, %a", report.contacts,
                report.recalled, report.stick, report.slide, c.sweeps, c.factorisations, c.residual_rms, c.residual_max, c.unbalanced,
                c.velocity_scale, c.error, report.max_penetration, report.unbalanced_force);
  return state_hash(state) + text;
}

template <int D>
std::vector<std::string> alone(const Model<D>& model, const State<D>& start, int steps) {
  std::vector<std::string> stories;
  oneapi::tbb::task_arena(1).execute([&] {
    RigidEngine<D> engine;
    State<D> state = start;
    for (int n = 0; n < steps; ++n) {
      const StepReport report = engine.step(model, state);
      stories.push_back(story(state, report));
    }
  });
  return stories;
}

template <int D>
std::vector<std::string> together(int ranks, const Divider& divider, const Model<D>& model, const State<D>& start, int steps) {
  std::vector<std::string> stories;
  on_ranks(ranks, divider, [&](Communicator& communicator) {
    oneapi::tbb::task_arena(1).execute([&] {
      const bool leads = communicator.rank() == 0;
      State<D> state;
      if (leads) state = start;
      Member<D> member(communicator);
      member.begin(leads ? &state : nullptr);
      Orders<D> orders = orders_of(start);
      for (int n = 0; n < steps; ++n) {
        const StepReport report = member.step(model, orders);
        orders = orders_of(member.state());
        member.gather(leads ? &state : nullptr);
        if (!leads) continue;
        set_scalars(state, orders.scalars), state.pistons = orders.pistons;
        stories.push_back(story(state, report));
      }
    });
  });
  return stories;
}

template <int D>
State<D> after(const Sample<D>& s, int steps) {
  RigidEngine<D> engine;
  State<D> state;
  state.bodies = s.bodies;
  state.impulse_time_step = s.model.time_step;
  for (int n = 0; n < steps; ++n) engine.step(s.model, state);
  return state;
}

const Divider by_name = [](std::int32_t name, std::span<const double>) { return name % 3; };
Divider stripes(int ranks, double width) {
  return [=](std::int32_t, std::span<const double> x) { return std::clamp(static_cast<int>(x[0] / width * ranks), 0, ranks - 1); };
}

template <int D>
void compare(const Model<D>& model, const State<D>& start, int steps, int ranks, const Divider& divider) {
  const std::vector<std::string> expected = alone(model, start, steps), found = together(ranks, divider, model, start, steps);
  ASSERT_EQ(expected.size(), found.size());
  for (std::size_t n = 0; n < expected.size(); ++n) ASSERT_EQ(expected[n], found[n]) << "step " << n + 1;
}

TEST(SharedSteps, of_discs_from_the_start) {
  const Sample<2> s = box_of_grains<2>(40, 8, ContactRule::predictive, 0.0);
  const State<2> start = after(s, 0);
  compare(s.model, start, 60, 2, stripes(2, 8e-2));
  compare(s.model, start, 60, 3, by_name);
}

TEST(SharedSteps, of_discs_that_lie_in_a_box_with_sweeps_in_single_precision) {
  const Sample<2> s = box_of_grains<2>(900, 30, ContactRule::predictive, 0.0);
  const State<2> start = after(s, 480);
  compare(s.model, start, 30, 4, stripes(4, 0.3));
  compare(s.model, start, 25, 3, by_name);
}

TEST(SharedSteps, of_balls_that_bounce) {
  const Sample<3> s = box_of_grains<3>(300, 6, ContactRule::midpoint, 0.3);
  const State<3> start = after(s, 300);
  compare(s.model, start, 25, 3, stripes(3, 6e-2));
}

}  // namespace
}  // namespace moreau::ranks

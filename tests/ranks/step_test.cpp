// Steps made by several ranks together leave the state and say the words of one process, bit for bit; those with fast sweeps are solutions
// of the same problems, to the same tolerance.
#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include <bit>

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

// look(whole state after a step, report), on rank 0.
template <int D, class Look>
void make_together(int ranks, const Divider& divider, const Model<D>& model, const State<D>& start, int steps, Look&& look) {
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
        take_numbers(state, orders.numbers), state.pistons = orders.pistons;
        look(std::as_const(state), report);
      }
    });
  });
}

template <int D>
std::vector<std::string> together(int ranks, const Divider& divider, const Model<D>& model, const State<D>& start, int steps) {
  std::vector<std::string> stories;
  make_together(ranks, divider, model, start, steps,
                [&](const State<D>& state, const StepReport& report) { stories.push_back(story(state, report)); });
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

// Each division gives bodies to other ranks than the one before: bodies have moved since.
const Divider at_random = [](std::int32_t name, std::span<const double> x) {
  return static_cast<int>(mixed(static_cast<std::uint64_t>(name) + std::bit_cast<std::uint64_t>(x[0])) % 3);
};

TEST(SharedSteps, of_discs_that_migrate_at_random) {
  const Sample<2> s = box_of_grains<2>(120, 10, ContactRule::predictive, 0.0);
  State<2> start = after(s, 300);
  for (const std::uint64_t step : {497, 998}) {  // bodies are divided at 500 and 1000
    start.step = step;
    compare(s.model, start, 6, 3, at_random);
  }
}

TEST(SharedSteps, of_balls_that_bounce) {
  const Sample<3> s = box_of_grains<3>(300, 6, ContactRule::midpoint, 0.3);
  const State<3> start = after(s, 300);
  compare(s.model, start, 25, 3, stripes(3, 6e-2));
}

// Fast sweeps. What a step must be is checked from outside, on the states before and after it: momentum goes into bodies by their contacts
// and their weight alone, forces push and stay in their cones, nothing approaches any more that touches.
template <int D>
void expect_solution(const Model<D>& model, const State<D>& before, const State<D>& state, const StepReport& report) {
  EXPECT_TRUE(report.fast);
  EXPECT_TRUE(report.certificate.converged);
  EXPECT_LE(report.certificate.residual_rms, model.solver.tolerance * report.certificate.velocity_scale);
  const BodyParameters<D>& p = state.bodies.parameters;
  const BodyState<D>&then = before.bodies.state, &now = state.bodies.state;
  const double h = model.time_step;
  std::vector<Vec<D>> missing(state.bodies.size());
  double pushed = 0.0;
  for (std::size_t i = 0; i < missing.size(); ++i) missing[i] = p.mass[i] * (now.velocity[i] - then.velocity[i] - h * model.gravity);
  const ContactTable<D>& t = state.contacts;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const std::size_t a = static_cast<std::size_t>(t.a[i]);
    missing[a] -= t.impulse[i];
    if (!is_wall(t.b[i])) missing[static_cast<std::size_t>(t.b[i])] += t.impulse[i];
    const double normal = dot(t.normal[i], t.impulse[i]), shear = norm(t.impulse[i] - normal * t.normal[i]);
    EXPECT_GE(normal, 0.0);
    EXPECT_LE(shear, model.pair_laws[0].friction * normal * (1.0 + 1e-9) + 1e-18);
    pushed = std::max(pushed, norm(t.impulse[i]));
  }
  for (std::size_t i = 0; i < missing.size(); ++i) EXPECT_LE(norm(missing[i]), 1e-11 * pushed) << "body " << i;
}

// What the walls give, upwards, over the weight.
template <int D>
double weight_on_walls(const Model<D>& model, const State<D>& state) {
  double up = 0.0, weight = 0.0;
  const ContactTable<D>& t = state.contacts;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (is_wall(t.b[i])) up += t.impulse[i][D - 1];
  for (const double mass : state.bodies.parameters.mass) weight += mass * model.time_step * norm(model.gravity);
  return up / weight;
}

template <int D>
void expect_fast_solutions(Sample<D> s, int settled, int steps, int ranks, const Divider& divider) {
  const State<D> start = after(s, settled);
  s.model.solver.ranks = RankSweeps::fast;
  State<D> before = start, exact = start;
  std::vector<std::string> stories;
  double weight = 0.0;
  int sweeps = 0, exact_sweeps = 0;
  make_together(ranks, divider, s.model, start, steps, [&](const State<D>& state, const StepReport& report) {
    expect_solution(s.model, before, state, report);
    before = state, weight += weight_on_walls(s.model, state) / steps, sweeps += report.certificate.sweeps;
    stories.push_back(story(state, report));
  });
  double exact_weight = 0.0;
  RigidEngine<D> engine;
  for (int n = 0; n < steps; ++n) {
    exact_sweeps += engine.step(s.model, exact).certificate.sweeps;
    exact_weight += weight_on_walls(s.model, exact) / steps;
  }
  EXPECT_NE(state_hash(before), state_hash(exact));  // else the sweeps were not fast
  EXPECT_NEAR(weight, exact_weight, 5e-3);
  EXPECT_LE(sweeps, 2 * exact_sweeps);
  EXPECT_EQ(stories, together(ranks, divider, s.model, start, steps));  // a run made twice
}

TEST(FastSteps, of_discs_that_lie_in_a_box) {
  expect_fast_solutions(box_of_grains<2>(900, 30, ContactRule::predictive, 0.0), 480, 20, 4, stripes(4, 0.3));
}

TEST(FastSteps, of_discs_each_of_whose_neighbours_is_elsewhere) {
  expect_fast_solutions(box_of_grains<2>(300, 15, ContactRule::predictive, 0.0), 480, 20, 3, by_name);
}

TEST(FastSteps, of_balls) {
  expect_fast_solutions(box_of_grains<3>(300, 6, ContactRule::midpoint, 0.0), 600, 20, 3, stripes(3, 6e-2));
}

}  // namespace
}  // namespace moreau::ranks

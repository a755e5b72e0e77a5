// The same bits whatever the number of threads, wherever the run was cut and continued, whenever neighbour lists were rebuilt.
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include "engines_soft/soft_sample.hpp"
#include "moreau/base/random.hpp"

namespace moreau {
namespace {

using namespace soft_sample;

// Some 2000 grains fall on a shaken floor between walls, one of them a piston, and on a driven grain.
template <int D>
SoftSample<D> scene(Integrator integrator) {
  SoftSample<D> s(1e-4, soft_law(2e4, 0.3, 0.4, 1e4, 0.1), integrator, at<D>(0, -50.0));
  s.model.soft_laws[0].unloading_stiffness = 3e4;
  RandomStream random(11);
  const int across = D == 2 ? 50 : 13, count = D == 2 ? 2000 : 2197;
  Motion<D> shaking;
  shaking.kind = MotionKind::sinusoid, shaking.amplitude = at<D>(0, 0.1), shaking.frequency = 5.0;
  s.model.motions.push_back(shaking);
  s.wall({}, at<D>(0, 1), 0);
  for (int d = 0; d + 1 < D; ++d) {
    Vec<D> e{}, far{};
    e[d] = 1.0, far[d] = across;
    s.wall({}, e).wall(far, -e);
  }
  Piston<D> piston;
  piston.name = "side", piston.control = PistonControl::force, piston.mass = 100.0, piston.target.mean = 500.0;
  piston.walls = {{2, s.model.walls[2].geometry.direction}};
  s.model.pistons.push_back(piston);
  for (int k = 0; k < count; ++k) {
    Vec<D> x{}, v{};
    int rest = k;
    for (int d = 0; d < D; ++d) {
      const int site = d + 1 < D ? rest % across : rest;
      rest /= across;
      x[d] = site + 0.5, v[d] = random.uniform(-1, 1);
    }
    const double radius = random.uniform(0.495, 0.515);
    s.ball(x, radius, v, {}, ball_mass<D>(radius, 1.0));
  }
  s.state.bodies.parameters.kind[7] = BodyKind::driven, s.state.bodies.parameters.motion[7] = 0;
  return s;
}

constexpr int steps = 150;

template <int D>
void same_bits_on_any_number_of_threads(Integrator integrator) {
  const oneapi::tbb::global_control allow(oneapi::tbb::global_control::max_allowed_parallelism, 8);
  std::string reference;
  for (const int threads : {1, 2, 3, 7}) {
    oneapi::tbb::task_arena arena(threads);
    const std::string hash = arena.execute([&] {
      auto s = scene<D>(integrator);
      const StepReport report = s.steps(steps);
      EXPECT_GT(report.contacts, 1000u);
      EXPECT_GT(report.slide, 0u);
      EXPECT_GT(report.stick, 0u);
      return state_hash(s.state);
    });
    if (threads == 1) reference = hash;
    EXPECT_EQ(hash, reference) << threads << " threads";
  }
}
TEST(SoftDeterminism, same_bits_on_any_number_of_threads_for_discs) { same_bits_on_any_number_of_threads<2>(Integrator::gear); }
TEST(SoftDeterminism, same_bits_on_any_number_of_threads_for_balls) { same_bits_on_any_number_of_threads<3>(Integrator::verlet); }

// A copy of the state is all that the next engine gets.
template <int D>
void cut_and_continued(Integrator integrator) {
  auto whole = scene<D>(integrator), cut = scene<D>(integrator);
  whole.steps(steps);
  for (const int part : {1, 49, 100}) {
    SoftSample<D> next = scene<D>(integrator);
    next.state = cut.state;
    next.steps(part);
    cut.state = next.state;
  }
  EXPECT_EQ(state_hash(cut.state), state_hash(whole.state));
}
TEST(SoftDeterminism, same_bits_when_cut_and_continued_for_discs) { cut_and_continued<2>(Integrator::verlet); }
TEST(SoftDeterminism, same_bits_when_cut_and_continued_for_balls) { cut_and_continued<3>(Integrator::gear); }

TEST(SoftDeterminism, the_hash_sees_what_contacts_and_bodies_remember) {
  auto s = scene<2>(Integrator::gear);
  s.steps(60);
  const State<2> state = s.state;
  ASSERT_FALSE(state.contacts.spring.empty());
  const std::string hash = state_hash(state);
  const auto nudge = [](double& x) { x = std::nextafter(x, 1e300); };
  const std::function<void(State<2>&)> changes[] = {
      [&](auto& x) { nudge(x.contacts.spring[3][0]); },
      [&](auto& x) { nudge(x.contacts.deepest[3]); },
      [&](auto& x) { nudge(x.integration.remainder[5][1]); },
      [&](auto& x) { nudge(x.integration.acceleration[5][1]); },
      [&](auto& x) { nudge(x.integration.jerk[5][1]); },
      [&](auto& x) { nudge(x.integration.spin_acceleration[5][0]); },
      [&](auto& x) { nudge(x.integration.spin_jerk[5][0]); },
      [&](auto& x) { nudge(x.integration.piston_acceleration[0]); },
      [&](auto& x) { nudge(x.integration.piston_jerk[0]); },
      [&](auto& x) { nudge(x.integration.cell_remainder[0][0]); },
      [&](auto& x) { nudge(x.integration.gradient_rate[0][0]); },
      [&](auto& x) { nudge(x.integration.dissipated_power); },
      [&](auto& x) { nudge(x.integration.wall_power); },
      [&](auto& x) { ++x.integration.step; },
      [&](auto& x) { nudge(x.energy.elastic); },
  };
  int k = 0;
  for (const auto& change : changes) {
    State<2> other = state;
    change(other);
    EXPECT_NE(state_hash(other), hash) << "change " << k++;
  }
}

}  // namespace
}  // namespace moreau

// The loops of a graphics card, run here one index after the other in shuffled order, give the bits of the solver's own loops.
#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "moreau/gpu/device.hpp"
#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

constexpr std::size_t many = 1024;  // contacts, from which on single precision is used

// Grains that fall into a box.
template <int D>
Sample<D> box_of_grains(const SolverSettings& settings, double friction) {
  RandomStream random(11);
  Sample<D> s(5e-4, {0.0, 0.0, friction});
  s.model.solver = settings;
  const int across = D == 2 ? 30 : 8;
  for (int d = 0; d + 1 < D; ++d) {
    Vec<D> e{}, far{};
    e[d] = 1.0, far[d] = across * 1e-2;
    s.wall({}, e), s.wall(far, -e);
  }
  s.wall({}, at<D>(0, 1));
  fill_lattice<D>(s, random, D == 2 ? 900 : 640, across, 1e-2, 0.8, 0.99, 0.0, 0.05);
  return s;
}

// What a step leaves and says.
template <int D>
std::string story(const Simulation<D>& simulation, const StepReport& report) {
  const Certificate& c = report.certificate;
  char text[160];
  std::snprintf(text, sizeof(text), " %d sweeps, %a, %a, %a, %a", c.sweeps, c.residual_rms, c.residual_max, c.unbalanced,
                c.velocity_scale);
  return state_hash(simulation.state()) + text;
}

// 500 steps bring the grains together; the last of them, and some after them, are made on both.
template <int D>
void compare(const SolverSettings& settings, double friction) {
  gpu::choose(gpu::Device::processor);
  Sample<D> s = box_of_grains<D>(settings, friction);
  Simulation<D> here = s.start();
  for (int n = 0; n < 500; ++n) here.step();
  gpu::choose(gpu::Device::imitation);
  Simulation<D> there(s.model, here.state());
  gpu::choose(gpu::Device::processor);
  for (int n = 0; n < 12; ++n) {
    const StepReport report = here.step();
    EXPECT_GT(report.contacts, many);
    gpu::choose(gpu::Device::imitation);
    const StepReport report_there = there.step();
    gpu::choose(gpu::Device::processor);
    ASSERT_EQ(story(here, report), story(there, report_there)) << "step " << n;
  }
}

TEST(SweepsOfACard, have_the_bits_of_the_processor_in_space) { compare<3>({}, 0.4); }
TEST(SweepsOfACard, have_the_bits_of_the_processor_in_the_plane) { compare<2>({}, 0.3); }
TEST(SweepsOfACard, have_the_bits_of_the_processor_without_single_precision) {
  compare<3>({.mixed_precision = false}, 0.4);
}
TEST(SweepsOfACard, have_the_bits_of_the_processor_without_extrapolation) { compare<2>({.momentum = false}, 0.4); }
TEST(SweepsOfACard, have_the_bits_of_the_processor_in_many_sweeps) {
  compare<2>({.tolerance = 1e-7, .unbalanced_tolerance = 1e-6, .max_sweeps = 400}, 0.5);
}
TEST(SweepsOfACard, have_the_bits_of_the_processor_without_friction) {
  compare<3>({.tolerance = 1e-5, .unbalanced_tolerance = 1e-3}, 0.0);
}

}  // namespace
}  // namespace moreau

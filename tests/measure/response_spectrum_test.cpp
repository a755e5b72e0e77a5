// Oscillators whose answer is known in closed form.
#include "moreau/measure/motion/response_spectrum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace moreau::measure {
namespace {

TEST(ResponseSpectrum, sudden_constant_acceleration_is_answered_twice) {
  for (const double T : {0.1, 0.7, 3.0}) {
    const auto s = response_spectrum({0.0, 10.0 * T}, {2.0, 2.0}, {T}, 0.0);
    EXPECT_NEAR(s[0].acceleration, 4.0, 4.0 * 0.001);
    const auto damped = response_spectrum({0.0, 10.0 * T}, {2.0, 2.0}, {T}, 0.05);
    EXPECT_NEAR(damped[0].acceleration, 2.0 * (1.0 + std::exp(-0.05 * std::numbers::pi / std::sqrt(1.0 - 0.0025))), 0.005);
  }
}

TEST(ResponseSpectrum, peaks_between_samples_are_found) {
  // A short pulse of constant acceleration: free swing with the amplitude 2 sin(pi t / T) of it, whenever its peak comes.
  for (const double T : {1.7, 2.3, 3.03, 3.7}) {
    const auto s = response_spectrum({0.0, 0.5, 0.5000001, 1.0}, {1.0, 1.0, 0.0, 0.0}, {T}, 0.0);
    EXPECT_NEAR(s[0].acceleration, 2.0 * std::sin(std::numbers::pi * 0.5 / T), 1e-4) << T;
  }
}

TEST(ResponseSpectrum, stiff_oscillators_follow_the_ground) {
  std::vector<double> t, a;
  for (int i = 0; i <= 1000; ++i) t.push_back(0.01 * i), a.push_back(3.0 * std::sin(2.0 * t.back()));
  EXPECT_NEAR(response_spectrum(t, a, {0.02}, 0.05)[0].acceleration, 3.0, 0.01);
}

TEST(ResponseSpectrum, resonance_is_limited_by_damping) {
  std::vector<double> t, a;  // sixty periods of 1 s: the steady answer a / (2 z)
  for (int i = 0; i <= 6000; ++i) t.push_back(0.01 * i), a.push_back(std::sin(2.0 * std::numbers::pi * t.back()));
  EXPECT_NEAR(response_spectrum(t, a, {1.0}, 0.05)[0].acceleration, 10.0, 0.05);
}

TEST(ResponseSpectrum, soft_oscillators_stay_while_the_ground_moves) {
  std::vector<double> t, a;  // ground displacement 1 - cos, returns to rest after one period of 1 s
  for (int i = 0; i <= 1000; ++i)
    t.push_back(0.001 * i), a.push_back(4.0 * std::numbers::pi * std::numbers::pi * std::cos(2.0 * std::numbers::pi * t.back()));
  EXPECT_NEAR(response_spectrum(t, a, {500.0}, 0.0)[0].displacement, 2.0, 0.03);
  // However soft: the ground moves by 2, whatever its points are in parts of a period.
  for (const double T : {1e4, 1e5, 1e6}) {
    EXPECT_NEAR(response_spectrum(t, a, {T}, 0.0)[0].displacement, 2.0, 2e-3) << T;
    EXPECT_NEAR(response_spectrum(t, a, {T}, 0.05)[0].displacement, 2.0, 2e-3) << T;
  }
}

}  // namespace
}  // namespace moreau::measure

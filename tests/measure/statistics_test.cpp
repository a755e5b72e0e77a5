// Fabric, orientations, laws of forces, mobilisation, Kolmogorov-Smirnov.
#include <gtest/gtest.h>

#include <numbers>

#include "measure/small_sample.hpp"
#include "moreau/base/random.hpp"
#include "moreau/measure/contacts/fabric.hpp"
#include "moreau/measure/contacts/force_distribution.hpp"
#include "moreau/measure/contacts/mobilisation.hpp"
#include "moreau/measure/packing/orientation.hpp"

namespace moreau::measure {
namespace {

using std::numbers::pi;

// One disc, touched from the given directions with the given forces.
SmallSample<2> touched(const std::vector<double>& angles, const std::vector<double>& forces) {
  SmallSample<2> s;
  const auto disc = s.body({{0, 0}}, 1.0), other = s.body({{9, 9}}, 1.0, BodyKind::fixed);
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const Vec<2> n{{std::cos(angles[i]), std::sin(angles[i])}};
    s.contact_at(disc, other, -n, n, forces[i] * n);
  }
  return s;
}

TEST(Fabric, three_normals_by_hand) {
  // n along x twice, along y once: F = diag(2/3, 1/3), anisotropy 2/3 along x.
  const SmallSample<2> s = touched({0, pi, pi / 2}, {1, 1, 1});
  const Fabric<2> f = fabric(s.sample(), select_contacts(s.sample(), everywhere<2>(), Strength::all));
  EXPECT_NEAR(f.tensor(0, 0), 2.0 / 3, 1e-14);
  EXPECT_NEAR(f.tensor(1, 1), 1.0 / 3, 1e-14);
  EXPECT_NEAR(f.anisotropy, 2.0 / 3, 1e-14);
  EXPECT_NEAR(std::abs(f.direction[0]), 1.0, 1e-14);
}

TEST(Fabric, in_space_the_axis_apart_from_the_other_two_counts) {
  SmallSample<3> s;
  const auto ball = s.body({{0, 0, 0}}, 1.0), other = s.body({{9, 9, 9}}, 1.0, BodyKind::fixed);
  for (const Vec<3>& n : {Vec<3>{{1, 0, 0}}, Vec<3>{{0, 1, 0}}}) s.contact_at(ball, other, -n, n, n);
  const Fabric<3> f = fabric(s.sample(), {0, 1});
  EXPECT_NEAR(f.anisotropy, -2.5, 1e-14);  // nothing along z: 5 (0 - 1) / 2
  EXPECT_NEAR(std::abs(f.direction[2]), 1.0, 1e-14);
}

TEST(ContactSelection, weak_and_strong_are_split_at_the_mean) {
  const SmallSample<2> s = touched({0, 1, 2, 3}, {1, 1, 1, 5});  // mean 2
  EXPECT_EQ(select_contacts(s.sample(), everywhere<2>(), Strength::weak).size(), 3u);
  EXPECT_EQ(select_contacts(s.sample(), everywhere<2>(), Strength::strong), std::vector<std::size_t>{3});
}

TEST(ContactSelection, directions_are_those_between_free_bodies) {
  SmallSample<2> s;
  const auto one = s.body({{0, 1}}, 1.0), two = s.body({{2, 1}}, 1.0), fixed = s.body({{4, 1}}, 1.0, BodyKind::fixed),
             driven = s.body({{-2, 1}}, 1.0, BodyKind::driven), floor = s.plane({{0, 0}}, {{0, 1}});
  s.contact(two, one, 1.0), s.contact(two, fixed, 1.0), s.contact(one, driven, 1.0), s.contact(one, floor, 1.0);
  EXPECT_EQ(select_directions(s.sample(), everywhere<2>(), Strength::all, false), std::vector<std::size_t>{0});
  EXPECT_EQ(select_directions(s.sample(), everywhere<2>(), Strength::all, true).size(), 4u);
}

TEST(Orientation, angles_lie_between_minus_and_plus_a_right_angle) {
  const SmallSample<2> s = touched({0.3, 0.3 + pi, -2.0, pi / 2}, {1, 1, 1, 1});
  const std::vector<double> t = contact_angles(s.sample(), {0, 1, 2, 3});
  EXPECT_NEAR(t[0], 0.3, 1e-12);
  EXPECT_NEAR(t[1], 0.3, 1e-12);
  EXPECT_NEAR(t[2], pi - 2.0, 1e-12);
  EXPECT_NEAR(t[3], -pi / 2, 1e-12);
}

// Draws from 1 + a cos 2(t - t0) + b cos 4(t - u0) by rejection.
std::vector<double> drawn_angles(int n, double a, double t0, double b, double u0) {
  RandomStream random(11);
  std::vector<double> angles;
  while (static_cast<int>(angles.size()) < n) {
    const double t = random.uniform(-pi / 2, pi / 2);
    if (random.uniform(0, 1 + a + b) < 1 + a * std::cos(2 * (t - t0)) + b * std::cos(4 * (t - u0))) angles.push_back(t);
  }
  return angles;
}

TEST(Orientation, fourier_fit_finds_the_law_the_angles_were_drawn_from) {
  const OrientationFit f = fit_orientations<2>(drawn_angles(20000, 0.3, -0.7, 0.0, 0.0), 36);
  EXPECT_NEAR(f.a2, 0.3, 3 * f.uncertainty2);
  EXPECT_NEAR(f.t2, -0.7, 0.05);
  EXPECT_NEAR(f.a4, 0.0, 3 * f.uncertainty4);
  EXPECT_LT(f.likelihood0, 1e-6);
  EXPECT_GT(f.likelihood2, 0.01);
}

TEST(Orientation, order_two_is_rejected_where_the_law_is_of_order_four) {
  const OrientationFit f = fit_orientations<2>(drawn_angles(20000, 0.1, 0.2, 0.3, 0.4), 36);
  EXPECT_NEAR(f.a4, 0.3, 3 * f.uncertainty4);
  EXPECT_NEAR(f.t4, 0.4, 0.03);
  EXPECT_LT(f.likelihood2, 1e-6);
  EXPECT_GT(f.likelihood4, 0.01);
}

TEST(Orientation, histogram_holds_every_contact_and_its_fit_has_mean_one) {
  const std::vector<double> angles = drawn_angles(500, 0.3, 0.1, 0.1, 0.2);
  const OrientationHistogram h = orientation_histogram<2>(angles, 18);
  std::size_t count = 0;
  double density = 0.0, order2 = 0.0, order4 = 0.0;
  for (std::size_t i = 0; i < 18; ++i) count += h.count[i], density += h.density[i], order2 += h.order2[i], order4 += h.order4[i];
  EXPECT_EQ(count, 500u);
  EXPECT_NEAR(density / 18, 1.0, 1e-12);
  EXPECT_NEAR(order2 / 18, 1.0, 1e-12);
  EXPECT_NEAR(order4 / 18, 1.0, 1e-12);
}

TEST(Orientation, directions_in_space_without_preference_are_even_in_classes_of_equal_solid_angle) {
  RandomStream random(5);
  std::vector<double> even, steep;
  for (int i = 0; i < 20000; ++i) even.push_back(std::acos(random.uniform()));
  while (steep.size() < 20000) {  // 1 + 0.5 P2
    const double x = random.uniform();
    if (random.uniform(0, 1.5) < 1 + 0.5 * 0.5 * (3 * x * x - 1)) steep.push_back(std::acos(x));
  }
  EXPECT_GT(fit_orientations<3>(even, 20).likelihood0, 0.01);
  const OrientationFit f = fit_orientations<3>(steep, 20);
  EXPECT_NEAR(f.a2, 0.5, 3 * f.uncertainty2);
  EXPECT_GT(f.likelihood2, 0.01);
  EXPECT_LT(f.likelihood0, 1e-6);
}

TEST(KolmogorovSmirnov, distance_by_hand) {
  // 0.1, 0.2, 0.9 against the uniform law: the largest distance is after 0.2, 2/3 - 0.2.
  EXPECT_NEAR(compare_with_law({0.9, 0.1, 0.2}, [](double x) { return x; }).distance, 2.0 / 3 - 0.2, 1e-14);
  EXPECT_NEAR(compare_samples({1, 2, 3}, {2.5, 3.5}).distance, 2.0 / 3, 1e-14);
}

TEST(KolmogorovSmirnov, tabulated_limits) {  // Q(1.358) = 0.05, Q(1.628) = 0.01 for many values
  EXPECT_NEAR(kolmogorov_likelihood(1.358e-4, 1e8), 0.05, 2e-4);
  EXPECT_NEAR(kolmogorov_likelihood(1.628e-4, 1e8), 0.01, 1e-4);
}

TEST(KolmogorovSmirnov, rejects_one_time_in_twenty) {
  RandomStream random(3);
  int rejected = 0;
  for (int k = 0; k < 2000; ++k) {
    std::vector<double> x(50);
    for (double& v : x) v = random.uniform();
    rejected += compare_with_law(x, [](double v) { return v; }).likelihood < 0.05 ? 1 : 0;
  }
  EXPECT_NEAR(rejected, 100, 35);
}

TEST(ForceDistribution, exponential_forces_have_a_tail_of_exponent_one) {
  RandomStream random(1);
  std::vector<double> f(20000);
  for (double& v : f) v = -3.0 * std::log(1.0 - random.uniform());
  const std::vector<double> x = divided_by_mean(f);
  const TailFit tail = fit_exponential_tail(x);
  EXPECT_NEAR(tail.exponent, 1.0, 3 * tail.uncertainty);
  EXPECT_GT(tail.test.likelihood, 0.01);
  const PowerExponential law = fit_power_exponential(x);  // b = 0, c = 1, d = 1
  EXPECT_NEAR(law.b, 0.0, 0.03);
  EXPECT_NEAR(law.d, 1.0, 0.03);
  EXPECT_NEAR(law.c, 1.0, 0.05);
  EXPECT_LT(test_exponential_tail(x, 1.4).likelihood, 1e-6);  // not the published exponent of frictional packings
}

TEST(ForceDistribution, published_law_is_found_again_in_forces_drawn_from_it) {
  const PowerExponential law = published_bulk_law();
  RandomStream random(2);
  std::vector<double> x(100000);
  for (double& v : x) {  // inversion by bisection
    const double u = random.uniform();
    double low = 0.0, high = 20.0;
    while (high - low > 1e-9) (law.cumulative(0.5 * (low + high)) < u ? low : high) = 0.5 * (low + high);
    v = 0.5 * (low + high);
  }
  double mean = 0.0;
  for (const double v : x) mean += v / 100000;
  EXPECT_NEAR(mean, 0.9965, 0.007);  // the published parameters have nearly the published mean force (and norm 1.002)
  EXPECT_GT(compare_with_law(x, [&](double v) { return law.cumulative(v); }).likelihood, 0.01);
  const PowerExponential found = fit_power_exponential(x);
  EXPECT_NEAR(found.b, law.b, 0.03);
  EXPECT_NEAR(found.d, law.d, 0.08);
  EXPECT_LT(fit_exponential_tail(x, 2.7).test.likelihood, 0.05);  // a pure exponential beyond f = 2 p a is rejected, as published
  const TailFit small = fit_small_power(x);
  EXPECT_NEAR(small.exponent, 0.172, 0.06);
}

TEST(ForceDistribution, density_is_the_derivative_of_the_cumulative_law) {
  const PowerExponential law{0.3, 0.8, 1.7};
  for (const double x : {0.1, 0.7, 1.5, 3.0})
    EXPECT_NEAR(law.density(x), (law.cumulative(x + 1e-5) - law.cumulative(x - 1e-5)) / 2e-5, 1e-8);
  const ForceHistogram h = force_histogram({0.1, 0.2, 1.1, 1.9}, 2, 2.0);
  EXPECT_EQ(h.count, (std::vector<std::size_t>{2, 2}));
  EXPECT_DOUBLE_EQ(h.density[0], 0.5);
}

TEST(ForceDistribution, statistics_by_hand) {
  const ForceStatistics s = force_statistics({1, 1, 1, 5});
  EXPECT_DOUBLE_EQ(s.mean, 2.0);
  EXPECT_DOUBLE_EQ(s.deviation, std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(s.share_above_mean, 0.25);
}

TEST(Mobilisation, two_contacts_by_hand) {
  SmallSample<2> s;
  s.friction() = 0.5;
  const auto floor = s.plane({{0, 0}}, {{0, 1}});
  s.contact(s.body({{0, 1}}, 1), floor, 4.0, {{1.0, 0}});   // 1 / (0.5 4) = 0.5
  s.contact(s.body({{5, 1}}, 1), floor, 2.0, {{-1.0, 0}});  // all of it
  const Mobilisation m = mobilisation(s.sample(), {0, 1});
  EXPECT_DOUBLE_EQ(m.mean, 0.75);
  EXPECT_EQ(m.sliding, 1u);
  EXPECT_DOUBLE_EQ(m.force_weighted, 2.0 / 3.0);
}

}  // namespace
}  // namespace moreau::measure

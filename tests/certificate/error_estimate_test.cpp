// The estimate of the error of a step against the true one, on a population of steps (population.hpp): iterates of plain sweeps
// from 1 to 400, part by part. The scatter is written to the file named by MOREAU_POPULATION, for the figure of docs/theory.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "certificate/population.hpp"
#include "moreau/solver/error_estimate.hpp"

namespace moreau {
namespace {

using namespace population;

template <int D>
double kinetic_distance(const StepSystem<D>& s, const std::vector<double>& x, const std::vector<double>& y) {
  constexpr int F = StepSystem<D>::freedoms;
  double sum = 0.0;
  for (std::size_t b = 0; b < s.bodies.size(); ++b) {
    const StepBody<D>& body = s.bodies[b];
    Eigen::Matrix<double, spin_dimension<D>, spin_dimension<D>> turning;
    Eigen::Matrix<double, spin_dimension<D>, 1> spin;
    for (int i = 0; i < spin_dimension<D>; ++i) {
      spin[i] = x[F * b + D + i] - y[F * b + D + i];
      for (int j = 0; j < spin_dimension<D>; ++j) turning(i, j) = body.inverse_inertia[i][j];
    }
    for (int d = 0; d < D; ++d) sum += std::pow(x[F * b + d] - y[F * b + d], 2) / body.inverse_mass;
    sum += spin.dot(turning.inverse() * spin);
  }
  return std::sqrt(sum);
}

struct Comparison {
  std::string kind;
  int sweeps;
  double error, estimate;  // kinetic norm over h |g| and the root of the mass
};

std::vector<Comparison> compare() {
  std::vector<Comparison> all;
  for_each_step(recipes(), [&]<int D>(const std::string& kind, int, const Step<D>& step) {
    StepSystem<D> s = step.system;
    std::vector<double> velocity;
    s.velocity_of_impulses(velocity);
    const double scale = step.scale * std::sqrt(s.total_mass());
    int done = 0;
    for (const int sweeps : {1, 3, 6, 10, 20, 40, 120, 400}) {
      for (; done < sweeps; ++done) sweep(s, velocity);
      s.velocity_of_impulses(velocity);
      const double error = kinetic_distance(s, velocity, step.velocity) / scale;
      if (error < 1e-4) break;  // the solution itself is not known better than to 1e-12 of the velocities of a blow
      double square = 0.0;
      for (const auto& contacts : s.parts()) {
        std::vector<std::int32_t> bodies;
        square += estimate_error(s.part(contacts, bodies), 20).kinetic_square;
      }
      all.push_back({kind, sweeps, error, std::sqrt(square) / scale});
    }
  });
  return all;
}

TEST(ErrorEstimate, is_seldom_below_a_third_of_the_true_error_and_right_in_the_median) {
  const std::vector<Comparison> all = compare();
  if (const char* file = std::getenv("MOREAU_POPULATION")) {
    std::ofstream out(file);
    out << "kind,sweeps,error,estimate\n";
    for (const Comparison& c : all) out << fmt::format("{},{},{:.6g},{:.6g}\n", c.kind, c.sweeps, c.error, c.estimate);
  }
  ASSERT_GE(all.size(), 500u);
  std::vector<double> ratio;
  for (const Comparison& c : all) ratio.push_back(c.estimate / c.error);
  std::ranges::sort(ratio);
  const double median = ratio[ratio.size() / 2];
  const auto low = std::ranges::count_if(ratio, [](double r) { return r < 1.0 / 3.0; });
  RecordProperty("iterates", static_cast<int>(all.size()));
  RecordProperty("median", fmt::format("{:.3f}", median));
  RecordProperty("below_a_third", static_cast<int>(low));
  fmt::print("{} iterates, ratio min {:.3g}, 1 % {:.3g}, median {:.3g}, 99 % {:.3g}, max {:.3g}; below a third {}\n", all.size(), ratio.front(),
             ratio[ratio.size() / 100], median, ratio[ratio.size() * 99 / 100], ratio.back(), low);
  EXPECT_LE(static_cast<double>(low), 0.01 * static_cast<double>(all.size()));
  EXPECT_GE(median, 1.0 / 3.0);
  EXPECT_LE(median, 3.0);
}

}  // namespace
}  // namespace moreau

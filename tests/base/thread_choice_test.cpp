// The number of threads chosen on machines that are quiet, busy, and change.
#include "moreau/base/thread_choice.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace moreau {
namespace {

// Time of `steps` steps chosen so, where a step with k threads takes seconds(k).
double time_of(ThreadChoice& choice, int steps, int most, const std::function<double(int)>& seconds) {
  double sum = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double t = seconds(choice.next(most));
    choice.took(t, 1.0);
    sum += t;
  }
  return sum;
}

TEST(ThreadChoice, TakesAllThreadsOfAQuietMachineForALargeProblem) {
  ThreadChoice choice;
  const auto seconds = [](int k) { return 0.02 + 1.0 / k; };
  time_of(choice, 200, 16, seconds);
  EXPECT_EQ(choice.threads(), 16);
  EXPECT_LT(time_of(choice, 2000, 16, seconds), 1.1 * 2000 * seconds(16));
}

TEST(ThreadChoice, StopsWhereMoreThreadsDoNotPay) {
  ThreadChoice choice;
  const auto seconds = [](int k) { return 1.0 / k + 0.05 * k; };  // best at 4
  time_of(choice, 500, 16, seconds);
  EXPECT_EQ(choice.threads(), 4);
}

TEST(ThreadChoice, OnABusyMachineItIsHardlySlowerThanOneThread) {
  ThreadChoice choice;
  const auto seconds = [](int k) { return k == 1 ? 1.0 : 2.5; };
  EXPECT_LT(time_of(choice, 300, 2, seconds), 1.10 * 300);
  EXPECT_EQ(choice.threads(), 1);
  EXPECT_LT(time_of(choice, 3000, 2, seconds), 1.03 * 3000);
}

TEST(ThreadChoice, NoticesThatAMachineBecomesBusy) {
  ThreadChoice choice;
  time_of(choice, 1000, 2, [](int k) { return 1.0 / k; });
  ASSERT_EQ(choice.threads(), 2);
  time_of(choice, 500, 2, [](int k) { return k == 1 ? 1.0 : 2.0; });
  EXPECT_EQ(choice.threads(), 1);
}

TEST(ThreadChoice, NoiseDoesNotLeadItAstrayForLong) {
  ThreadChoice choice;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> noise(1.0, 3.0);
  const auto seconds = [&](int k) { return (k == 1 ? 1.0 : 1.4) * noise(random); };
  EXPECT_LT(time_of(choice, 4000, 2, seconds), 1.15 * 4000 * 2.0);
}

TEST(ThreadChoice, WorkThatVariesIsAccountedFor) {
  ThreadChoice choice;
  std::mt19937 random(4);
  std::uniform_real_distribution<double> work(1.0, 50.0);
  for (int i = 0; i < 300; ++i) {
    const int k = choice.next(8);
    const double w = work(random);
    choice.took(w * (0.02 + 1.0 / k), w);
  }
  EXPECT_EQ(choice.threads(), 8);
}

}  // namespace
}  // namespace moreau

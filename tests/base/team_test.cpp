// Threads that stand ready: every piece of work is done once, whoever comes, and what goes wrong is heard of.
#include "moreau/base/team.hpp"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "moreau/base/parallel.hpp"

namespace moreau {
namespace {

using oneapi::tbb::global_control;
using oneapi::tbb::task_arena;

TEST(Team, does_every_piece_once_on_any_number_of_threads) {
  const global_control allow(global_control::max_allowed_parallelism, 8);
  for (const int threads : {1, 2, 3, 7})
    task_arena(threads).execute([&] {
      const Team team;
      for (std::size_t count = 0; count < 200; ++count) {
        std::vector<int> done(count, 0);
        for_chunks(count, 1, [&](std::size_t k, std::size_t, std::size_t) { ++done[k]; });
        EXPECT_EQ(std::accumulate(done.begin(), done.end(), std::size_t{0}), count) << threads;
      }
    });
}

TEST(Team, works_side_by_side) {
  const int most = std::min(3, oneapi::tbb::info::default_concurrency());  // no larger than the machine
  const global_control allow(global_control::max_allowed_parallelism, 3);
  task_arena(3).execute([&] {
    const Team team;
    std::atomic<int> there = 0;  // each piece waits for the others
    bool met = true;
    for_chunks(static_cast<std::size_t>(most), 1, [&](std::size_t k, std::size_t, std::size_t) {
      ++there;
      const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (there < most && std::chrono::steady_clock::now() < until) std::this_thread::yield();
      if (k == 0) met = there == most;
    });
    EXPECT_TRUE(met);
  });
}

// No worker is allowed to exist: the leader does it all, and does not wait for those who never come.
TEST(Team, needs_no_members) {
  const global_control alone(global_control::max_allowed_parallelism, 1);
  task_arena(4).execute([&] {
    const Team team;
    int done = 0;
    for_chunks(1000, 1, [&](std::size_t, std::size_t, std::size_t) { ++done; });
    EXPECT_EQ(done, 1000);
  });
}

TEST(Team, comes_and_goes) {
  const global_control allow(global_control::max_allowed_parallelism, 3);
  task_arena(3).execute([&] {
#ifdef MOREAU_PLAIN_THREADS  // each time made anew
    constexpr int teams = 500;
#else
    constexpr int teams = 20000;
#endif
    for (int n = 0; n < teams; ++n) {
      const Team team;
      std::atomic<int> done = 0;
      for (int loop = 0; loop < n % 4; ++loop) for_chunks(3, 1, [&](std::size_t, std::size_t, std::size_t) { ++done; });
      ASSERT_EQ(done, 3 * (n % 4));
    }
  });
}

TEST(Team, members_who_have_gone_to_sleep_are_called_again) {
  const global_control allow(global_control::max_allowed_parallelism, 4);
  task_arena(4).execute([&] {
    const Team team;
    for (int n = 0; n < 20; ++n) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      std::atomic<int> done = 0;
      for_chunks(64, 1, [&](std::size_t, std::size_t, std::size_t) { ++done; });
      EXPECT_EQ(done, 64);
    }
  });
}

TEST(Team, loops_within_its_work_and_teams_within_teams_are_plain) {
  const global_control allow(global_control::max_allowed_parallelism, 4);
  task_arena(4).execute([&] {
    const Team team, second;
    std::atomic<int> done = 0;
    for_chunks(16, 1, [&](std::size_t, std::size_t, std::size_t) {
      const Team third;
      const std::thread::id here = std::this_thread::get_id();
      for_chunks(16, 1, [&](std::size_t, std::size_t, std::size_t) { done += std::this_thread::get_id() == here; });
    });
    EXPECT_EQ(done, 256);
  });
}

TEST(Team, exceptions_reach_the_leader_and_the_team_goes_on) {
  const global_control allow(global_control::max_allowed_parallelism, 4);
  task_arena(4).execute([&] {
    const Team team;
    for (std::size_t bad = 0; bad < 40; ++bad) {
      const auto work = [&](std::size_t k, std::size_t, std::size_t) {
        if (k == bad) throw std::runtime_error("broken");
      };
      EXPECT_THROW(for_chunks(40, 1, work), std::runtime_error);
    }
    std::atomic<int> done = 0;
    for_chunks(40, 1, [&](std::size_t, std::size_t, std::size_t) { ++done; });
    EXPECT_EQ(done, 40);
  });
}

}  // namespace
}  // namespace moreau

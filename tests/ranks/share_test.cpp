// Shares of ranks: each body has one owner, ghosts are enough, and both sides of a halo list the same bodies.
#include "moreau/ranks/share.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "ranks/threads_as_ranks.hpp"

namespace moreau::ranks {
namespace {

template <int D>
void expect_sound_shares(int ranks, int bodies, unsigned seed, const Divider& divider) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(0.0, 10.0), radius(0.2, 0.6), speed(-1.0, 1.0);
  State<D> whole;
  for (int i = 0; i < bodies; ++i) {
    Vec<D> x, v;
    for (int d = 0; d < D; ++d) x[d] = place(random), v[d] = speed(random);
    NewBody<D> body = homogeneous_ball<D>(x, i == 0 ? 3.0 : radius(random), 1.0);
    body.velocity = v, body.kind = i % 17 == 3 ? BodyKind::fixed : BodyKind::free;
    whole.bodies.append(body);
  }
  Model<D> model;
  model.time_step = 1e-2;
  const LookAhead ahead{2e-2, 1e-2};
  std::vector<int> owner(static_cast<std::size_t>(bodies), -1);
  std::vector<std::set<std::int32_t>> here(static_cast<std::size_t>(ranks));
  std::map<std::pair<int, int>, std::vector<std::int32_t>> mine, theirs;  // by owner and holder
  std::mutex noting;
  on_ranks(ranks, divider, [&](Communicator& communicator) {
    Share<D> share;
    Reach<D> reach;
    if (communicator.rank() == 0) {
      share.state.bodies = whole.bodies;
      for (std::int32_t i = 0; i < bodies; ++i) share.name.push_back(i), share.own.push_back(1), share.key.push_back(0);
    }
    divide(communicator, model, ahead, {}, 1.0, share, reach);
    EXPECT_TRUE(reach.holds(share, ahead, model.cell.start, {}));
    EXPECT_TRUE(std::is_sorted(share.name.begin(), share.name.end()));
    const std::lock_guard lock(noting);
    const int me = communicator.rank();
    for (std::size_t i = 0; i < share.name.size(); ++i) {
      const std::size_t name = static_cast<std::size_t>(share.name[i]);
      EXPECT_EQ(share.state.bodies.state.position[i], whole.bodies.state.position[name]);
      EXPECT_EQ(share.state.bodies.parameters.radius[i], whole.bodies.parameters.radius[name]);
      here[static_cast<std::size_t>(me)].insert(share.name[i]);
      if (!share.own[i]) continue;
      EXPECT_EQ(owner[name], -1);
      owner[name] = me;
    }
    for (const Halo::Peer& peer : share.halo.peers) {
      for (const std::uint32_t body : peer.mine) mine[{me, peer.rank}].push_back(share.name[body]);
      for (const std::uint32_t body : peer.theirs) theirs[{peer.rank, me}].push_back(share.name[body]);
    }
  });
  EXPECT_EQ(std::count(owner.begin(), owner.end(), -1), 0);
  std::erase_if(mine, [](const auto& list) { return list.second.empty(); });
  std::erase_if(theirs, [](const auto& list) { return list.second.empty(); });
  EXPECT_EQ(mine, theirs);
  std::size_t pairs = 0;
  for (int i = 0; i < bodies; ++i)
    for (int k = 0; k < bodies; ++k) {
      const std::size_t a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(k);
      const double gap = norm(whole.bodies.state.position[a] - whole.bodies.state.position[b]) - whole.bodies.parameters.radius[a] -
                         whole.bodies.parameters.radius[b];
      if (i == k || gap > 0.1) continue;
      EXPECT_TRUE(here[static_cast<std::size_t>(owner[a])].contains(k)) << "body " << k << " near body " << i;
      ++pairs;
    }
  EXPECT_GT(pairs, static_cast<std::size_t>(bodies) / 2);
}

TEST(Shares, of_discs_and_balls_divided_at_random_and_in_slabs) {
  const Divider at_random = [](std::int32_t name, std::span<const double>) { return (name * 7 + name / 3) % 4; };
  const Divider slabs = [](std::int32_t, std::span<const double> x) { return std::min(3, static_cast<int>(x[0] / 2.5)); };
  for (unsigned seed = 1; seed <= 3; ++seed) {
    expect_sound_shares<2>(4, 120, seed, at_random), expect_sound_shares<2>(4, 120, seed, slabs);
    expect_sound_shares<3>(4, 300, seed, slabs);
  }
}

TEST(Shares, in_which_one_rank_has_nothing) {
  expect_sound_shares<2>(3, 60, 9, [](std::int32_t name, std::span<const double>) { return name % 2; });
}

}  // namespace
}  // namespace moreau::ranks

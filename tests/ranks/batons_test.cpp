// Batons bring every body to the rank that changes it next: the end of sweeps is that of one process, bit for bit.
#include "moreau/ranks/batons.hpp"

#include <gtest/gtest.h>

#include "moreau/ranks/shared_colours.hpp"
#include "ranks/graph.hpp"
#include "ranks/threads_as_ranks.hpp"

namespace moreau::ranks {
namespace {

// Stands for a relaxation: what becomes of the two bodies depends on both, and on the order in which it is done.
void relax(std::uint64_t identity, std::uint64_t& a, std::uint64_t* b) {
  const std::uint64_t before_a = a, before_b = b ? *b : 0;
  a = mixed(before_a + 3 * before_b + identity);
  if (b) *b = mixed(5 * before_a + before_b - identity);
}

// Stands for extrapolation, which the keeper does between two sweeps.
std::uint64_t carried(std::uint64_t x) { return mixed(x + 12345); }

struct Sweeps {
  int count;
  bool carry;
};

std::vector<std::uint64_t> alone(const Graph& graph, const std::vector<std::uint8_t>& colour, const Sweeps& sweeps) {
  std::vector<std::uint64_t> value(graph.bodies);
  for (std::uint32_t i = 0; i < graph.bodies; ++i) value[i] = i;
  for (int sweep = 0; sweep < sweeps.count; ++sweep) {
    for (std::uint32_t i = 0; i < graph.bodies && sweeps.carry && sweep > 0; ++i) value[i] = carried(value[i]);
    for (int c = 0; c <= Colouring::most; ++c)  // the overflow comes last
      for (std::size_t i = 0; i < graph.contacts.size(); ++i) {
        const auto& [a, b] = graph.contacts[i];
        if (colour[i] == c) relax(identity(graph.contacts[i]), value[a], b < graph.bodies ? &value[b] : nullptr);
      }
  }
  return value;
}

void expect_equal(const Graph& graph, int ranks, const Sweeps& sweeps, unsigned seed, bool crowded = false) {
  Colouring whole;
  whole.colour.assign(graph.contacts.size(), Colouring::not_yet);
  whole.complete(graph.bodies + 1, graph.contacts.size(), [&](std::size_t i) {
    return Colouring::Contact{graph.contacts[i].first, graph.contacts[i].second, identity(graph.contacts[i])};
  });
  const std::vector<std::uint64_t> expected = alone(graph, whole.colour, sweeps);
  std::mt19937 random(seed);
  std::vector<int> owner(graph.bodies), counted(graph.bodies, 0);
  for (int& r : owner) r = static_cast<int>(random() % static_cast<unsigned>(ranks));
  EXPECT_EQ(std::ranges::count(whole.colour, Colouring::most) > 0, crowded);
  for (std::size_t i = 0; i < graph.contacts.size(); ++i)  // one rank has the overflow
    if (whole.colour[i] == Colouring::most) owner[graph.contacts[i].first] = ranks - 1;
  std::mutex counting;
  on_ranks(ranks, {}, [&](Communicator& communicator) {
    const Part part = part_of(graph, owner, communicator.rank(), ranks);
    Colouring colouring;
    colouring.colour.assign(part.contact.size(), Colouring::not_yet);
    const auto here = complete_colours(communicator, part.halo, part.slots, part.contacts, colouring);
    Batons batons;
    batons.plan(communicator, part.halo, *here, part.own, part.slots);
    std::vector<std::uint64_t> value(part.names.size() + 1);
    for (std::size_t i = 0; i < part.names.size(); ++i) value[part.slots[i]] = part.names[i];
    const std::vector<std::uint8_t> kept = batons.kept_here(value.size());
    const VelocityRows rows{reinterpret_cast<std::byte*>(value.data()), sizeof(value[0]), sizeof(value[0])};
    const auto relax_overflow = [&] {
      for (std::size_t i = 0; i < part.contacts.size(); ++i) {
        const auto [a, b, identity] = part.contacts[i];
        if (colouring.colour[i] == Colouring::most) relax(identity, value[a], b < part.names.size() ? &value[b] : nullptr);
      }
    };
    for (int sweep = 0; sweep < sweeps.count; ++sweep) {
      for (std::size_t s = 0; s + 1 < value.size() && sweeps.carry && sweep > 0; ++s)
        if (kept[s]) value[s] = carried(value[s]);
      batons.begin_sweep(communicator, rows, sweep == 0);
      for (std::size_t c = 0; c < Colouring::most; ++c) {
        batons.before_colour(communicator, rows, c);
        for (std::size_t i = 0; i < part.contacts.size(); ++i) {
          const auto [a, b, identity] = part.contacts[i];
          if (colouring.colour[i] == c) relax(identity, value[a], b < part.names.size() ? &value[b] : nullptr);
        }
        batons.after_colour(communicator, rows, c);
      }
      batons.before_overflow(communicator, rows);
      relax_overflow();
    }
    batons.publish(communicator, part.halo, rows);
    const std::lock_guard lock(counting);
    for (std::size_t i = 0; i < part.names.size(); ++i) {
      EXPECT_EQ(value[part.slots[i]], expected[part.names[i]]) << "body " << part.names[i] << " on rank " << communicator.rank();
      counted[part.names[i]] += kept[part.slots[i]];
    }
  });
  for (std::size_t i = 0; i < counted.size(); ++i) EXPECT_EQ(counted[i], 1) << "keepers of body " << i;
}

TEST(Batons, follow_the_order_of_the_colours) {
  for (unsigned seed = 1; seed <= 5; ++seed)
    for (const int ranks : {1, 2, 3, 6}) expect_equal(random_graph(50, 140, seed), ranks, {3, false}, seed);
}

TEST(Batons, come_to_the_overflow_after_all_colours) {
  Graph graph = random_graph(150, 300, 7);
  for (std::uint32_t i = 1; i < 150; ++i)
    if (std::ranges::count(graph.contacts, std::pair<std::uint32_t, std::uint32_t>{0, i}) == 0) graph.contacts.emplace_back(0, i);
  for (std::uint32_t i = 3; i < 110; ++i)
    if (std::ranges::count(graph.contacts, std::pair<std::uint32_t, std::uint32_t>{2, i}) == 0) graph.contacts.emplace_back(2, i);
  std::ranges::sort(graph.contacts);
  for (const int ranks : {2, 3}) expect_equal(graph, ranks, {3, false}, 1, true), expect_equal(graph, ranks, {3, true}, 2, true);
}

TEST(Batons, rest_with_keepers_who_carry_them_on) {
  for (unsigned seed = 1; seed <= 5; ++seed)
    for (const int ranks : {2, 4}) expect_equal(random_graph(50, 100, 20 + seed), ranks, {4, true}, seed);
}

}  // namespace
}  // namespace moreau::ranks

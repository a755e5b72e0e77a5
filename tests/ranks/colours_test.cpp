// Colours found by ranks in rounds are those of one greedy loop, however bodies and contacts are divided.
#include "moreau/ranks/shared_colours.hpp"

#include <gtest/gtest.h>

#include <random>

#include "ranks/graph.hpp"
#include "ranks/threads_as_ranks.hpp"

namespace moreau::ranks {
namespace {

// Some contacts have colours already.
void expect_equal(const Graph& graph, int ranks, double kept, unsigned seed) {
  Colouring whole;
  const auto complete = [&] {
    whole.complete(graph.bodies + 1, graph.contacts.size(), [&](std::size_t i) {
      return Colouring::Contact{graph.contacts[i].first, graph.contacts[i].second, identity(graph.contacts[i])};
    });
  };
  whole.colour.assign(graph.contacts.size(), Colouring::not_yet);
  complete();
  std::mt19937 random(seed);
  std::vector<std::uint8_t> before = whole.colour;
  for (std::uint8_t& colour : before)
    if (random() % 1000 >= kept * 1000) colour = Colouring::not_yet;
  whole.colour = before;
  complete();
  std::vector<int> owner(graph.bodies);
  for (int& r : owner) r = static_cast<int>(random() % static_cast<unsigned>(ranks));

  std::vector<std::uint8_t> found(graph.contacts.size(), Colouring::not_yet);
  on_ranks(ranks, {}, [&](Communicator& communicator) {
    const Part part = part_of(graph, owner, communicator.rank(), ranks);
    Colouring colouring;
    for (const std::uint32_t i : part.contact) colouring.colour.push_back(before[i]);
    const auto here = complete_colours(communicator, part.halo, part.slots, part.contacts, colouring);
    ASSERT_TRUE(here);
    for (std::size_t i = 0; i < part.contact.size(); ++i) found[part.contact[i]] = colouring.colour[i];
    for (std::size_t i = 0; i < part.names.size(); ++i)
      EXPECT_EQ(colouring.used()[part.slots[i]], whole.used()[part.names[i]]) << "colours at body " << part.names[i];
  });
  EXPECT_EQ(found, whole.colour);
}

TEST(SharedColours, are_those_of_the_greedy_loop) {
  for (unsigned seed = 1; seed <= 4; ++seed)
    for (const int ranks : {1, 2, 3, 5}) expect_equal(random_graph(60, 150, seed), ranks, 0.0, seed);
}

TEST(SharedColours, leave_colours_that_were_kept) {
  for (unsigned seed = 1; seed <= 4; ++seed)
    for (const int ranks : {2, 4}) expect_equal(random_graph(80, 200, 10 + seed), ranks, 0.8, seed);
}

TEST(SharedColours, that_clash_between_ranks_are_noticed_by_all) {
  const Graph graph{3, {{0, 2}, {1, 2}}};
  on_ranks(2, {}, [&](Communicator& communicator) {
    const Part part = part_of(graph, {0, 1, 1}, communicator.rank(), 2);
    Colouring colouring;
    colouring.colour.assign(1, 3);
    EXPECT_FALSE(complete_colours(communicator, part.halo, part.slots, part.contacts, colouring));
  });
}

TEST(SharedColours, too_many_at_a_body_go_to_the_overflow) {
  Graph graph{90, {}};
  for (std::uint32_t i = 1; i < 90; ++i) graph.contacts.push_back({0, i});
  for (std::uint32_t i = 2; i < 80; ++i) graph.contacts.push_back({1, i});
  for (const int ranks : {2, 3}) expect_equal(graph, ranks, 0.0, 3), expect_equal(graph, ranks, 0.7, 4);
}

}  // namespace
}  // namespace moreau::ranks

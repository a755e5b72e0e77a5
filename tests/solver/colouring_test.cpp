// Colours are proper, kept, low, and depend on the identities of the contacts alone.
#include "moreau/solver/colouring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

namespace moreau {
namespace {

struct Graph {
  std::uint32_t bodies;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> contacts;  // second == bodies: an obstacle
};

Graph random_graph(std::uint32_t bodies, std::size_t contacts, unsigned seed) {
  std::mt19937 random(seed);
  Graph graph{bodies, {}};
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  while (graph.contacts.size() < contacts) {
    std::uint32_t a = random() % bodies, b = random() % 10 == 0 ? bodies : random() % bodies;
    if (a == b) continue;
    if (b < a) std::swap(a, b);
    if (seen.insert({a, b}).second) graph.contacts.emplace_back(a, b);
  }
  return graph;
}

std::uint64_t name(std::pair<std::uint32_t, std::uint32_t> c) { return mixed(std::uint64_t{c.first} << 32 | c.second); }

void complete(Colouring& colouring, const Graph& graph) {
  colouring.colour.resize(graph.contacts.size(), Colouring::not_yet);
  colouring.complete(graph.bodies + 1, graph.contacts.size(), [&](std::size_t i) {
    return Colouring::Contact{graph.contacts[i].first, graph.contacts[i].second, name(graph.contacts[i])};
  });
}

void expect_proper(const Colouring& colouring, const Graph& graph) {
  std::set<std::pair<std::uint32_t, int>> taken;
  for (std::size_t i = 0; i < graph.contacts.size(); ++i) {
    const int colour = colouring.colour[i];
    ASSERT_LE(colour, Colouring::most);
    if (colour == Colouring::most) continue;
    for (const std::uint32_t body : {graph.contacts[i].first, graph.contacts[i].second})
      if (body != graph.bodies && !taken.insert({body, colour}).second)
        ADD_FAILURE() << "body " << body << " twice in " << colour;
  }
}

// The algorithm of Jones and Plassmann: in each round those contacts take a colour that come before all their uncoloured
// neighbours.
std::vector<int> jones_plassmann(const Graph& graph) {
  std::vector<int> colour(graph.contacts.size(), -1);
  const auto neighbours = [&](std::size_t i, std::size_t j) {
    const auto& [a, b] = graph.contacts[i];
    const auto& [c, d] = graph.contacts[j];
    return i != j && (a == c || a == d || (b != graph.bodies && (b == c || b == d)));
  };
  while (std::count(colour.begin(), colour.end(), -1) > 0) {
    std::vector<std::pair<std::size_t, int>> chosen;
    for (std::size_t i = 0; i < colour.size(); ++i) {
      if (colour[i] >= 0) continue;
      bool first = true;
      std::set<int> taken;
      for (std::size_t j = 0; j < colour.size(); ++j) {
        if (!neighbours(i, j)) continue;
        if (colour[j] < 0)
          first &= name(graph.contacts[i]) < name(graph.contacts[j]);
        else
          taken.insert(colour[j]);
      }
      if (!first) continue;
      int lowest = 0;
      while (taken.count(lowest)) ++lowest;
      chosen.emplace_back(i, lowest);
    }
    for (const auto& [i, c] : chosen) colour[i] = c;
  }
  return colour;
}

TEST(Colouring, EqualsThatOfJonesAndPlassmann) {
  const Graph graph = random_graph(120, 300, 1);
  Colouring colouring;
  complete(colouring, graph);
  expect_proper(colouring, graph);
  const std::vector<int> expected = jones_plassmann(graph);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(colouring.colour[i], expected[i]) << i;
}

TEST(Colouring, DoesNotDependOnTheOrderOfContactsAndBodies) {
  const Graph graph = random_graph(500, 1500, 2);
  Colouring one;
  complete(one, graph);
  std::vector<std::size_t> order(graph.contacts.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  Colouring other;
  other.colour.assign(order.size(), Colouring::not_yet);
  // Slots turned round, names as they were.
  other.complete(graph.bodies + 1, order.size(), [&](std::size_t k) {
    const auto [a, b] = graph.contacts[order[k]];
    const auto turned = [&](std::uint32_t s) { return s == graph.bodies ? s : graph.bodies - 1 - s; };
    return Colouring::Contact{turned(a), turned(b), name({a, b})};
  });
  for (std::size_t k = 0; k < order.size(); ++k) EXPECT_EQ(other.colour[k], one.colour[order[k]]);
}

TEST(Colouring, KeepsColoursAndColoursOnlyWhatIsNew) {
  Graph graph = random_graph(300, 900, 4);
  Colouring colouring;
  complete(colouring, graph);
  const std::vector<std::uint8_t> before = colouring.colour;
  const Graph more = random_graph(300, 950, 5);
  std::set<std::pair<std::uint32_t, std::uint32_t>> have(graph.contacts.begin(), graph.contacts.end());
  for (const auto& c : more.contacts)
    if (graph.contacts.size() < 960 && have.insert(c).second) graph.contacts.push_back(c);
  complete(colouring, graph);
  expect_proper(colouring, graph);
  EXPECT_EQ(colouring.newly_coloured(), 60u);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(colouring.colour[i], before[i]);
}

TEST(Colouring, BodiesThatBecomeFreeAreColouredAnew) {
  Graph graph{3, {{0, 3}, {1, 3}, {2, 3}}};  // three bodies on an obstacle: one colour
  Colouring colouring;
  complete(colouring, graph);
  EXPECT_EQ(colouring.colour, (std::vector<std::uint8_t>{0, 0, 0}));
  graph = {4, {{0, 3}, {1, 3}, {2, 3}}};  // it moves freely now
  complete(colouring, graph);
  expect_proper(colouring, graph);
}

TEST(Colouring, SurplusOfABodyGoesToTheOverflow) {
  Graph graph{101, {}};
  for (std::uint32_t i = 1; i <= 100; ++i) graph.contacts.emplace_back(0, i);
  Colouring colouring;
  complete(colouring, graph);
  expect_proper(colouring, graph);
  EXPECT_EQ(std::count(colouring.colour.begin(), colouring.colour.end(), Colouring::most), 36);
}

}  // namespace
}  // namespace moreau

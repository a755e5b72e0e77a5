// Contacts between bodies as a graph, and the part of it that a rank has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "moreau/ranks/halo.hpp"
#include "moreau/solver/colouring.hpp"

namespace moreau::ranks {

struct Graph {
  std::uint32_t bodies;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> contacts;  // ordered; second == bodies: an obstacle
};

inline Graph random_graph(std::uint32_t bodies, std::size_t contacts, unsigned seed) {
  std::mt19937 random(seed);
  std::set<std::pair<std::uint32_t, std::uint32_t>> found;
  while (found.size() < contacts) {
    std::uint32_t a = random() % bodies, b = random() % 10 == 0 ? bodies : random() % bodies;
    if (a == b) continue;
    found.insert({std::min(a, b), std::max(a, b)});
  }
  return {bodies, {found.begin(), found.end()}};
}

inline std::uint64_t identity(std::pair<std::uint32_t, std::uint32_t> c) { return mixed(std::uint64_t{c.first} << 32 | c.second); }

// What a rank has of the graph: contacts whose first body is its own, and the bodies of these; slots shuffled.
struct Part {
  std::vector<std::uint32_t> names, slots, contact;
  std::vector<std::uint8_t> own;
  std::vector<Colouring::Contact> contacts;
  Halo halo;
};

inline Part part_of(const Graph& graph, const std::vector<int>& owner, int rank, int ranks) {
  const auto bodies_of = [&](int r) {
    std::set<std::uint32_t> bodies;
    for (std::uint32_t i = 0; i < graph.bodies; ++i)
      if (owner[i] == r) bodies.insert(i);
    for (const auto& [a, b] : graph.contacts)
      if (owner[a] == r && b < graph.bodies) bodies.insert(b);
    return bodies;
  };
  Part part;
  const std::set<std::uint32_t> here = bodies_of(rank);
  part.names.assign(here.begin(), here.end());
  for (const std::uint32_t name : part.names) part.own.push_back(owner[name] == rank ? 1 : 0);
  part.slots.resize(part.names.size());
  for (std::uint32_t i = 0; i < part.slots.size(); ++i) part.slots[i] = i;
  std::shuffle(part.slots.begin(), part.slots.end(), std::mt19937(static_cast<unsigned>(rank)));
  const auto number = [&](std::uint32_t name) {
    return static_cast<std::uint32_t>(std::lower_bound(part.names.begin(), part.names.end(), name) - part.names.begin());
  };
  for (int r = 0; r < ranks; ++r) {
    if (r == rank) continue;
    Halo::Peer peer{r, {}, {}};
    for (const std::uint32_t name : bodies_of(r))
      if (owner[name] == rank) peer.mine.push_back(number(name));
    for (const std::uint32_t name : part.names)
      if (owner[name] == r) peer.theirs.push_back(number(name));
    if (!peer.mine.empty() || !peer.theirs.empty()) part.halo.peers.push_back(peer);
  }
  for (std::uint32_t i = 0; i < graph.contacts.size(); ++i) {
    const auto& [a, b] = graph.contacts[i];
    if (owner[a] != rank) continue;
    part.contact.push_back(i);
    part.contacts.push_back({part.slots[number(a)],
                             b < graph.bodies ? part.slots[number(b)] : static_cast<std::uint32_t>(part.names.size()),
                             identity(graph.contacts[i])});
  }
  return part;
}

}  // namespace moreau::ranks

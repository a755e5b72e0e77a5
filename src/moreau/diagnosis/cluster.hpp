// The contacts around one of them, as far as the bodies between connect them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace moreau::diagnosis {

// Breadth first from `seed` through the free bodies (those that `connects` says yes to), at most `limit` contacts, rising. The
// rest of the impulses being zero, whatever balances on the cluster balances on the whole.
template <class Connects>
std::vector<int> cluster(const std::vector<std::array<std::int32_t, 2>>& bodies, Connects&& connects, int seed, int limit);

// The problem restricted to some contacts: their columns of B, and the rows that these touch.
struct ConeProblem;
ConeProblem part_of(const ConeProblem& whole, const std::vector<int>& contacts);

}  // namespace moreau::diagnosis

#include <algorithm>
#include <map>

namespace moreau::diagnosis {

template <class Connects>
std::vector<int> cluster(const std::vector<std::array<std::int32_t, 2>>& bodies, Connects&& connects, int seed, int limit) {
  std::map<std::int32_t, std::vector<int>> at;  // contacts of each free body
  for (std::size_t c = 0; c < bodies.size(); ++c)
    for (const std::int32_t b : bodies[c])
      if (connects(b)) at[b].push_back(static_cast<int>(c));
  std::vector<bool> taken(bodies.size(), false);
  std::vector<int> chosen{seed};
  taken[static_cast<std::size_t>(seed)] = true;
  for (std::size_t k = 0; k < chosen.size(); ++k)
    for (const std::int32_t b : bodies[static_cast<std::size_t>(chosen[k])]) {
      if (!connects(b)) continue;
      for (const int c : at[b])
        if (!taken[static_cast<std::size_t>(c)] && static_cast<int>(chosen.size()) < limit)
          taken[static_cast<std::size_t>(c)] = true, chosen.push_back(c);
    }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace moreau::diagnosis

// What the scene calls a body, and which bodies a name means: several stretches may have the same name, as the stones of a layer of a
// drawing that are listed between others, and then it means all of them.
#pragma once

#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moreau/bodies/named_bodies.hpp"

namespace moreau::inline bodies {

// All stretches of a name, in the order of the scene; of "arch 3", which is what the third stone of the arch is called where
// bodies are told (name_of_body), this stone. None if nothing is called so.
inline std::vector<NamedBodies> stretches_called(std::span<const NamedBodies> all, const std::string& name) {
  std::vector<NamedBodies> stretches;
  for (const NamedBodies& named : all)
    if (named.name == name) stretches.push_back(named);
  const std::size_t space = name.rfind(' ');
  if (!stretches.empty() || space == std::string::npos) return stretches;
  std::size_t number = 0;
  const char* const last = name.data() + name.size();
  const auto [end, error] = std::from_chars(name.data() + space + 1, last, number);
  if (error != std::errc{} || end != last || number == 0) return stretches;
  for (const NamedBodies& named : all) {
    if (std::string_view(named.name) != std::string_view(name).substr(0, space)) continue;
    if (number <= named.count) return {{name, named.first + number - 1, 1}};
    number -= named.count;
  }
  return stretches;
}

// Every name once, in the order of the scene, with its stretches.
struct NameOfBodies {
  std::string name;
  std::vector<NamedBodies> stretches;
};
inline std::vector<NameOfBodies> names_of_bodies(std::span<const NamedBodies> all) {
  std::vector<std::size_t> order(all.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::stable_sort(order, {}, [&](std::size_t k) -> const std::string& { return all[k].name; });
  std::vector<std::vector<std::size_t>> groups;  // the first of each group tells where its name comes
  for (const std::size_t k : order)
    if (groups.empty() || all[groups.back()[0]].name != all[k].name)
      groups.push_back({k});
    else
      groups.back().push_back(k);
  std::ranges::sort(groups, {}, [](const auto& group) { return group[0]; });
  std::vector<NameOfBodies> names;
  for (const auto& group : groups) {
    names.push_back({all[group[0]].name, {}});
    for (const std::size_t k : group) names.back().stretches.push_back(all[k]);
  }
  return names;
}

// How many bodies have the name of this stretch, and how many of them come before it.
struct ShareOfName {
  std::size_t bodies = 0, before = 0;
};
inline ShareOfName share_of_name(std::span<const NamedBodies> all, const NamedBodies& stretch) {
  ShareOfName share;
  for (const NamedBodies& named : all)
    if (named.name == stretch.name) {
      share.bodies += named.count;
      if (named.first < stretch.first) share.before += named.count;
    }
  return share;
}

// The stretch of the narrowest name that holds a body: its own rather than that of its arch. Null if it has none.
inline const NamedBodies* narrowest_name(std::span<const NamedBodies> all, std::size_t body) {
  const NamedBodies* found = nullptr;
  std::size_t fewest = 0;
  for (const NamedBodies& named : all) {
    if (!named.holds(body)) continue;
    const std::size_t bodies = share_of_name(all, named).bodies;
    if (!found || bodies < fewest) found = &named, fewest = bodies;
  }
  return found;
}

// "arch.key", or "arch 3" for the third stone of the arch; empty if it has no name.
inline std::string name_of_body(std::span<const NamedBodies> all, std::size_t body) {
  const NamedBodies* named = narrowest_name(all, body);
  if (!named) return {};
  const ShareOfName share = share_of_name(all, *named);
  return share.bodies == 1 ? named->name : named->name + " " + std::to_string(share.before + body - named->first + 1);
}

}  // namespace moreau::inline bodies

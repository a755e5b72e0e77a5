// What the scene calls a body.
#pragma once

#include <span>
#include <string>

#include "moreau/bodies/named_bodies.hpp"

namespace moreau::inline bodies {

// The narrowest name that holds a body: its own rather than that of its arch. Null if it has none.
inline const NamedBodies* narrowest_name(std::span<const NamedBodies> all, std::size_t body) {
  const NamedBodies* found = nullptr;
  for (const NamedBodies& named : all)
    if (named.holds(body) && (!found || named.count < found->count)) found = &named;
  return found;
}

// "arch.key", or "arch 3" for the third stone of the arch; empty if it has no name.
inline std::string name_of_body(std::span<const NamedBodies> all, std::size_t body) {
  const NamedBodies* named = narrowest_name(all, body);
  if (!named) return {};
  return named->count == 1 ? named->name : named->name + " " + std::to_string(body - named->first + 1);
}

}  // namespace moreau::inline bodies

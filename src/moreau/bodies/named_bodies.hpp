// Bodies that follow one another, known by a name: the stones of an arch, its key stone, a grain.
#pragma once

#include <cstddef>
#include <string>

namespace moreau::inline bodies {

struct NamedBodies {
  std::string name;
  std::size_t first = 0, count = 1;
  bool holds(std::size_t body) const { return body >= first && body - first < count; }
};

}  // namespace moreau::inline bodies

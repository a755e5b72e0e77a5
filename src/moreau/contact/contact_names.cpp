#include "moreau/contact/contact_names.hpp"

#include <algorithm>
#include <set>

#include "moreau/contact/contact_table.hpp"

namespace moreau::inline contact {

std::string bodies_of(const ContactNames& names, const std::vector<int>& contacts, std::size_t most) {
  std::set<std::int32_t> bodies, walls;
  for (const int c : contacts)
    for (const std::int32_t b : names.bodies[static_cast<std::size_t>(c)])
      if (is_wall(b))
        walls.insert(wall_index(b));
      else
        bodies.insert(b);
  std::vector<std::string> words;
  for (const std::int32_t b : bodies) words.push_back("body " + std::to_string(b));
  for (const std::int32_t w : walls) {
    const std::size_t k = static_cast<std::size_t>(w);
    const bool named = k < names.walls.size() && !names.walls[k].empty();
    words.push_back(named ? "wall '" + names.walls[k] + "'" : "wall " + std::to_string(w));
  }
  const std::size_t shown = std::min(words.size(), most);
  std::string text;
  for (std::size_t k = 0; k < shown; ++k) {
    const bool last = k + 1 == words.size();
    text += (k == 0 ? "" : last ? " and " : ", ") + words[k];
  }
  if (shown < words.size()) text += " and " + std::to_string(words.size() - shown) + " more";
  return text;
}

}  // namespace moreau::inline contact

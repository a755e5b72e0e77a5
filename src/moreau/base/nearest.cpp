#include "moreau/base/nearest.hpp"

#include <algorithm>

namespace moreau::inline base {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
  if (word.size() > 64) return {};
  std::string best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const auto& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least && distance < candidate.size()) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string quoted_list(const std::vector<std::string>& words) {
  constexpr std::size_t shown = 24;  // a scene may name thousands of things; a message should not
  std::string list;
  for (std::size_t i = 0; i < std::min(words.size(), shown); ++i) list += (i == 0 ? "'" : ", '") + words[i] + "'";
  if (words.size() > shown) list += ", ...";
  return list;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::string best = nearest_word(word, known);
  if (!best.empty()) return "did you mean '" + best + "'?";
  return known.empty() ? "none is declared" : "accepted: " + quoted_list(known);
}

}  // namespace moreau::inline base

// The known word nearest to a misspelt one, for "did you mean".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace moreau::inline base {

// Least number of letters inserted, deleted, replaced or exchanged with their neighbour to turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

// Empty when no known word is near enough (a third of the letters, at least two) to be what was meant.
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

// "'a', 'b', 'c'"
std::string quoted_list(const std::vector<std::string>& words);

// "did you mean 'b'?" where a word is near, else "accepted: 'a', 'b', 'c'".
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace moreau::inline base

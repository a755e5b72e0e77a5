// Refuses text that the TOML library (toml++ 3.3) does not survive:
// - keys of very many parts, a.a.a.a: it nests a table for each and releases them by recursion, which exhausts the stack;
// - characters outside ASCII where it looks for blanks: it reaches code declared unreachable (undefined behaviour). It looks
// outside
//   strings and comments, in strings glued to a word, and in strings after a backslash at the end of a line.
#pragma once

#include <string_view>

#include "moreau/scene/read/mistakes.hpp"

namespace moreau::inline scene {

void guard_toml(std::string_view toml, const Mistakes& mistakes);

}  // namespace moreau::inline scene

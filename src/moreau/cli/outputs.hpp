// Files that options name for output.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace moreau {

// Refuses one file for two options (name of the option, file; empty: not given): the second would replace what the first has written.
// By whatever names: links lead to the same file. What is no regular file (/dev/stdout, a pipe) takes both.
void demand_different_outputs(const std::vector<std::pair<std::string, std::string>>& outputs);

}  // namespace moreau

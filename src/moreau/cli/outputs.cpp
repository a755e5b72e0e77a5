#include "moreau/cli/outputs.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "moreau/store/output_file.hpp"

namespace moreau {

namespace {

namespace fs = std::filesystem;

bool is_same_file(const fs::path& one, const fs::path& other) {
  std::error_code ignored;
  if (const fs::file_status status = fs::status(one, ignored); fs::exists(status) && !fs::is_regular_file(status)) return false;
  if (fs::equivalent(one, other, ignored)) return true;
  const auto whole = [&](const fs::path& path) { return fs::weakly_canonical(fs::absolute(behind_links(path)), ignored); };
  return whole(one) == whole(other);
}

}  // namespace

void demand_different_outputs(const std::vector<std::pair<std::string, std::string>>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i)
    for (std::size_t j = i + 1; j < outputs.size(); ++j)
      if (const auto& [a, b] = std::pair(outputs[i].second, outputs[j].second); !a.empty() && !b.empty() && is_same_file(a, b))
        throw std::runtime_error(
            fmt::format("{} and {} name one file, {}; accepted: a file for each", outputs[i].first, outputs[j].first, b));
}

}  // namespace moreau

#include "moreau/cli/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "moreau/cli/interpreter.hpp"

namespace moreau {

namespace {

namespace fs = std::filesystem;

// The script's first line is """Title. Source.""" or the beginning of such a text.
std::string first_line(const fs::path& script) {
  std::ifstream in(script);
  std::string line;
  std::getline(in, line);
  const auto strip = [&](const std::string& quotes) {
    if (const auto at = line.find(quotes); at != std::string::npos) line.erase(at, quotes.size());
  };
  strip("\"\"\""), strip("\"\"\"");
  return line;
}

}  // namespace

std::vector<Experiment> experiments() {
  std::vector<Experiment> all;
  const fs::path here = program_path().parent_path();
  for (const fs::path& folder : {fs::path(environment_value("MOREAU_EXPERIMENTS")), here / "experiments",
                                 here.parent_path() / "share" / "moreau" / "experiments"}) {
    std::error_code none;
    if (folder.empty() || !fs::is_directory(folder, none)) continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
      if (const fs::path script = entry.path() / "run.py"; fs::exists(script, none))
        all.push_back({entry.path().filename().string(), first_line(script), fs::canonical(script)});
    break;
  }
  if (all.empty())
    throw std::runtime_error(
        "no experiments were found beside the program; give their folder in the variable MOREAU_EXPERIMENTS (experiments/ of the "
        "sources)");
  std::ranges::sort(all, {}, &Experiment::name);
  return all;
}

}  // namespace moreau

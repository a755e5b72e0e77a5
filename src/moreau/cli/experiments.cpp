#include "moreau/cli/experiments.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace moreau {

namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

constexpr const char* python_of_the_system = "/usr/bin/python3";  // for which the module is built

fs::path program() { return fs::canonical("/proc/self/exe"); }

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

// What the interpreter is told first: one sentence instead of a traceback if the module, or what it needs, is not there.
constexpr const char* launcher = R"(
import sys
try:
    import matplotlib, numpy, scipy, moreau.experiment
except ImportError as error:
    sys.exit(f"moreau: {sys.executable} cannot import what experiments need: {error}; the module is built with the program "
             "(docs/python.md), the rest are the packages python3-numpy, python3-scipy and python3-matplotlib")
import runpy
sys.argv = sys.argv[1:]
sys.path.insert(0, sys.argv[0].rpartition("/")[0])
runpy.run_path(sys.argv[0], run_name="__main__")
)";

}  // namespace

std::vector<Experiment> experiments() {
  std::vector<Experiment> all;
  const fs::path here = program().parent_path();
  for (const fs::path& folder : {fs::path(environment("MOREAU_EXPERIMENTS")), here / "experiments",
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

void become_script(const fs::path& script, const std::vector<std::string>& arguments) {
  const fs::path here = program().parent_path();
  std::string modules;
  for (const fs::path& folder : {here / "python", here.parent_path() / "lib" / "python3" / "dist-packages"})
    if (std::error_code none; fs::is_directory(folder / "moreau", none)) modules += (modules.empty() ? "" : ":") + folder.string();
  if (const std::string given = environment("PYTHONPATH"); !given.empty()) modules += (modules.empty() ? "" : ":") + given;
  setenv("PYTHONPATH", modules.c_str(), 1);
  setenv("MOREAU", program().c_str(), 1);
  std::string python = environment("MOREAU_PYTHON");
  if (python.empty()) python = access(python_of_the_system, X_OK) == 0 ? python_of_the_system : "python3";
  std::vector<std::string> words{python, "-c", launcher, script.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::fflush(nullptr);
  execvp(python.c_str(), pointers.data());
  throw std::runtime_error(fmt::format(
      "experiments are scripts in Python, and {} cannot be started: {}; install python3, or give its path in the variable MOREAU_PYTHON",
      python, std::strerror(errno)));
}

}  // namespace moreau

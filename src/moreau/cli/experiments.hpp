// The published experiments: scripts in Python, experiments/NAME/run.py, beside the program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace moreau {

struct Experiment {
  std::string name;   // of the folder
  std::string title;  // first line of the script: what it is, and where it was published
  std::filesystem::path script;
};

// In the order of their names. Looked for in $MOREAU_EXPERIMENTS, beside the program (a build folder), and in
// PREFIX/share/moreau/experiments. Throws std::runtime_error with one sentence if there are none.
std::vector<Experiment> experiments();

}  // namespace moreau

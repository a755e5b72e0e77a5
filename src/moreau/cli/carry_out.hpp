// What `run` and `resume` have in common: carry the scene on, show progress, end with a table, a summary and the right exit
// status.
#pragma once

#include <optional>

#include "moreau/cli/command.hpp"

namespace moreau {

struct CarryOutOptions {
  std::optional<double> until;
  int threads = 1;
  bool json = false;  // print summary.json at the end instead of the table
};

// Adds --threads, --until and --json to a command.
void add_carry_out_options(CLI::App& command, CarryOutOptions& options);

// `resumed`: continue from the folder's checkpoint instead of the scene's start.
int carry_out(const AnyScene& scene, RunFolder& folder, bool resumed, const CarryOutOptions& options);

}  // namespace moreau

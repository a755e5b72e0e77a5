// What `run` and `resume` have in common: carry the scene on, show progress, end with a table, a summary and the right exit
// status.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "moreau/cli/command.hpp"

namespace moreau {

struct RunOptions {
  std::optional<double> until;
  int threads = 1;
  std::vector<std::uint64_t> dump_steps;  // write the contact problem of these steps
  std::string dump_form = "local";        // or "global"
  bool strict = false;                    // warnings are fatal
  bool json = false;                      // print summary.json at the end instead of the table
  bool changed = false;                   // a resumed run may go on with another scene than it began with
  bool settings = false;                  // its scene has settings that scene.toml has not, and takes its place
  std::string set;                        // which, in words
};

// Adds --threads, --until, --dump-problem, --dump-form, --strict and --json to a command.
void add_run_options(CLI::App& command, RunOptions& options);

// std::runtime_error if a new run cannot write the problems asked for: steps it does not make, scenes whose steps have no such
// form.
void check_dump_steps(const AnyScene& scene, const RunOptions& options);

// StrictError if the scene has warnings and the run is strict.
void check_strict(const AnyScene& scene, const RunOptions& options);

// std::runtime_error if a graphics card was asked for by name and a phase of the scene has what it cannot take.
void check_device(const AnyScene& scene);

// std::runtime_error if the program was started on several ranks, and they cannot share what is asked for.
void check_ranks(const AnyScene& scene);

// A signal has asked for the end of the run; and the folder of the run, where there is one.
bool is_interrupted();
std::string run_in_progress();
// What has become of the run of this process, once it has ended: to be told where its table could not be.
std::string end_of_run();

// `resumed`: continue from the folder's checkpoint instead of the scene's start.
int run_to_end(const AnyScene& scene, RunFolder& folder, bool resumed, const RunOptions& options);

}  // namespace moreau

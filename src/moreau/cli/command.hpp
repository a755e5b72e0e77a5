// What the commands of the program share. Each command adds itself to the command line and sets the exit status.
#pragma once

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "moreau/scene/read/settings.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau {

enum ExitStatus : int {
  exit_ok = 0,
  exit_error = 1,           // refused input, unreadable or unwritable files
  exit_usage = 2,           // a wrong command line
  exit_unconverged = 3,     // stopped because a step did not converge, or a solution was not found
  exit_not_finite = 4,      // stopped because a velocity became infinite or not a number
  exit_warned = 5,          // a warning, where --strict was given; a run has written a checkpoint
  exit_cell_collapsed = 6,  // stopped because the periodic cell became narrower than two of the largest bodies
  exit_endless = 7,         // stopped because a phase can never end; a checkpoint was written
  exit_interrupted = 130,   // Ctrl-C; a checkpoint was written
};

void add_new(CLI::App& app, int& status);
void add_check(CLI::App& app, int& status);
void add_run(CLI::App& app, int& status);
void add_resume(CLI::App& app, int& status);
void add_info(CLI::App& app, int& status);
void add_draw(CLI::App& app, int& status);
void add_view(CLI::App& app, int& status);
void add_measure(CLI::App& app, int& status);
void add_equilibrium(CLI::App& app, int& status);
void add_statics(CLI::App& app, int& status);
void add_elastic(CLI::App& app, int& status);
void add_bench(CLI::App& app, int& status);
void add_solve(CLI::App& app, int& status);
void add_reproduce(CLI::App& app, int& status);
void add_sweep(CLI::App& app, int& status);
void add_ensemble(CLI::App& app, int& status);
void add_spectrum(CLI::App& app, int& status);
void add_export(CLI::App& app, int& status);

// The warnings that --strict makes fatal, in one line; the command ends with exit_warned.
struct StrictError : std::runtime_error {
  explicit StrictError(const Warnings& warnings);
};

// The scene of a run, as it was when the run began.
AnyScene scene_of(const RunFolder& folder);

// --set KEY=VALUE, as often as wanted.
void add_settings_option(CLI::App& command, std::vector<std::string>& texts);
std::vector<Setting> settings_of(const std::vector<std::string>& texts);

int default_threads();
// --threads: a number, or auto (the default), with which the program chooses as many as pay, up to all cores, while it runs.
void add_threads_option(CLI::App& command, int& threads);

// One sentence on standard error; if that is closed or full nobody hears it, and nothing else happens.
void complain(const std::string& sentence);

// CLI::PositiveNumber and CLI::Range let "nan" pass.
inline CLI::Validator positive_number() {
  return CLI::Validator(
      [](std::string& text) {
        double value = 0.0;
        const bool good = CLI::detail::lexical_cast(text, value) && value > 0.0 && std::isfinite(value);
        return good ? std::string() : "'" + text + "' given where a positive number is expected";
      },
      "POSITIVE");
}

inline CLI::Validator number_in(double low, double high) {
  return CLI::Validator(
      [low, high](std::string& text) {
        double value = 0.0;
        const bool good = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
        return good ? std::string() : fmt::format("'{}' given where a number from {:g} to {:g} is expected", text, low, high);
      },
      fmt::format("in [{:g}, {:g}]", low, high));
}

}  // namespace moreau

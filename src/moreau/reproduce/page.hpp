// A report as files: one HTML page that holds its figures and opens from disk, and the numbers as JSON.
#pragma once

#include <filesystem>

#include "moreau/reproduce/experiment.hpp"

namespace moreau::reproduce {

struct Circumstances {
  std::string command;   // that made the page
  std::string version;   // and commit
  double seconds = 0.0;  // in all, runs of earlier calls included
  bool quick = false;
  RunQuality quality = {};
};

// Throws std::runtime_error with one sentence if a figure cannot be read or a file not be written.
void write_page(const Experiment& experiment, const Report& report, const Circumstances& circumstances,
                const std::filesystem::path& file);
void write_results(const Experiment& experiment, const Report& report, const Circumstances& circumstances,
                   const std::filesystem::path& file);

// &, <, > and quotes as entities.
std::string escaped(const std::string& text);

}  // namespace moreau::reproduce

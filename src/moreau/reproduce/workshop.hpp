// Where an experiment works: its folder, its runs (restartable), its scenes, how much it may take on.
//
//   DIR/index.html       the page
//   DIR/results.json     the table as numbers
//   DIR/figures/         the figures of the page
//   DIR/runs/NAME/       run folders as `moreau run` makes them; one that is finished is used again, one that is not is resumed
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "moreau/reproduce/run_quality.hpp"
#include "moreau/runner/run.hpp"
#include "moreau/scene/scene.hpp"

namespace moreau::reproduce {

// Stopped by the user; everything computed is kept.
class Interrupted : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Workshop {
  bool quick = false;  // the reduced form
  std::filesystem::path folder;
  int threads = 1;
  const std::atomic<bool>* interrupt = nullptr;
  mutable RunQuality quality = {};                   // of the runs so far
  mutable double seconds_before = 0.0;               // computing time of the runs in earlier calls of the same command
  std::function<void(const std::string&)> say = {};  // what is being done, one line
  std::function<void(const std::string&, const Progress&)> progress = {};  // of the run with this name

  // Path of a new figure; makes the folder.
  std::filesystem::path figure(const std::string& name) const;
  void tell(const std::string& line) const;
  void stop_if_interrupted() const;
};

// The scene experiments/EXPERIMENT/NAME.toml, which travels in the program.
std::string scene_text(std::string_view experiment, std::string_view name);

// `text` with the line that begins with `key =` set to `value`: the only such line, or number `which` of several (from 1).
std::string with(const std::string& text, const std::string& key, const std::string& value, int which = 0);

template <int D>
Scene<D> scene_of(const std::string& text, const std::string& name);

// A run carried to the end of its scene.
template <int D>
struct FinishedRun {
  Scene<D> scene;
  RunFolder folder;
  Checkpoint<D> end;
};

// Runs the scene in DIR/runs/NAME. A run there of the very same scene is resumed, or only opened if it is finished; one of
// another scene is replaced.
template <int D>
FinishedRun<D> carry(const Workshop& workshop, const std::string& name, const std::string& text);

}  // namespace moreau::reproduce

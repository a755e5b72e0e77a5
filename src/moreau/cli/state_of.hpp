// The state that a command looks at: the latest whole one of a run, which is its checkpoint, or the first of a scene.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "moreau/cli/command.hpp"
#include "moreau/course/phases.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/runner/checkpoint_of.hpp"
#include "moreau/store/frame_file.hpp"

namespace moreau {

// When in a run a state is. The frames of a run that goes on, or was killed, are newer than its checkpoint.
struct Instant {
  std::string run;  // its folder; empty: the beginning of a scene
  std::uint64_t step = 0;
  double time = 0.0;
  std::optional<FrameHeader> newer;  // frame

  // "at step 40 (t = 0.04)", with what is newer; for scenes nothing.
  std::string words() const;
  void note(nlohmann::ordered_json& j) const;
};

Instant instant_of(const RunFolder& run, std::uint64_t step, double time);

// `answer` gets the model of the phase, the state, the scene and the instant, and says the exit status.
template <class Answer>
int with_state_of_run(const std::string& folder, Answer&& answer) {
  const RunFolder run = RunFolder::open(folder);
  return std::visit(
      [&]<int D>(const Scene<D>& scene) {
        const State<D> state = checkpoint_of(run, scene).state;
        return answer(scene.phases[state.phase].model, state, scene, instant_of(run, state.step, state.time));
      },
      scene_of(run));
}

// `settings` are changes of a scene; a run has its own.
template <class Answer>
int with_state_of(const std::string& what, const std::vector<Setting>& settings, Answer&& answer) {
  if (std::filesystem::is_directory(what)) {
    if (!settings.empty()) throw std::runtime_error(what + " is the folder of a run; accepted with --set: a scene file");
    return with_state_of_run(what, answer);
  }
  return std::visit(
      [&]<int D>(const Scene<D>& scene) {
        const Model<D>& model = scene.phases[0].model;
        return answer(model, Simulation<D>(model, bodies_of_first_phase(scene), scene.seed).state(), scene, Instant{});
      },
      read_scene(what, settings));
}

}  // namespace moreau

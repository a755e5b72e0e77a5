// The state that a command looks at: the latest of a run, or the first of a scene.
#pragma once

#include <filesystem>

#include "moreau/engines/simulation.hpp"
#include "moreau/runner/checkpoint_of.hpp"

namespace moreau {

// `answer` gets the model of the phase, the state and the scene, and says the exit status.
template <class Answer>
int with_state_of_run(const std::string& folder, Answer&& answer) {
  const RunFolder run = RunFolder::open(folder);
  return std::visit(
      [&]<int D>(const Scene<D>& scene) {
        const State<D> state = checkpoint_of(run, scene).state;
        return answer(scene.phases[state.phase].model, state, scene);
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
        return answer(model, Simulation<D>(model, scene.bodies, scene.seed).state(), scene);
      },
      read_scene(what, settings));
}

}  // namespace moreau

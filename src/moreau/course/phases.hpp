// From phase to phase of a scene: what begins with one, and when it ends.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "moreau/dynamics/frame.hpp"
#include "moreau/dynamics/warning.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/scene/scene.hpp"

namespace moreau::inline course {

// Those of the scene, their radii as the first phase begins.
template <int D>
Bodies<D> bodies_of_first_phase(const Scene<D>& scene);

// The model of the phase takes over; motions it gives anew go on from where they are, strains and paths are counted from here.
template <int D>
void begin_phase(const Scene<D>& scene, std::uint64_t number, Simulation<D>& simulation);

// The present phase is to end isostatic, all its other conditions hold or its time is over, and the finisher is to be tried.
template <int D>
bool finish_is_due(const Scene<D>& scene, const State<D>& state, const StepReport& report);

// Why the present phase is over: "its duration of 3 has passed", "its conditions hold"; empty while it is not. `report` is that
// of the last step.
template <int D>
std::string why_over(const Scene<D>& scene, const State<D>& state, const StepReport& report);

// If the present phase is over because of its duration although it has conditions that do not hold. `why_not_finished`: by the
// linear programs, if they were asked.
template <int D>
std::optional<Warning> condition_missed(const Scene<D>& scene, const State<D>& state, const StepReport& report,
                                        const std::string& why_not_finished);

// Shortening since the phase began over the distance to the facing wall at that time.
template <int D>
double piston_strain(const Model<D>& model, const State<D>& state, std::int32_t number);

// The strain since the phase began, of the piston or the component that its end names.
template <int D>
double reached_strain(const Phase<D>& phase, const State<D>& state);

// Why the present phase can never end, in one sentence, where that is certain: it has no duration, and nothing that is there
// brings what its end asks for. Empty otherwise. Looked at now and then: `looks_for_end` says in which steps.
template <int D>
std::string why_endless(const Scene<D>& scene, const State<D>& state, const StepReport& report);

// In its first step, and in every thousandth.
template <int D>
bool looks_for_end(const Scene<D>& scene, const State<D>& state);

// The last phase is over.
template <int D>
bool is_complete(const Scene<D>& scene, const State<D>& state, const StepReport& report);

// The model that was at work when a frame was taken.
template <int D>
const Model<D>& model_of(const Scene<D>& scene, const Frame<D>& frame) {
  return scene.phases[std::min<std::size_t>(frame.phase, scene.phases.size() - 1)].model;
}

}  // namespace moreau::inline course

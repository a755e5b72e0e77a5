// Looks at every step of a run for what the user should be warned of.
#pragma once

#include "moreau/dynamics/energy_watch.hpp"
#include "moreau/dynamics/warning.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/scene/scene.hpp"

namespace moreau::inline course {

template <int D>
class StepWatch {
 public:
  // `energy` is that of the checkpoint that a run goes on from: what a resumed run says is what an uninterrupted one says.
  StepWatch(const Scene<D>& scene, const EnergyWatch& energy) : scene_(scene), energy_(energy) {}

  // What is to be said of the step that the simulation has just made; none as a rule.
  // The bodies concerned are looked for only where the value is worse than what is said already.
  std::vector<Warning> look(const Simulation<D>& simulation, const StepReport& report, const Warnings& said);

  const EnergyWatch& energy() const { return energy_; }

 private:
  void measure_bodies(const State<D>& state);
  double breadth(const State<D>& state, std::int32_t body) const;
  std::optional<Warning> penetration(const Simulation<D>& simulation, const StepReport& report, const Warnings& said) const;
  std::optional<Warning> travel(const Simulation<D>& simulation, const StepReport& report);
  std::optional<Warning> created_energy(const Simulation<D>& simulation, const StepReport& report);
  std::string body_words(const State<D>& state, std::int32_t body) const;

  const Scene<D>& scene_;
  EnergyWatch energy_;
  // Of the bodies when there were so many of them, in that phase:
  std::vector<double> thickness_;  // of the shapes
  double smallest_radius_ = 0.0;   // half the least breadth of a free body
  double free_mass_ = 0.0;
  double thinnest_ = 1.0;  // least breadth of a body over the diameter of the ball that holds it
  std::size_t bodies_ = 0;
  std::uint64_t phase_ = 0;
};

}  // namespace moreau::inline course

// A phase of a scene: what holds while it lasts, and when it ends. Phases follow one another in one run.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "moreau/dynamics/model.hpp"

namespace moreau::inline scene {

struct OutputSettings {
  double frame_interval = 0.0;        // simulated time between saved frames (bodies and contacts); 0: only the first and the last
  double series_interval = 0.0;       // simulated time between rows of series.csv; 0: every step
  double checkpoint_interval = 30.0;  // wall-clock seconds between checkpoints
  std::optional<bool> reduced;        // numbers of frames are rounded; none: from `many_bodies` on
  bool orientation = true, spin = true, contacts = true;  // kept in frames

  static constexpr std::size_t many_bodies = 20'000;
};

// All that are given must hold at once.
struct EndConditions {
  double at_least = 0.0;                      // time since the phase began, before which nothing is looked at
  std::optional<double> kinetic_energy;       // at most, mean over the free bodies
  std::optional<double> greatest_energy;      // at most, of any free body
  std::optional<double> unbalanced_force;     // at most, as in the series
  std::optional<double> force_residual;       // at most, of any body that carries forces: |resultant| / largest contact force
  std::optional<double> moment_residual;      // at most, the same with moments, over largest force x radius
  bool no_monovalent = false;                 // no body held by a single contact
  std::optional<double> travelled;            // at least, mean path of the free bodies since the phase began [length]
  std::optional<double> strain;               // at least, of the piston or of the component of the cell below, since then
  std::int32_t strain_piston = -1;            // shortening over the distance to the other wall
  std::int32_t strain_p = -1, strain_q = -1;  // |F - 1| of the deformation gradient of the cell
  std::optional<std::uint64_t> bodies;        // at least, free ones
  bool isostatic = false;                     // once all others hold, the finisher brings the packing to an exact equilibrium

  // Of bodies and contacts.
  bool asks_for_arrays() const { return greatest_energy || force_residual || moment_residual || no_monovalent || isostatic; }
  bool any() const {
    return kinetic_energy || greatest_energy || unbalanced_force || force_residual || moment_residual || no_monovalent ||
           travelled || strain || bodies || isostatic;
  }
};

template <int D>
struct Phase {
  std::string name;
  Model<D> model;
  OutputSettings output;
  std::vector<std::int32_t> new_motions;  // motions that begin anew with this phase
  double radii = 1.0;                     // of the free round bodies are multiplied by this as it begins; masses stay
  double duration = std::numeric_limits<double>::infinity();
  EndConditions end;
};

}  // namespace moreau::inline scene

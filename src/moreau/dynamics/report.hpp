// What a step returns: how well it was solved, what it did to energy and geometry, what it cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "moreau/dynamics/state.hpp"
#include "moreau/solver/certificate.hpp"

namespace moreau::inline dynamics {

struct Timings {  // seconds of wall clock
  double insert = 0.0, predict = 0.0, search = 0.0, detect = 0.0, assemble = 0.0, solve = 0.0, update = 0.0, certify = 0.0;
  double total() const { return insert + predict + search + detect + assemble + solve + update + certify; }
  Timings& operator+=(const Timings& o) {
    insert += o.insert, predict += o.predict, search += o.search, detect += o.detect;
    assemble += o.assemble, solve += o.solve, update += o.update, certify += o.certify;
    return *this;
  }
};

struct StepReport {
  std::uint64_t step = 0;
  double time = 0.0;                           // at the end of the step
  std::size_t bodies = 0, contacts = 0;        // bodies: without those removed
  std::size_t open = 0, stick = 0, slide = 0;  // contacts by status
  std::size_t joints = 0;                      // of mortar, intact
  std::size_t recalled = 0;                    // contacts that were already present in the previous step
  std::size_t inserted = 0;                    // grains brought by sources in this step
  std::size_t removed = 0;                     // bodies that left through sinks in this step
  Certificate certificate;
  double max_penetration = 0.0;   // over the contacts of the step, relative to the diameter of the smaller grain
  double mean_penetration = 0.0;  // same, mean over contacts (an open gap counts 0)
  double unbalanced_force =
      0.0;  // mean |resultant force| on free bodies / mean contact force (or mean weight, if larger): 0 at equilibrium
  double max_speed = 0.0;
  EnergyLedger energy;
  Timings timings;
  std::size_t shocks = 0;    // sequential shocks (shocks.hpp)
  bool shocks_ended = true;  // false: contacts were still approaching after the last round of them
  bool finite = true;        // false: a NaN or infinity appeared in velocities, positions or energies
  bool cell_holds = true;    // false: the periodic cell is narrower than two largest bodies; the step was not made
  bool on_card = false;      // made on a graphics card
  double fastest_surface = 0.0;  // of a free body there, at the end of the step: its speed, and what it turns besides
  bool swept_on_card = false;  // made here, but for its sweeps
  bool fast = false;         // by several ranks whose sweeps are fast (RankSweeps): its bits depend on how many there are
  std::string reason;        // why a step did not converge, of engines that can tell
};

}  // namespace moreau::inline dynamics

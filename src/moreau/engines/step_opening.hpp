// What begins a step of every engine in which time passes.
#pragma once

#include "moreau/dynamics/apparatus.hpp"
#include "moreau/dynamics/exchange.hpp"
#include "moreau/dynamics/report.hpp"

namespace moreau::inline engines {

// Whether bodies may leave or arrive.
template <int D>
bool exchange_is_due(const Model<D>& model, const State<D>& state) {
  return !model.sinks.empty() || insertion_is_due(model, state);
}
// Bodies leave through sinks and arrive from sources; whether some did.
template <int D>
bool exchange_bodies(const Model<D>& model, State<D>& state, StepReport& report) {
  report.removed = remove_into_sinks(model, state);
  report.inserted = insertion_is_due(model, state) ? insert_from_sources(model, state, held_bodies(state)) : 0;
  return report.removed + report.inserted > 0;
}

// A step that is not made because the cell has become too narrow for its bodies: the report is that of the state as it is.
template <int D>
void leave_out(const State<D>& state, StepReport& report) {
  report.cell_holds = false;
  report.step = state.step, report.time = state.time, report.bodies = state.bodies.size(), report.energy = state.energy;
}

// A cell that is too narrow for its bodies as a step begins.
template <int D>
bool cell_is_too_narrow(const Model<D>& model, const Lattice<D>& lattice, const State<D>& state, StepReport& report) {
  if (!model.cell.deforms || cell_holds(lattice, state.bodies)) return false;
  leave_out(state, report);
  return true;
}

}  // namespace moreau::inline engines

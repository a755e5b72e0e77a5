// An event of the quasi-static engine as a row of events.csv.
#pragma once

#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"
#include "moreau/engines/geometric/event.hpp"
#include "moreau/measure/table.hpp"

namespace moreau::inline course {

// `state` after the event, which happened at `time`: loads asked for then (forces or stresses; 0 where a motion
// is given), strains since the phase began, and the event.
template <int D>
measure::Table event_table(const Model<D>& model, const State<D>& state, const geometric::Event& event, double time);

}  // namespace moreau::inline course

// The members of the state, with their names; `visit(name, member)`. The structs may be const (writing) or not (reading).
#pragma once

#include "moreau/contact/fields.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau::fields {

template <class Broken, class Visit>
void broken_joints(Broken& all, const Visit& visit) {
  auto& [time, a, b, point, how] = all;
  visit("time", time), visit("a", a), visit("b", b), visit("point", point), visit("how", how);
}

template <class Integration, class Visit>
void integration(Integration& all, const Visit& visit) {
  auto& [step, dissipated_power, wall_power, remainder, acceleration, jerk, spin_acceleration, spin_jerk, piston_acceleration,
         piston_jerk, cell_remainder, gradient_rate] = all;
  visit("step", step), visit("dissipated_power", dissipated_power), visit("wall_power", wall_power);
  visit("remainder", remainder), visit("acceleration", acceleration), visit("jerk", jerk);
  visit("spin_acceleration", spin_acceleration), visit("spin_jerk", spin_jerk);
  visit("piston_acceleration", piston_acceleration), visit("piston_jerk", piston_jerk);
  visit("cell_remainder", cell_remainder), visit("gradient_rate", gradient_rate);
}

template <class Ledger, class Visit>
void energy(Ledger& all, const Visit& visit) {
  auto& [kinetic, potential, elastic, initial, inserted, wall_work, gravity_work, removed, dissipated] = all;
  visit("kinetic", kinetic), visit("potential", potential), visit("elastic", elastic), visit("initial", initial);
  visit("inserted", inserted), visit("wall_work", wall_work), visit("gravity_work", gravity_work);
  visit("removed", removed), visit("dissipated", dissipated);
}

template <class State, class Visit>
void state(State& all, const Visit& visit) {
  auto& [time, step, impulse_time_step, bodies, contacts, broken, wear, order, sources, motion_starts, pistons, cell, phase,
         phase_start, travelled, left_overlap, energy, integration, finishing_failures, finishing_rests_until] = all;
  visit("time", time), visit("step", step), visit("impulse_time_step", impulse_time_step);
  visit("bodies", bodies), visit("contacts", contacts), visit("broken_joints", broken), visit("wear", wear);
  visit("order", order), visit("sources", sources), visit("motion_starts", motion_starts), visit("pistons", pistons);
  visit("cell", cell), visit("phase", phase), visit("phase_start", phase_start), visit("travelled", travelled);
  visit("left_overlap", left_overlap);
  visit("energy", energy), visit("integration", integration);
  visit("finishing_failures", finishing_failures), visit("finishing_rests_until", finishing_rests_until);
}

}  // namespace moreau::fields

// The names under which the members of the state are stored, once for writing, reading and comparing.
// The structured bindings make a member that was added to a struct, but not here, an error of compilation.
#pragma once

#include "moreau/contact/contact_record.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau::fields {

// Arrays. `visit(name, array)`; the structs may be const (writing) or not (reading).

template <class Parameters, class Visit>
void body_parameters(Parameters& all, const Visit& visit) {
  auto& [radius, mass, inertia, shape, material, motion, kind, birth, origin] = all;
  visit("radius", radius), visit("mass", mass), visit("inertia", inertia), visit("shape", shape);
  visit("material", material), visit("motion", motion), visit("kind", kind), visit("birth", birth), visit("origin", origin);
}

template <class State, class Visit>
void body_state(State& all, const Visit& visit) {
  auto& [position, orientation, velocity, spin] = all;
  visit("position", position), visit("orientation", orientation), visit("velocity", velocity), visit("spin", spin);
}

template <class Table, class Visit>
void contact_table(Table& all, const Visit& visit) {
  auto& [a, b, gap, normal, impulse, point, feature, image, condition, area, couple, colour, spring, deepest, apart] = all;
  visit("a", a), visit("b", b), visit("gap", gap), visit("normal", normal), visit("impulse", impulse);
  visit("point", point), visit("feature", feature), visit("image", image);
  visit("condition", condition), visit("area", area), visit("couple", couple), visit("colour", colour);
  visit("spring", spring), visit("deepest", deepest), visit("apart", apart);
}

template <class Records, class Visit>
void contact_records(Records& all, const Visit& visit) {
  auto& [a, b, point, normal, gap, impulse, force, relative_velocity, status, shift, joint] = all;
  visit("a", a), visit("b", b), visit("point", point), visit("normal", normal), visit("gap", gap), visit("impulse", impulse);
  visit("force", force), visit("relative_velocity", relative_velocity), visit("status", status);
  visit("shift", shift), visit("joint", joint);
}

template <class Broken, class Visit>
void broken_joints(Broken& all, const Visit& visit) {
  auto& [time, a, b, point, how] = all;
  visit("time", time), visit("a", a), visit("b", b), visit("point", point), visit("how", how);
}

// Without the step to which it belongs and the powers.
template <class Integration, class Visit>
void integration(Integration& all, const Visit& visit) {
  auto& [step_, dissipated_power_, wall_power_, remainder, acceleration, jerk, spin_acceleration, spin_jerk, piston_acceleration, piston_jerk, cell_remainder,
         gradient_rate] = all;
  visit("remainder", remainder), visit("acceleration", acceleration), visit("jerk", jerk);
  visit("spin_acceleration", spin_acceleration), visit("spin_jerk", spin_jerk);
  visit("piston_acceleration", piston_acceleration), visit("piston_jerk", piston_jerk);
  visit("cell_remainder", cell_remainder), visit("gradient_rate", gradient_rate);
}

// Single numbers. `visit(name, number)`.

template <class Ledger, class Visit>
void energy(Ledger& all, const Visit& visit) {
  auto& [kinetic, potential, elastic, initial, inserted, wall_work, gravity_work, removed, dissipated] = all;
  visit("kinetic", kinetic), visit("potential", potential), visit("elastic", elastic), visit("initial", initial);
  visit("inserted", inserted), visit("wall_work", wall_work), visit("gravity_work", gravity_work);
  visit("removed", removed), visit("dissipated", dissipated);
}

template <class Certificate, class Visit>
void certificate(Certificate& all, const Visit& visit) {
  auto& [velocity_scale, residual_rms, residual_max, unbalanced, error, body_error, worst_body, sweeps, factorisations,
         finishing_failed, converged, unbounded] = all;
  visit("velocity_scale", velocity_scale), visit("residual_rms", residual_rms), visit("residual_max", residual_max);
  visit("unbalanced", unbalanced), visit("error", error), visit("body_error", body_error), visit("worst_body", worst_body);
  visit("sweeps", sweeps), visit("factorisations", factorisations), visit("finishing_failed", finishing_failed);
  visit("converged", converged), visit("unbounded", unbounded);
}

template <class Timings, class Visit>
void timings(Timings& all, const Visit& visit) {
  auto& [insert, predict, search, detect, assemble, solve, update, certify] = all;
  visit("insert", insert), visit("predict", predict), visit("search", search), visit("detect", detect);
  visit("assemble", assemble), visit("solve", solve), visit("update", update), visit("certify", certify);
}

// Without its certificate, energy and timings, which have their own lists, the joints, which the contacts hold, and the shocks,
// whose end is a matter of the warnings.
template <class Report, class Visit>
void report(Report& all, const Visit& visit) {
  auto& [step, time, bodies, contacts, open, stick, slide, joints_, recalled, inserted, removed, certificate_, max_penetration,
         mean_penetration, unbalanced_force, max_speed, energy_, timings_, shocks_, shocks_ended_, finite, cell_holds, on_card_,
         fast_, reason_] = all;
  visit("step", step), visit("time", time), visit("bodies", bodies), visit("contacts", contacts);
  visit("open", open), visit("stick", stick), visit("slide", slide), visit("recalled", recalled), visit("inserted", inserted);
  visit("removed", removed);
  visit("max_penetration", max_penetration), visit("mean_penetration", mean_penetration);
  visit("unbalanced_force", unbalanced_force), visit("max_speed", max_speed), visit("finite", finite);
}

template <class Totals, class Visit>
void totals(Totals& all, const Visit& visit) {
  auto& [computing_seconds, sweeps, relaxations, factorisations, unconverged_steps, unbounded_steps, worst_residual,
         worst_unbalanced, worst_error, worst_body_error, worst_penetration, max_contacts, max_speed, card_steps, fast_steps] = all;
  visit("computing_seconds", computing_seconds), visit("sweeps", sweeps), visit("relaxations", relaxations);
  visit("unconverged_steps", unconverged_steps), visit("unbounded_steps", unbounded_steps);
  visit("factorisations", factorisations);
  visit("worst_residual", worst_residual), visit("worst_unbalanced", worst_unbalanced);
  visit("worst_error", worst_error), visit("worst_body_error", worst_body_error);
  visit("worst_penetration", worst_penetration), visit("max_contacts", max_contacts), visit("max_speed", max_speed);
  visit("card_steps", card_steps), visit("fast_steps", fast_steps);
}

// Without its bodies, contacts, broken joints, drives, energy and integration.
template <class State, class Visit>
void state(State& all, const Visit& visit) {
  auto& [time, step, impulse_time_step, bodies, contacts, broken, wear, order, sources, motion_starts, pistons, cell, phase, phase_start,
         travelled, energy_, integration_, finishing_failures, finishing_rests_until] = all;
  visit("time", time), visit("step", step), visit("impulse_time_step", impulse_time_step);
  visit("finishing_failures", finishing_failures), visit("finishing_rests_until", finishing_rests_until);
}

template <class Watch, class Visit>
void energy_watch(Watch& all, const Visit& visit) {
  auto& [most_dissipated, explained, turnover] = all;
  visit("most_dissipated", most_dissipated), visit("explained", explained), visit("turnover", turnover);
}

// Of a course, without its report, totals, warnings and averages.
template <class Record, class Visit>
void record(Record& all, const Visit& visit) {
  auto& [report_, totals_, warnings_, energy_watch_, frames, next_frame, next_series, averages_] = all;
  visit("frames", frames), visit("next_frame", next_frame), visit("next_series", next_series);
}

}  // namespace moreau::fields

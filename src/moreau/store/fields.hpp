// The names under which what is not state is stored, once for writing, reading and comparing; those of the state are in
// dynamics/fields.hpp.
#pragma once

#include "moreau/contact/contact_record.hpp"
#include "moreau/dynamics/fields.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau::fields {

// Arrays. `visit(name, array)`; the structs may be const (writing) or not (reading).

template <class Records, class Visit>
void contact_records(Records& all, const Visit& visit) {
  auto& [a, b, point, normal, gap, impulse, force, relative_velocity, status, shift, joint, couple, relative_spin] = all;
  visit("a", a), visit("b", b), visit("point", point), visit("normal", normal), visit("gap", gap), visit("impulse", impulse);
  visit("force", force), visit("relative_velocity", relative_velocity), visit("status", status);
  visit("shift", shift), visit("joint", joint), visit("couple", couple), visit("relative_spin", relative_spin);
}

// Single numbers. `visit(name, number)`.

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
         mean_penetration, unbalanced_force, max_speed, energy_, timings_, shocks_, shocks_ended_, finite, cell_holds, on_card_, fastest_surface_,
         swept_on_card_, fast_, reason_] = all;
  visit("step", step), visit("time", time), visit("bodies", bodies), visit("contacts", contacts);
  visit("open", open), visit("stick", stick), visit("slide", slide), visit("recalled", recalled), visit("inserted", inserted);
  visit("removed", removed);
  visit("max_penetration", max_penetration), visit("mean_penetration", mean_penetration);
  visit("unbalanced_force", unbalanced_force), visit("max_speed", max_speed), visit("finite", finite);
}

template <class Totals, class Visit>
void totals(Totals& all, const Visit& visit) {
  auto& [steps, computing_seconds, sweeps, relaxations, factorisations, unconverged_steps, unbounded_steps, worst_residual,
         worst_unbalanced, worst_error, worst_body_error, worst_penetration, max_contacts, max_speed, card_steps,
         card_swept_steps, fast_steps] = all;
  visit("steps", steps), visit("computing_seconds", computing_seconds), visit("sweeps", sweeps), visit("relaxations", relaxations);
  visit("unconverged_steps", unconverged_steps), visit("unbounded_steps", unbounded_steps);
  visit("factorisations", factorisations);
  visit("worst_residual", worst_residual), visit("worst_unbalanced", worst_unbalanced);
  visit("worst_error", worst_error), visit("worst_body_error", worst_body_error);
  visit("worst_penetration", worst_penetration), visit("max_contacts", max_contacts), visit("max_speed", max_speed);
  visit("card_steps", card_steps), visit("card_swept_steps", card_swept_steps), visit("fast_steps", fast_steps);
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

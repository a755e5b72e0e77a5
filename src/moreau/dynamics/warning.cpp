#include "moreau/dynamics/warning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace moreau::inline dynamics {

namespace {

constexpr const char* names[warning_kinds] = {"penetration",   "travel",   "energy", "time_limit", "shocks",  "friction",
                                              "frames",        "gap",      "survey", "mesh",       "ignored", "stacking",
                                              "nothing_below", "squeezed", "bounce", "outside",    "wedged",  "record",
                                              "angle"};

// "in 12 steps, first in step 3 (t = 0.01)"
std::string steps(const Warning& w) {
  if (w.count == 1) return fmt::format("in step {} (t = {:.6g})", w.step, w.time);
  return fmt::format("in {} steps, first in step {} (t = {:.6g})", w.count, w.step, w.time);
}

// ", and 3 other bodies like it"
std::string others(const Warning& w, const char* one, const char* several) {
  return w.count == 1 ? std::string() : fmt::format(", and {} other {} like it", w.count - 1, w.count == 2 ? one : several);
}

}  // namespace

bool Warnings::add(const Warning& warning) {
  const auto same = std::ranges::find_if(all_, [&](const Warning& w) {  // what is ignored may be keys, and motions
    return w.kind == warning.kind && (w.kind != WarningKind::ignored || w.beside == warning.beside);
  });
  if (same == all_.end()) return all_.push_back(warning), true;
  if (same->step == 0 && warning.step > 0) return *same = warning, false;
  same->count += warning.count;
  if (warning.value > same->value) same->value = warning.value, same->beside = warning.beside, same->where = warning.where;
  return false;
}

const Warning* Warnings::find(WarningKind kind) const {
  const auto same = std::ranges::find(all_, kind, &Warning::kind);
  return same == all_.end() ? nullptr : &*same;
}

const char* name_of(WarningKind kind) { return names[static_cast<int>(kind)]; }

std::optional<WarningKind> warning_kind_of(std::string_view name) {
  for (int k = 0; k < warning_kinds; ++k)
    if (name == names[k]) return static_cast<WarningKind>(k);
  return std::nullopt;
}

std::string sentence_of(const Warning& w) {
  switch (w.kind) {
    case WarningKind::penetration:
      return fmt::format(
          "bodies overlap by up to {:.3g} of a diameter, or of the thickness of a block ({}), more than {:g} {}: the step is too "
          "long for the speeds, the solver stopped too early, or bodies are pressed where they have no room; take a shorter "
          "time.step{}",
          w.value, w.where, penetration_warned, steps(w), w.beside == 1.0 ? ", or contact.rule = \"predictive\"" : "");
    case WarningKind::travel:
      return fmt::format(
          "{} {} up to {:.3g} radii in one step (a block: halves of its thickness), more than {:g} {}: bodies may pass through "
          "one another unseen; take a shorter "
          "time.step, or a [[sink]] for bodies that have left",
          w.where, w.step == 0 ? "will move" : "moves", w.value, travel_warned,
          w.step == 0 ? std::string("from the start") + others(w, "body", "bodies") : steps(w));
    case WarningKind::energy:
      return fmt::format(
          "contacts have created an energy of {:.3g}, of which the residuals of the solver explain {:.3g}, seen first in step {} "
          "(t "
          "= {:.6g}): the step is too long, or overlaps were pushed apart, or coefficients of restitution differ; take a shorter "
          "time.step and look at 'dissipated' in series.csv",
          w.value, w.beside, w.step, w.time);
    case WarningKind::time_limit:
      return fmt::format(
          "{}{}: it is not in the state that was asked for; give it a longer duration, a smaller solver.tolerance "
          "where forces are to be balanced (a tenth of what is asked), or conditions that can hold",
          w.where, others(w, "phase", "phases"));
    case WarningKind::shocks:
      return fmt::format(
          "{:.0f} sequential shocks did not come to an end {}: contacts still approached after the last round; take "
          "contact.shocks "
          "= \"together\", or smaller coefficients of restitution",
          w.value, steps(w));
    case WarningKind::friction:
      return fmt::format(
          "friction {:g} between {}{} is more than {:g}: steps may have no solution or several, and take long; real materials "
          "rarely exceed 1",
          w.value, w.where, others(w, "pair", "pairs"), friction_warned);
    case WarningKind::frames:
      return fmt::format(
          "frames are {:g} apart and {} lasts {:g}: only its first and its last instant will be kept; take a smaller "
          "output.frames, or 0 to say that this is meant",
          w.value, w.where, w.beside);
    case WarningKind::mesh:
      return fmt::format("{}{}; look at it with the program that made it if that is more than you expect", w.where,
                         others(w, "mesh", "meshes"));
    case WarningKind::gap:
      return fmt::format(
          "{}{} is open and gravity leads out of it, with nothing beyond: bodies fall for ever; close it with a wall, or take "
          "them out with a [[sink]]",
          w.where, others(w, "side", "sides"));
    case WarningKind::survey:
      return fmt::format("{}{}; look at the picture before you trust the geometry", w.where, others(w, "file", "files"));
    case WarningKind::ignored:
      if (w.beside == 3.0)
        return fmt::format("nothing moves with {}{}: no wall, body or surface names it; write motion = \"NAME\" where it belongs",
                           w.where, others(w, "motion", "motions"));
      return fmt::format("nothing reads {}: {}{}{} (docs/engines.md)", w.where,
                         w.beside == 1.0 ? "" : "contacts are rigid; contacts that yield are those of engine = \"soft\"",
                         w.beside == 2.0 ? "; " : "",
                         w.beside == 0.0 ? "" : "impacts one after the other are those of engine = \"rigid\"");
    case WarningKind::stacking:
      if (w.beside == 1.0)
        return fmt::format(
            "{}{} stand exactly above one another, up to {:.0f} in a column, and stay so: balanced columns instead of a packing; "
            "give them a 'jitter' (0.1, say)",
            w.where, others(w, "group", "groups"), w.value);
      return fmt::format(
          "{}{} brings grains {:.3g} times as fast as they can fall away below it: they stack up in a column, overlap and burst; "
          "take a smaller rate, or a larger spread",
          w.where, others(w, "source", "sources"), w.value);
    case WarningKind::nothing_below:
      return fmt::format(
          "gravity pulls {} and nothing below stops {}: no wall, no fixed or driven body; give the scene a floor, or no gravity",
          w.where, w.value == 1.0 ? "it" : "them");
    case WarningKind::outside:
      return fmt::format(
          "{:.0f} of {:.0f} free bodies start outside the closed mesh {}, and nothing else holds them: they get away; place them "
          "inside (a smaller 'region'), give them a floor, or take them out with a [[sink]]",
          w.value, w.beside, w.where);
    case WarningKind::squeezed:
      return fmt::format(
          "contacts that yield are pressed together by up to {:.3g} of a diameter ({}), more than {:g} {}: a linear spring means "
          "little there; take a larger stiffness (or soft.level) if bodies are meant to be nearly rigid",
          w.value, w.where, penetration_warned, steps(w));
    case WarningKind::bounce:
      return fmt::format(
          "{}{} have a restitution of up to {:g} under contact.rule = \"predictive\", where a pair that others throw together in "
          "a step does not bounce: energy is lost (a gas of discs with restitution 1: 3 % in 80 units of time); take "
          "contact.rule = \"midpoint\", which keeps it",
          w.where, others(w, "pair", "pairs"), w.value);
    case WarningKind::wedged:
      return fmt::format(
          "no impulses can satisfy the laws of contact, whatever the step and the solver, first in step {} (t = {:.6g}), because "
          "bodies are wedged: {}; change the motion that presses them, or the friction",
          w.step, w.time, w.where);
    case WarningKind::record:
      return fmt::format(
          "steps are {:g} long and the record of {}{} has a point every {:.3g}: peaks between two steps are lost, and the ground "
          "shakes less than the record; take a time.step of {:.3g} or less",
          w.value, w.where, others(w, "motion", "motions"), w.beside, w.beside);
    case WarningKind::angle:
      return fmt::format(
          "{} is {:g} rad, which is {:.0f} degrees, beyond a full turn: angles are in radians, degrees are not accepted; {:g} "
          "degrees are {:.4g}",
          w.where, w.value, w.value * 180.0 / std::numbers::pi, w.value, w.value * std::numbers::pi / 180.0);
  }
  return {};
}

}  // namespace moreau::inline dynamics

// The conical pile (Moreau 2003, sec. 9; 2004, sec. 10): shape, density, ground pressure, fossil layers, reciprocity of cuts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "moreau/draw/canvas.hpp"
#include "moreau/draw/picture.hpp"
#include "moreau/draw/plot.hpp"
#include "moreau/reproduce/experiment.hpp"
#include "moreau/reproduce/pile_measures.hpp"

namespace moreau::reproduce {

namespace {

struct Form {
  double poured;                // time at which pouring ends
  double layer_from, layer_to;  // births of the fossil layer shown
  double slice;                 // thickness
};

std::string small_text() {
  // The rate stays: grains that come faster flow away before they find a place.
  const std::string text = with(with(with(scene_text("conical-pile", "pile"), "step", "5e-4"), "end", "7.5"), "duration", "9.0");
  return with(with(text, "extent", "7.0"), "frames", "0.5");
}
constexpr Form small_form{7.5, 1.6, 2.0, 1.0}, full_form{72.0, 15.5, 18.7, 2.0};

constexpr int seeds = 6;  // of smaller piles
constexpr double degrees = 180.0 / std::numbers::pi;

double contacts_per_grain(const PileInstant& now) {
  return static_cast<double>(now.carrying()) / static_cast<double>(now.grains());
}

Plot pressure_plot(const char* title, std::vector<Curve> curves) {
  return {.title = title,
          .x_label = "distance to the axis [cm]",
          .y_label = "pressure [dPa]",
          .curves = std::move(curves),
          .shape = 0.55};
}

// A slice through the axis, seen from the side: grains shaded in turn by when they were born, those of one layer black.
Figure slice_picture(const Workshop& workshop, const FinishedRun<3>& run, const Form& form, double time, int stage) {
  const PileInstant now(run, time);
  const double layer = form.layer_to - form.layer_from;
  struct Disc {
    Vec<3> centre;
    double radius;
    Colour fill;
    bool fossil;
  };
  std::vector<Disc> discs;
  double reach = 1.0, top = 0.0;
  for (std::size_t i = 0; i < now.sample.bodies(); ++i) {
    const Vec<3>& x = now.frame.state.position[i];
    if (std::abs(x[1]) > 0.5 * form.slice) continue;
    const bool free = now.sample.is_free(i);
    const double band = std::floor((now.frame.parameters.birth[i] - form.layer_from) / layer), r = now.frame.parameters.radius[i];
    if (free) reach = std::max(reach, std::abs(x[0]) + 0.5), top = std::max(top, x[2] + r);
    const Colour shade = std::fmod(std::abs(band), 2.0) == 0.0 ? grey(0.93) : grey(0.74);
    discs.push_back({x, r, !free ? grey(0.55) : band == 0.0 ? grey(0.0) : shade, free && band == 0.0});
  }
  std::erase_if(discs, [&](const Disc& d) { return std::abs(d.centre[0]) > reach; });
  std::stable_sort(discs.begin(), discs.end(),
                   [](const Disc& a, const Disc& b) { return a.fossil != b.fossil ? b.fossil : a.centre[1] > b.centre[1]; });
  const int width = 900;
  const double margin = 0.04 * width, scale = (width - 2.0 * margin) / (2.0 * reach), floor = 0.4;
  const int height = static_cast<int>(std::ceil(3.0 * margin + scale * (top + floor)));
  const auto file = workshop.figure(fmt::format("fossil-{}.png", stage));
  const auto canvas = open_canvas(file, width, height);
  for (const Disc& d : discs)
    canvas->disc({0.5 * width + scale * d.centre[0], height - margin - scale * (d.centre[2] + floor)}, scale * d.radius, d.fill,
                 0.5, grey(0.5));
  canvas->text({margin, 0.9 * margin}, fmt::format("t = {:.4g} s", now.frame.time), {.size = letter_size(width), .bold = true});
  canvas->write();
  return {file, fmt::format("Slice of {} cm through the axis at t = {:.4g} s; black: grains born between {} and {} s, the others "
                            "shaded in turn by layers of the same age.",
                            form.slice, now.frame.time, form.layer_from, form.layer_to)};
}

// The paper gives the largest speed at one instant of a motion that goes on. Here: at the frames of the second half of the
// pouring.
Row speed_row(const FinishedRun<3>& run, const Form& form) {
  std::vector<double> speeds;
  for (double t = 0.5 * form.poured; t <= form.poured; t += std::max(run.scene.output.frame_interval, form.poured / 40.0))
    speeds.push_back(PileInstant(run, t).top_speed());
  const Mean m = mean_of(speeds);
  return stated("largest speed at an instant of the pouring [cm/s]", "23.6 (2003), may reach 24 (2004)",
                fmt::format("{:.1f} ± {:.1f} over {} instants, up to {:.1f}", m.mean, m.deviation, speeds.size(),
                            *std::max_element(speeds.begin(), speeds.end())),
                std::abs(m.mean - 23.6) <= 2.0 * m.deviation, "23.6 within two standard deviations of the instants");
}

// Moreau 2003, sec. 9.2: the slope shows no perceptible difference when the pile is left to relax; only the apex rounds.
std::vector<Row> relaxation_rows(const PileInstant& pouring, const PileInstant& rest, const measure::HeapSlope& relaxed) {
  const measure::HeapSlope before = slope_of(pouring);
  const double change = degrees * (relaxed.angle - before.angle);
  const double error = degrees * std::hypot(relaxed.uncertainty, before.uncertainty);
  const double rise = apex_rise(rest), rise_before = apex_rise(pouring);
  return {stated("slope after relaxing, against that while pouring", "no perceptible difference",
                 fmt::format("{:+.2f} ± {:.2f} degrees", change, error), std::abs(change) < 2.0 * error,
                 "less than two standard errors over the sectors"),
          stated("the apex rounds", "rounds",
                 fmt::format("top {:.2f} cm above the surface at 1.5 to 2.25 cm from the axis, {:.2f} cm while pouring", rise,
                             rise_before),
                 rise < rise_before, "less than while pouring")};
}

// Moreau 2003, sec. 9.3: in the bank layers are nearly parallel to the free surface; equivalently the force on a cone parallel to
// it is nearly vertical.
std::vector<Row> bank_rows(const PileInstant& rest, const measure::HeapSlope& heap, const Form& form) {
  const PileBank bank = bank_of(rest, heap, form.poured);
  std::vector<Row> rows;
  const Mean layer = mean_of(bank.layer_angle), force = mean_of(bank.from_vertical);
  const double surface = degrees * heap.angle;
  if (bank.layer_angle.size() >= 3)
    rows.push_back(stated("slope of fossil layers in the bank, against the free surface", "nearly parallel",
                          fmt::format("{:.1f} ± {:.1f} degrees ({} places), surface {:.1f}", layer.mean, layer.deviation,
                                      bank.layer_angle.size(), surface),
                          std::abs(layer.mean - surface) < 5.0, "means within 5 degrees"));
  if (bank.from_vertical.size() >= 3)
    rows.push_back(stated("force on cones parallel to the free surface, in the bank", "nearly vertical",
                          fmt::format("{:+.1f} ± {:.1f} degrees from the vertical ({} cuts)", force.mean, force.deviation,
                                      bank.from_vertical.size()),
                          std::abs(force.mean) < 5.0, "mean within 5 degrees"));
  return rows;
}

// Moreau 2003, sec. 9.2: many of the grains deposited do not run down but pile up on the spot, and the packet sinks.
std::vector<Row> centre_rows(const FinishedRun<3>& run, const Form& form) {
  const double reach = 0.8 + 2.0 * ring_width;  // cm: the disc of deposition and four mean diameters
  const CentralGrains fresh = central_grains(PileInstant(run, form.layer_to), form.layer_from, form.layer_to, reach),
                      late = central_grains(PileInstant(run, form.poured), form.layer_from, form.layer_to, reach);
  return {measured(fmt::format("share of the layer of t = {} to {} s that is within {:.2g} cm of the axis when laid",
                               form.layer_from, form.layer_to, reach),
                   fresh.share, "an important proportion"),
          stated("and the packet that they form sinks", "sinks",
                 fmt::format("mean height {:.2f} cm when laid, {:.2f} cm at the end of the pouring", fresh.height, late.height),
                 late.share > 0.0 && late.height < fresh.height, "lower at the end")};
}

Section published_and_computed(const Workshop& workshop, const FinishedRun<3>& run, const Form& form) {
  Section table{"Published and computed"};
  const PileInstant pouring(run, form.poured), rest(run, HUGE_VAL);
  const measure::HeapSlope heap = slope_of(rest);
  const bool full = !workshop.quick;
  const double density = bulk_density(rest, heap);
  // The smaller pile is compared where size does not enter.
  table.rows.push_back(compared("angle of the free surface [degrees]", 26.0, heap.angle * degrees, 2.0));
  table.rows.back().computed += fmt::format(" ± {:.2g} over 12 sectors", heap.uncertainty * degrees);
  table.rows.push_back(compared("bulk density", 0.615, density, 0.02));
  if (full) {
    table.rows.push_back(compared("height [cm]", 5.5, heap.height, 0.3));
    table.rows.push_back(compared("contacts near the end", 33000, static_cast<double>(pouring.carrying()), 5000));
  } else {
    table.rows.push_back(measured("height [cm]", heap.height, "5.5 with 14 000 grains"));
    table.rows.push_back(compared("contacts per grain", 33.0 / 14.0, contacts_per_grain(pouring), 0.35));
  }
  table.rows.push_back(speed_row(run, form));
  for (Row& row : relaxation_rows(pouring, rest, heap)) table.rows.push_back(std::move(row));
  const measure::WeightBalance balance = measure::weight_balance(rest.sample);
  table.rows.push_back(compared("ground force / weight, relaxed", 1.0, balance.carried(), 0.01));

  const PilePressure relaxed = pressure_under(rest), early = pressure_under(pouring);
  const double column = density * 981.0 * heap.height;
  table.rows.push_back(stated("pressure at the centre, against that of a column of the same height",
                              full ? "clearly below 3320 dPa" : "clearly below",
                              fmt::format("{:.0f} dPa; column {:.0f} dPa", relaxed.centre, column),
                              relaxed.centre < 0.95 * column, "below 0.95 of the column"));
  table.rows.push_back(stated("local minimum of pressure at the centre", "dip",
                              fmt::format("centre {:.0f} dPa, largest ring {:.0f} dPa", relaxed.centre, relaxed.largest),
                              relaxed.centre < 0.95 * relaxed.largest, "below 0.95 of the largest ring"));
  const auto curve = workshop.figure("ground-pressure.svg");
  draw_plot(pressure_plot("Pressure on the ground",
                          {{"relaxed", relaxed.radius, relaxed.ring}, {"while pouring", early.radius, early.ring}}),
            curve);
  table.figures.push_back({curve, "Vertical force on the ground by rings of 0.75 cm (Moreau 2003, Fig. 6)."});

  const PileCuts cuts = cuts_of(rest, heap, form.poured), cuts_early = cuts_of(pouring, heap, form.poured);
  const Mean angle = mean_of(cuts.angle), residual = mean_of(cuts.residual);
  const Mean angle_early = mean_of(cuts_early.angle);
  if (!cuts.angle.empty())
    table.rows.push_back(stated(
        "force on cylindrical cuts against the fossil layer through the point", "same direction",
        fmt::format("angle between them {:+.1f} ± {:.1f} degrees ({} cuts)", angle.mean, angle.deviation, cuts.angle.size()),
        std::abs(angle.mean) < 10.0, "mean within 10 degrees"));
  if (!cuts.angle.empty() && !cuts_early.angle.empty()) {
    const double error = std::hypot(angle.deviation / std::sqrt(static_cast<double>(cuts.angle.size())),
                                    angle_early.deviation / std::sqrt(static_cast<double>(cuts_early.angle.size())));
    table.rows.push_back(
        stated("the same in the pile that is not relaxed", "no significant difference",
               fmt::format("{:+.1f} ± {:.1f} degrees ({} cuts); the means differ by {:.1f} ± {:.1f}", angle_early.mean,
                           angle_early.deviation, cuts_early.angle.size(), std::abs(angle_early.mean - angle.mean), error),
               std::abs(angle_early.mean - angle.mean) < 2.0 * error, "less than two standard errors"));
  }
  if (!cuts.residual.empty()) {
    table.rows.push_back(stated("reciprocity of cuts, relaxed", "holds",
                                fmt::format("residual {:.3f} on average over {} pairs", residual.mean, cuts.residual.size()),
                                residual.mean < 0.15, "mean residual below 0.15"));
    table.rows.push_back(measured("reciprocity of cuts while pouring: mean residual", mean_of(cuts_early.residual).mean));
  }
  for (Row& row : bank_rows(rest, heap, form)) table.rows.push_back(std::move(row));
  for (Row& row : centre_rows(run, form)) table.rows.push_back(std::move(row));
  return table;
}

// What a pile of 1500 grains gives, seed by seed.
struct SmallPiles {
  std::vector<double> angle, density, per_grain, centre, layer_angle, reciprocity;
  std::vector<PilePressure> pressure;

  void add(const FinishedRun<3>& run) {
    const PileInstant pouring(run, small_form.poured), rest(run, HUGE_VAL);
    const measure::HeapSlope heap = slope_of(rest);
    const PileCuts cuts = cuts_of(rest, heap, small_form.poured);
    angle.push_back(heap.angle * degrees);
    density.push_back(bulk_density(rest, heap)), per_grain.push_back(contacts_per_grain(pouring));
    pressure.push_back(pressure_under(rest));
    centre.push_back(pressure.back().centre);
    layer_angle.push_back(mean_of(cuts.angle).mean), reciprocity.push_back(mean_of(cuts.residual).mean);
  }
};

// Mean over piles, ring by ring, as far as all of them reach.
Curve mean_pressure(const std::vector<PilePressure>& piles) {
  Curve curve{fmt::format("mean of {} piles", piles.size())};
  for (std::size_t k = 0;; ++k) {
    double sum = 0.0;
    for (const PilePressure& p : piles) {
      if (k >= p.ring.size()) return curve;
      sum += p.ring[k];
    }
    curve.x.push_back(piles.front().radius[k]), curve.y.push_back(sum / static_cast<double>(piles.size()));
  }
}

Section smaller_piles(const Workshop& workshop) {
  Section section{"Smaller piles: seeds and choices"};
  section.paragraphs = {fmt::format(
      "Piles of 1 500 grains (the reduced form), seeds 1 to {}; mean and standard deviation of one pile. Below, seed 1 with half "
      "the time step, and with a third of the solver's tolerances.",
      seeds)};
  SmallPiles piles;
  for (int seed = 1; seed <= seeds; ++seed)
    piles.add(carry<3>(workshop, fmt::format("small-{}", seed), with(small_text(), "seed", std::to_string(seed))));
  section.rows.push_back(compared("angle of the free surface [degrees]", 26.0, piles.angle, 2.0));
  section.rows.push_back(compared("bulk density", 0.615, piles.density, 0.02));
  section.rows.push_back(compared("contacts per grain", 33.0 / 14.0, piles.per_grain, 0.35));
  const Curve mean = mean_pressure(piles.pressure);
  const Mean centre = mean_of(piles.centre);
  const double largest = *std::max_element(mean.y.begin(), mean.y.end());
  section.rows.push_back(stated(
      "local minimum of the mean pressure at the centre", "dip, in larger piles",
      fmt::format("centre {:.0f} ± {:.0f} dPa, largest ring of the mean {:.0f} dPa", centre.mean, centre.deviation, largest),
      centre.mean < 0.95 * largest, "below 0.95 of the largest ring"));
  section.rows.push_back(compared("force on cylindrical cuts against the fossil layer [degrees]", 0.0, piles.layer_angle, 10.0));
  section.rows.push_back(measured("reciprocity of cuts, relaxed: mean residual", piles.reciprocity, "holds"));
  std::vector<Curve> curves{mean};
  for (const PilePressure& p : piles.pressure) curves.push_back({"", p.radius, p.ring, true});
  const auto file = workshop.figure("ground-pressure-small.svg");
  draw_plot(pressure_plot("Pressure on the ground, piles of 1 500 grains", std::move(curves)), file);
  section.figures.push_back(
      {file, fmt::format("Pressure under {} piles of 1 500 grains (points), and their mean (line).", seeds)});

  const auto variant = [&](const char* name, const std::string& label, const std::string& text) {
    SmallPiles one;
    one.add(carry<3>(workshop, name, text));
    section.rows.push_back(compared(label + ": angle of the free surface [degrees]", 26.0, one.angle.front(), 2.0));
    section.rows.push_back(compared(label + ": bulk density", 0.615, one.density.front(), 0.02));
    section.rows.push_back(measured(label + ": pressure at the centre [dPa]", one.centre.front()));
  };
  variant("small-half-step", "half the step", with(small_text(), "step", "2.5e-4"));
  variant("small-tolerance", "a third of the tolerances",
          small_text() + "\n[solver]\ntolerance = 3e-4\nunbalanced_tolerance = 1.5e-2\nmax_sweeps = 5000\n");
  return section;
}

}  // namespace

Report conical_pile(const Workshop& workshop) {
  Report report;
  const Form& form = workshop.quick ? small_form : full_form;
  const FinishedRun<3> run = carry<3>(workshop, "pile", workshop.quick ? small_text() : scene_text("conical-pile", "pile"));
  report.protocol = {fmt::format(
      "Spheres of diameter uniform between 0.25 and 0.5 cm, density 1, friction 0.4, no restitution, are put one by one at rest "
      "on the grains already there, on vertical lines within 0.8 cm of the axis, above a floor of fixed grains of the same "
      "sizes: {} grains by t = {} s, 200 per second. Step {} s. The pile is analysed while grains still arrive, and again after "
      "pouring has stopped.",
      PileInstant(run, HUGE_VAL).grains(), form.poured, workshop.quick ? "5e-4" : "2e-4")};
  report.choices = {"Floor: as dense as random addition makes it, holes closed; its extent is larger than the pile.",
                    "Lines of deposition are uniform over the disc of 0.8 cm; rings of ground pressure are two mean diameters "
                    "wide; solver tolerance 1e-3.",
                    "Bulk density is the share of matter in a cylinder about the axis of 0.35 of the base radius, from 0.5 cm "
                    "above the floor's centres to half the height."};
  report.sections.push_back(published_and_computed(workshop, run, form));
  if (!workshop.quick) report.sections.push_back(smaller_piles(workshop));

  Section pictures{"Pictures"};
  PictureOptions view;
  view.title = run.scene.title, view.width = 900;
  const auto whole = workshop.figure("pile.png");
  draw_frame(PileInstant(run, form.poured).frame, view, whole);
  pictures.figures.push_back({whole, "While grains arrive; colour is speed (Moreau 2003, Fig. 2)."});
  int stage = 0;
  for (const double share : {0.26, 0.5, 0.75, 1.0})
    pictures.figures.push_back(slice_picture(workshop, run, form, share * form.poured, ++stage));
  report.sections.push_back(std::move(pictures));
  return report;
}

}  // namespace moreau::reproduce

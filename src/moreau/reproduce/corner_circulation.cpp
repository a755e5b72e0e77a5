// Beads in a flat box shaken up and down: circulation in the upper corners (Moreau 1994, Fig. 1).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "moreau/reproduce/experiment.hpp"
#include "moreau/reproduce/vessel.hpp"

namespace moreau::reproduce {

namespace {

struct Form {
  std::string text;
  double width;           // of the box
  std::size_t reference;  // periods of preparation
  std::size_t periods;    // of the displacements
};

Form form_of(bool quick) {
  const std::string text = scene_text("corner-circulation", "box");
  if (!quick) return {text, 7.5, 20, 60};
  return {with(with(with(with(text, "count", "300"), "box", "{ min = [0, 0], max = [3, 30], open = [\"top\"] }"), "region",
                    "{ box = [[0, 0], [3, 5.5]] }"),
               "duration", "1.3333333333333333"),
          3.0, 8, 12};
}

}  // namespace

Report corner_circulation(const Workshop& workshop) {
  Report report;
  const Form form = form_of(workshop.quick);
  const std::string beads = workshop.quick ? "300" : "1650";
  report.protocol = {fmt::format(
      "{} beads of 0.15 cm in a flat box {} cm wide (front and back walls are ignored), shaken up and down at 15 Hz, 0.3 cm from "
      "peak "
      "to peak. Friction 0.8 everywhere; restitution 0.7 between beads, 0.4 with the box. The beads rain into the box and are "
      "shaken "
      "for {} periods; from then on the displacement of each bead over {} periods is taken, at the lowest point of the box.",
      beads, form.width, form.reference, form.periods)};
  report.choices = {
      "Time step (a 400th of a period), tangential restitution (0), density (2.7), preparation (random rain) and reference "
      "instant are not given.",
      "g = 1000 cm/s², which the published 1.332 g implies."};
  Section section{"Published and computed"};
  std::vector<double> left, right, corner, bulk, lift;
  for (int seed = 1; seed <= (workshop.quick ? 1 : 5); ++seed) {
    const FinishedRun<2> run =
        carry<2>(workshop, seed == 1 ? "box" : fmt::format("box-seed-{}", seed), with(form.text, "seed", std::to_string(seed)));
    const Strobe<2> s = strobe_of(run);
    const std::size_t from = form.reference, to = std::min(from + form.periods, s.frames() - 1);
    const double floor = -0.15, top = height_of_share(s, from, 0.99), w = form.width, depth = top - floor;
    const auto [l, r] = upper_corners(s, from, to, w, floor);
    const Patch b = patch(s, from, to, 0.25 * w, 0.75 * w, floor, floor + 0.5 * depth);
    left.push_back(l.rotation), right.push_back(r.rotation);
    corner.push_back(std::sqrt(0.5 * (l.rms * l.rms + r.rms * r.rms))), bulk.push_back(b.rms);
    if (seed > 1) continue;
    std::vector<Bead> drawn;
    for (std::size_t i = 0; i < s.radius.size(); ++i) drawn.push_back({s.position[from][i], s.position[to][i], s.radius[i]});
    const auto file = workshop.figure("displacements.png");
    draw_displacements(drawn, 0.0, w, floor, fmt::format("Displacements over {} periods", to - from), file);
    section.figures.push_back({file,
                               "Beads where they were at the reference instant, and lines to where they were after the periods "
                               "(Moreau 1994, Fig. 1)."});
  }
  const Mean l = mean_of(left), r = mean_of(right), c = mean_of(corner), b = mean_of(bulk);
  std::size_t turning = 0;
  for (std::size_t k = 0; k < left.size(); ++k) turning += left[k] > 0.0 && right[k] < 0.0;
  section.rows.push_back(stated(
      "vortices in the two upper corners, down along the walls", "sporadically, in both corners",
      fmt::format("rotation {:+.3f} rad (left), {:+.3f} rad (right); so in {} of {} runs", l.mean, r.mean, turning, left.size()),
      turning == left.size(), "counter-clockwise on the left, clockwise on the right, in every run"));
  section.rows.push_back(measured("rotation of the upper left corner [rad]", left));
  section.rows.push_back(measured("rotation of the upper right corner [rad]", right));
  section.rows.push_back(measured("rms displacement in the upper corners [cm]", corner));
  section.rows.push_back(measured("rms displacement in the lower middle [cm]", bulk));
  section.rows.push_back(stated("the motion is localised in the corners", "bulk moves far less",
                                fmt::format("corner / bulk = {:.2f}", c.mean / b.mean), c.mean > 2.0 * b.mean,
                                "corner over twice the bulk"));
  report.sections.push_back(std::move(section));
  return report;
}

}  // namespace moreau::reproduce

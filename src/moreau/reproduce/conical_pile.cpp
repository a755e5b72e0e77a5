// The conical pile (Moreau 2003, sec. 9; 2004, sec. 10): shape, density, ground pressure, fossil layers, reciprocity of cuts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "moreau/draw/picture.hpp"
#include "moreau/draw/plot.hpp"
#include "moreau/measure/ground_pressure.hpp"
#include "moreau/measure/heap_slope.hpp"
#include "moreau/measure/sample.hpp"
#include "moreau/measure/solid_fraction.hpp"
#include "moreau/measure/strips.hpp"
#include "moreau/reproduce/experiment.hpp"
#include "moreau/reproduce/vessel.hpp"

namespace moreau::reproduce {

namespace {

struct Form {
  std::string text;
  double poured;                // time at which pouring ends
  double layer_from, layer_to;  // births of the fossil layer shown
  double slice;                 // thickness
};

Form form_of(bool quick) {
  const std::string text = scene_text("conical-pile", "pile");
  if (!quick) return {text, 72.0, 15.5, 18.7, 2.0};
  // The rate stays: grains that come faster flow away before they find a place.
  std::string small = with(with(with(text, "step", "5e-4"), "end", "7.5"), "duration", "9.0");
  small = with(with(small, "extent", "7.0"), "frames", "0.5");
  return {small, 7.5, 1.6, 2.0, 1.0};
}

struct Instant {
  Frame<3> frame;
  measure::Sample<3> sample;
  Instant(const FinishedRun<3>& run, std::uint64_t number) : frame(run.folder.read_frame<3>(number)) {
    sample = measure::sample_of(run.scene.model, frame.shapes, frame.time, frame.parameters, frame.state, frame.contacts,
                                frame.wall_shift);
  }
  Instant(const Instant&) = delete;

  double top_speed() const {
    double top = 0.0;
    for (std::size_t i = 0; i < sample.bodies(); ++i)
      if (sample.is_free(i)) top = std::max(top, norm(frame.state.velocity[i]));
    return top;
  }
  std::size_t carrying() const {
    const auto carries = measure::carrying_contacts(sample);
    return static_cast<std::size_t>(std::count(carries.begin(), carries.end(), true));
  }
  std::size_t grains() const {
    std::size_t n = 0;
    for (std::size_t i = 0; i < sample.bodies(); ++i) n += sample.is_free(i);
    return n;
  }
};

std::uint64_t frame_at(const FinishedRun<3>& run, double time) {
  return std::min(static_cast<std::uint64_t>(std::lround(time / run.scene.output.frame_interval)), run.folder.frame_count() - 1);
}

// Share of matter in the heart of the pile: a cylinder that lies well inside the cone.
double bulk_density(const Instant& now, const measure::HeapSlope& heap) {
  measure::Region<3> heart{"heart", {}};
  heart.outside.outer = 0.35 * heap.radius;
  heart.outside.low[2] = 0.5, heart.outside.high[2] = 0.5 * heap.height;
  return measure::solid_fraction(now.sample, heart).fraction();
}

// A fossil layer about the axis: mean height by radius, and from its slope the direction in which forces should cross cylinders.
struct LayerSlope {
  double r, z, slope;  // dz/dr
};
std::vector<LayerSlope> layer_slopes(const Instant& now, double born_from, double born_to, double width) {
  std::vector<double> z, count;
  for (std::size_t i = 0; i < now.sample.bodies(); ++i) {
    const double birth = now.frame.parameters.birth[i];
    if (!now.sample.is_free(i) || birth < born_from || birth >= born_to) continue;
    const Vec<3>& x = now.frame.state.position[i];
    const std::size_t bin = static_cast<std::size_t>(std::hypot(x[0], x[1]) / width);
    if (bin >= z.size()) z.resize(bin + 1, 0.0), count.resize(bin + 1, 0.0);
    z[bin] += x[2], count[bin] += 1.0;
  }
  std::vector<LayerSlope> slopes;
  for (std::size_t k = 1; k + 1 < z.size(); ++k)
    if (count[k - 1] >= 8.0 && count[k + 1] >= 8.0 && count[k] >= 8.0)
      slopes.push_back({(static_cast<double>(k) + 0.5) * width, z[k] / count[k],
                        (z[k + 1] / count[k + 1] - z[k - 1] / count[k - 1]) / (2.0 * width)});
  return slopes;
}

struct Cuts {
  std::vector<double> angle;     // between the force on a cylinder and the layer [degrees], where both are known
  std::vector<double> residual;  // of reciprocity
};

Cuts cuts_of(const Instant& now, const measure::HeapSlope& heap, double poured) {
  Cuts cuts;
  const Vec<3> axis{};
  const double length = heap.height / 4.0, degrees = 180.0 / std::numbers::pi;
  for (double from = 0.15 * poured; from < 0.8 * poured; from += 0.05 * poured)
    for (const LayerSlope& layer : layer_slopes(now, from, from + 0.08 * poured, std::max(0.5, heap.radius / 12.0))) {
      const double surface = heap.height * (1.0 - layer.r / heap.radius);
      if (layer.z + 0.6 * length > surface || layer.z - 0.5 * length < 0.0) continue;
      const measure::Strip upright{layer.r, layer.z - 0.5 * length, layer.r, layer.z + 0.5 * length};
      const measure::StripForce t = measure::force_across(now.sample, upright, axis);
      if (t.contacts < 20) continue;
      // The force on the inner side points inwards; turned round it points away from the axis, as the layer is followed.
      double angle = degrees * (std::atan2(-t.vertical, -t.radial) - std::atan(layer.slope));
      cuts.angle.push_back(angle);
      const double half = 0.5 * length / std::sqrt(2.0);
      const measure::Strip sloped{layer.r - half, layer.z - half, layer.r + half, layer.z + half};
      if (sloped.r1 <= 0.0) continue;
      const measure::StripForce other = measure::force_across(now.sample, sloped, axis);
      const double residual = measure::reciprocity_residual(upright, t, sloped, other);
      if (std::isfinite(residual)) cuts.residual.push_back(residual);
    }
  return cuts;
}

Figure slice_picture(const Workshop& workshop, const FinishedRun<3>& run, const Form& form, double time, int stage) {
  const Instant now(run, frame_at(run, time));
  std::vector<Bead> beads;
  double reach = 1.0;
  for (std::size_t i = 0; i < now.sample.bodies(); ++i) {
    const Vec<3>& x = now.frame.state.position[i];
    const double birth = now.frame.parameters.birth[i];
    if (std::abs(x[1]) > 0.5 * form.slice) continue;
    const bool free = now.sample.is_free(i), fossil = free && birth >= form.layer_from && birth < form.layer_to;
    if (free) reach = std::max(reach, std::abs(x[0]) + 0.5);
    beads.push_back({{{x[0], x[2]}},
                     {{x[0], x[2]}},
                     now.frame.parameters.radius[i],
                     fossil ? grey(0.0)
                     : free ? grey(0.85)
                            : grey(0.6)});
  }
  std::erase_if(beads, [&](const Bead& b) { return std::abs(b.from[0]) > reach; });
  const auto file = workshop.figure(fmt::format("fossil-{}.png", stage));
  draw_displacements(beads, -reach, reach, -0.3, fmt::format("t = {:.4g} s", now.frame.time), file, 900);
  return {file, fmt::format("Slice of {} cm through the axis at t = {:.4g} s; black: grains born between {} and {} s.",
                            form.slice, now.frame.time, form.layer_from, form.layer_to)};
}

}  // namespace

Report conical_pile(const Workshop& workshop) {
  Report report;
  const Form form = form_of(workshop.quick);
  const FinishedRun<3> run = carry<3>(workshop, "pile", form.text);
  const Instant pouring(run, frame_at(run, form.poured)), rest(run, run.folder.frame_count() - 1);
  const measure::HeapSlope heap = measure::heap_slope(rest.sample, Vec<3>{}, 12);
  report.protocol = {fmt::format(
      "Spheres of diameter uniform between 0.25 and 0.5 cm, density 1, friction 0.4, no restitution, are put one by one at rest "
      "on the grains already there, on vertical lines within 0.8 cm of the axis, above a floor of fixed grains of the same "
      "sizes: "
      "{} grains by t = {} s, 200 per second. Step {} s. The pile is analysed while grains still arrive, and again after pouring "
      "has stopped.",
      rest.grains(), form.poured, workshop.quick ? "5e-4" : "2e-4")};
  report.choices = {"Floor: as dense as random addition makes it, holes closed; its extent is larger than the pile.",
                    "Lines of deposition are uniform over the disc of 0.8 cm; rings of ground pressure are two mean diameters "
                    "wide; solver tolerance 1e-3.",
                    "Bulk density is the share of matter in a cylinder about the axis of 0.35 of the base radius, from 0.5 cm "
                    "above the floor's centres to half the height."};
  const bool full = !workshop.quick;
  Section table{"Published and computed"};
  const double degrees = 180.0 / std::numbers::pi, density = bulk_density(rest, heap);
  // The smaller pile is compared where size does not enter.
  table.rows.push_back(compared("angle of the free surface [degrees]", 26.0, heap.angle * degrees, 2.0));
  table.rows.back().computed += fmt::format(" ± {:.2g} over 12 sectors", heap.uncertainty * degrees);
  table.rows.push_back(compared("bulk density", 0.615, density, 0.02));
  const double ratio = static_cast<double>(pouring.carrying()) / static_cast<double>(pouring.grains());
  if (full) {
    table.rows.push_back(compared("height [cm]", 5.5, heap.height, 0.3));
    table.rows.push_back(compared("contacts near the end", 33000, static_cast<double>(pouring.carrying()), 5000));
    table.rows.push_back(compared("largest speed while pouring [cm/s]", 23.6, pouring.top_speed(), 12.0));
  } else {
    table.rows.push_back(measured("height [cm]", heap.height, "5.5 with 14 000 grains"));
    table.rows.push_back(measured("largest speed while pouring [cm/s]", pouring.top_speed(), "23.6 with 14 000 grains"));
  }
  table.rows.push_back(compared("contacts per grain", 33.0 / 14.0, ratio, 0.35));
  const measure::WeightBalance balance = measure::weight_balance(rest.sample);
  table.rows.push_back(compared("ground force / weight, relaxed", 1.0, balance.carried(), 0.01));
  const double width = 0.75, hydrostatic = density * 981.0 * heap.height;
  const auto rings = measure::ground_pressure(rest.sample, Vec<3>{}, width);
  Plot pressure{.title = "Pressure on the ground",
                .x_label = "distance to the axis [cm]",
                .y_label = "pressure [dPa]",
                .curves = {{"relaxed"}, {"while pouring"}},
                .shape = 0.55};
  double centre = 0.0, centre_area = 0.0, most = 0.0;
  for (const auto& ring : rings) {
    if (ring.to <= 2.0 * width + 1e-9) centre += ring.force, centre_area += ring.area;
    most = std::max(most, ring.pressure());
    pressure.curves[0].x.push_back(0.5 * (ring.from + ring.to)), pressure.curves[0].y.push_back(ring.pressure());
  }
  for (const auto& ring : measure::ground_pressure(pouring.sample, Vec<3>{}, width))
    pressure.curves[1].x.push_back(0.5 * (ring.from + ring.to)), pressure.curves[1].y.push_back(ring.pressure());
  centre /= centre_area;
  table.rows.push_back(stated("pressure at the centre, against that of a column of the same height",
                              full ? "clearly below 3320 dPa" : "clearly below",
                              fmt::format("{:.0f} dPa; column {:.0f} dPa", centre, hydrostatic), centre < 0.95 * hydrostatic,
                              "below 0.95 of the column"));
  table.rows.push_back(stated("local minimum of pressure at the centre", "dip",
                              fmt::format("centre {:.0f} dPa, largest ring {:.0f} dPa", centre, most), centre < 0.95 * most,
                              "below 0.95 of the largest ring"));
  const auto curve = workshop.figure("ground-pressure.svg");
  draw_plot(pressure, curve);
  table.figures.push_back({curve, "Vertical force on the ground by rings of 0.75 cm (Moreau 2003, Fig. 6)."});

  const Cuts relaxed = cuts_of(rest, heap, form.poured), unrelaxed = cuts_of(pouring, heap, form.poured);
  const Mean angle = mean_of(relaxed.angle), residual = mean_of(relaxed.residual), early = mean_of(unrelaxed.residual);
  if (!relaxed.angle.empty())
    table.rows.push_back(stated(
        "force on cylindrical cuts against the fossil layer through the point", "same direction",
        fmt::format("angle between them {:+.1f} ± {:.1f} degrees ({} cuts)", angle.mean, angle.deviation, relaxed.angle.size()),
        std::abs(angle.mean) < 10.0, "mean within 10 degrees"));
  if (!relaxed.residual.empty()) {
    table.rows.push_back(stated("reciprocity of cuts, relaxed", "holds",
                                fmt::format("residual {:.3f} on average over {} pairs", residual.mean, relaxed.residual.size()),
                                residual.mean < 0.15, "mean residual below 0.15"));
    table.rows.push_back(measured("reciprocity of cuts while pouring: mean residual", early.mean, "less well"));
  }
  report.sections.push_back(std::move(table));

  Section pictures{"Pictures"};
  PictureOptions view;
  view.title = run.scene.title, view.width = 900;
  const auto whole = workshop.figure("pile.png");
  draw_frame(pouring.frame, view, whole);
  pictures.figures.push_back({whole, "While grains arrive; colour is speed (Moreau 2003, Fig. 2)."});
  int stage = 0;
  for (const double share : {0.26, 0.5, 0.75, 1.0})
    pictures.figures.push_back(slice_picture(workshop, run, form, share * form.poured, ++stage));
  report.sections.push_back(std::move(pictures));
  return report;
}

}  // namespace moreau::reproduce

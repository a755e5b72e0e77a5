// Beads in a shaken cylinder: convection and the forces of the lateral wall over a period (Moreau 1994, Fig. 3).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "moreau/draw/plot.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/reproduce/experiment.hpp"
#include "moreau/reproduce/vessel.hpp"

namespace moreau::reproduce {

namespace {

constexpr double period = 0.04;
constexpr int points = 50, steps_per_point = 40;  // of a period

struct Form {
  std::string text, beads;
  double radius;          // of the cylinder
  std::size_t reference;  // periods of preparation
  std::size_t periods;    // of the displacements
  int recorded;           // periods over which forces are recorded
};

Form form_of(bool quick) {
  const std::string text = scene_text("shaken-cylinder", "cylinder");
  if (!quick) return {text, "3630", 1.75, 20, 10, 10};
  return {with(with(with(with(text, "count", "400"), "cylinder", "{ radius = 0.8 }"), "region",
                    "{ cylinder = { radius = 0.8, bottom = -0.1, top = 3.2 } }"),
               "duration", "0.24"),
          "400",
          0.8,
          4,
          2,
          1};
}

// Forces of the walls on the beads over one period, each point the mean over 40 steps; forces over the weight of the pack.
struct Record {
  std::vector<double> lateral_normal, lateral_vertical, bottom, pressure;  // pressure: sum of f.l over the contacts between beads
  std::vector<double> sliding;  // centres of beads that touch the lateral wall, against it, upwards; weighted by force [cm/s]
  double rise_at_wall = 0.0, rise_inside = 0.0;        // from the start of the period to the highest place, mean over beads [cm]
  double landing_at_wall = 0.0, landing_inside = 0.0;  // first touch of the bottom in the period, mean over beads that do [s]
};

// Beads that start nearer to the wall than this are at it.
constexpr double skin = 0.25;

Record record_period(const Workshop& workshop, Simulation<3>& simulation, double radius) {
  Record r;
  double weight = 0.0;
  const Bodies<3>& bodies = simulation.state().bodies;
  const std::vector<Vec<3>> start = bodies.state.position;
  const double begin = simulation.state().time;
  std::vector<double> highest(start.size()), landing(start.size(), -1.0);
  for (std::size_t i = 0; i < start.size(); ++i) highest[i] = start[i][2];
  for (std::size_t i = 0; i < bodies.size(); ++i) weight += bodies.parameters.mass[i] * norm(simulation.model().gravity);
  for (int k = 0; k < points; ++k) {
    double normal = 0.0, vertical = 0.0, bottom = 0.0, virial = 0.0, slid = 0.0;
    for (int n = 0; n < steps_per_point; ++n) {
      workshop.quality.add(simulation.step());
      const double time = simulation.state().time, wall_speed = velocity(simulation.model().motions[0], time)[2];
      const ContactTable<3>& table = simulation.state().contacts;
      const double h = simulation.model().time_step;
      for (std::size_t c = 0; c < table.size(); ++c) {
        const Vec<3> f = (1.0 / h) * table.impulse[c];
        const double along = dot(f, table.normal[c]);
        if (!is_wall(table.b[c]))
          virial += along * (bodies.parameters.radius[static_cast<std::size_t>(table.a[c])] +
                             bodies.parameters.radius[static_cast<std::size_t>(table.b[c])]);
        else if (wall_index(table.b[c]) == 1) {
          normal += along, vertical += f[2];
          slid += along * (bodies.state.velocity[static_cast<std::size_t>(table.a[c])][2] - wall_speed);
        } else {
          bottom += f[2];
          double& first = landing[static_cast<std::size_t>(table.a[c])];
          if (along > 0.0 && first < 0.0) first = time - begin;
        }
      }
    }
    for (std::size_t i = 0; i < start.size(); ++i) highest[i] = std::max(highest[i], bodies.state.position[i][2]);
    r.sliding.push_back(normal > 0.0 ? slid / normal : 0.0);
    const double each = 1.0 / (steps_per_point * weight);
    r.lateral_normal.push_back(normal * each), r.lateral_vertical.push_back(vertical * each);
    r.bottom.push_back(bottom * each), r.pressure.push_back(virial * each);
  }
  double beads[2] = {}, landed[2] = {};
  for (std::size_t i = 0; i < start.size(); ++i) {
    const bool at_wall = radius - std::hypot(start[i][0], start[i][1]) < skin;
    (at_wall ? r.rise_at_wall : r.rise_inside) += highest[i] - start[i][2], beads[at_wall] += 1.0;
    if (landing[i] >= 0.0) (at_wall ? r.landing_at_wall : r.landing_inside) += landing[i], landed[at_wall] += 1.0;
  }
  r.rise_inside /= std::max(1.0, beads[0]), r.rise_at_wall /= std::max(1.0, beads[1]);
  r.landing_inside /= std::max(1.0, landed[0]), r.landing_at_wall /= std::max(1.0, landed[1]);
  return r;
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const Mean a = mean_of(x), b = mean_of(y);
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - a.mean) * (y[i] - b.mean);
  return sum / (static_cast<double>(x.size() - 1) * a.deviation * b.deviation);
}

double mean_between(const std::vector<double>& values, double from, double to) {
  double sum = 0.0, n = 0.0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double t = (static_cast<double>(k) + 0.5) * period / points;
    if (t >= from && t < to) sum += values[k], n += 1.0;
  }
  return sum / n;
}

void add(std::vector<double>& sum, const std::vector<double>& values, double share) {
  sum.resize(values.size(), 0.0);
  for (std::size_t k = 0; k < values.size(); ++k) sum[k] += share * values[k];
}

}  // namespace

Report shaken_cylinder(const Workshop& workshop) {
  Report report;
  const Form form = form_of(workshop.quick);
  report.protocol = {
      fmt::format("{} beads of 0.2 cm in a vertical cylinder of diameter {} cm, shaken up and down at 25 Hz, 0.2 cm from peak to "
                  "peak, lowest at "
                  "t = 0. Friction 0.8, restitution 0.95, tangential restitution 0.4, step 2e-5 s. After {} periods from a "
                  "random rain, displacements "
                  "over {} periods of the beads in a slice of 0.2 cm through the axis; then over {} periods the forces of the "
                  "lateral wall on the "
                  "beads, 50 points per period, each the mean of 40 steps.",
                  form.beads, 2.0 * form.radius, form.reference, form.periods, form.recorded)};
  report.choices = {
      "Density (2.5, which scales out of forces over the weight) and preparation are not given; beads and walls share one law.",
      "The forces are averaged over the recorded periods at equal phase; the first of them is drawn too, as the paper shows one "
      "period."};
  const FinishedRun<3> run = carry<3>(workshop, "cylinder", form.text);
  const Strobe<3> s = strobe_of(run);
  const double radius = form.radius;

  Section flow{"Circulation"};
  const std::function<double(const Vec<3>&)> depth = [radius](const Vec<3>& x) { return radius - std::hypot(x[0], x[1]); };
  const std::size_t from = form.reference, to = std::min(from + form.periods, s.frames() - 1);
  const Circulation c = circulation(s, from, to, depth, radius, skin, height_of_share(s, from, 0.97));
  flow.rows = {stated(
      "downward current along the wall", "circulatory flow as in Fig. 2",
      fmt::format(
          "mean vertical displacement over {} periods: {:+.3f} cm within 0.25 cm of the wall, {:+.3f} cm in the inner third",
          to - from, c.at_wall, c.in_middle),
      c.at_wall < 0.0 && c.in_middle > c.at_wall, "down at the wall, higher in the middle")};
  std::vector<Bead> drawn;
  for (std::size_t i = 0; i < s.radius.size(); ++i)
    if (std::abs(s.position[from][i][1]) <= 0.1)
      drawn.push_back(
          {{{s.position[from][i][0], s.position[from][i][2]}}, {{s.position[to][i][0], s.position[to][i][2]}}, s.radius[i]});
  const auto picture = workshop.figure("displacements.png");
  draw_displacements(drawn, -radius, radius, -0.1, fmt::format("Displacements over {} periods", to - from), picture, 700);
  flow.figures.push_back({picture, "Beads of a slice through the axis and where they went (Moreau 1994, Fig. 3a)."});
  report.sections.push_back(std::move(flow));

  workshop.tell(fmt::format("recording the forces over {} periods", form.recorded));
  Simulation<3> simulation(run.scene.model, run.end.state);
  Record mean, first;
  std::vector<double> vertical_means, episode, bottoms, correlations, upwards, lower, earlier;
  for (int p = 0; p < form.recorded; ++p) {
    workshop.stop_if_interrupted();
    const Record r = record_period(workshop, simulation, radius);
    if (p == 0) first = r;
    const double share = 1.0 / form.recorded;
    add(mean.lateral_normal, r.lateral_normal, share), add(mean.lateral_vertical, r.lateral_vertical, share);
    add(mean.bottom, r.bottom, share), add(mean.pressure, r.pressure, share);
    vertical_means.push_back(mean_of(r.lateral_vertical).mean), bottoms.push_back(mean_of(r.bottom).mean);
    episode.push_back(mean_between(r.lateral_vertical, 0.015, 0.030)),
        correlations.push_back(correlation(r.lateral_normal, r.pressure));
    upwards.push_back(mean_between(r.sliding, 0.015, 0.030));
    lower.push_back(r.rise_inside - r.rise_at_wall), earlier.push_back(r.landing_inside - r.landing_at_wall);
  }
  Section forces{"Forces of the lateral wall"};
  const Mean vertical = mean_of(vertical_means), negative = mean_of(episode);
  const std::vector<double>& z = mean.lateral_vertical;
  const double landing = mean_between(z, 0.0, 0.0125), before = mean_between(z, 0.0125, 0.015),
               after = mean_between(z, 0.030, 0.040);
  const double error = negative.deviation / std::sqrt(static_cast<double>(form.recorded));
  const double peak = *std::max_element(mean.pressure.begin(), mean.pressure.end());
  const double flight[] = {mean_between(mean.pressure, 0.0125, 0.020) / peak, mean_between(mean.pressure, 0.020, 0.030) / peak,
                           mean_between(mean.pressure, 0.030, 0.040) / peak};
  // Over the recorded periods; the reduced form has a single one, and no error.
  const auto error_of = [](const std::vector<double>& values) {
    return mean_of(values).deviation / std::sqrt(static_cast<double>(values.size()));
  };
  const auto with_error = [&](const char* words, const std::vector<double>& values) {
    return fmt::format(fmt::runtime(words), mean_of(values).mean, error_of(values));
  };
  const auto above_zero = [&](const std::vector<double>& values) { return mean_of(values).mean > 2.0 * error_of(values); };
  const auto [lowest, highest] = std::minmax_element(z.begin(), z.begin() + points / 4);
  forces.rows = {
      stated("mean vertical force of the wall on the beads", "negative",
             fmt::format("{:+.4f} ± {:.4f} of the weight over {} periods", vertical.mean, vertical.deviation, form.recorded),
             vertical.mean < 0.0),
      stated(
          "significant negative episode between 0.015 and 0.030 s", "negative there",
          fmt::format("{:+.4f} ± {:.4f} of the weight there; {:+.4f} just before, {:+.4f} after, {:+.4f} during the landing (to "
                      "0.0125 s)",
                      negative.mean, error, before, after, landing),
          negative.mean < -2.0 * error && negative.mean < after && negative.mean < before,
          "negative by two standard errors, below what comes between landing and it and after it"),
      stated("contrasted values from 0 to 0.01 s, when beads hit the bottom", "strongly varying",
             fmt::format("between {:+.3f} and {:+.3f} of the weight up to 0.01 s", *lowest, *highest),
             *highest - *lowest > 3.0 * std::abs(negative.mean), "varies by over three times the later episode"),
      stated("share of the vertical impulse of a period that falls between 0.015 and 0.030 s", "main episode",
             fmt::format("{:.2f}", 0.015 * negative.mean / (period * vertical.mean)),
             0.015 * negative.mean / (period * vertical.mean) > 0.5, "over a half"),
      stated("normal force at t = 0", "about zero: beads in free fall",
             fmt::format("{:.3f} of the weight, {:.3f} at its peak", mean.lateral_normal[0],
                         *std::max_element(mean.lateral_normal.begin(), mean.lateral_normal.end())),
             mean.lateral_normal[0] < 0.1 * *std::max_element(mean.lateral_normal.begin(), mean.lateral_normal.end()),
             "under a tenth of the peak"),
      stated("normal force follows the mean internal pressure", "nearly reproduces it",
             fmt::format("correlation {:.3f}", mean_of(correlations).mean), mean_of(correlations).mean > 0.9,
             "correlation over 0.9"),
      stated("mean internal pressure during the flight", "decreases",
             fmt::format("{:.3f}, {:.3f}, {:.3f} of that at its peak from 0.0125 to 0.02, 0.03 and 0.04 s", flight[0], flight[1],
                         flight[2]),
             flight[0] > flight[1] && flight[1] > flight[2], "from each to the next"),
      stated("beads slide upwards along the wall between 0.015 and 0.030 s", "overall upward sliding",
             with_error("{:+.2f} ± {:.2f} cm/s, weighted by normal force", upwards), above_zero(upwards),
             "upwards by two standard errors"),
      stated("highest place of the beads at the wall, below that of the others", "notably lower",
             with_error("they rise by {:.4f} ± {:.4f} cm less in a period", lower), above_zero(lower),
             "less by two standard errors"),
      stated("beads at the wall hit the bottom first", "first", with_error("{:.5f} ± {:.5f} s earlier than the others", earlier),
             above_zero(earlier), "earlier by two standard errors"),
      compared("mean vertical force of bottom and wall / weight", 1.0, mean_of(bottoms).mean + vertical.mean, 0.1),
  };
  std::vector<double> time;
  for (int k = 0; k < points; ++k) time.push_back((k + 1) * period / points);
  const auto curves = workshop.figure("forces.svg"), one = workshop.figure("forces-one-period.svg");
  draw_plot({.title = fmt::format("Lateral wall, mean over {} periods", form.recorded),
             .x_label = "time from the lowest point of the vessel [s]",
             .y_label = "force / weight",
             .curves = {{"normal", time, mean.lateral_normal}, {"vertical", time, mean.lateral_vertical}},
             .shape = 0.5},
            curves);
  draw_plot({.title = "Lateral wall, one period",
             .x_label = "time from the lowest point of the vessel [s]",
             .y_label = "force / weight",
             .curves = {{"normal", time, first.lateral_normal}, {"vertical", time, first.lateral_vertical}},
             .shape = 0.5},
            one);
  forces.figures = {
      {curves, "Normal and vertical force of the lateral wall on the beads (Moreau 1994, Fig. 3b), mean at equal phase."},
      {one, "The same over the first recorded period alone."}};
  report.sections.push_back(std::move(forces));
  return report;
}

}  // namespace moreau::reproduce

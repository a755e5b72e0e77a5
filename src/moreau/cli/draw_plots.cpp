#include "moreau/cli/draw_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <stdexcept>

#include "moreau/draw/plot/plot.hpp"
#include "moreau/draw/plot/rose.hpp"
#include "moreau/draw/plot/strip_figure.hpp"
#include "moreau/measure/contacts/contact_selection.hpp"
#include "moreau/measure/contacts/force_distribution.hpp"
#include "moreau/measure/heap/ground_pressure.hpp"
#include "moreau/measure/packing/orientation.hpp"

namespace moreau {

namespace {

using std::numbers::pi;

std::string headed(const std::string& title, const std::string& what) { return title.empty() ? what : title + ": " + what; }

// Density of f / <f> on a logarithmic axis, dots for the classes, lines for the fitted law.
template <int D>
Plot force_plot(const measure::Sample<D>& sample, const measure::Choices& choices) {
  Plot plot;
  plot.x_label = "contact force / mean", plot.y_label = "probability density";
  plot.log_y = true;
  std::vector<double> normal, tangential;
  for (const auto& region : measure::regions_of(sample, choices))
    for (const std::size_t c : measure::select_contacts(sample, region, measure::Strength::all, choices.threshold)) {
      normal.push_back(sample.normal_force(c));
      tangential.push_back(norm(sample.tangential_force(c)));
    }
  for (const auto& [name, forces] : {std::pair{"normal", normal}, {"tangential", tangential}}) {
    const std::vector<double> x = measure::divided_by_mean(forces);
    if (x.size() < 10) continue;
    const double largest = *std::max_element(x.begin(), x.end()) * (1.0 + 1e-12);
    const auto histogram = measure::force_histogram(x, choices.classes > 0 ? choices.classes : 40, largest);
    const auto law = measure::fit_power_exponential(x);
    Curve dots{.label = fmt::format("{}, {} contacts", name, x.size()), .points = true};
    Curve line{.label = fmt::format("{}: x^{:.2f} exp(-{:.2f} x^{:.2f})", name, law.b, law.c, law.d)};
    for (std::size_t k = 0; k < histogram.count.size(); ++k)
      if (histogram.count[k] > 0)
        dots.x.push_back(0.5 * (histogram.from[k] + histogram.to[k])), dots.y.push_back(histogram.density[k]);
    for (int k = 1; k <= 300; ++k) line.x.push_back(largest * k / 300.0), line.y.push_back(law.density(largest * k / 300.0));
    // The law may fall far below the last class; one decade is enough to see that.
    const double least = *std::min_element(dots.y.begin(), dots.y.end());
    for (double& y : line.y) y = y < 0.1 * least ? 0.0 : y;
    plot.curves.push_back(std::move(dots));
    plot.curves.push_back(std::move(line));
  }
  if (plot.curves.empty()) throw std::runtime_error("there are fewer than 10 contact forces, too few to draw their distribution");
  return plot;
}

template <int D>
Plot ground_pressure_plot(const measure::Sample<D>& sample, const measure::Choices& choices) {
  Plot plot;
  plot.x_label = "distance to the axis", plot.y_label = "pressure on the ground";
  const double width = choices.width > 0.0 ? choices.width : 2.0 * measure::mean_diameter(sample);
  const auto rings =
      width > 0.0 ? measure::ground_pressure(sample, measure::axis_of<D>(choices), width) : std::vector<measure::PressureRing>{};
  if (rings.empty())
    throw std::runtime_error("nothing rests on the ground: no contact with a fixed body or with a plane that faces up");
  Curve steps{.label = fmt::format("rings of width {:.3g}", width)}, dots{.points = true};
  for (const measure::PressureRing& ring : rings) {
    steps.x.push_back(ring.from), steps.y.push_back(ring.pressure());
    steps.x.push_back(ring.to), steps.y.push_back(ring.pressure());
    dots.x.push_back(0.5 * (ring.from + ring.to)), dots.y.push_back(ring.pressure());
  }
  plot.curves = {steps, dots};
  return plot;
}

// In the plane the true directions, drawn at n and -n; in space the angle from the vertical, which stands up.
template <int D>
Rose rose_of_contacts(const measure::Sample<D>& sample, const measure::Choices& choices) {
  std::vector<std::size_t> contacts;
  for (const auto& region : measure::regions_of(sample, choices))
    for (const std::size_t c :
         measure::select_directions(sample, region, measure::Strength::all, choices.walls, choices.threshold))
      contacts.push_back(c);
  if (contacts.empty()) throw std::runtime_error("no contact between free bodies carries a force, so there are no directions to draw");
  const std::vector<double> angles = measure::contact_angles(sample, contacts);
  const int classes = choices.classes > 0 ? choices.classes : 36;
  const auto histogram = measure::orientation_histogram<D>(angles, classes);
  const auto fit = measure::fit_orientations<D>(angles, classes);
  Rose rose;
  const auto add = [&](double from, double to, double density) { rose.sectors.push_back({from, to, density}); };
  for (std::size_t k = 0; k < histogram.count.size(); ++k) {
    const double from = histogram.from[k], to = histogram.to[k], density = histogram.density[k];
    if constexpr (D == 2) {
      add(from, to, density), add(from + pi, to + pi, density);
    } else {  // from the vertical, to both sides, up and down
      for (const double up : {0.5 * pi, 1.5 * pi}) add(up + from, up + to, density), add(up - to, up - from, density);
    }
  }
  RoseCurve second{
      .label = D == 2 ? fmt::format("order 2: amplitude {:.3f} ± {:.3f} at {:.0f}°", fit.a2, fit.uncertainty2, fit.t2 * 180 / pi)
                      : fmt::format("order 2: amplitude {:.3f} ± {:.3f}", fit.a2, fit.uncertainty2)};
  RoseCurve fourth{.label = fmt::format("orders 2 and 4: {:.3f} ± {:.3f} of order 4", fit.a4, fit.uncertainty4)};
  for (int k = 0; k <= 360; ++k) {
    const double t = k * pi / 180.0;
    double two = 0.0, four = 0.0;
    if constexpr (D == 2) {
      two = 1.0 + fit.a2 * std::cos(2.0 * (t - fit.t2)), four = two + fit.a4 * std::cos(4.0 * (t - fit.t4));
    } else {
      const double x = std::sin(t);
      two = 1.0 + fit.a2 * 0.5 * (3.0 * x * x - 1.0), four = two + fit.a4 * 0.125 * (35.0 * x * x * x * x - 30.0 * x * x + 3.0);
    }
    second.angle.push_back(t), second.density.push_back(two);
    fourth.angle.push_back(t), fourth.density.push_back(four);
  }
  rose.curves = {second, fourth};
  rose.note = fmt::format("{} contacts; {}", contacts.size(),
                          D == 2 ? "directions of the normals" : "angle of the normals from the vertical, which is up");
  return rose;
}

// Strips with the force across each, over the grains: all of them in the plane, those near the plane y = axis in space.
template <int D>
StripFigure strips_of(const measure::Sample<D>& sample, const measure::Choices& choices) {
  if (choices.strips.empty()) throw std::runtime_error("--plot strips needs at least one --strip r1,z1,r2,z2");
  const Vec<D> centre = measure::axis_of<D>(choices);
  StripFigure figure;
  std::size_t contacts = 0;
  for (const measure::Strip& strip : choices.strips) {
    const measure::StripForce force = measure::force_across(sample, strip, centre);
    figure.strips.push_back({strip.r1, strip.z1, strip.r2, strip.z2, force.radial, force.vertical});
    contacts += force.contacts;
  }
  for (std::size_t i = 0; i < sample.bodies(); ++i) {
    const Vec<D>& x = sample.state->position[i];
    const double radius = sample.parameters->radius[i];
    if (!sample.is_free(i) || !is_finite(x) || (D == 3 && (std::abs(x[1] - centre[1]) > radius || x[0] < centre[0]))) continue;
    figure.grain_r.push_back(x[0] - centre[0]), figure.grain_z.push_back(x[D - 1]), figure.grain_radius.push_back(radius);
  }
  figure.note = fmt::format("{} strips, {} contacts across them", figure.strips.size(), contacts);
  return figure;
}

}  // namespace

template <int D>
void draw_measure(const std::string& name, const measure::Sample<D>& sample, const measure::Choices& choices,
                  const std::string& title, int width, const std::filesystem::path& file) {
  if (name == "rose") {
    Rose rose = rose_of_contacts(sample, choices);
    rose.title = headed(title, fmt::format("contact directions, t = {:.4g}", sample.time));
    rose.width = width;
    draw_rose(rose, file);
    return;
  }
  if (name == "strips") {
    StripFigure figure = strips_of(sample, choices);
    figure.title = headed(title, fmt::format("force across strips, t = {:.4g}", sample.time));
    figure.width = width;
    draw_strips(figure, file);
    return;
  }
  Plot plot = name == "forces" ? force_plot(sample, choices) : ground_pressure_plot(sample, choices);
  plot.title = headed(title, fmt::format("{}, t = {:.4g}", name == "forces" ? "contact forces" : "ground pressure", sample.time));
  plot.width = width;
  draw_plot(plot, file);
}

template void draw_measure(const std::string&, const measure::Sample<2>&, const measure::Choices&, const std::string&, int,
                           const std::filesystem::path&);
template void draw_measure(const std::string&, const measure::Sample<3>&, const measure::Choices&, const std::string&, int,
                           const std::filesystem::path&);

}  // namespace moreau

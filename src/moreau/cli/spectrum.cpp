#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "moreau/cli/command.hpp"
#include "moreau/cli/outputs.hpp"
#include "moreau/draw/plot/plot.hpp"
#include "moreau/measure/motion/response_spectrum.hpp"
#include "moreau/scene/units.hpp"
#include "moreau/store/output_file.hpp"

namespace moreau {

namespace {

constexpr double shortest_share = 1e-6, longest_multiple = 1e6;  // periods, of the length of a record

struct SpectrumOptions {
  std::string scene, motion, picture, csv;
  std::vector<std::string> settings;
  double damping = 0.05, shortest = 0.02, longest = 5.0;
  int points = 120;
};

// One curve for each component that moves.
struct SpectrumCurve {
  std::string label;
  std::vector<measure::SpectrumPoint> points;
};

template <int D>
std::vector<SpectrumCurve> spectra(const Scene<D>& scene, const SpectrumOptions& o) {
  std::vector<double> periods;
  for (int k = 0; k < o.points; ++k)
    periods.push_back(o.shortest * std::pow(o.longest / o.shortest, static_cast<double>(k) / (o.points - 1)));
  std::vector<SpectrumCurve> curves;
  std::vector<std::string> names;
  for (const Motion<D>& motion : scene.model.motions) {
    if (motion.kind != MotionKind::accelerogram) continue;
    names.push_back(motion.name);
    if (!o.motion.empty() && motion.name != o.motion) continue;
    const double lasts = motion.times.back() - motion.times.front();
    if (o.shortest < shortest_share * lasts)  // pieces of a twentieth of a period are followed through the record
      throw std::runtime_error(fmt::format("--shortest is {:g}, and the record of '{}' lasts {:g}; accepted: at least {:g}", o.shortest,
                                           motion.name, lasts, shortest_share * lasts));
    if (o.longest > longest_multiple * lasts)
      throw std::runtime_error(fmt::format("--longest is {:g}, and the record of '{}' lasts {:g}; accepted: at most {:g}", o.longest,
                                           motion.name, lasts, longest_multiple * lasts));
    for (int d = 0; d < D; ++d) {
      std::vector<double> a;
      for (const Vec<D>& v : motion.accelerations) a.push_back(v[d]);
      if (std::ranges::all_of(a, [](double x) { return x == 0.0; })) continue;
      curves.push_back({motion.name + " " + "xyz"[d], measure::response_spectrum(motion.times, a, periods, o.damping)});
    }
  }
  if (names.empty()) throw std::runtime_error(fmt::format("{} has no motion of kind accelerogram", o.scene));
  if (curves.empty() && !o.motion.empty() && std::ranges::find(names, o.motion) == names.end())
    throw std::runtime_error(fmt::format("--motion is '{}', which is no accelerogram of the scene", o.motion));
  if (curves.empty()) throw std::runtime_error("the accelerations are all zero");
  return curves;
}

}  // namespace

void add_spectrum(CLI::App& app, int& status) {
  auto o = std::make_shared<SpectrumOptions>();
  CLI::App* command = app.add_subcommand("spectrum", "response spectrum of the recorded ground motions of a scene");
  command->add_option("SCENE", o->scene, "scene file")->required();
  add_settings_option(*command, o->settings);
  command->add_option("--motion", o->motion, "one accelerogram of the scene (default: all)");
  command->add_option("--damping", o->damping, "damping ratio of the oscillators")
      ->capture_default_str()
      ->check(number_in(0.0, 0.99));
  command->add_option("--shortest", o->shortest, "shortest period")->capture_default_str()->check(positive_number());
  command->add_option("--longest", o->longest, "longest period")->capture_default_str()->check(positive_number());
  command->add_option("--points", o->points, "periods")->capture_default_str()->check(CLI::Range(2, 10000));
  command->add_option("-o", o->picture, "PNG or SVG file (default: SCENE-spectrum.png)");
  command->add_option("--csv", o->csv, "write a table instead of a picture");
  command->callback([o, &status] {
    if (!(o->longest > o->shortest))
      throw std::runtime_error(
          fmt::format("--longest is {}; accepted: more than the shortest period, {}", o->longest, o->shortest));
    demand_different_outputs({{"-o", o->picture}, {"--csv", o->csv}});
    const AnyScene any = read_scene(o->scene, settings_of(o->settings));
    const auto curves = std::visit([&](const auto& scene) { return spectra(scene, *o); }, any);
    const UnitNames units = std::visit([](const auto& scene) { return units_of(scene.text); }, any);
    const std::string time = in_units("T", units), acceleration = in_units("L/T²", units);
    status = exit_ok;
    if (!o->csv.empty()) {
      std::string text = "motion,period,displacement,acceleration\n";
      for (const auto& curve : curves)
        for (const auto& p : curve.points)
          text += fmt::format("{},{:.17g},{:.17g},{:.17g}\n", curve.label, p.period, p.displacement, p.acceleration);
      write_output(o->csv, text);
      fmt::print("wrote {}\n", o->csv);
      if (o->picture.empty()) return;
    }
    Plot plot;
    plot.title = fmt::format("Response spectrum, damping {:g}", o->damping);
    plot.x_label = fmt::format("period [{}]", time), plot.y_label = fmt::format("pseudo-acceleration [{}]", acceleration);
    plot.log_x = true;
    std::string said;
    for (const auto& curve : curves) {
      Curve c{.label = curve.label};
      for (const auto& p : curve.points) c.x.push_back(p.period), c.y.push_back(p.acceleration);
      const auto& peak = *std::ranges::max_element(curve.points, {}, &measure::SpectrumPoint::acceleration);
      said += fmt::format("  {}: at most {:.4g} {}, at a period of {:.4g} {}\n", curve.label, peak.acceleration, acceleration,
                          peak.period, time);
      plot.curves.push_back(std::move(c));
    }
    const std::string file = o->picture.empty() ? std::filesystem::path(o->scene).stem().string() + "-spectrum.png" : o->picture;
    draw_plot(plot, file);
    fmt::print("wrote {}\n{}", file, said);
  });
}

}  // namespace moreau

#include "moreau/draw/plot/rose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "moreau/draw/canvas/canvas.hpp"
#include "moreau/draw/canvas/ticks.hpp"

namespace moreau::inline draw {

namespace {

struct Dial {
  Point centre;
  double scale = 1.0;  // pixels per unit of density
  Point at(double angle, double density) const {
    return {centre.x + scale * density * std::cos(angle), centre.y - scale * density * std::sin(angle)};
  }
};

double largest_density(const Rose& rose) {
  double most = rose.even;
  for (const RoseSector& s : rose.sectors) most = std::max(most, s.density);
  for (const RoseCurve& curve : rose.curves)
    for (const double d : curve.density) most = std::max(most, d);
  return most;
}

void check(const Rose& rose) {
  check_width(rose.width);
  const auto good = [](double x) { return std::isfinite(x) && x >= 0.0; };
  for (const RoseSector& s : rose.sectors)
    if (!good(s.density) || !std::isfinite(s.from) || !std::isfinite(s.to))
      throw std::runtime_error(fmt::format("a sector of a rose has density {}, accepted are numbers >= 0.", s.density));
  for (const RoseCurve& curve : rose.curves)
    if (curve.angle.size() != curve.density.size())
      throw std::runtime_error(
          fmt::format("the curve '{}' of a rose has {} angles and {} densities, as many of each are accepted.", curve.label,
                      curve.angle.size(), curve.density.size()));
}

void draw_sectors(Canvas& canvas, const Rose& rose, const Dial& dial, double letter) {
  const Colour fill = category(0);
  for (const RoseSector& s : rose.sectors) {
    if (s.density == 0.0) continue;
    std::vector<Point> edge{dial.centre};
    const int steps = std::max(1, static_cast<int>(std::ceil((s.to - s.from) / 0.02)));
    for (int k = 0; k <= steps; ++k) edge.push_back(dial.at(s.from + (s.to - s.from) * k / steps, s.density));
    canvas.polygon(edge, faded(fill, 0.55));
    edge.push_back(dial.centre);
    canvas.polyline(edge, 0.05 * letter, fill);
  }
}

void draw_dial(Canvas& canvas, const Rose& rose, const Dial& dial, double most, double letter) {
  const TextStyle number{.size = 0.75 * letter, .anchor = Anchor::middle, .colour = grey(0.45)};
  for (const Tick& tick : linear_ticks(0.0, most, 3)) {
    if (tick.value <= 0.0) continue;
    canvas.ring(dial.centre, dial.scale * tick.value, 0.05 * letter, grey(0.85));
    canvas.text(dial.at(std::numbers::pi * 0.47, tick.value), tick.label, number);
  }
  for (int degrees = 0; degrees < 360; degrees += 30) {
    const double angle = degrees * std::numbers::pi / 180.0;
    canvas.line(dial.centre, dial.at(angle, most), 0.04 * letter, grey(0.88));
    const Point label = dial.at(angle, most * 1.0);
    const double out = 1.3 * letter;
    canvas.text({label.x + out * std::cos(angle), label.y - out * std::sin(angle) + 0.3 * letter}, fmt::format("{}°", degrees),
                {.size = 0.85 * letter, .anchor = Anchor::middle, .colour = grey(0.25)});
  }
  if (rose.even > 0.0) canvas.ring(dial.centre, dial.scale * rose.even, 0.1 * letter, grey(0.45));
}

}  // namespace

void draw_rose(const Rose& rose, const std::filesystem::path& file) {
  check(rose);
  const double letter = letter_size(rose.width) * 1.15, top = 4.2 * letter,
               foot = (2.2 + 1.5 * static_cast<double>(rose.curves.size() + 1)) * letter;
  const double radius = 0.5 * rose.width - 3.0 * letter;
  const int height = static_cast<int>(std::ceil(top + 2.0 * radius + 2.5 * letter + foot));
  const double most = std::max(largest_density(rose), 1e-300);
  const Dial dial{{0.5 * rose.width, top + radius}, radius / most};
  const std::unique_ptr<Canvas> canvas = open_canvas(file, rose.width, height);
  const TextStyle title{.size = 1.15 * letter, .bold = true}, small{.size = 0.9 * letter};
  canvas->text({letter, 1.8 * letter}, fitted(rose.title, title, rose.width - 2.0 * letter), title);
  draw_dial(*canvas, rose, dial, most, letter);
  draw_sectors(*canvas, rose, dial, letter);
  double line = top + 2.0 * radius + 3.4 * letter;
  for (std::size_t k = 0; k < rose.curves.size(); ++k) {
    const RoseCurve& curve = rose.curves[k];
    std::vector<Point> points;
    for (std::size_t i = 0; i < curve.angle.size(); ++i)
      points.push_back(dial.at(curve.angle[i], std::max(0.0, curve.density[i])));
    const Colour colour = category(k + 1);
    canvas->polyline(points, 0.16 * letter, colour);
    canvas->line({letter, line - 0.3 * letter}, {2.4 * letter, line - 0.3 * letter}, 0.16 * letter, colour);
    canvas->text({3.0 * letter, line}, fitted(curve.label, small, rose.width - 4.0 * letter), small);
    line += 1.5 * letter;
  }
  if (rose.even > 0.0) {
    canvas->ring({1.7 * letter, line - 0.3 * letter}, 0.5 * letter, 0.1 * letter, grey(0.45));
    canvas->text({3.0 * letter, line}, fitted("even distribution", small, rose.width - 4.0 * letter), small);
    line += 1.5 * letter;
  }
  canvas->text({letter, line}, fitted(rose.note, small, rose.width - 2.0 * letter), small);
  canvas->write();
}

}  // namespace moreau::inline draw

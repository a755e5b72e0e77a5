#include "moreau/draw/plot/strip_figure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "moreau/draw/canvas/legend.hpp"
#include "moreau/draw/canvas/ticks.hpp"
#include "moreau/draw/picture/arrows.hpp"

namespace moreau::inline draw {

namespace {

constexpr Colour strip_colour{0.10, 0.30, 0.65}, force_colour{0.84, 0.07, 0.10};
constexpr double longest = 0.16;  // of the width of the figure: the largest force

// From (r, z) to the sheet; the same scale for both.
struct Map {
  double scale = 1.0, left = 0.0, bottom = 0.0;
  Point at(double r, double z) const { return {left + scale * r, bottom - scale * z}; }
};

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void take(double x) { low = std::min(low, x), high = std::max(high, x); }
  double span() const { return high - low; }
};

void draw_axes(Canvas& canvas, const Map& map, const Range& r, const Range& z, const Rectangle& area, double letter) {
  const TextStyle number{.size = 0.85 * letter, .anchor = Anchor::middle}, end{.size = 0.85 * letter, .anchor = Anchor::end};
  for (const Tick& t : linear_ticks(r.low, r.high, std::max(2, static_cast<int>(area.width() / (6.0 * letter))))) {
    const double x = map.at(t.value, 0.0).x;
    canvas.line({x, area.top}, {x, area.bottom}, 0.05 * letter, grey(0.92));
    canvas.text({x, area.bottom + 1.3 * letter}, t.label, number);
  }
  for (const Tick& t : linear_ticks(z.low, z.high, std::max(2, static_cast<int>(area.height() / (3.5 * letter))))) {
    const double y = map.at(0.0, t.value).y;
    canvas.line({area.left, y}, {area.right, y}, 0.05 * letter, grey(0.92));
    canvas.text({area.left - 0.4 * letter, y + 0.3 * letter}, t.label, end);
  }
  const TextStyle name{.size = letter, .anchor = Anchor::middle}, up{.size = letter, .anchor = Anchor::middle, .upwards = true};
  canvas.text({0.5 * (area.left + area.right), area.bottom + 2.8 * letter}, "distance to the axis", name);
  canvas.text({1.2 * letter, 0.5 * (area.top + area.bottom)}, "height", up);
}

}  // namespace

void draw_strips(const StripFigure& figure, const std::filesystem::path& file) {
  check_width(figure.width);
  if (figure.strips.empty()) throw std::runtime_error("a figure of strips has no strip, accepted is at least one.");
  Range r, z;
  double force = 0.0;
  for (const StripArrow& s : figure.strips) {
    r.take(s.r1), r.take(s.r2), z.take(s.z1), z.take(s.z2);
    force = std::max(force, std::hypot(s.radial, s.vertical));
  }
  for (std::size_t i = 0; i < figure.grain_r.size(); ++i) r.take(figure.grain_r[i]), z.take(figure.grain_z[i]);
  const double air = 0.06 * std::max({r.span(), z.span(), 1e-300});
  r.low -= air, r.high += air, z.low -= air, z.high += air;

  const double letter = 1.1 * letter_size(figure.width);
  Rectangle area{5.5 * letter, 4.2 * letter, figure.width - 1.5 * letter, 0.0};
  Map map;
  map.scale = std::min(area.width() / r.span(), 1.2 * figure.width / z.span());
  area.right = area.left + map.scale * r.span();
  area.bottom = area.top + map.scale * z.span();
  map.left = area.left - map.scale * r.low, map.bottom = area.bottom + map.scale * z.low;
  const int height = static_cast<int>(std::ceil(area.bottom + 6.5 * letter));
  const std::unique_ptr<Canvas> canvas = open_canvas(file, figure.width, height);
  draw_heading(*canvas, figure.title, figure.note, {area.left, 0.5 * letter, figure.width - letter, area.top}, letter);
  draw_axes(*canvas, map, r, z, area, letter);
  canvas->clip(area);
  for (std::size_t i = 0; i < figure.grain_r.size(); ++i)
    canvas->disc(map.at(figure.grain_r[i], figure.grain_z[i]), map.scale * figure.grain_radius[i], grey(0.85, 0.5));
  canvas->unclip();
  const double pixels = force > 0.0 ? longest * figure.width / force : 0.0, width = 0.14 * letter;
  for (const StripArrow& s : figure.strips) canvas->line(map.at(s.r1, s.z1), map.at(s.r2, s.z2), 0.3 * letter, strip_colour);
  for (const StripArrow& s : figure.strips) {
    const Point from = map.at(0.5 * (s.r1 + s.r2), 0.5 * (s.z1 + s.z2));
    draw_arrow(*canvas, from, {from.x + pixels * s.radial, from.y - pixels * s.vertical}, width, force_colour);
  }
  if (force > 0.0) {
    const double sample = round_down(force), y = area.bottom + 5.0 * letter;
    draw_arrow(*canvas, {area.left, y}, {area.left + pixels * sample, y}, width, force_colour);
    canvas->text({area.left + pixels * sample + 0.6 * letter, y + 0.3 * letter},
                 short_number(sample) + "  force per unit area across the strip", {.size = 0.9 * letter});
  }
  canvas->write();
}

}  // namespace moreau::inline draw

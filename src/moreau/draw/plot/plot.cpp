#include "moreau/draw/plot/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "moreau/draw/canvas/canvas.hpp"
#include "moreau/draw/canvas/ticks.hpp"

namespace moreau::inline draw {

namespace {

// One axis: an interval of values laid on an interval of pixels.
struct Axis {
  bool logarithmic = false;
  double low = 0.0, high = 1.0;   // values
  double start = 0.0, end = 1.0;  // pixels
  std::vector<Tick> ticks;

  bool accepts(double value) const { return std::isfinite(value) && (!logarithmic || value > 0.0); }
  double scale(double value) const { return logarithmic ? std::log10(value) : value; }
  double pixel(double value) const { return start + (scale(value) - scale(low)) / (scale(high) - scale(low)) * (end - start); }
};

// Range of all accepted values, with a little air; a single value is given room on both sides.
Axis axis_over(const Plot& plot, std::vector<double> Curve::*values, bool logarithmic, double air) {
  Axis axis;
  axis.logarithmic = logarithmic;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Curve& curve : plot.curves)
    for (const double v : curve.*values)
      if (axis.accepts(v)) low = std::min(low, v), high = std::max(high, v);
  if (low > high) low = logarithmic ? 0.1 : 0.0, high = 1.0;
  if (logarithmic) {
    const double factor = low == high ? 3.0 : std::pow(high / low, air);
    axis.low = low / factor, axis.high = high * factor;
  } else {
    const double span = high - low, most = std::max(std::abs(low), std::abs(high));
    const double more = span > 1e-12 * most ? air * span : most > 0.0 ? 0.5 * most : 0.5;
    axis.low = low - more, axis.high = high + more;
  }
  return axis;
}

void check(const Plot& plot) {
  check_width(plot.width);
  if (!(plot.shape >= 0.2 && plot.shape <= 2.0))
    throw std::runtime_error(fmt::format("the height of a plot is {} of its width, accepted are 0.2 to 2.", plot.shape));
  for (const Curve& curve : plot.curves)
    if (curve.x.size() != curve.y.size())
      throw std::runtime_error(
          fmt::format("the curve '{}' of a plot has {} abscissae and {} ordinates, as many of each are accepted.", curve.label,
                      curve.x.size(), curve.y.size()));
}

// A run of points that fall in one column of pixels covers the same ink as its first, lowest, highest and last point: a series of
// millions of steps is drawn with a few thousand points.
std::vector<Point> thinned(const std::vector<Point>& points) {
  std::vector<Point> kept;
  for (std::size_t i = 0; i < points.size();) {
    std::size_t end = i, lowest = i, highest = i;
    for (; end < points.size() && std::floor(points[end].x) == std::floor(points[i].x); ++end) {
      if (points[end].y < points[lowest].y) lowest = end;
      if (points[end].y > points[highest].y) highest = end;
    }
    std::array<std::size_t, 4> pick = {i, lowest, highest, end - 1};
    std::sort(pick.begin(), pick.end());
    for (std::size_t k = 0; k < 4; ++k)
      if (k == 0 || pick[k] != pick[k - 1]) kept.push_back(points[pick[k]]);
    i = end;
  }
  return kept;
}

void draw_curve(Canvas& canvas, const Curve& curve, const Axis& x, const Axis& y, Colour colour, double letter) {
  std::vector<Point> run;
  const auto finish = [&] {
    if (run.size() == 1)
      canvas.disc(run[0], 0.16 * letter, colour);
    else if (run.size() > 1)
      canvas.polyline(thinned(run), 0.13 * letter, colour);
    run.clear();
  };
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!x.accepts(curve.x[i]) || !y.accepts(curve.y[i])) {
      finish();
      continue;
    }
    const Point p{x.pixel(curve.x[i]), y.pixel(curve.y[i])};
    if (curve.points)
      canvas.disc(p, 0.25 * letter, faded(colour, 0.85));
    else
      run.push_back(p);
  }
  finish();
}

void draw_axes(Canvas& canvas, const Plot& plot, const Rectangle& area, const Axis& x, const Axis& y, double letter) {
  const Colour grid = grey(0.9), ink = grey(0.25);
  const TextStyle number{.size = 0.85 * letter, .colour = ink};
  const double gap = 0.4 * letter;
  for (const Tick& t : x.ticks) {
    const double at = x.pixel(t.value);
    canvas.line({at, area.top}, {at, area.bottom}, 0.05 * letter, grid);
    TextStyle style = number;
    style.anchor = Anchor::middle;
    canvas.text({at, area.bottom + gap + 0.8 * letter}, t.label, style);
  }
  for (const Tick& t : y.ticks) {
    const double at = y.pixel(t.value);
    canvas.line({area.left, at}, {area.right, at}, 0.05 * letter, grid);
    TextStyle style = number;
    style.anchor = Anchor::end;
    canvas.text({area.left - gap, at + 0.3 * letter}, t.label, style);
  }
  const std::array<Point, 3> frame = {{{area.left, area.top}, {area.left, area.bottom}, {area.right, area.bottom}}};
  canvas.polyline(frame, 0.08 * letter, ink);
  const TextStyle name{.size = letter, .anchor = Anchor::middle},
      upwards{.size = letter, .anchor = Anchor::middle, .upwards = true};
  canvas.text({0.5 * (area.left + area.right), area.bottom + 3.0 * letter}, fitted(plot.x_label, name, area.width()), name);
  canvas.text({1.4 * letter, 0.5 * (area.top + area.bottom)}, fitted(plot.y_label, upwards, area.height()), upwards);
  const TextStyle title{.size = 1.2 * letter, .bold = true};
  canvas.text({area.left, 1.9 * letter}, fitted(plot.title, title, area.right - area.left), title);
}

// In the column to the right of the axes, where no curve passes.
void draw_names(Canvas& canvas, const Plot& plot, Point top_left, double room, double letter) {
  const TextStyle style{.size = 0.9 * letter};
  double line = top_left.y + 0.6 * letter;
  for (std::size_t k = 0; k < plot.curves.size(); ++k) {
    const Curve& curve = plot.curves[k];
    if (curve.label.empty()) continue;
    if (curve.points)
      canvas.disc({top_left.x + 0.7 * letter, line}, 0.25 * letter, category(k));
    else
      canvas.line({top_left.x, line}, {top_left.x + 1.4 * letter, line}, 0.15 * letter, category(k));
    canvas.text({top_left.x + 2.0 * letter, line + 0.3 * letter}, fitted(curve.label, style, room - 2.0 * letter), style);
    line += 1.5 * letter;
  }
}

}  // namespace

void draw_plot(const Plot& plot, const std::filesystem::path& file) {
  check(plot);
  const int height = static_cast<int>(std::lround(plot.shape * plot.width));
  const double letter = letter_size(plot.width) * 1.1;
  double names = 0.0;
  for (const Curve& c : plot.curves)
    if (!c.label.empty()) names = std::max(names, text_width(c.label, {.size = 0.9 * letter}) + 3.2 * letter);
  names = std::min(names, 0.35 * plot.width);

  Axis x = axis_over(plot, &Curve::x, plot.log_x, 0.0), y = axis_over(plot, &Curve::y, plot.log_y, 0.05);
  Rectangle area{0.0, (plot.title.empty() ? 1.2 : 3.0) * letter, plot.width - std::max(names, 2.0 * letter),
                 height - 4.0 * letter};
  const auto ticks = [](const Axis& axis, int count) {
    return axis.logarithmic ? log_ticks(axis.low, axis.high, count) : linear_ticks(axis.low, axis.high, count);
  };
  y.ticks = ticks(y, std::max(2, static_cast<int>(area.height() / (3.5 * letter))));
  double widest = 0.0;
  for (const Tick& t : y.ticks) widest = std::max(widest, text_width(t.label, {.size = 0.85 * letter}));
  area.left = (plot.y_label.empty() ? 0.8 : 2.2) * letter + widest + 0.4 * letter;
  x.ticks = ticks(x, std::max(2, static_cast<int>(area.width() / (6.0 * letter))));
  x.start = area.left, x.end = area.right;
  y.start = area.bottom, y.end = area.top;

  const std::unique_ptr<Canvas> canvas = open_canvas(file, plot.width, height);
  draw_axes(*canvas, plot, area, x, y, letter);
  for (std::size_t k = 0; k < plot.curves.size(); ++k) draw_curve(*canvas, plot.curves[k], x, y, category(k), letter);
  draw_names(*canvas, plot, {area.right + letter, area.top}, names - letter, letter);
  canvas->write();
}

}  // namespace moreau::inline draw

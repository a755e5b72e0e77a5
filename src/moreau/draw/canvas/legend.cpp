#include "moreau/draw/canvas/legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "moreau/draw/canvas/ticks.hpp"
#include "moreau/draw/picture/meshes.hpp"

namespace moreau::inline draw {

namespace {

constexpr Colour frame_colour = grey(0.35);

void outline(Canvas& canvas, const Rectangle& r, double width) {
  const std::array<Point, 5> path = {
      {{r.left, r.top}, {r.right, r.top}, {r.right, r.bottom}, {r.left, r.bottom}, {r.left, r.top}}};
  canvas.polyline(path, width, frame_colour);
}

std::string name_of_category(const Field& field, int value) {
  const auto k = static_cast<std::size_t>(std::max(0, value));
  return k < field.labels.size() ? field.labels[k] : std::to_string(value);
}

void draw_swatches(Canvas& canvas, const Field& field, const std::vector<char>& shown, const Rectangle& area, double letter) {
  std::set<int> present;
  for (std::size_t i = 0; i < field.value.size(); ++i)
    if (shown[i]) present.insert(static_cast<int>(field.value[i]));
  double y = area.top;
  for (const int value : present) {
    if (y + letter > area.bottom) break;
    const Rectangle box{area.left, y, area.left + letter, y + letter};
    canvas.rectangle(box, category(static_cast<std::size_t>(std::max(0, value)), field.labels));
    canvas.text({box.right + 0.4 * letter, box.bottom - 0.15 * letter},
                fitted(name_of_category(field, value), {.size = 0.85 * letter}, area.right - box.right - 0.4 * letter),
                {.size = 0.85 * letter});
    y += 1.5 * letter;
  }
}

std::vector<Tick> scale_ticks(const Field& field, double height, double letter) {
  const int room = std::clamp(static_cast<int>(height / (3.0 * letter)), 2, 8);
  std::vector<Tick> ticks = linear_ticks(field.low, field.high, room);
  if (field.whole) std::erase_if(ticks, [](const Tick& t) { return t.value != std::floor(t.value); });
  if (ticks.size() == 1 && field.high > field.low && field.whole) ticks.push_back({field.high, short_number(field.high)});
  if (field.exceeded && field.high > field.low) {  // where the scale ends, and that values do not
    const double room = 1.2 * letter * (field.high - field.low) / height;
    std::erase_if(ticks, [&](const Tick& t) { return t.value > field.high - room; });
    ticks.push_back({field.high, "≥ " + short_number(field.high)});
  }
  return ticks;
}

}  // namespace

double draw_name(Canvas& canvas, const std::string& name, const std::string& unit, const Rectangle& area, double size) {
  const std::string in_brackets = unit.empty() ? std::string() : fmt::format("[{}]", unit);
  const std::string whole = unit.empty() ? name : name + " " + in_brackets;
  const auto line = [&](const std::string& words, double y) {
    const TextStyle style = narrowed({.size = size}, words, area.width());
    canvas.text({area.left, y}, fitted(words, style, area.width()), style);
  };
  const double y = area.top + size;
  if (unit.empty() || narrowed({.size = size}, whole, area.width()).size >= 0.8 * size) {
    line(whole, y);
    return y;
  }
  line(name, y), line(in_brackets, y + 1.2 * size);
  return y + 1.2 * size;
}

void draw_colour_scale(Canvas& canvas, const Field& field, const std::vector<char>& shown, const Rectangle& area, double letter) {
  if (field.value.empty()) return;
  const double named = draw_name(canvas, field.name, field.unit, area, letter);
  Rectangle bar{area.left, named + 0.8 * letter, area.left + 1.2 * letter, area.bottom};
  if (field.categories) return draw_swatches(canvas, field, shown, {bar.left, bar.top, area.right, area.bottom}, letter);

  if (field.low == 0.0 && field.high == 0.0 && !field.all_zero.empty()) {
    const Rectangle swatch{bar.left, bar.top, bar.right, bar.top + 1.2 * letter};
    canvas.rectangle(swatch, viridis(0.0));
    outline(canvas, swatch, 0.05 * letter);
    const Point at{swatch.right + 0.55 * letter, swatch.bottom - 0.3 * letter};
    const TextStyle style = narrowed({.size = 0.85 * letter}, field.all_zero, area.right - at.x);
    return canvas.text(at, fitted(field.all_zero, style, area.right - at.x), style);
  }
  if (field.exceeded) {  // an arrow head: the scale goes on
    const std::array<Point, 3> head = {
        {{bar.left, bar.top + letter}, {bar.right, bar.top + letter}, {0.5 * (bar.left + bar.right), bar.top}}};
    canvas.polygon(head, viridis(1.0));
    bar.top += letter;
  }
  const bool constant =
      linear_ticks(field.low, field.high, 2).size() == 1 && !(field.high - field.low > 1e-12 * std::abs(field.high));
  const int steps = constant ? 1 : std::clamp(static_cast<int>(bar.height()), 2, 256);
  for (int k = steps - 1; k >= 0; --k) {  // each stripe down to the foot, covered by the next: no seams between them
    const double top = bar.bottom - bar.height() * (k + 1) / steps;
    const Colour colour = constant ? viridis(place_on_scale(field, field.high)) : viridis((k + 0.5) / steps);
    canvas.rectangle({bar.left, top, bar.right, bar.bottom}, colour);
  }
  outline(canvas, bar, 0.05 * letter);
  const std::vector<Tick> ticks = scale_ticks(field, bar.height(), letter);
  TextStyle number{.size = 0.85 * letter};  // narrower where a label would not fit: half a number says something else
  for (const Tick& tick : ticks) number = narrowed(number, tick.label, area.right - bar.right - 0.55 * letter);
  for (const Tick& tick : ticks) {
    const double t = constant ? 0.5 : (tick.value - field.low) / (field.high - field.low), y = bar.bottom - t * bar.height();
    canvas.line({bar.right, y}, {bar.right + 0.3 * letter, y}, 0.06 * letter, frame_colour);
    const Point at{bar.right + 0.55 * letter, y + 0.3 * letter};
    canvas.text(at, fitted(tick.label, number, area.right - at.x), number);
  }
}

void draw_force_key(Canvas& canvas, const ForceLines& forces, const std::string& unit, const Rectangle& area, double letter) {
  if (forces.lines.empty()) return;
  // Twice the mean, rounded down: a typical strong force, drawn as wide as in the picture but never so wide as to hide the text.
  double sample = round_down(2.0 * forces.mean);
  while (line_width(forces, sample) > letter) sample = round_down(0.499 * sample);
  const TextStyle number = narrowed({.size = 0.85 * letter}, "normal force", area.width());
  const double y = draw_name(canvas, "normal force", unit, area, 0.85 * letter) + 1.3 * letter, end = area.left + 1.6 * letter;
  canvas.line({area.left, y}, {end, y}, line_width(forces, sample), push_colour);
  canvas.text({end + 0.7 * letter, y + 0.3 * letter}, short_number(sample), number);
  if (std::any_of(forces.lines.begin(), forces.lines.end(), [](const ForceLine& l) { return l.force < 0.0; })) {
    canvas.line({area.left, y + 1.4 * letter}, {end, y + 1.4 * letter}, line_width(forces, sample), pull_colour);
    canvas.text({end + 0.7 * letter, y + 1.7 * letter}, "pulling", number);
  }
}

void draw_wear_key(Canvas& canvas, double most, const std::string& unit, const Rectangle& area, double letter) {
  const TextStyle number{.size = 0.85 * letter};
  const double named = draw_name(canvas, "wear", unit, area, 0.85 * letter);
  const Rectangle bar{area.left, named + 0.6 * letter, area.left + 0.9 * area.width(), named + 1.4 * letter};
  const int steps = std::clamp(static_cast<int>(bar.width()), 2, 128);
  for (int k = 0; k < steps; ++k)  // each stripe to the right end, covered by the next
    canvas.rectangle({bar.left + bar.width() * k / steps, bar.top, bar.right, bar.bottom},
                     worn(grey(0.86), (k + 0.5) / steps, 1.0));
  outline(canvas, bar, 0.05 * letter);
  const double top = round_down(most), y = bar.bottom + letter;
  canvas.text({bar.left, y}, "0", number);
  canvas.text({bar.left + bar.width() * top / most, y}, short_number(top), {.size = 0.85 * letter, .anchor = Anchor::end});
}

double draw_scale_bar(Canvas& canvas, const Camera& camera, Point left_end, double window_width, double letter,
                      const std::string& unit) {
  const double length = round_down(0.25 * window_width / camera.zoom), end = left_end.x + length * camera.zoom;
  const double foot = 0.3 * letter, width = 0.12 * letter;
  canvas.line(left_end, {end, left_end.y}, width, grey(0.15));
  for (const double x : {left_end.x, end}) canvas.line({x, left_end.y - foot}, {x, left_end.y + foot}, width, grey(0.15));
  const std::string words = short_number(length) + (unit.empty() ? "" : " " + unit);
  const TextStyle style{.size = 0.9 * letter};
  canvas.text({end + 0.6 * letter, left_end.y + 0.32 * letter}, words, style);
  return end + 0.6 * letter + text_width(words, style);
}

void draw_heading(Canvas& canvas, const std::string& title, const std::string& facts, const Rectangle& area, double letter) {
  double y = area.top + 1.2 * letter;
  if (!title.empty()) {
    const TextStyle bold{.size = 1.25 * letter, .bold = true};
    canvas.text({area.left, y + 0.1 * letter}, fitted(title, bold, area.width()), bold);
    y += 1.6 * letter;
  }
  const TextStyle plain{.size = 0.95 * letter, .colour = grey(0.3)};
  canvas.text({area.left, y}, fitted(facts, plain, area.width()), plain);
}

}  // namespace moreau::inline draw

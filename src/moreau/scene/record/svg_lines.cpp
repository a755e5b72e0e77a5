#include "moreau/scene/record/svg_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "moreau/base/elementary.hpp"

namespace moreau::inline scene {
namespace {

constexpr double farthest_place = 1e30;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ','; }

// Numbers and letters of a path, one after the other.
class Pen {
 public:
  explicit Pen(std::string_view text) : text_(text) {}
  bool done() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    return at_ == text_.size();
  }
  bool at_letter() { return !done() && std::isalpha(static_cast<unsigned char>(text_[at_])) != 0; }
  char letter() { return text_[at_++]; }
  double number() {
    if (done()) throw SvgError("has a path that ends where a number is expected");
    if (text_[at_] == '+') ++at_;
    double value = 0.0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{} || !(std::abs(value) <= farthest_place))
      throw SvgError(fmt::format("has a path with '{}' where a number is expected", printable()));
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  bool flag() {  // of an arc: may be written without a blank behind it
    if (done() || (text_[at_] != '0' && text_[at_] != '1')) throw SvgError("has an arc whose flags are not 0 or 1");
    return text_[at_++] == '1';
  }

 private:
  std::string printable() const {
    std::string shown(text_.substr(at_, 12));
    for (char& c : shown)
      if (std::isprint(static_cast<unsigned char>(c)) == 0) c = '?';
    return shown;
  }
  std::string_view text_;
  std::size_t at_ = 0;
};

class Tracer {
 public:
  Vec<2> here{}, start{}, control{};  // control: of the last curve, for the smooth one after it
  std::vector<std::vector<Vec<2>>> lines;

  void move(const Vec<2>& p) { here = start = p, open_ = false; }
  void line(const Vec<2>& p) {
    if (!open_) lines.push_back({here}), open_ = true;
    if (++points_ > most_svg_points) throw SvgError(fmt::format("has more than {} points", most_svg_points));
    if (!(std::abs(p[0]) <= farthest_place && std::abs(p[1]) <= farthest_place)) throw SvgError("has a point that is not finite");
    if (!(p == lines.back().back())) lines.back().push_back(p);
    here = p;
  }
  void close() {
    if (open_) line(start);
    here = start, open_ = false;
  }
  void cubic(const Vec<2>& p, const Vec<2>& q, const Vec<2>& end) {
    const Vec<2> from = here;
    for (int k = 1; k < chords_per_curve; ++k) {
      const double t = static_cast<double>(k) / chords_per_curve, s = 1.0 - t;
      line(s * s * s * from + 3.0 * s * s * t * p + 3.0 * s * t * t * q + t * t * t * end);
    }
    line(end), control = q;
  }
  void quadratic(const Vec<2>& p, const Vec<2>& end) {
    const Vec<2> from = here;
    cubic(from + (2.0 / 3.0) * (p - from), end + (2.0 / 3.0) * (p - end), end);
    control = p;
  }
  // From the ends of an arc of an ellipse to its centre: SVG 2, implementation notes, B.2.4.
  void arc(double rx, double ry, double degrees, bool large, bool sweep, const Vec<2>& end) {
    const Vec<2> from = here;
    rx = std::abs(rx), ry = std::abs(ry);
    if (from == end) return;
    if (!(rx > 0.0 && ry > 0.0)) return line(end);
    const double angle = degrees * std::numbers::pi / 180.0, c = cosine(angle), s = sine(angle);
    const Vec<2> half = 0.5 * (from - end);
    const double x = (c * half[0] + s * half[1]) / rx, y = (-s * half[0] + c * half[1]) / ry;
    const double square = x * x + y * y, stretch = std::sqrt(std::max(1.0, square));
    rx *= stretch, ry *= stretch;
    const double u = x / stretch, v = y / stretch, inside = u * u + v * v;
    if (!(inside > 0.0)) return line(end);  // a chord too short for its ellipse to be told from a line
    const double root = (large == sweep ? -1.0 : 1.0) * std::sqrt(std::max(0.0, 1.0 - inside) / inside);
    const double cx = root * v, cy = -root * u;
    const double begin = arctangent(v - cy, u - cx);
    double turn = arctangent(-v - cy, -u - cx) - begin;
    if (sweep && turn < 0.0) turn += 2.0 * std::numbers::pi;
    if (!sweep && turn > 0.0) turn -= 2.0 * std::numbers::pi;
    const Vec<2> middle = 0.5 * (from + end);
    const int chords = std::max(1, static_cast<int>(std::ceil(std::abs(turn) / (2.0 * std::numbers::pi) * chords_per_arc_turn)));
    for (int k = 1; k < chords; ++k) {
      const double t = begin + turn * k / chords, px = rx * (cx + cosine(t)), py = ry * (cy + sine(t));
      line(middle + Vec<2>{{c * px - s * py, s * px + c * py}});
    }
    line(end);
  }

 private:
  bool open_ = false;
  std::size_t points_ = 0;
};

// Tags of the text and their attributes, without what is in comments. Calls see(tag), and take(tag, name, value).
template <class See, class Take>
void walk_tags(std::string_view text, const See& see, const Take& take) {
  std::size_t at = 0;
  const auto skip_past = [&](std::string_view end) {
    const std::size_t found = text.find(end, at);
    if (found == std::string_view::npos) throw SvgError(fmt::format("ends before '{}'", end));
    at = found + end.size();
  };
  while ((at = text.find('<', at)) != std::string_view::npos) {
    if (text.substr(at).starts_with("<!--")) {
      skip_past("-->");
      continue;
    }
    ++at;
    const std::size_t name_end = std::min(text.find_first_of(" \t\r\n/>", at), text.size());
    std::string_view tag = text.substr(at, name_end - at);
    if (const std::size_t colon = tag.find(':'); colon != std::string_view::npos) tag.remove_prefix(colon + 1);
    see(tag);
    at = name_end;
    for (;;) {
      at = text.find_first_not_of(" \t\r\n/?", at);
      if (at == std::string_view::npos) throw SvgError("ends within a tag");
      if (text[at] == '>') break;
      if (text[at] == '<') break;  // not well-formed: the next tag
      const std::size_t equals = text.find_first_of("=>", at);
      if (equals == std::string_view::npos) throw SvgError("ends within a tag");
      if (text[equals] == '>') {
        at = equals;
        break;
      }
      std::string_view name = text.substr(at, equals - at);
      while (!name.empty() && is_blank(name.back())) name.remove_suffix(1);
      at = text.find_first_not_of(" \t\r\n", equals + 1);
      if (at == std::string_view::npos) throw SvgError("ends within a tag");
      if (text[at] != '"' && text[at] != '\'') throw SvgError("has an attribute without quotes");
      const std::size_t close = text.find(text[at], at + 1);
      if (close == std::string_view::npos) throw SvgError("ends within an attribute");
      take(tag, name, text.substr(at + 1, close - at - 1));
      at = close + 1;
    }
  }
}

std::vector<Vec<2>> polyline_points(std::string_view text) {
  Pen pen(text);
  std::vector<Vec<2>> points;
  while (!pen.done()) {
    const double x = pen.number();
    points.push_back({{x, pen.number()}});
    if (points.size() > most_svg_points) throw SvgError(fmt::format("has more than {} points", most_svg_points));
  }
  return points;
}

}  // namespace

std::vector<std::vector<Vec<2>>> path_lines(std::string_view d) {
  Pen pen(d);
  Tracer trace;
  char command = 0, before = 0;
  bool first = true;
  while (!pen.done()) {
    if (pen.at_letter())
      command = pen.letter();
    else if (command == 0 || command == 'Z' || command == 'z')
      throw SvgError("has a path that does not begin with M");
    else if (command == 'M' || command == 'm')
      command = command == 'M' ? 'L' : 'l';  // further points of a move are lines
    const bool relative = std::islower(static_cast<unsigned char>(command)) != 0;
    const char what = static_cast<char>(std::toupper(static_cast<unsigned char>(command)));
    if (first && what != 'M') throw SvgError("has a path that does not begin with M");
    first = false;
    const Vec<2> origin = relative ? trace.here : Vec<2>{};
    const auto point = [&] {
      const double x = pen.number();
      return origin + Vec<2>{{x, pen.number()}};
    };
    const auto mirrored = [&](const char* curves) {
      return std::string_view(curves).find(before) != std::string_view::npos ? 2.0 * trace.here - trace.control : trace.here;
    };
    switch (what) {
      case 'M':
        trace.move(point());
        break;
      case 'L':
        trace.line(point());
        break;
      case 'H':
        trace.line({{origin[0] + pen.number(), trace.here[1]}});
        break;
      case 'V':
        trace.line({{trace.here[0], origin[1] + pen.number()}});
        break;
      case 'Z':
        trace.close();
        break;
      case 'C': {
        const Vec<2> p = point(), q = point();
        trace.cubic(p, q, point());
        break;
      }
      case 'S': {
        const Vec<2> p = mirrored("CS"), q = point();
        trace.cubic(p, q, point());
        break;
      }
      case 'Q': {
        const Vec<2> p = point();
        trace.quadratic(p, point());
        break;
      }
      case 'T':
        trace.quadratic(mirrored("QT"), point());
        break;
      case 'A': {
        const double rx = pen.number(), ry = pen.number(), turned = pen.number();
        const bool large = pen.flag(), sweep = pen.flag();
        trace.arc(rx, ry, turned, large, sweep, point());
        break;
      }
      default:
        throw SvgError(fmt::format("has a path with the command '{}'", command));
    }
    before = what;
  }
  std::erase_if(trace.lines, [](const auto& line) { return line.size() < 2; });
  return trace.lines;
}

std::vector<std::vector<Vec<2>>> svg_lines(std::string_view text) {
  std::vector<std::vector<Vec<2>>> lines;
  // What is drawn and would not become a wall, and what is not drawn and would.
  const auto see = [](std::string_view tag) {
    for (const std::string_view drawn : {"rect", "circle", "ellipse", "line", "use", "image"})
      if (tag == drawn)
        throw SvgError(fmt::format("has a '{}'; accepted: paths, polylines and polygons (in Inkscape: object to path)", drawn));
    for (const std::string_view hidden : {"clipPath", "mask", "marker", "pattern", "symbol"})
      if (tag == hidden) throw SvgError(fmt::format("has a '{}', which is not drawn itself; accepted: drawings without", hidden));
  };
  walk_tags(text, see, [&](std::string_view tag, std::string_view name, std::string_view value) {
    std::string plain(value);
    std::erase_if(plain, is_blank);
    if ((name == "display" && plain == "none") || (name == "visibility" && plain == "hidden") ||
        (name == "style" && (plain.find("display:none") != plain.npos || plain.find("visibility:hidden") != plain.npos)))
      throw SvgError("has something that is hidden; accepted: drawings without");
    if (name == "transform")
      throw SvgError("has a 'transform'; accepted: drawings without (in Inkscape: ungroup, and save as plain SVG)");
    if (tag == "path" && name == "d")
      for (auto& line : path_lines(value)) lines.push_back(std::move(line));
    if ((tag == "polyline" || tag == "polygon") && name == "points") {
      std::vector<Vec<2>> points = polyline_points(value);
      if (tag == "polygon" && !points.empty()) points.push_back(points.front());
      if (points.size() >= 2) lines.push_back(std::move(points));
    }
  });
  std::size_t count = 0;
  for (auto& line : lines)
    for (Vec<2>& p : line) p[1] = 0.0 - p[1], ++count;
  if (lines.empty()) throw SvgError("has no path, polyline or polygon");
  if (count > most_svg_points) throw SvgError(fmt::format("has more than {} points", most_svg_points));
  return lines;
}

}  // namespace moreau::inline scene

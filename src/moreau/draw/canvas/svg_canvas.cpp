// Canvas that writes SVG elements as they come; numbers to a hundredth of a pixel.
#include <fmt/format.h>

#include "moreau/draw/canvas/canvas.hpp"

namespace moreau::inline draw {

namespace {

std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string hex(Colour c) {
  const auto byte = [](double v) { return static_cast<int>(v * 255.0 + 0.5); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(c.red), byte(c.green), byte(c.blue));
}

// An attribute such as fill="#123456", with its opacity when it is not one.
std::string paint(const char* what, Colour c) {
  std::string text = fmt::format(" {}=\"{}\"", what, hex(c));
  if (c.alpha < 1.0) text += fmt::format(" {}-opacity=\"{}\"", what, number(c.alpha));
  return text;
}

std::string escaped(const std::string& words) {
  std::string text;
  for (const char c : words) {
    if (c == '&')
      text += "&amp;";
    else if (c == '<')
      text += "&lt;";
    else if (c == '>')
      text += "&gt;";
    else
      text += c;
  }
  return text;
}

class SvgCanvas final : public Canvas {
 public:
  SvgCanvas(std::filesystem::path file, int width, int height) : file_(std::move(file)) {
    body_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"{2}, Verdana, sans-serif\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n"
        "<defs><radialGradient id=\"b\" cx=\".5\" cy=\".5\" r=\".5\" fx=\".32\" fy=\".29\">\n",
        width, height, font_family);
    for (const auto& [place, level, alpha] : ball_shade)
      body_ += fmt::format("<stop offset=\"{}\" stop-color=\"{}\" stop-opacity=\"{}\"/>\n", place, hex(grey(level)), alpha);
    body_ += "</radialGradient></defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  }

  void disc(Point centre, double radius, Colour fill, double outline_width, Colour outline) override {
    circle(centre, radius, paint("fill", fill) + (outline_width > 0.0 ? pen(outline_width, outline) : ""));
  }
  void ball(Point centre, double radius, Colour fill) override {
    circle(centre, radius, paint("fill", fill));
    circle(centre, radius, " fill=\"url(#b)\"");
  }
  void ring(Point centre, double radius, double width, Colour colour) override {
    circle(centre, radius, " fill=\"none\"" + pen(width, colour));
  }
  void line(Point from, Point to, double width, Colour colour) override {
    body_ += fmt::format("<path d=\"M{} {}L{} {}\"{}/>\n", number(from.x), number(from.y), number(to.x), number(to.y),
                         pen(width, colour));
  }
  void polyline(std::span<const Point> points, double width, Colour colour) override {
    body_ += fmt::format("<polyline points=\"{}\" fill=\"none\"{}/>\n", list(points), pen(width, colour));
  }
  void polygon(std::span<const Point> corners, Colour fill, double outline_width, Colour outline) override {
    body_ += fmt::format("<polygon points=\"{}\"{}{}/>\n", list(corners), paint("fill", fill),
                         outline_width > 0.0 ? pen(outline_width, outline) : "");
  }
  void text(Point at, const std::string& words, const TextStyle& style) override {
    const char* anchor = style.anchor == Anchor::start ? "start" : style.anchor == Anchor::middle ? "middle" : "end";
    const std::string turn = style.upwards ? fmt::format(" transform=\"rotate(-90 {} {})\"", number(at.x), number(at.y)) : "";
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\"{}{}{}>{}</text>\n", number(at.x),
                         number(at.y), number(style.size), anchor, style.bold ? " font-weight=\"bold\"" : "", turn,
                         paint("fill", style.colour), escaped(printable(words)));
  }
  void clip(const Rectangle& window) override {
    // Nested svg elements clip to their own box; the viewBox keeps the coordinates of the sheet inside it.
    const std::string x = number(window.left), y = number(window.top), w = number(window.width()), h = number(window.height());
    body_ += fmt::format("<svg x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" viewBox=\"{0} {1} {2} {3}\">\n", x, y, w, h);
  }
  void unclip() override { body_ += "</svg>\n"; }

  void write() override {
    body_ += "</svg>\n";
    write_picture(file_, body_);
  }

 private:
  static std::string pen(double width, Colour colour) {
    return paint("stroke", colour) + fmt::format(" stroke-width=\"{}\"", number(width));
  }
  static std::string list(std::span<const Point> points) {
    std::string text;
    for (const Point& p : points) text += fmt::format("{}{},{}", text.empty() ? "" : " ", number(p.x), number(p.y));
    return text;
  }
  void circle(Point centre, double radius, const std::string& style) {
    body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", number(centre.x), number(centre.y), number(radius), style);
  }

  std::filesystem::path file_;
  std::string body_;
};

}  // namespace

std::unique_ptr<Canvas> open_svg(const std::filesystem::path& file, int width, int height) {
  return std::make_unique<SvgCanvas>(file, width, height);
}

}  // namespace moreau::inline draw

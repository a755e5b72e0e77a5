// A sheet of width x height pixels on which pictures and plots are drawn; the origin is the top left corner, y points down.
// PNG and PDF are drawn by cairo. SVG is written directly, because cairo writes every disc as four Bezier arcs and every ball as
// a gradient of its own: a circle element is ten times shorter, and text stays text.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "moreau/draw/canvas/colour_map.hpp"

namespace moreau::inline draw {

struct Point {
  double x = 0.0, y = 0.0;
};

struct Rectangle {
  double left = 0.0, top = 0.0, right = 0.0, bottom = 0.0;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 12.0;  // pixels
  Anchor anchor = Anchor::start;
  Colour colour = grey(0.15);
  bool bold = false;
  bool upwards = false;  // written from bottom to top
};

class Canvas {
 public:
  virtual ~Canvas() = default;

  virtual void disc(Point centre, double radius, Colour fill, double outline_width = 0.0, Colour outline = {}) = 0;
  virtual void ball(Point centre, double radius, Colour fill) = 0;  // a disc shaded as a sphere lit from the upper left
  virtual void ring(Point centre, double radius, double width, Colour colour) = 0;
  virtual void line(Point from, Point to, double width, Colour colour) = 0;  // round ends
  virtual void polyline(std::span<const Point> points, double width, Colour colour) = 0;
  virtual void polygon(std::span<const Point> corners, Colour fill, double outline_width = 0.0, Colour outline = {}) = 0;
  virtual void text(Point at, const std::string& words, const TextStyle& style) = 0;  // `at`: on the baseline
  virtual void clip(const Rectangle& window) = 0;                                     // until unclip(); not nested
  virtual void unclip() = 0;

  // Writes the file; throws std::runtime_error if that fails.
  virtual void write() = 0;

  void rectangle(const Rectangle& r, Colour fill);
};

// A canvas for `file`, PNG, PDF or SVG by its extension. Throws std::runtime_error on any other extension.
std::unique_ptr<Canvas> open_canvas(const std::filesystem::path& file, int width, int height);
std::unique_ptr<Canvas> open_png(const std::filesystem::path& file, int width, int height);
std::unique_ptr<Canvas> open_pdf(const std::filesystem::path& file, int width, int height);
std::unique_ptr<Canvas> open_svg(const std::filesystem::path& file, int width, int height);

// Refuses a width out of [200, 8000] pixels.
void check_width(int width);

// The finished picture, complete or not at all.
void write_picture(const std::filesystem::path& file, std::string_view bytes);
[[noreturn]] void refuse_to_write(const std::filesystem::path& file, const std::string& reason);

// The light on a ball, from the highlight (place 0) to the rim (1): grey laid over its colour with some opacity. Between the
// highlight and the shadow a broad belt shows the colour unchanged, so that it can be compared with the legend.
struct Shade {
  double place, level, alpha;
};
inline constexpr Shade ball_shade[] = {{0.0, 1.0, 0.55}, {0.25, 1.0, 0.22}, {0.5, 1.0, 0.0},
                                       {0.6, 0.0, 0.0},  {0.88, 0.0, 0.3},  {1.0, 0.0, 0.6}};

inline constexpr const char* font_family = "DejaVu Sans";

// Size of letters that suits a picture of this width.
double letter_size(int width);

double text_width(const std::string& words, const TextStyle& style);

// `words` shortened with an ellipsis so as to be at most `room` pixels wide.
std::string fitted(std::string words, const TextStyle& style, double room);

// The style with letters so small, though not below six tenths, that `words` are at most `room` pixels wide.
TextStyle narrowed(TextStyle style, const std::string& words, double room);

// Bytes that are not UTF-8, and control characters, replaced by '?': one of them would spoil the whole file.
std::string printable(const std::string& words);

}  // namespace moreau::inline draw

// Canvas drawn by cairo: into an image, written as PNG at the end, or into a page of PDF, a point for a pixel; both in memory.
#include <cairo-pdf.h>
#include <cairo.h>

#include <numbers>

#include "moreau/draw/canvas/canvas.hpp"

namespace moreau::inline draw {

namespace {

// What cairo has to write, appended to the string `bytes`.
cairo_status_t collect(void* bytes, const unsigned char* data, unsigned int count) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), count);
  return CAIRO_STATUS_SUCCESS;
}

class CairoCanvas final : public Canvas {
 public:
  CairoCanvas(std::filesystem::path file, int width, int height, bool is_page)
      : file_(std::move(file)),
        is_page_(is_page),
        surface_(is_page ? cairo_pdf_surface_create_for_stream(collect, &bytes_, width, height)
                         : cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)),
        context_(cairo_create(surface_)),
        shade_(cairo_pattern_create_radial(-0.36, -0.42, 0.0, 0.0, 0.0, 1.0)) {
    if (cairo_status(context_) != CAIRO_STATUS_SUCCESS) {
      const std::string reason = cairo_status_to_string(cairo_status(context_));
      release();
      refuse_to_write(file_, reason);
    }
    cairo_set_source_rgb(context_, 1.0, 1.0, 1.0);
    cairo_paint(context_);
    cairo_set_line_cap(context_, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
    for (const auto& [place, level, alpha] : ball_shade)
      cairo_pattern_add_color_stop_rgba(shade_, place, level, level, level, alpha);
  }
  ~CairoCanvas() override { release(); }
  CairoCanvas(const CairoCanvas&) = delete;
  CairoCanvas& operator=(const CairoCanvas&) = delete;

  void disc(Point centre, double radius, Colour fill, double outline_width, Colour outline) override {
    circle(centre, radius);
    cover(fill, outline_width, outline);
  }

  void ball(Point centre, double radius, Colour fill) override {
    if (!(radius <= largest_radius)) return;
    cairo_matrix_t saved;
    cairo_get_matrix(context_, &saved);
    cairo_translate(context_, centre.x, centre.y);
    cairo_scale(context_, radius, radius);
    circle({}, 1.0);
    ink(fill);
    cairo_fill_preserve(context_);
    cairo_set_source(context_, shade_);
    cairo_fill(context_);
    cairo_set_matrix(context_, &saved);
  }

  void ring(Point centre, double radius, double width, Colour colour) override {
    circle(centre, radius);
    stroke(width, colour);
  }

  void line(Point from, Point to, double width, Colour colour) override {
    cairo_move_to(context_, from.x, from.y);
    cairo_line_to(context_, to.x, to.y);
    stroke(width, colour);
  }

  void polyline(std::span<const Point> points, double width, Colour colour) override {
    trace(points);
    stroke(width, colour);
  }

  void polygon(std::span<const Point> corners, Colour fill, double outline_width, Colour outline) override {
    trace(corners);
    cairo_close_path(context_);
    cover(fill, outline_width, outline);
  }

  void text(Point at, const std::string& words, const TextStyle& style) override {
    const double width = text_width(words, style);
    const double back = style.anchor == Anchor::start ? 0.0 : style.anchor == Anchor::middle ? 0.5 * width : width;
    cairo_select_font_face(context_, font_family, CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context_, style.size);
    ink(style.colour);
    cairo_matrix_t saved;
    cairo_get_matrix(context_, &saved);
    cairo_translate(context_, at.x, at.y);
    if (style.upwards) cairo_rotate(context_, -0.5 * std::numbers::pi);
    cairo_move_to(context_, -back, 0.0);
    cairo_show_text(context_, printable(words).c_str());
    cairo_set_matrix(context_, &saved);
    cairo_new_path(context_);
  }

  void clip(const Rectangle& window) override {
    cairo_rectangle(context_, window.left, window.top, window.width(), window.height());
    cairo_clip(context_);
  }
  void unclip() override { cairo_reset_clip(context_); }

  void write() override {
    cairo_status_t status = cairo_status(context_);
    if (is_page_) cairo_surface_finish(surface_), status = cairo_surface_status(surface_);
    if (!is_page_ && status == CAIRO_STATUS_SUCCESS) status = cairo_surface_write_to_png_stream(surface_, collect, &bytes_);
    if (status != CAIRO_STATUS_SUCCESS) refuse_to_write(file_, cairo_status_to_string(status));
    write_picture(file_, bytes_);
  }

 private:
  static constexpr double largest_radius = 8e6;  // pixels; cairo counts in 24 bits
  void release() {
    cairo_pattern_destroy(shade_);
    cairo_destroy(context_);
    cairo_surface_destroy(surface_);
  }
  void ink(Colour c) { cairo_set_source_rgba(context_, c.red, c.green, c.blue, c.alpha); }
  void circle(Point centre, double radius) {
    cairo_new_path(context_);
    if (!(radius <= largest_radius)) return;
    cairo_arc(context_, centre.x, centre.y, radius, 0.0, 2.0 * std::numbers::pi);
    cairo_close_path(context_);
  }
  void trace(std::span<const Point> points) {
    cairo_new_path(context_);
    for (const Point& p : points) cairo_line_to(context_, p.x, p.y);
  }
  void cover(Colour fill, double outline_width, Colour outline) {
    ink(fill);
    cairo_fill_preserve(context_);
    if (outline_width > 0.0) stroke(outline_width, outline);
    cairo_new_path(context_);
  }
  void stroke(double width, Colour colour) {
    ink(colour);
    cairo_set_line_width(context_, width);
    cairo_stroke(context_);
  }

  std::filesystem::path file_;
  bool is_page_;
  std::string bytes_;  // of the file; cairo holds its address
  cairo_surface_t* surface_;
  cairo_t* context_;
  cairo_pattern_t* shade_;
};

}  // namespace

std::unique_ptr<Canvas> open_png(const std::filesystem::path& file, int width, int height) {
  return std::make_unique<CairoCanvas>(file, width, height, false);
}

std::unique_ptr<Canvas> open_pdf(const std::filesystem::path& file, int width, int height) {
  return std::make_unique<CairoCanvas>(file, width, height, true);
}

}  // namespace moreau::inline draw

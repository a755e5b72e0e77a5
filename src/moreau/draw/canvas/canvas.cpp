#include "moreau/draw/canvas/canvas.hpp"

#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

#include "moreau/base/utf8.hpp"
#include "moreau/store/output_file.hpp"
#include "moreau/store/store_error.hpp"

namespace moreau::inline draw {

void Canvas::rectangle(const Rectangle& r, Colour fill) {
  const std::array<Point, 4> corners = {{{r.left, r.top}, {r.right, r.top}, {r.right, r.bottom}, {r.left, r.bottom}}};
  polygon(corners, fill);
}

std::unique_ptr<Canvas> open_canvas(const std::filesystem::path& file, int width, int height) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".png") return open_png(file, width, height);
  if (extension == ".pdf") return open_pdf(file, width, height);
  if (extension == ".svg") return open_svg(file, width, height);
  throw std::runtime_error(
      fmt::format("cannot draw to '{}': the extension is '{}', accepted are .png, .pdf and .svg.", file.string(), extension));
}

void check_width(int width) {
  if (width < 200 || width > 8000)
    throw std::runtime_error(fmt::format("the width of a picture is {} pixels, accepted are 200 to 8000.", width));
}

void write_picture(const std::filesystem::path& file, std::string_view bytes) {
  try {
    write_output(file, bytes);
  } catch (const StoreError& error) {
    throw std::runtime_error(fmt::format("cannot write the picture: {}", error.what()));
  }
}

void refuse_to_write(const std::filesystem::path& file, const std::string& reason) {
  throw std::runtime_error(fmt::format("cannot write the picture '{}': {}.", file.string(), reason));
}

double letter_size(int width) { return std::max(9.0, width / 75.0); }

double text_width(const std::string& words, const TextStyle& style) {
  // cairo measures text in a context; one pixel is enough. One per thread, since a context is not to be shared.
  struct Ruler {
    cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t* context = cairo_create(surface);
    ~Ruler() {
      cairo_destroy(context);
      cairo_surface_destroy(surface);
    }
  };
  thread_local const Ruler ruler;
  cairo_select_font_face(ruler.context, font_family, CAIRO_FONT_SLANT_NORMAL,
                         style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(ruler.context, style.size);
  cairo_text_extents_t extents;
  cairo_text_extents(ruler.context, printable(words).c_str(), &extents);
  return extents.x_advance;
}

std::string fitted(std::string words, const TextStyle& style, double room) {
  words = printable(words);
  if (text_width(words, style) <= room) return words;
  while (!words.empty() && text_width(words + "…", style) > room) {
    while (!words.empty() && (static_cast<unsigned char>(words.back()) & 0xC0) == 0x80) words.pop_back();
    if (!words.empty()) words.pop_back();
  }
  return words.empty() ? words : words + "…";
}

TextStyle narrowed(TextStyle style, const std::string& words, double room) {
  const double width = text_width(words, style), least = 0.6 * style.size;
  if (width > room) style.size = std::max(least, style.size * room / width);
  // Widths of letters go in steps: of smaller ones they are not smaller by as much.
  while (style.size > least && text_width(words, style) > room) style.size = std::max(least, 0.98 * style.size);
  return style;
}

std::string printable(const std::string& words) {
  std::string result;
  for (std::size_t i = 0; i < words.size();) {
    const std::size_t length = character_length(words, i);
    const unsigned char first = static_cast<unsigned char>(words[i]);
    const bool control = first < 0x20 || first == 0x7F;
    const bool no_character =
        length == 3 && words.compare(i, 2, "\xEF\xBF") == 0 && static_cast<unsigned char>(words[i + 2]) >= 0xBE;  // in XML
    const bool good = length > 0 && !control && !no_character;
    if (good)
      result.append(words, i, length);
    else
      result += '?';
    i += good ? length : 1;
  }
  return result;
}

}  // namespace moreau::inline draw

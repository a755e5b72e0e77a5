// Reads pictures back: pixels of a PNG, circles and lines of an SVG. Both are drawn in the same pixel coordinates, so the SVG
// tells where to look in the PNG.
#pragma once

#include <cairo.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "moreau/draw/canvas/canvas.hpp"
#include "moreau/draw/picture/picture.hpp"

namespace moreau {

// A folder of its own for each test, removed afterwards.
class PictureTest : public testing::Test {
 protected:
  PictureTest() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        std::filesystem::temp_directory_path() / ("moreau_draw_" + std::string(info->name()) + "_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~PictureTest() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path file(const std::string& name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

class Pixels {
 public:
  explicit Pixels(const std::filesystem::path& png) : surface_(cairo_image_surface_create_from_png(png.c_str())) {
    EXPECT_EQ(cairo_surface_status(surface_), CAIRO_STATUS_SUCCESS);
  }
  ~Pixels() { cairo_surface_destroy(surface_); }
  Pixels(const Pixels&) = delete;
  Pixels& operator=(const Pixels&) = delete;

  int width() const { return cairo_image_surface_get_width(surface_); }
  int height() const { return cairo_image_surface_get_height(surface_); }
  Colour at(double x, double y) const {
    const unsigned char* row =
        cairo_image_surface_get_data(surface_) + static_cast<int>(y) * cairo_image_surface_get_stride(surface_);
    const std::uint32_t value = reinterpret_cast<const std::uint32_t*>(row)[static_cast<int>(x)];
    return {(value >> 16 & 255) / 255.0, (value >> 8 & 255) / 255.0, (value & 255) / 255.0};
  }
  int count(const Rectangle& r, Colour colour, double tolerance = 0.02) const;

 private:
  cairo_surface_t* surface_;
};

inline double difference(const Colour& a, const Colour& b) {
  return std::max({std::abs(a.red - b.red), std::abs(a.green - b.green), std::abs(a.blue - b.blue)});
}

inline int Pixels::count(const Rectangle& r, Colour colour, double tolerance) const {
  int n = 0;
  for (int y = static_cast<int>(r.top); y < static_cast<int>(r.bottom); ++y)
    for (int x = static_cast<int>(r.left); x < static_cast<int>(r.right); ++x) n += difference(at(x, y), colour) <= tolerance;
  return n;
}

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// The elements of this name, each as the text between its angle brackets. Read by hand: std::regex sets off false warnings when
// compiled with sanitizers by g++ 12.
inline std::vector<std::string> elements(const std::string& svg, const std::string& name) {
  std::vector<std::string> found;
  for (std::size_t at = svg.find("<" + name + " "); at != std::string::npos; at = svg.find("<" + name + " ", at + 1))
    found.push_back(svg.substr(at, svg.find('>', at) - at));
  return found;
}

inline std::string attribute(const std::string& element, const std::string& name) {
  const std::string start = " " + name + "=\"";
  const std::size_t at = element.find(start);
  if (at == std::string::npos) return "";
  return element.substr(at + start.size(), element.find('"', at + start.size()) - at - start.size());
}

struct Circle {
  double x, y, r;
  std::string fill;
};

inline std::vector<Circle> circles(const std::string& svg) {
  std::vector<Circle> found;
  for (const std::string& e : elements(svg, "circle"))
    found.push_back(
        {std::stod(attribute(e, "cx")), std::stod(attribute(e, "cy")), std::stod(attribute(e, "r")), attribute(e, "fill")});
  return found;
}

struct Outline {
  std::vector<Point> corners;
  std::string fill, stroke;
};

inline std::vector<Point> points_of(const std::string& element) {
  std::vector<Point> points;
  std::istringstream in(attribute(element, "points"));
  for (char comma = 0; in;) {
    Point p;
    if (in >> p.x >> comma >> p.y) points.push_back(p);
  }
  return points;
}

inline std::vector<Outline> polygons(const std::string& svg) {
  std::vector<Outline> found;
  for (const std::string& e : elements(svg, "polygon"))
    found.push_back({points_of(e), attribute(e, "fill"), attribute(e, "stroke")});
  return found;
}

// Straight strokes of this colour, in the order drawn.
inline std::vector<std::vector<Point>> strokes(const std::string& svg, const std::string& colour) {
  std::vector<std::vector<Point>> found;
  for (const std::string& e : elements(svg, "path")) {
    if (attribute(e, "stroke") != colour) continue;
    std::string d = attribute(e, "d");  // M x y L x y
    for (char& c : d)
      if (c == 'M' || c == 'L') c = ' ';
    std::istringstream in(d);
    Point from, to;
    in >> from.x >> from.y >> to.x >> to.y;
    found.push_back({from, to});
  }
  return found;
}

// Polylines of this colour, in the order drawn.
inline std::vector<std::vector<Point>> polylines(const std::string& svg, const std::string& colour) {
  std::vector<std::vector<Point>> found;
  for (const std::string& e : elements(svg, "polyline"))
    if (attribute(e, "stroke") == colour) found.push_back(points_of(e));
  return found;
}

// Widths of the straight strokes of this colour, in the order drawn.
inline std::vector<double> stroke_widths(const std::string& svg, const std::string& colour) {
  std::vector<double> found;
  for (const std::string& e : elements(svg, "path"))
    if (attribute(e, "stroke") == colour) found.push_back(std::stod(attribute(e, "stroke-width")));
  return found;
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The sentence with which the call is refused; empty if it is not.
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

template <int D>
void add_body(Frame<D>& frame, const NewBody<D>& body) {
  Bodies<D> bodies{std::move(frame.parameters), std::move(frame.state), {}};
  bodies.append(body);
  frame.parameters = std::move(bodies.parameters);
  frame.state = std::move(bodies.state);
}

template <int D>
void add_ball(Frame<D>& frame, const Vec<D>& position, double radius, double speed = 0.0, BodyKind kind = BodyKind::free) {
  NewBody<D> body = homogeneous_ball<D>(position, radius, 1.0);
  body.velocity[0] = speed;
  body.kind = kind;
  add_body(frame, body);
}

template <int D>
void add_block(Frame<D>& frame, const Shape<D>& shape, const Vec<D>& position, const Rotation<D>& orientation = {},
               double speed = 0.0, BodyKind kind = BodyKind::free) {
  NewBody<D> body = homogeneous_block(shape, static_cast<std::int32_t>(frame.shapes.size()), position, orientation, 1.0);
  frame.shapes.push_back(shape);
  body.velocity[0] = speed;
  body.kind = kind;
  add_body(frame, body);
}

// A contact at a given point.
template <int D>
void add_contact_at(Frame<D>& frame, int a, int b, const Vec<D>& point, const Vec<D>& normal, const Vec<D>& force) {
  auto& c = frame.contacts;
  c.a.push_back(a), c.b.push_back(b);
  c.normal.push_back(normal), c.point.push_back(point), c.gap.push_back(0.0);
  c.force.push_back(force), c.impulse.push_back(force), c.relative_velocity.push_back({});
  c.status.push_back(ContactStatus::stick);
}

// A contact pushing with this normal force; `b` is a body or ~wall.
template <int D>
void add_contact(Frame<D>& frame, int a, int b, const Vec<D>& normal, double force) {
  const std::size_t i = static_cast<std::size_t>(a);
  add_contact_at<D>(frame, a, b, frame.state.position[i] - frame.parameters.radius[i] * normal, normal, force * normal);
}

}  // namespace moreau

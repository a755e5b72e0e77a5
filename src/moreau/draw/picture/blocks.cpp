#include "moreau/draw/picture/blocks.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include "moreau/store/surface.hpp"

namespace moreau::inline draw {

namespace {

double inner_radius_of(const ConvexPart<2>& part) {
  double least = std::numeric_limits<double>::infinity();
  const std::size_t n = part.vertices.size();
  if (n < 3) return 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec<2>&from = part.vertices[i], along = part.vertices[(i + 1) % n] - from;
    least = std::min(least, moment(along, -from)[0] / norm(along));
  }
  return least + part.radius;
}

double inner_radius_of(const ConvexPart<3>& part) {
  double least = std::numeric_limits<double>::infinity();
  for (const PolyhedronFace& face : part.topology.faces) least = std::min(least, face.offset);
  return part.topology.faces.empty() ? part.radius - norm(part.vertices[0]) : least + part.radius;
}

// Chords of a turn such that they leave the circle by a tenth of a pixel.
int chords_for(double radius) {
  return static_cast<int>(std::clamp(std::ceil(std::numbers::pi * std::sqrt(5.0 * std::max(0.0, radius))), 12.0, 200.0));
}

}  // namespace

template <int D>
Cover cover_of(const Frame<D>& frame, std::size_t body) {
  Cover cover = cover_of_ball(lifted(frame.state.position[body]), frame.parameters.radius[body]);
  if (!frame.is_block(body)) return cover;
  const Pose<D> pose = frame.pose_of(body);
  for (int d = 0; d < D; ++d) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const ConvexPart<D>& part : frame.shape_of(body).parts)
      for (const Vec<D>& vertex : part.vertices) {
        const double x = pose.place(vertex)[d];
        low = std::min(low, x - part.radius), high = std::max(high, x + part.radius);
      }
    if (std::isfinite(low) && std::isfinite(high)) cover.box.low[d] = low, cover.box.high[d] = high;
  }
  return cover;
}

template <int D>
double equivalent_radius(const Frame<D>& frame, std::size_t body) {
  if (!frame.is_block(body)) return frame.parameters.radius[body];
  const double volume = frame.shape_of(body).volume;
  return D == 2 ? std::sqrt(volume / std::numbers::pi) : std::cbrt(0.75 * volume / std::numbers::pi);
}

template <int D>
double inner_radius(const Frame<D>& frame, std::size_t body) {
  if (!frame.is_block(body)) return frame.parameters.radius[body];
  double most = 0.0;
  for (const ConvexPart<D>& part : frame.shape_of(body).parts) most = std::max(most, inner_radius_of(part));
  return most;
}

void draw_block(Canvas& canvas, const Camera& camera, const Frame<2>& frame, std::size_t body, Colour fill) {
  const Pose<2> pose = frame.pose_of(body);
  std::vector<std::vector<Point>> outlines;
  for (const ConvexPart<2>& part : frame.shape_of(body).parts)
    for (const std::vector<Vec<2>>& polygon : surface_of(part, pose, chords_for(camera.zoom * part.radius))) {
      outlines.emplace_back();
      for (const Vec<2>& corner : polygon) outlines.back().push_back(camera.project(lifted(corner)).at);
    }
  const double size = camera.zoom * equivalent_radius(frame, body);
  const double width = size > 1.5 ? std::clamp(0.05 * size, 0.3, 1.5) : 0.0;
  const Colour ink = grey(0.1, outlines.size() == 1 ? 0.8 : 1.0);
  if (outlines.size() == 1) return canvas.polygon(outlines[0], fill, width, ink);
  // All outlines first; the fills, a little larger than the parts, leave what is outside of them all and no seams within.
  const double seam = 0.6;
  if (width > 0.0)
    for (const auto& outline : outlines) canvas.polygon(outline, fill, 2.0 * width + seam, ink);
  for (const auto& outline : outlines) canvas.polygon(outline, fill, seam, fill);
}

template Cover cover_of(const Frame<2>&, std::size_t);
template Cover cover_of(const Frame<3>&, std::size_t);
template double equivalent_radius(const Frame<2>&, std::size_t);
template double equivalent_radius(const Frame<3>&, std::size_t);
template double inner_radius(const Frame<2>&, std::size_t);
template double inner_radius(const Frame<3>&, std::size_t);

}  // namespace moreau::inline draw

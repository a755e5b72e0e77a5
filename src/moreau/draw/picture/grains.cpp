#include "moreau/draw/picture/grains.hpp"

#include <algorithm>
#include <numbers>

#include "moreau/draw/picture/blocks.hpp"

namespace moreau::inline draw {

namespace {

// From mid-radius to the rim: the centre keeps the colour of the field, and force lines meet there.
void draw_mark(Canvas& canvas, const Grain& grain, double angle, Colour fill) {
  const Point c = grain.seen.at, along{std::cos(angle), -std::sin(angle)};
  const double from = 0.5 * grain.radius, to = 0.9 * grain.radius;
  const Colour ink = luminance(fill) > 0.45 ? grey(0.0, 0.55) : grey(1.0, 0.7);
  canvas.line({c.x + from * along.x, c.y + from * along.y}, {c.x + to * along.x, c.y + to * along.y},
              std::min(3.0, 0.1 * grain.radius), ink);
}

// The picture library has no coordinates for larger ones; what is seen of such a disc is straight to a fraction of a pixel.
constexpr double largest_disc = 4e6;  // pixels

// A square that covers of the disc all that a picture can show: its side lies on the tangent nearest to the corner of the
// picture.
std::vector<Point> straight_disc(Point centre, double radius) {
  constexpr double side = 1e5;  // pixels, more than any picture has
  const double distance = std::max(std::hypot(centre.x, centre.y), 1.0);
  const Point toward{-centre.x / distance, -centre.y / distance}, along{-toward.y, toward.x};
  const double reach = std::clamp(radius - distance, -side, side);  // of the disc beyond that corner
  const auto at = [&](double t, double depth) {
    return Point{(reach - depth) * toward.x + t * along.x, (reach - depth) * toward.y + t * along.y};
  };
  return {at(-side, 0.0), at(side, 0.0), at(side, side), at(-side, side)};
}

// Such that all the grains one behind another hide half of what is behind them. Their number is about the total area of the discs
// over that of the rectangle they cover.
double opacity_for(const std::vector<Grain>& grains) {
  if (grains.empty()) return 1.0;
  const Point first = grains[0].seen.at;
  Rectangle cover{first.x, first.y, first.x + 1.0, first.y + 1.0};
  double area = 0.0;
  for (const Grain& g : grains) {
    const Point p = g.seen.at;
    cover = {std::min(cover.left, p.x - g.radius), std::min(cover.top, p.y - g.radius), std::max(cover.right, p.x + g.radius),
             std::max(cover.bottom, p.y + g.radius)};
    area += std::numbers::pi * g.radius * g.radius;
  }
  const double layers = std::max(2.0, area / (cover.width() * cover.height()));
  return 1.0 - std::pow(0.5, 1.0 / layers);
}

}  // namespace

template <int D>
Colour colour_of(const Frame<D>& frame, const Field& field, std::size_t body) {
  switch (frame.parameters.kind[body]) {
    case BodyKind::fixed:
      return grey(0.66);
    case BodyKind::driven:
      return grey(0.50);
    case BodyKind::free:
    case BodyKind::removed:  // never drawn
      break;
  }
  return body_colour(field, body);
}

void sort_by_depth(std::vector<Grain>& grains) {
  std::stable_sort(grains.begin(), grains.end(), [](const Grain& p, const Grain& q) { return p.seen.depth < q.seen.depth; });
}

std::vector<Grain> visible_grains(const std::vector<Grain>& grains, const Rectangle& window) {
  if (grains.empty()) return {};
  // The window is divided in square cells, marked once they lie inside one disc; going from near to far, a disc that touches only
  // marked cells is hidden. A quarter of the mean radius finds most of them at about 80 cells a grain.
  double radius = 0.0;
  for (const Grain& g : grains) radius += g.radius / static_cast<double>(grains.size());
  const double cell = std::max({0.25 * radius, 1.0, 0.0005 * window.width()});
  const int columns = static_cast<int>(window.width() / cell) + 1, rows = static_cast<int>(window.height() / cell) + 1;
  std::vector<char> covered(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), 0);
  const auto index = [cell](double x, int count) { return static_cast<int>(std::clamp(std::floor(x / cell), 0.0, count - 1.0)); };
  std::vector<Grain> visible;
  for (auto g = grains.rbegin(); g != grains.rend(); ++g) {
    const double x = g->seen.at.x - window.left, y = g->seen.at.y - window.top;
    const int left = index(x - g->radius, columns), right = index(x + g->radius, columns);
    const int top = index(y - g->radius, rows), bottom = index(y + g->radius, rows);
    const double inner = std::max(0.0, g->inner - 1.0);  // the pixels of the rim let something through
    bool hidden = true;
    for (int row = top; row <= bottom; ++row)
      for (int column = left; column <= right; ++column) {
        char& mark =
            covered[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)];
        if (mark) continue;
        hidden = false;
        const double dx = std::abs((column + 0.5) * cell - x) + 0.5 * cell, dy = std::abs((row + 0.5) * cell - y) + 0.5 * cell;
        mark = dx * dx + dy * dy < inner * inner;  // its farthest corner is inside
      }
    if (!hidden) visible.push_back(*g);
  }
  std::reverse(visible.begin(), visible.end());
  return visible;
}

template <int D>
void draw_grains(Canvas& canvas, const Camera& camera, const Frame<D>& frame, const Field& field,
                 const std::vector<Grain>& grains, bool transparent) {
  const double alpha = transparent ? opacity_for(grains) : 1.0;
  if constexpr (D == 3)
    if (std::ranges::any_of(grains, [&](const Grain& g) { return frame.is_block(g.body); }))
      return draw_solids(canvas, camera, frame, field, grains, alpha);
  for (const Grain& grain : grains) {
    const Colour fill = colour_of(frame, field, grain.body);
    // Details smaller than the pixels only blur the colours and fill the file.
    if (grain.radius > largest_disc && !frame.is_block(grain.body)) {
      canvas.polygon(straight_disc(grain.seen.at, grain.radius), faded(fill, alpha));
      continue;
    }
    const double outline = grain.radius > 1.5 ? std::clamp(0.05 * grain.radius, 0.3, 1.5) : 0.0;
    if constexpr (D == 2) {
      const double angle = frame.state.orientation[grain.body].angle;
      if (frame.is_block(grain.body)) {
        if (std::isfinite(angle)) draw_block(canvas, camera, frame, grain.body, fill);
        continue;
      }
      canvas.disc(grain.seen.at, std::max(0.0, grain.radius - 0.5 * outline), fill, outline, grey(0.1, 0.8));
      if (grain.radius > 4.0 && std::isfinite(angle) && frame.parameters.kind[grain.body] == BodyKind::free)
        draw_mark(canvas, grain, angle, fill);
    } else if (transparent) {
      canvas.disc(grain.seen.at, grain.radius, faded(fill, alpha), outline, grey(0.3, 1.5 * alpha));
    } else if (grain.radius > 1.5) {
      canvas.ball(grain.seen.at, grain.radius, fill);
    } else {
      canvas.disc(grain.seen.at, grain.radius, fill);
    }
  }
}

template Colour colour_of(const Frame<2>&, const Field&, std::size_t);
template Colour colour_of(const Frame<3>&, const Field&, std::size_t);
template void draw_grains<2>(Canvas&, const Camera&, const Frame<2>&, const Field&, const std::vector<Grain>&, bool);
template void draw_grains<3>(Canvas&, const Camera&, const Frame<3>&, const Field&, const std::vector<Grain>&, bool);

}  // namespace moreau::inline draw

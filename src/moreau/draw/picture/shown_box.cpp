#include "moreau/draw/picture/shown_box.hpp"

#include <algorithm>

namespace moreau::inline draw {

namespace {

struct Interval {
  double low, high;
  double length() const { return high - low; }
};

Interval percentiles(std::vector<double> x) {
  const std::size_t n = x.size(), cut = n < 10 ? 0 : std::max<std::size_t>(1, n / 200);
  const auto at = [&](std::size_t k) {
    std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(k), x.end());
    return x[k];
  };
  return {at(cut), at(n - 1 - cut)};
}

Box box_of(const std::vector<Cover>& bodies) {
  Interval full[3], core[3];
  double longest = 0.0;
  for (int k = 0; k < 3; ++k) {
    std::vector<double> x;
    x.reserve(bodies.size());
    double half = 0.0;  // of a body along this axis, on average
    full[k] = {bodies[0].box.low[k], bodies[0].box.high[k]};
    for (const Cover& b : bodies) {
      x.push_back(b.centre[k]);
      full[k] = {std::min(full[k].low, b.box.low[k]), std::max(full[k].high, b.box.high[k])};
      half += 0.5 * (b.box.high[k] - b.box.low[k]) / static_cast<double>(bodies.size());
    }
    core[k] = percentiles(std::move(x));
    core[k] = {core[k].low - half, core[k].high + half};
    longest = std::max(longest, core[k].length());
  }
  Box box;
  for (int k = 0; k < 3; ++k) {
    // Half the longest side is a fair height for a thin layer: a grain jumping out of it is no outlier.
    const bool outliers = full[k].length() > 2.5 * std::max(core[k].length(), 0.5 * longest);
    const double more = 0.2 * core[k].length();
    box.low[k] = outliers ? std::max(full[k].low, core[k].low - more) : full[k].low;
    box.high[k] = outliers ? std::min(full[k].high, core[k].high + more) : full[k].high;
  }
  return box;
}

double longest_side(const Box& box) {
  const Vec<3> size = box.size();
  return std::max({size[0], size[1], size[2]});
}

int axis_along(const Vec<3>& direction) {
  for (int k = 0; k < 3; ++k)
    if (std::abs(direction[k]) > 0.999) return k;
  return -1;
}

void include(Box& box, int k, double x) {
  box.low[k] = std::min(box.low[k], x);
  box.high[k] = std::max(box.high[k], x);
}

// At most a tenth of the longest side further: a large obstacle is shown in part, a small one, as the springer of an arch, whole.
// Or by a body: what one or few stones rest on, or do not rest on, is to be seen.
void include_neighbours(Box& box, const std::vector<Cover>& bodies, const std::vector<Cover>& others) {
  const Box core = box;
  double breadth = 0.0;
  for (const Cover& b : bodies) breadth += longest_side(b.box) / static_cast<double>(bodies.size());
  const double most = std::max(0.1 * longest_side(core), breadth);
  for (const Cover& o : others) {
    const double slack = std::min(0.5 * o.radius, most);
    bool near = true;
    for (int k = 0; k < 3; ++k) near = near && o.box.high[k] > core.low[k] - slack && o.box.low[k] < core.high[k] + slack;
    if (!near) continue;
    const double limit = longest_side(o.box) <= 0.3 * longest_side(core) ? longest_side(core) : most;
    for (int k = 0; k < 3; ++k) {
      include(box, k, std::clamp(o.box.low[k], core.low[k] - limit, core.high[k] + limit));
      include(box, k, std::clamp(o.box.high[k], core.low[k] - limit, core.high[k] + limit));
    }
  }
}

}  // namespace

Box shown_box(const std::vector<Cover>& bodies, const std::vector<Cover>& others, const std::vector<WallGeometry<3>>& walls) {
  Box box;
  if (!bodies.empty()) {
    box = box_of(bodies);
    include_neighbours(box, bodies, others);
  } else if (!walls.empty()) {
    box.low = box.high = walls[0].point;
    for (const WallGeometry<3>& w : walls)
      for (int k = 0; k < 3; ++k) {
        include(box, k, w.point[k] - w.radius);
        include(box, k, w.point[k] + w.radius);
      }
  }
  if (!(longest_side(box) > 0.0)) {
    const Vec<3> half{{0.5, 0.5, 0.5}}, middle = box.centre();
    box = {middle - half, middle + half};
  }
  const double near = 0.15 * longest_side(box);
  const Box grains = box;
  for (const WallGeometry<3>& w : walls) {
    const int k = axis_along(w.direction);
    if (k < 0) continue;
    if (w.shape == WallShape::plane) {
      if (w.point[k] > grains.low[k] - near && w.point[k] < grains.high[k] + near) include(box, k, w.point[k]);
    } else if (2.0 * w.radius < 1.6 * longest_side(grains)) {
      for (int j = 0; j < 3; ++j) {
        if (j == k) continue;
        include(box, j, w.point[j] - w.radius);
        include(box, j, w.point[j] + w.radius);
      }
    }
  }
  return box;
}

}  // namespace moreau::inline draw

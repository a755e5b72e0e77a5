#include "moreau/draw/picture/force_lines.hpp"

#include <algorithm>

namespace moreau::inline draw {

template <int D>
ForceLines force_lines(const Frame<D>& frame, const Camera& camera, const std::vector<char>& shown, double mean_width) {
  ForceLines result;
  result.cap = 4.0 * mean_width;
  const ContactRecords<D>& contacts = frame.contacts;
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const std::size_t a = static_cast<std::size_t>(contacts.a[c]);
    const bool wall = is_wall(contacts.b[c]);
    if (!shown[a] || (!wall && !shown[static_cast<std::size_t>(contacts.b[c])])) continue;
    const double force = dot(contacts.force[c], contacts.normal[c]);
    const std::size_t b = static_cast<std::size_t>(contacts.b[c]);
    const Vec<D>&point = contacts.point[c], end = wall ? point : frame.touching_centre(c);
    if (force == 0.0 || !std::isfinite(force) || !is_finite(end)) continue;
    const Point from = camera.project(lifted(frame.state.position[a])).at, to = camera.project(lifted(end)).at;
    sum += std::abs(force);
    ++count;
    if (wall || !(frame.is_block(a) || frame.is_block(b)) || !is_finite(point)) {
      result.lines.push_back({from, to, force});
      continue;
    }
    const Point between = camera.project(lifted(point)).at;
    result.lines.push_back({from, between, force});
    if (frame.parameters.kind[b] == BodyKind::free || !frame.is_block(b)) result.lines.push_back({between, to, force});
  }
  if (result.lines.empty()) return result;
  result.mean = sum / static_cast<double>(count);
  result.pixels_per_force = mean_width / result.mean;
  // Strong over weak: the chains stay whole where many lines cross.
  std::stable_sort(result.lines.begin(), result.lines.end(),
                   [](const ForceLine& p, const ForceLine& q) { return std::abs(p.force) < std::abs(q.force); });
  return result;
}

double line_width(const ForceLines& forces, double force) {
  return std::min(forces.cap, forces.pixels_per_force * std::abs(force));
}

void draw_forces(Canvas& canvas, const ForceLines& forces) {
  for (const ForceLine& line : forces.lines) {
    const double width = line_width(forces, line.force);
    // Below a thirtieth of a pixel nothing shows. A line along the sight has no length and would leave a meaningless dot.
    if (width < 0.03 || std::hypot(line.to.x - line.from.x, line.to.y - line.from.y) < 1e-3 * forces.cap) continue;
    canvas.line(line.from, line.to, width, line.force > 0.0 ? push_colour : pull_colour);
  }
}

template ForceLines force_lines<2>(const Frame<2>&, const Camera&, const std::vector<char>&, double);
template ForceLines force_lines<3>(const Frame<3>&, const Camera&, const std::vector<char>&, double);

}  // namespace moreau::inline draw

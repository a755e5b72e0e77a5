#include "moreau/reproduce/vessel.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/measure/motion_field.hpp"
#include "moreau/reproduce/report.hpp"

namespace moreau::reproduce {

template <int D>
Strobe<D> strobe_of(const FinishedRun<D>& run) {
  Strobe<D> strobe;
  for (std::uint64_t k = 0; k < run.folder.frame_count(); ++k) {
    Frame<D> frame = run.folder.template read_frame<D>(k);
    strobe.time.push_back(frame.time);
    if (k == 0) strobe.radius = frame.parameters.radius;
    strobe.position.push_back(std::move(frame.state.position));
  }
  return strobe;
}

template <int D>
Circulation circulation(const Strobe<D>& strobe, std::size_t from, std::size_t to,
                        const std::function<double(const Vec<D>&)>& depth, double most, double skin, double top) {
  Circulation c;
  double near = 0.0, far = 0.0;
  for (std::size_t i = 0; i < strobe.radius.size(); ++i) {
    const Vec<D>& x = strobe.position[from][i];
    if (x[D - 1] > top) continue;
    const double d = depth(x), rise = strobe.position[to][i][D - 1] - x[D - 1];
    if (d < skin) c.at_wall += rise, near += 1.0;
    if (d > 2.0 / 3.0 * most) c.in_middle += rise, far += 1.0;
  }
  c.at_wall /= std::max(near, 1.0), c.in_middle /= std::max(far, 1.0);
  return c;
}

template <int D>
MeanCirculation mean_circulation(const Strobe<D>& strobe, std::size_t first, std::size_t length,
                                 const std::function<double(const Vec<D>&)>& depth, double most, double skin, double top) {
  std::vector<double> wall, middle;
  for (std::size_t k = first; k + length < strobe.frames(); k += length) {
    const Circulation c = circulation(strobe, k, k + length, depth, most, skin, top);
    wall.push_back(c.at_wall), middle.push_back(c.in_middle);
  }
  const Mean w = mean_of(wall), m = mean_of(middle);
  const double root = std::sqrt(std::max<double>(1.0, static_cast<double>(wall.size())));
  return {{w.mean, m.mean}, {w.deviation / root, m.deviation / root}, static_cast<int>(wall.size())};
}

template <int D>
double layer_thickness(const Strobe<D>& strobe, std::size_t first, std::size_t length,
                       const std::function<double(const Vec<D>&)>& depth, double most, double width, double top) {
  const std::size_t classes = static_cast<std::size_t>(std::ceil(most / width));
  std::vector<double> rise(classes, 0.0), count(classes, 0.0);
  for (std::size_t k = first; k + length < strobe.frames(); k += length)
    for (std::size_t i = 0; i < strobe.radius.size(); ++i) {
      const Vec<D>& x = strobe.position[k][i];
      const double d = depth(x);
      if (x[D - 1] > top || !(d >= 0.0)) continue;
      const std::size_t c = std::min(static_cast<std::size_t>(d / width), classes - 1);
      rise[c] += strobe.position[k + length][i][D - 1] - x[D - 1], count[c] += 1.0;
    }
  double last = 0.0, place = 0.0;  // of the class before, which goes down
  for (std::size_t c = 0; c < classes; ++c) {
    if (count[c] == 0.0) continue;
    const double mean = rise[c] / count[c], middle = (static_cast<double>(c) + 0.5) * width;
    if (mean >= 0.0) return last < 0.0 ? place + (middle - place) * last / (last - mean) : 0.0;
    last = mean, place = middle;
  }
  return most;
}

Patch patch(const Strobe<2>& s, std::size_t from, std::size_t to, double x0, double x1, double y0, double y1) {
  measure::MotionField<2> field;
  Patch p;
  for (std::size_t i = 0; i < s.radius.size(); ++i) {
    const Vec<2>& x = s.position[from][i];
    if (x[0] < x0 || x[0] > x1 || x[1] < y0 || x[1] > y1) continue;
    field.body.push_back(i), field.place.push_back(x), field.motion.push_back(s.position[to][i] - x);
    p.rms += dot(field.motion.back(), field.motion.back());
  }
  p.rms = std::sqrt(p.rms / std::max<double>(1.0, static_cast<double>(field.body.size())));
  p.rotation = measure::mean_motion(field).rotation();
  return p;
}

Corners upper_corners(const Strobe<2>& s, std::size_t from, std::size_t to, double width, double floor) {
  const double top = height_of_share(s, from, 0.99), low = top - 0.35 * (top - floor), side = 0.2 * width;
  return {patch(s, from, to, 0.0, side, low, top), patch(s, from, to, width - side, width, low, top)};
}

template <int D>
double height_of_share(const Strobe<D>& strobe, std::size_t frame, double share) {
  std::vector<double> height;
  for (const Vec<D>& x : strobe.position[frame]) height.push_back(x[D - 1]);
  const auto at = height.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(height.size() - 1));
  std::nth_element(height.begin(), at, height.end());
  return *at;
}

void draw_displacements(const std::vector<Bead>& beads, double left, double right, double bottom, const std::string& title,
                        const std::filesystem::path& file, int width) {
  double top = bottom;
  for (const Bead& bead : beads) top = std::max({top, bead.from[1] + bead.radius, bead.to[1] + bead.radius});
  const double margin = 0.05 * width, scale = (width - 2.0 * margin) / (right - left), head = 2.2 * margin;
  const int height = static_cast<int>(std::ceil(std::min(head + margin + scale * (top - bottom), 2.0 * width)));
  const auto canvas = open_canvas(file, width, height);
  const auto at = [&](const Vec<2>& x) {
    return Point{margin + scale * (x[0] - left), height - margin - scale * (x[1] - bottom)};
  };
  canvas->clip({0.0, 0.8 * head, static_cast<double>(width), static_cast<double>(height)});
  for (const Bead& bead : beads) canvas->disc(at(bead.from), scale * bead.radius, bead.fill, 0.5, grey(0.6));
  for (const Bead& bead : beads) canvas->line(at(bead.from), at(bead.to), 1.3, grey(0.1));
  canvas->unclip();
  const Point corners[] = {at({{left, top}}), at({{left, bottom}}), at({{right, bottom}}), at({{right, top}})};
  canvas->polyline(corners, 2.5, grey(0.3));
  canvas->text({margin, 0.9 * margin}, title, {.size = letter_size(width), .bold = true});
  canvas->write();
}

template struct Strobe<2>;
template struct Strobe<3>;
template Strobe<2> strobe_of(const FinishedRun<2>&);
template Strobe<3> strobe_of(const FinishedRun<3>&);
template Circulation circulation(const Strobe<2>&, std::size_t, std::size_t, const std::function<double(const Vec<2>&)>&, double,
                                 double, double);
template Circulation circulation(const Strobe<3>&, std::size_t, std::size_t, const std::function<double(const Vec<3>&)>&, double,
                                 double, double);
template MeanCirculation mean_circulation(const Strobe<2>&, std::size_t, std::size_t, const std::function<double(const Vec<2>&)>&,
                                          double, double, double);
template MeanCirculation mean_circulation(const Strobe<3>&, std::size_t, std::size_t, const std::function<double(const Vec<3>&)>&,
                                          double, double, double);
template double layer_thickness(const Strobe<2>&, std::size_t, std::size_t, const std::function<double(const Vec<2>&)>&, double,
                                double, double);
template double layer_thickness(const Strobe<3>&, std::size_t, std::size_t, const std::function<double(const Vec<3>&)>&, double,
                                double, double);
template double height_of_share(const Strobe<2>&, std::size_t, double);
template double height_of_share(const Strobe<3>&, std::size_t, double);

}  // namespace moreau::reproduce

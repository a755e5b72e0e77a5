#include "moreau/draw/picture/joint_marks.hpp"

#include <algorithm>
#include <array>

namespace moreau::inline draw {

namespace {

// Dark on a pale rim: to be seen on any colour.
void draw_thrust(Canvas& canvas, const std::vector<std::vector<Point>>& segments, double size) {
  for (const auto& segment : segments) canvas.polyline(segment, 1.3 * size, grey(1.0, 0.85));
  for (const auto& segment : segments) canvas.polyline(segment, 0.6 * size, grey(0.0));
}

void draw_hinge(Canvas& canvas, Point at, double size) { canvas.disc(at, size, hinge_colour, 0.3 * size, grey(0.0)); }

}  // namespace

template <int D>
JointMarks joint_marks(const Frame<D>& frame, const Camera& camera, const std::vector<char>& shown, bool thrust, bool hinges,
                       double diameter, double letter) {
  JointMarks marks;
  marks.size = std::clamp(0.08 * diameter, 0.15 * letter, 0.5 * letter);
  if (!thrust && !hinges) return marks;
  std::vector<Joint<D>> joints = joints_of(frame);
  std::erase_if(joints, [&](const Joint<D>& joint) {
    return !shown[joint.a] || (!is_wall(joint.b) && !shown[static_cast<std::size_t>(joint.b)]);
  });
  const auto on_sheet = [&](const Vec<D>& p) { return camera.project(lifted(p)).at; };
  if (thrust) {
    for (const ThrustSegment<D>& s : thrust_of(frame, joints)) marks.thrust.push_back({on_sheet(s.from), on_sheet(s.to)});
    for (const Joint<D>& joint : joints) marks.centres.push_back(on_sheet(joint.centre));
  }
  if (hinges)
    for (const Vec<D>& hinge : hinges_of(frame, joints)) marks.hinges.push_back(on_sheet(hinge));
  return marks;
}

void draw_joint_marks(Canvas& canvas, const JointMarks& marks) {
  draw_thrust(canvas, marks.thrust, marks.size);
  for (const Point& centre : marks.centres) canvas.disc(centre, 0.5 * marks.size, grey(0.0));
  for (const Point& hinge : marks.hinges) draw_hinge(canvas, hinge, marks.size);
}

void draw_joint_key(Canvas& canvas, const JointMarks& marks, const Rectangle& area, double letter) {
  const TextStyle words{.size = 0.85 * letter};
  double y = area.top + letter;
  const auto text = [&](const char* what) {
    const double left = area.left + 2.0 * letter;
    canvas.text({left, y + 0.3 * letter}, fitted(what, words, area.right - left), words);
    y += 1.5 * letter;
  };
  if (!marks.thrust.empty()) {
    const std::array<Point, 2> sample = {{{area.left, y}, {area.left + 1.6 * letter, y}}};
    canvas.polyline(sample, 0.6 * marks.size, grey(0.0));
    text("thrust");
  }
  if (!marks.hinges.empty()) {
    draw_hinge(canvas, {area.left + 0.8 * letter, y}, marks.size);
    text("hinge");
  }
}

template JointMarks joint_marks(const Frame<2>&, const Camera&, const std::vector<char>&, bool, bool, double, double);
template JointMarks joint_marks(const Frame<3>&, const Camera&, const std::vector<char>&, bool, bool, double, double);

}  // namespace moreau::inline draw

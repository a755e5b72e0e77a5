// Thrust line and hinges in a picture.
#pragma once

#include <vector>

#include "moreau/draw/picture/camera.hpp"
#include "moreau/measure/contacts/joints.hpp"

namespace moreau::inline draw {

inline constexpr Colour hinge_colour{1.0, 0.85, 0.1};

struct JointMarks {
  std::vector<std::vector<Point>> thrust;  // segments, two points each
  std::vector<Point> centres;              // of pressure
  std::vector<Point> hinges;
  double size = 0.0;  // radius of a hinge [pixels]
};

// Of the joints of bodies marked in `shown`. A hinge is a sixth of the `diameter` wide, and neither tiny nor larger than a
// letter.
template <int D>
JointMarks joint_marks(const Frame<D>& frame, const Camera& camera, const std::vector<char>& shown, bool thrust, bool hinges,
                       double diameter, double letter);

void draw_joint_marks(Canvas& canvas, const JointMarks& marks);

// What the marks mean, one line each, from the top of `area`.
void draw_joint_key(Canvas& canvas, const JointMarks& marks, const Rectangle& area, double letter);

}  // namespace moreau::inline draw

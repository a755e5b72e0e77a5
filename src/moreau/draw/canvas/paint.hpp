// The parts of a picture, for those that put several together.
#pragma once

#include "moreau/draw/picture/arrows.hpp"
#include "moreau/draw/picture/fields.hpp"
#include "moreau/draw/picture/force_lines.hpp"
#include "moreau/draw/picture/joint_marks.hpp"
#include "moreau/draw/picture/stage.hpp"

namespace moreau::inline draw {

// What a legend explains.
struct Scales {
  Field field;
  std::vector<char> coloured;  // per body
  ForceLines forces;
  JointMarks marks;
  Arrows arrows;
  double most_worn = 0.0;  // work of friction per area, of the darkest faces
  std::string wear_unit, force_unit;  // empty: not named
};

// The field that colours the bodies: one of draw/picture/fields.hpp, or the lengths of the arrows.
template <int D>
Field field_of(const Frame<D>& frame, const PictureOptions& options);

// Walls, bodies, forces, marks, arrows, heading and foot, as the stage says where.
template <int D>
Scales paint_frame(Canvas& canvas, const Frame<D>& frame, const PictureOptions& options, const Stage& stage);

// From the bottom: marks of joints, arrows, force, wear, and above them the colours.
void draw_scales(Canvas& canvas, const Scales& scales, Rectangle area, double letter);

}  // namespace moreau::inline draw

// What is written around a picture: colour scale, force scale, title, notes, scale bar.
#pragma once

#include <string>
#include <vector>

#include "moreau/draw/canvas/canvas.hpp"
#include "moreau/draw/picture/fields.hpp"
#include "moreau/draw/picture/force_lines.hpp"

namespace moreau::inline draw {

// A name and its unit, below it where both do not fit into one line with letters of nearly the size asked for: half a unit says
// something else. Returns where the next line may begin.
double draw_name(Canvas& canvas, const std::string& name, const std::string& unit, const Rectangle& area, double size);

// Colour bar (or swatches for categories) with ticks, the field's name above.
void draw_colour_scale(Canvas& canvas, const Field& field, const std::vector<char>& shown, const Rectangle& area, double letter);

// A line of about the mean force with its value, which says what the widths mean.
void draw_force_key(Canvas& canvas, const ForceLines& forces, const std::string& unit, const Rectangle& area, double letter);

// From an unworn face to the darkest, which has worn by `most` (work of friction per area, in this unit).
void draw_wear_key(Canvas& canvas, double most, const std::string& unit, const Rectangle& area, double letter);

// A bar of round length, about a fifth of the window, with its length in units of the scene. Returns where its words end.
double draw_scale_bar(Canvas& canvas, const Camera& camera, Point left_end, double window_width, double letter,
                      const std::string& unit = {});

// Title (may be empty) and a line of facts under it.
void draw_heading(Canvas& canvas, const std::string& title, const std::string& facts, const Rectangle& area, double letter);

}  // namespace moreau::inline draw

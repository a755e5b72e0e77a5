// Pictures of a saved frame: grains, contact forces as line widths, colour by a field.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "moreau/store/frame.hpp"

namespace moreau {

struct PictureOptions {
  std::string colour = "speed";  // speed, spin, radius, birth, pressure, contacts, material, none
  bool forces = true;            // draw contact normal forces as lines between centres, width proportional to the force
  int width = 1200;              // pixels
  std::string view = "perspective";  // 3-D: perspective, front (x-z), side (y-z), top (x-y); ignored in 2-D
  std::optional<double> slice;       // 3-D: only grains with centre within this half-thickness of the plane through the middle, seen from the front
  std::string title;
};

// PNG or SVG by the extension of `file`. Throws std::runtime_error with one sentence if it cannot be written or an option is unknown.
template <int D>
void draw_frame(const Frame<D>& frame, const PictureOptions& options, const std::filesystem::path& file);

}  // namespace moreau

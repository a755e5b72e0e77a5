// What of a frame is seen in a picture, and where on the sheet.
#pragma once

#include <vector>

#include "moreau/draw/canvas/layout.hpp"
#include "moreau/draw/picture/camera.hpp"
#include "moreau/draw/picture/grains.hpp"
#include "moreau/draw/picture/meshes.hpp"
#include "moreau/draw/picture/picture.hpp"

namespace moreau::inline draw {

struct Stage {
  std::vector<WallGeometry<3>> walls;  // where they are at the time of the frame; without the meshes
  std::vector<DrawnMesh> meshes;
  double most_worn = 0.0;  // what is drawn darkest
  Box content;             // the bodies
  Box region;
  Camera camera;
  Layout layout;
  std::vector<Grain> grains;     // in the order in which they are drawn
  std::vector<char> shown;       // per body
  std::vector<char> coloured;    // per body: shown and free
  std::size_t seen = 0;          // free bodies shown
  std::size_t outside = 0;       // free bodies beyond the edges of the picture
  std::size_t held_outside = 0;  // the same of driven ones
  std::size_t undefined = 0;     // bodies without a finite position or a positive radius
  double diameter = 0.0;         // mean over the free bodies shown; of blocks, that of the disc or ball of their size [pixels]
};

// Throws std::runtime_error if the view, the slice or the width is not accepted, or the frame inconsistent.
template <int D>
Stage stage_of(const Frame<D>& frame, const PictureOptions& options, bool with_legend);

}  // namespace moreau::inline draw

// Bodies in a picture: discs with a mark that turns, or shaded balls; those that are not round as draw/picture/blocks.hpp says.
#pragma once

#include <vector>

#include "moreau/draw/picture/camera.hpp"
#include "moreau/draw/picture/fields.hpp"

namespace moreau::inline draw {

struct Grain {
  std::size_t body;
  Projected seen;
  double radius;          // pixels; of a block, of the disc that holds it
  double inner;           // pixels; of a disc that it covers for certain
  bool is_sheer = false;  // a block seen through
};

// Fixed and driven bodies are grey.
template <int D>
Colour colour_of(const Frame<D>& frame, const Field& field, std::size_t body);

// Far to near, so that each covers those behind it (painter's algorithm).
void sort_by_depth(std::vector<Grain>& grains);

// Without those that nearer ones hide for certain; expects the order above. Of a dense sample of 10^5 grains a few thousand
// remain.
std::vector<Grain> visible_grains(const std::vector<Grain>& grains, const Rectangle& window);

// In the plane: flat discs with an outline and a radius showing the orientation. In space: balls lit from the upper left, or, if
// `transparent`, pale discs through which force lines are seen.
template <int D>
void draw_grains(Canvas& canvas, const Camera& camera, const Frame<D>& frame, const Field& field,
                 const std::vector<Grain>& grains, bool transparent);

}  // namespace moreau::inline draw

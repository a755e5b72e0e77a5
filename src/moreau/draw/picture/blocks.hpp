// Sizes of bodies, round or not, and the pictures of those that are not.
#pragma once

#include <vector>

#include "moreau/draw/picture/camera.hpp"
#include "moreau/draw/picture/fields.hpp"
#include "moreau/draw/picture/grains.hpp"

namespace moreau::inline draw {

// Box of the laboratory that holds the body; a body without a finite orientation is taken for its ball.
template <int D>
Cover cover_of(const Frame<D>& frame, std::size_t body);

// Of the disc or ball of the same area or volume.
template <int D>
double equivalent_radius(const Frame<D>& frame, std::size_t body);

// Radius of a ball about the centre that the body covers for certain; zero where there is none.
template <int D>
double inner_radius(const Frame<D>& frame, std::size_t body);

// A block of the plane: flat, with a thin outline, so that joints are seen. Parts of a cluster have one outline together.
void draw_block(Canvas& canvas, const Camera& camera, const Frame<2>& frame, std::size_t body, Colour fill);

// Blocks and balls of space, given in any order, each face lit from the upper left as the balls are. What is nearer covers what
// is behind: of two convex parts that do not overlap, the one on the viewer's side of a plane between them is drawn later.
// `alpha` is the opacity.
void draw_solids(Canvas& canvas, const Camera& camera, const Frame<3>& frame, const Field& field,
                 const std::vector<Grain>& grains, double alpha);

}  // namespace moreau::inline draw

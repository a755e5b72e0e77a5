// How thin a body is: what an overlap or the path of a step is to be compared with.
#pragma once

#include "moreau/geometry/shape.hpp"

namespace moreau::inline geometry {

// Least extent of the thinnest part, across its edges (in the plane) or faces.
template <int D>
double thickness(const Shape<D>& shape);

}  // namespace moreau::inline geometry

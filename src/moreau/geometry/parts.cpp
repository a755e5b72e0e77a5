// Round parts: balls (in the plane: discs) and capsules.
#include "moreau/geometry/mass_properties.hpp"

namespace moreau::inline geometry {

template <int D>
ConvexPart<D> ball_part(const Vec<D>& centre, double radius) {
  ConvexPart<D> part;
  part.vertices = {centre};
  part.radius = radius;
  part.centre = centre;
  part.reach = radius;
  return part;
}

template <int D>
ConvexPart<D> capsule_part(const Vec<D>& end, const Vec<D>& other_end, double radius) {
  if (end == other_end) return ball_part<D>(end, radius);
  ConvexPart<D> part;
  part.vertices = {end, other_end};
  part.radius = radius;
  part.centre = 0.5 * (end + other_end);
  part.reach = 0.5 * norm(other_end - end) + radius;
  return part;
}

template ConvexPart<2> ball_part<2>(const Vec<2>&, double);
template ConvexPart<3> ball_part<3>(const Vec<3>&, double);
template ConvexPart<2> capsule_part<2>(const Vec<2>&, const Vec<2>&, double);
template ConvexPart<3> capsule_part<3>(const Vec<3>&, const Vec<3>&, double);

}  // namespace moreau::inline geometry

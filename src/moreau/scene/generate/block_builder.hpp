// Appends blocks to the bodies of a scene, sharing shapes between those that are equal.
#pragma once

#include <map>

#include "moreau/scene/read/read_grains.hpp"

namespace moreau::inline scene {

// Adds a shape to those of the bodies; its number.
template <int D>
inline std::int32_t add_shape(Bodies<D>& bodies, Shape<D> shape) {
  bodies.shapes.push_back(std::move(shape));
  return static_cast<std::int32_t>(bodies.shapes.size()) - 1;
}

// A body of shape number `index`, placed as `centre` and `orientation` of its centre of mass and principal axes say.
template <int D>
inline NewBody<D> block_of(const Bodies<D>& bodies, std::int32_t index, const GrainKind<D>& kind, const Vec<D>& centre,
                           const Rotation<D>& orientation) {
  NewBody<D> body = homogeneous_block<D>(bodies.shapes[static_cast<std::size_t>(index)], index, centre, orientation, kind.density,
                                         kind.material);
  body.kind = kind.kind;
  body.motion = kind.motion;
  body.velocity = kind.velocity;
  return body;
}

// The points of a profile, in the plane of the first and the last axis, carried from `front` to `back` along the second; in the
// plane the profile itself.
template <int D>
inline std::vector<Vec<D>> carried(const std::vector<Vec<2>>& profile, double front, double back) {
  if constexpr (D == 2) {
    return profile;
  } else {
    std::vector<Vec<3>> points;
    for (const double y : {front, back})
      for (const auto& p : profile) points.push_back({{p[0], y, p[1]}});
    return points;
  }
}

}  // namespace moreau::inline scene

// A part of space that a group of grains fills: a box, an upright cylinder (3-D), a circle (2-D) or a sphere (3-D).
#pragma once

#include "moreau/base/random.hpp"
#include "moreau/scene/read/toml_reader.hpp"

namespace moreau::inline scene {

template <int D>
struct SceneRegion {
  enum class Shape { box, cylinder, ball } shape = Shape::box;
  Vec<D> low{}, high{};  // bounding box
  Vec<D> centre{};       // cylinder (last component unused), ball
  double radius = 0.0;   // cylinder, ball

  double volume() const;
  bool has_room_for(double grain_radius) const;
  // Does the ball of this radius lie inside?
  bool contains(const Vec<D>& position, double grain_radius) const;
  // Uniform over the places where a ball of this radius lies inside; needs room for it.
  Vec<D> sample(RandomStream& random, double grain_radius) const;
};

template <int D>
SceneRegion<D> read_region(TableReader& entry);

}  // namespace moreau::inline scene

// The shape of a block as a scene describes it, and the making of the body's shape from it.
#pragma once

#include <optional>

#include "moreau/base/random.hpp"
#include "moreau/geometry/mesh_mass.hpp"
#include "moreau/scene/read/number_file.hpp"

namespace moreau::inline scene {

// A convex part by its points: a ball (one), a capsule (two), or the hull of three or more, rounded by `radius`.
template <int D>
struct PartRecipe {
  std::vector<Vec<D>> points;
  double radius = 0.0;
  bool is_round = false;  // ball or capsule
};

// Random convex part: hull of points on the ellipse or ellipsoid with half-axes radius x aspect.
template <int D>
struct RandomConvex {
  std::int64_t vertices = 0;
  double radius = 0.0;
  Vec<D> aspect{};
};

template <int D>
struct ShapeRecipe {
  std::string key;  // that gave the shape
  std::vector<PartRecipe<D>> parts;
  std::optional<RandomConvex<D>> random;  // instead of parts
  double rounding = 0.0;                  // of the random part
  bool has_place = false;                 // the points say where the body is
  std::optional<Moments> moments;         // of a mesh, instead of those of the parts
  std::string note;                       // what of a mesh was left out or added, for a warning
  double noted = 0.0;
};

// Exactly one of these, and `rounding`; with `mesh` also `convex`. Outlines in the plane that are not convex are cut into parts.
const std::vector<std::string>& shape_keys();
template <int D>
ShapeRecipe<D> read_shape(TableReader& entry, NamedFiles& files);

// The shape, `scale` times as large; `fault` says why there is none. Draws from `random` only for random shapes.
template <int D>
PlacedShape<D> make_block_shape(const ShapeRecipe<D>& recipe, double scale, RandomStream& random);

// The same for one convex part, as generators make them.
template <int D>
PlacedShape<D> make_convex_shape(const std::vector<Vec<D>>& points);

// 2-D: the key `angle`; 3-D: the key `rotation`, a table with `axis` and `angle`. Absent: no rotation.
template <int D>
Rotation<D> read_rotation(TableReader& entry);

// Corners of a box about the origin.
template <int D>
std::vector<Vec<D>> box_corners(const Vec<D>& size);

}  // namespace moreau::inline scene

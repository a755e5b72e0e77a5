// Which points a closed mesh encloses.
#pragma once

#include <array>
#include <vector>

#include "moreau/geometry/mesh.hpp"

namespace moreau::inline geometry {

// Points for which a ray leaves the mesh an odd number of times. Rays all go one way, so that faces are looked up by where they
// lie across it: of as many points as faces, most meet few. Which way the normals point does not matter.
template <int D>
class MeshInside {
 public:
  explicit MeshInside(const Mesh<D>& mesh);
  bool holds(const Vec<D>& point) const;
  // Faces, at most, that are looked at for a point.
  std::size_t most_looked_at() const;

 private:
  struct Range {  // of columns
    std::size_t first = 0, last = 0;
    std::size_t size() const { return last - first + 1; }
  };
  std::array<Range, D> ranges_of(const MeshFace<D>& face) const;
  std::size_t column(int axis, double x) const;

  const Mesh<D>& mesh_;
  Vec<D> low_{}, high_{}, width_{};              // width_: of a column, across the ray, which goes along the first axis
  std::size_t columns_ = 1;                      // along each of the other axes
  std::vector<std::vector<std::int32_t>> face_;  // of each column
};

}  // namespace moreau::inline geometry

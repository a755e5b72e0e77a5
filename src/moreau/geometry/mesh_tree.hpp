// Boxes around boxes around the faces of a mesh: finds the faces near a point at a cost that does not depend on how many are far.
#pragma once

#include "moreau/geometry/mesh.hpp"

namespace moreau::inline geometry {

template <int D>
class MeshTree {
 public:
  explicit MeshTree(const Mesh<D>& mesh);

  // Faces of `mesh`, the one of the constructor, at most `distance` away from a point; increasing numbers.
  void near(const Mesh<D>& mesh, const Vec<D>& point, double distance, std::vector<std::int32_t>& faces) const;

  // The face nearest to a point; of several as near, the lowest number. The mesh must have faces.
  std::int32_t nearest(const Mesh<D>& mesh, const Vec<D>& point) const;

  // From a point to the mesh, or `most` if it is more than that.
  double distance(const Mesh<D>& mesh, const Vec<D>& point, double most) const;

  Vec<D> low() const { return nodes_.empty() ? Vec<D>{} : nodes_[0].low; }
  Vec<D> high() const { return nodes_.empty() ? Vec<D>{} : nodes_[0].high; }

 private:
  struct Node {
    Vec<D> low, high;
    std::int32_t first = 0,
                 count = 0;  // of a leaf: faces order_[first] ...; else count = 0, and the children are first, first + 1
  };
  void divide(const Mesh<D>& mesh, const std::vector<Vec<D>>& middle, std::size_t node, std::int32_t begin, std::int32_t end);

  std::vector<Node> nodes_;
  std::vector<std::int32_t> order_;
};

}  // namespace moreau::inline geometry

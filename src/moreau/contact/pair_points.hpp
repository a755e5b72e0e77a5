// The contact points of one pair of bodies of which one is not round, or of a body and a mesh, and which of them were there in
// the step before.
#pragma once

#include <span>
#include <vector>

#include "moreau/contact/contact_table.hpp"
#include "moreau/contact/mesh_points.hpp"
#include "moreau/contact/neighbours.hpp"
#include "moreau/contact/touching_points.hpp"

namespace moreau::inline contact {

template <int D>
class PairPoints {
 public:
  explicit PairPoints(MeshPoints<D>& meshes) : meshes_(meshes) {}

  struct Pair {
    std::int32_t a, b;    // as in the contact table
    Vec<D> shift, drift;  // displacement and relative velocity of the image of b
  };

  // After: `points` are those with gap <= ahead.distance + ahead.time * approach speed. `poses`: of all bodies at the midpoint.
  // `is_new`: the pair had no contact in the step before.
  void find(const Bodies<D>& bodies, std::span<const Pose<D>> poses, const Surroundings<D>& around, LookAhead ahead,
            const Pair& pair, bool is_new);
  // Rows [begin, end) of `previous` belong to the pair. After: recalled[k] is the row that point k continues, or -1; no row
  // twice.
  void recall(const Bodies<D>& bodies, const Pair& pair, const ContactTable<D>& previous, std::uint32_t begin, std::uint32_t end);

  std::vector<TouchingPoint<D>> points;
  std::vector<std::int32_t> recalled;

 private:
  MeshPoints<D>& meshes_;
  PointFinder<D> finder_;
  std::vector<char> taken_;
};

}  // namespace moreau::inline contact

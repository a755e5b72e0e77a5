// Where two bodies, or a body and a wall, touch or are about to: the contact points of all their parts.
#pragma once

#include <span>
#include <vector>

#include "moreau/bodies/bodies.hpp"
#include "moreau/contact/contact_table.hpp"
#include "moreau/contact/passage.hpp"
#include "moreau/contact/surroundings.hpp"
#include "moreau/drive/wall.hpp"
#include "moreau/geometry/manifold.hpp"

namespace moreau::inline contact {

template <int D>
struct TouchingPoint {
  Vec<D> point;           // half-way between the surfaces
  Vec<D> normal;          // unit, towards the first body
  double gap;             // negative on overlap
  std::uint64_t feature;  // parts and features that meet, unique within the pair of bodies
};

// Finds contact points at given poses; keeps scratch memory between calls.
template <int D>
class PointFinder {
 public:
  PointFinder();
  // Appends to `points` those of bodies a and b displaced by `shift` (or wall ~b) with gap <= margin, ordered by parts, then as
  // the manifold says. With `passage`, the motion of the two bodies: without those where they pass each other.
  void find(const Bodies<D>& bodies, std::span<const Pose<D>> poses, const Surroundings<D>& around, std::int32_t a,
            std::int32_t b, double margin, std::vector<TouchingPoint<D>>& points, const Vec<D>& shift = {},
            const Passage<D>* passage = nullptr);

 private:
  std::span<const ConvexPart<D>> parts_of(const Bodies<D>& bodies, std::size_t i, std::vector<ConvexPart<D>>& ball) const;
  void append(const Manifold<D>& manifold, std::size_t part_a, std::size_t part_b, std::vector<TouchingPoint<D>>& points) const;

  std::vector<ConvexPart<D>> ball_a_, ball_b_;  // one part each, for round bodies
};

}  // namespace moreau::inline contact

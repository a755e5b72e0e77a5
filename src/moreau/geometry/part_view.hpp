// A convex part seen through plain rows: what the loops of a graphics card have of it. Functions over a Part, made for ConvexPart too,
// find the same members here.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "moreau/geometry/shape.hpp"

namespace moreau::inline geometry {

struct FaceView {
  std::span<const std::int32_t> vertices;
  Vec<3> normal{};
  double offset = 0.0;
};
template <int D>
struct TopologyView {};
template <>
struct TopologyView<3> {
  std::span<const FaceView> faces;
  std::span<const PolyhedronEdge> edges;
};
template <int D>
struct PartView {
  std::span<const Vec<D>> vertices;
  TopologyView<D> topology;
  double radius = 0.0;
  Vec<D> centre{};
  double reach = 0.0;
};

// Room for what is found about a pair of parts: what is made on the processor is large enough for every part; what a thread of a
// card has is not.
template <class Part>
struct PartRoom {
  static constexpr int face_corners = 128;       // two faces overlap in a polygon of at most twice as many
  static constexpr std::size_t heights = 256;    // of vertices; others are computed when they are asked for
  static constexpr std::size_t few = 0;          // no more room than this: lists grow
};
template <int D>
struct PartRoom<PartView<D>> {
  static constexpr int face_corners = 16;
  static constexpr std::size_t heights = 32, few = 90;  // vertices; edges, of which there are at most 3 * 32 - 6

  static bool holds(const ConvexPart<D>& part) {
    if constexpr (D == 2) return true;
    if constexpr (D == 3)
      return part.vertices.size() <= heights && part.topology.edges.size() <= few &&
             std::ranges::all_of(part.topology.faces, [](const PolyhedronFace& f) {
               return f.vertices.size() <= static_cast<std::size_t>(face_corners);
             });
  }
};

// A list that is made anew for each pair of parts, and of which the processor keeps the memory from call to call.
template <class T, class Part>
class ListOf {
 public:
  MOREAU_BOTH void push_back(const T& x) {
    if (count_ < PartRoom<Part>::few) list_[count_++] = x;
  }
  MOREAU_BOTH bool empty() const { return count_ == 0; }
  MOREAU_BOTH const T* begin() const { return list_; }
  MOREAU_BOTH const T* end() const { return list_ + count_; }
  MOREAU_BOTH std::span<const T> all() const { return {list_, count_}; }

 private:
  T list_[PartRoom<Part>::few];
  std::size_t count_ = 0;
};
template <class T, class Part>
  requires(PartRoom<Part>::few == 0)
class ListOf<T, Part> {
 public:
  ListOf() { list_.clear(); }
  void push_back(const T& x) { list_.push_back(x); }
  bool empty() const { return list_.empty(); }
  const T* begin() const { return list_.data(); }
  const T* end() const { return list_.data() + list_.size(); }
  std::span<const T> all() const { return list_; }

 private:
  static std::vector<T>& memory() {
    thread_local std::vector<T> list;
    return list;
  }
  std::vector<T>& list_ = memory();
};

}  // namespace moreau::inline geometry

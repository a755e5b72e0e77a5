// The shapes of the bodies that are not round in the memory of a machine.
#pragma once

#include <algorithm>
#include <vector>

#include "moreau/geometry/part_view.hpp"
#include "moreau/gpu/array.hpp"
#include "moreau/gpu/card_rows.hpp"

namespace moreau::gpu {

// Whether a thread has room for the parts of all shapes.
template <int D>
bool are_small(const std::vector<Shape<D>>& shapes) {
  return std::ranges::all_of(
      shapes, [](const Shape<D>& shape) { return std::ranges::all_of(shape.parts, PartRoom<PartView<D>>::holds); });
}

template <int D, class Machine>
class CardShapes {
 public:
  explicit CardShapes(Machine& m) : vertices_(m), corners_(m), faces_(m), edges_(m), parts_(m), shapes_(m) {}

  void put(const std::vector<Shape<D>>& shapes) {
    std::vector<Vec<D>> vertices;
    std::vector<std::int32_t> corners;
    std::vector<PolyhedronEdge> edges;
    std::size_t faces = 0, parts = 0;
    for (const Shape<D>& shape : shapes)
      for (const ConvexPart<D>& part : shape.parts) {
        append(part.vertices, vertices), ++parts;
        if constexpr (D == 3) {
          append(part.topology.edges, edges), faces += part.topology.faces.size();
          for (const PolyhedronFace& face : part.topology.faces) append(face.vertices, corners);
        }
      }
    vertices_.put(vertices), corners_.put(corners), edges_.put(edges), faces_.resize(faces), parts_.resize(parts);
    // With the addresses there.
    std::vector<FaceView> face_views;
    std::vector<PartView<D>> views;
    std::vector<ShapeRow<D>> rows;
    const Vec<D>* vertex = vertices_.data();
    const std::int32_t* corner = corners_.data();
    const PolyhedronEdge* edge = edges_.data();
    for (const Shape<D>& shape : shapes) {
      rows.push_back({parts_.data() + views.size(), static_cast<std::uint32_t>(shape.parts.size()), shape.gyration});
      for (const ConvexPart<D>& part : shape.parts) {
        PartView<D> view{{vertex, part.vertices.size()}, {}, part.radius, part.centre, part.reach};
        vertex += part.vertices.size();
        if constexpr (D == 3) {
          view.topology.faces = {faces_.data() + face_views.size(), part.topology.faces.size()};
          view.topology.edges = {edge, part.topology.edges.size()};
          edge += part.topology.edges.size();
          for (const PolyhedronFace& face : part.topology.faces) {
            face_views.push_back({{corner, face.vertices.size()}, face.normal, face.offset});
            corner += face.vertices.size();
          }
        }
        views.push_back(view);
      }
    }
    faces_.put(face_views), parts_.put(views), shapes_.put(rows);
  }
  std::size_t size() const { return shapes_.size(); }
  const ShapeRow<D>* rows() const { return shapes_.data(); }
  std::size_t bytes() const {
    return vertices_.bytes() + corners_.bytes() + faces_.bytes() + edges_.bytes() + parts_.bytes() + shapes_.bytes();
  }

 private:
  template <class T>
  static void append(const std::vector<T>& from, std::vector<T>& to) {
    to.insert(to.end(), from.begin(), from.end());
  }
  Array<Vec<D>, Machine> vertices_;
  Array<std::int32_t, Machine> corners_;
  Array<FaceView, Machine> faces_;
  Array<PolyhedronEdge, Machine> edges_;
  Array<PartView<D>, Machine> parts_;
  Array<ShapeRow<D>, Machine> shapes_;
};

}  // namespace moreau::gpu

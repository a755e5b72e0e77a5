#include "moreau/store/shape_file.hpp"

#include <fmt/format.h>

#include "moreau/store/soundness.hpp"

namespace moreau::inline store {
namespace {

using Indices = std::vector<std::int32_t>;
using Pairs = std::vector<std::array<std::int32_t, 2>>;

// All shapes one after another. `first_x[i]` to `first_x[i + 1]` are the rows of x that belong to row i; hence one more than
// rows.
template <int D>
struct ShapeArrays {
  std::vector<double> volume, reach;
  std::vector<Spin<D>> gyration;
  Indices first_part{0};
  std::vector<double> part_radius, part_reach;
  std::vector<Vec<D>> part_centre;
  Indices first_vertex{0}, first_face{0}, first_edge{0};
  std::vector<Vec<D>> vertex;
  std::vector<Vec<3>> face_normal;
  std::vector<double> face_offset;
  Indices first_corner{0}, corner;
  Pairs edge_vertices, edge_faces;
};

template <int D, class Arrays, class Visit>
void visit_arrays(Arrays& all, const Visit& visit) {
  auto& [volume, reach, gyration, first_part, part_radius, part_reach, part_centre, first_vertex, first_face, first_edge, vertex,
         face_normal, face_offset, first_corner, corner, edge_vertices, edge_faces] = all;
  visit("volume", volume), visit("reach", reach), visit("gyration", gyration), visit("first_part", first_part);
  visit("part_radius", part_radius), visit("part_reach", part_reach), visit("part_centre", part_centre);
  visit("first_vertex", first_vertex), visit("vertex", vertex);
  if constexpr (D == 3) {  // in the plane the edges follow from the order of the vertices
    visit("first_face", first_face), visit("face_normal", face_normal), visit("face_offset", face_offset);
    visit("first_corner", first_corner), visit("corner", corner);
    visit("first_edge", first_edge), visit("edge_vertices", edge_vertices), visit("edge_faces", edge_faces);
  }
}

template <class T>
std::int32_t end_of(const std::vector<T>& rows) {
  return static_cast<std::int32_t>(rows.size());
}

// The structured bindings here make a member that was added to a shape, but not stored, an error of compilation.
void append(ShapeArrays<2>&, const PartTopology<2>&) {}
void append(ShapeArrays<3>& all, const PartTopology<3>& topology) {
  const auto& [faces, edges] = topology;
  for (const PolyhedronFace& face : faces) {
    const auto& [vertices, normal, offset] = face;
    all.face_normal.push_back(normal), all.face_offset.push_back(offset);
    all.corner.insert(all.corner.end(), vertices.begin(), vertices.end());
    all.first_corner.push_back(end_of(all.corner));
  }
  for (const PolyhedronEdge& edge : edges) {
    const auto& [vertices, sides] = edge;
    all.edge_vertices.push_back(vertices), all.edge_faces.push_back(sides);
  }
  all.first_face.push_back(end_of(all.face_normal)), all.first_edge.push_back(end_of(all.edge_vertices));
}

template <int D>
void append(ShapeArrays<D>& all, const Shape<D>& shape) {
  const auto& [parts, volume, gyration, reach] = shape;
  all.volume.push_back(volume), all.gyration.push_back(gyration), all.reach.push_back(reach);
  for (const ConvexPart<D>& part : parts) {
    const auto& [vertices, topology, part_radius, centre, part_reach] = part;
    all.part_radius.push_back(part_radius), all.part_centre.push_back(centre), all.part_reach.push_back(part_reach);
    all.vertex.insert(all.vertex.end(), vertices.begin(), vertices.end());
    all.first_vertex.push_back(end_of(all.vertex));
    append(all, topology);
  }
  all.first_part.push_back(end_of(all.part_radius));
}

[[noreturn]] void contradiction(const hdf5::Group& group, const char* name) {
  group.damaged(fmt::format("is damaged: '{}' of the shapes contradicts the other arrays", name));
}

// `first` must cut `rows` rows into as many groups as there are `owners`, in order.
void check_cuts(const hdf5::Group& group, const char* name, const Indices& first, std::size_t owners, std::size_t rows) {
  bool whole = first.size() == owners + 1 && first.front() == 0 && static_cast<std::size_t>(first.back()) == rows;
  for (std::size_t i = 1; whole && i < first.size(); ++i) whole = first[i - 1] <= first[i];
  if (!whole) contradiction(group, name);
}

template <class T>
void check_rows(const hdf5::Group& group, const char* name, const std::vector<T>& values, std::size_t rows) {
  if (values.size() != rows) contradiction(group, name);
}

template <int D>
void check_lengths(const hdf5::Group& group, const ShapeArrays<D>& all) {
  const std::size_t shapes = all.volume.size(), parts = all.part_radius.size();
  check_rows(group, "reach", all.reach, shapes), check_rows(group, "gyration", all.gyration, shapes);
  check_cuts(group, "first_part", all.first_part, shapes, parts);
  check_rows(group, "part_reach", all.part_reach, parts), check_rows(group, "part_centre", all.part_centre, parts);
  check_cuts(group, "first_vertex", all.first_vertex, parts, all.vertex.size());
  if constexpr (D == 3) {
    const std::size_t faces = all.face_normal.size(), edges = all.edge_vertices.size();
    check_cuts(group, "first_face", all.first_face, parts, faces), check_rows(group, "face_offset", all.face_offset, faces);
    check_cuts(group, "first_corner", all.first_corner, faces, all.corner.size());
    check_cuts(group, "first_edge", all.first_edge, parts, edges), check_rows(group, "edge_faces", all.edge_faces, edges);
  }
}

// Calls use(k) for the rows k of group i.
template <class Use>
void for_rows(const Indices& first, std::size_t i, const Use& use) {
  for (std::int32_t k = first[i]; k < first[i + 1]; ++k) use(static_cast<std::size_t>(k));
}

void restore(const hdf5::Group&, const ShapeArrays<2>&, std::size_t, ConvexPart<2>&) {}
void restore(const hdf5::Group& group, const ShapeArrays<3>& all, std::size_t p, ConvexPart<3>& part) {
  const std::int32_t vertices = end_of(part.vertices), faces = all.first_face[p + 1] - all.first_face[p];
  const auto demand = [&](const char* name, std::int32_t index, std::int32_t below) {
    if (index < 0 || index >= below) contradiction(group, name);
  };
  for_rows(all.first_face, p, [&](std::size_t f) {
    PolyhedronFace face{{}, all.face_normal[f], all.face_offset[f]};
    for_rows(all.first_corner, f, [&](std::size_t c) {
      demand("corner", all.corner[c], vertices);
      face.vertices.push_back(all.corner[c]);
    });
    part.topology.faces.push_back(std::move(face));
  });
  for_rows(all.first_edge, p, [&](std::size_t e) {
    for (const std::int32_t v : all.edge_vertices[e]) demand("edge_vertices", v, vertices);
    for (const std::int32_t f : all.edge_faces[e]) demand("edge_faces", f, faces);
    part.topology.edges.push_back({all.edge_vertices[e], all.edge_faces[e]});
  });
}

template <int D>
std::vector<Shape<D>> restored(const hdf5::Group& group, const ShapeArrays<D>& all) {
  std::vector<Shape<D>> shapes(all.volume.size());
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    Shape<D>& shape = shapes[s];
    shape.volume = all.volume[s], shape.gyration = all.gyration[s], shape.reach = all.reach[s];
    for_rows(all.first_part, s, [&](std::size_t p) {
      ConvexPart<D> part;
      part.radius = all.part_radius[p], part.centre = all.part_centre[p], part.reach = all.part_reach[p];
      for_rows(all.first_vertex, p, [&](std::size_t v) { part.vertices.push_back(all.vertex[v]); });
      restore(group, all, p, part);
      shape.parts.push_back(std::move(part));
    });
  }
  return shapes;
}

}  // namespace

template <int D>
void write_shapes(hdf5::Group& parent, const std::vector<Shape<D>>& shapes) {
  if (shapes.empty()) return;
  ShapeArrays<D> all;
  for (const Shape<D>& shape : shapes) append(all, shape);
  hdf5::Group group = parent.create("shapes");
  visit_arrays<D>(all, [&](const char* name, const auto& values) {
    using T = typename std::decay_t<decltype(values)>::value_type;
    const bool noise = hdf5::Element<T>::number == hdf5::Number::f64;
    group.write(name, values, noise ? hdf5::Packing::plain : hdf5::Packing::compressed);
  });
}

template <int D>
std::vector<Shape<D>> read_shapes(const hdf5::Group& parent, const std::vector<std::int32_t>& shape_of_body) {
  std::vector<Shape<D>> shapes;
  if (parent.has("shapes")) {
    const hdf5::Group group = parent.open("shapes");
    ShapeArrays<D> all;
    visit_arrays<D>(all, [&](const char* name, auto& values) { group.read(name, values); });
    check_lengths(group, all);
    shapes = restored(group, all);
    check_sound(group, shapes);
  }
  for (std::size_t i = 0; i < shape_of_body.size(); ++i)
    if (shape_of_body[i] < -1 || shape_of_body[i] >= end_of(shapes))
      parent.damaged(fmt::format("is damaged: body {} has shape {} of {}", i, shape_of_body[i], shapes.size()));
  return shapes;
}

template void write_shapes(hdf5::Group&, const std::vector<Shape<2>>&);
template void write_shapes(hdf5::Group&, const std::vector<Shape<3>>&);
template std::vector<Shape<2>> read_shapes(const hdf5::Group&, const std::vector<std::int32_t>&);
template std::vector<Shape<3>> read_shapes(const hdf5::Group&, const std::vector<std::int32_t>&);

}  // namespace moreau::inline store

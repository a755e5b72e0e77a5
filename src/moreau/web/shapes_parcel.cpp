#include "moreau/draw/picture/shown_box.hpp"
#include "moreau/store/surface.hpp"
#include "moreau/web/frame_parcels.hpp"

namespace moreau::web {

namespace {

constexpr int chords_per_turn = 24;  // of round corners and edges
constexpr double sharp = 0.94;       // cosine: faces that meet at less than 20 degrees share no visible edge

struct Surface {
  std::vector<float> corner, normal;                         // three corners of a triangle after another
  std::vector<float> edge;                                   // two ends of an edge after another
  std::vector<std::int32_t> first_corner{0}, first_edge{0};  // of each shape, one row more
};

void push(std::vector<float>& values, const Vec<3>& v) {
  for (int d = 0; d < 3; ++d) values.push_back(static_cast<float>(v[d]));
}

template <int D>
void add_polygon(Surface& surface, const std::vector<Vec<D>>& polygon) {
  std::vector<Vec<3>> corners;
  for (const Vec<D>& v : polygon) corners.push_back(lifted(v));
  const Vec<3> normal = normal_of(corners);
  for (std::size_t k = 1; k + 1 < corners.size(); ++k)
    for (const std::size_t v : {std::size_t{0}, k, k + 1}) push(surface.corner, corners[v]), push(surface.normal, normal);
  if (D == 2)
    for (std::size_t k = 0; k < corners.size(); ++k)
      push(surface.edge, corners[k]), push(surface.edge, corners[(k + 1) % corners.size()]);
}

void add_edges(Surface&, const ConvexPart<2>&) {}  // the outline, already there
void add_edges(Surface& surface, const ConvexPart<3>& part) {
  if (part.radius > 0.0) return;
  for (const PolyhedronEdge& edge : part.topology.edges) {
    const auto face = [&](int side) { return part.topology.faces[static_cast<std::size_t>(edge.faces[side])].normal; };
    if (dot(face(0), face(1)) > sharp) continue;
    for (const std::int32_t v : edge.vertices) push(surface.edge, part.vertices[static_cast<std::size_t>(v)]);
  }
}

}  // namespace

template <int D>
std::string shapes_parcel(const ShownFrame<D>& shown) {
  Surface surface;
  for (const Shape<D>& shape : shown.frame.shapes) {
    for (const ConvexPart<D>& part : shape.parts) {
      for (const std::vector<Vec<D>>& polygon : surface_of(part, Pose<D>{{}, identity<D>()}, chords_per_turn))
        add_polygon(surface, polygon);
      add_edges(surface, part);
    }
    surface.first_corner.push_back(static_cast<std::int32_t>(surface.corner.size() / 3));
    surface.first_edge.push_back(static_cast<std::int32_t>(surface.edge.size() / 3));
  }
  Parcel parcel(nlohmann::ordered_json{{"shapes", shown.frame.shapes.size()}});
  parcel.add("corner", surface.corner, 3);
  parcel.add("normal", surface.normal, 3);
  parcel.add("edge", surface.edge, 3);
  parcel.add("first_corner", surface.first_corner);
  parcel.add("first_edge", surface.first_edge);
  return parcel.bytes();
}

template std::string shapes_parcel(const ShownFrame<2>&);
template std::string shapes_parcel(const ShownFrame<3>&);

}  // namespace moreau::web

#include <fmt/format.h>

#include "moreau/draw/picture/meshes.hpp"
#include "moreau/dynamics/worn_faces.hpp"
#include "moreau/web/frame_parcels.hpp"

namespace moreau::web {

// Corners of the triangles (in the plane: none) and ends of the edges to be drawn, relative to the origin of the mesh.
template <int D>
std::string mesh_parcel(const Wall<D>& wall) {
  Frame<D> alone;
  alone.walls.push_back(wall), alone.walls[0].geometry.point = {}, alone.wall_shift.resize(1);
  std::vector<float> corner, edge;
  const auto push = [](std::vector<float>& values, const Vec<3>& v) {
    for (int d = 0; d < 3; ++d) values.push_back(static_cast<float>(v[d]));
  };
  for (const DrawnMesh& mesh : meshes_of(alone)) {
    for (const auto& triangle : mesh.triangles)
      for (const std::int32_t v : triangle) push(corner, mesh.vertices[static_cast<std::size_t>(v)]);
    for (const DrawnMesh::Edge& e : mesh.edges)
      if (e.sharp)
        for (const std::int32_t v : e.vertices) push(edge, mesh.vertices[static_cast<std::size_t>(v)]);
  }
  Parcel parcel(nlohmann::ordered_json{{"name", wall.name}});
  parcel.add("corner", corner, 3);
  parcel.add("edge", edge, 3);
  return parcel.bytes();
}

template <int D>
std::string wear_parcel(const ShownFrame<D>& shown) {
  Parcel parcel(nlohmann::ordered_json::object());
  for (std::size_t w = 0; w < shown.frame.walls.size(); ++w) {
    if (!shown.frame.walls[w].wears) continue;
    const std::vector<double> wear = wear_per_area(shown.frame, w);
    parcel.add(fmt::format("wear_{}", w), std::vector<float>(wear.begin(), wear.end()));
  }
  return parcel.bytes();
}

template std::string mesh_parcel(const Wall<2>&);
template std::string mesh_parcel(const Wall<3>&);
template std::string wear_parcel(const ShownFrame<2>&);
template std::string wear_parcel(const ShownFrame<3>&);

}  // namespace moreau::web

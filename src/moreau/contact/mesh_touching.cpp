#include "moreau/contact/mesh_touching.hpp"

namespace moreau::inline contact {

template <int D>
void add_mesh_points(const Bodies<D>& bodies, std::size_t a, const Pose<D>& body, const Mesh<D>& mesh, const Pose<D>& wall,
                     std::span<const std::int32_t> faces, double margin, std::vector<TouchingPoint<D>>& points) {
  const Vec<D> centre = transposed_times(wall.rotation, body.position - wall.position);
  const double radius = bodies.parameters.radius[a];
  const auto add = [&](const Vec<D>& point, const Vec<D>& normal, double gap, std::uint64_t feature) {
    points.push_back({wall.place(point), wall.turn(normal), gap, feature});
  };
  if (bodies.is_round(a)) {
    thread_local std::vector<MeshTouch<D>> touches;
    touches.clear();
    ball_touches(mesh, faces, centre, radius + margin, touches);
    for (const MeshTouch<D>& t : touches) {
      const double gap = t.distance - radius;
      add(centre - (radius + 0.5 * gap) * t.normal, t.normal, gap, touch_name(static_cast<TouchKind>(t.feature), 0, t.index));
    }
  } else {
    thread_local std::vector<PartTouch<D>> touches;
    Pose<D> relative{centre, {}};
    for (int i = 0; i < D; ++i)  // transposed wall.rotation times body.rotation
      for (int j = 0; j < D; ++j) {
        double sum = 0.0;
        for (int k = 0; k < D; ++k) sum += wall.rotation.row[k][i] * body.rotation.row[k][j];
        relative.rotation.row[i][j] = sum;
      }
    const std::vector<ConvexPart<D>>& parts = bodies.shape(a).parts;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      touches.clear();
      part_touches(mesh, faces, parts[p], relative, margin, touches);
      for (const PartTouch<D>& t : touches) add(t.point, t.normal, t.gap, (static_cast<std::uint64_t>(p) << 48) | t.name);
    }
  }
}

template void add_mesh_points(const Bodies<2>&, std::size_t, const Pose<2>&, const Mesh<2>&, const Pose<2>&,
                              std::span<const std::int32_t>, double, std::vector<TouchingPoint<2>>&);
template void add_mesh_points(const Bodies<3>&, std::size_t, const Pose<3>&, const Mesh<3>&, const Pose<3>&,
                              std::span<const std::int32_t>, double, std::vector<TouchingPoint<3>>&);

}  // namespace moreau::inline contact

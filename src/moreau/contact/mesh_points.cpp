#include "moreau/contact/mesh_points.hpp"

#include <algorithm>

#include "moreau/contact/mesh_touching.hpp"

namespace moreau::inline contact {
namespace {
// How far beyond what is needed faces are remembered, in radii of the body: so far it may move until they are looked for again.
constexpr double skin = 0.4, skin_far = 3.0;
}  // namespace

template <int D>
void MeshPoints<D>::prepare(std::size_t bodies, const Surroundings<D>& around) {
  walls_.resize(around.walls.size());
  for (std::size_t w = 0; w < walls_.size(); ++w) {
    const MeshSurface<D>* mesh = around.walls[w].geometry.mesh.get();
    if (walls_[w].mesh != mesh) walls_[w] = {mesh, {}};
    if (mesh != nullptr) walls_[w].near.resize(bodies);
  }
}

template <int D>
std::span<const std::int32_t> MeshPoints<D>::faces_near(const MeshSurface<D>& surface, Near& near, const Vec<D>& centre,
                                                        double needed, double radius) const {
  constexpr double rounding = 1.0 + 1e-9;
  const Vec<D> moved = centre - near.at;
  const double left = near.within - rounding * needed;
  if (left >= 0.0 && dot(moved, moved) <= left * left) return near.faces;
  near.at = centre;
  const double wanted = needed + skin * radius;
  // A body that was near is mostly still so; one that was not may move as far as the mesh is away.
  const bool was_near = !near.faces.empty();
  near.within = wanted;
  if (was_near) surface.tree.near(surface.mesh, centre, wanted, near.faces);
  if (!near.faces.empty()) return near.faces;
  near.within = surface.tree.distance(surface.mesh, centre, needed + skin_far * radius);
  if (!was_near && near.within <= wanted) surface.tree.near(surface.mesh, centre, near.within = wanted, near.faces);
  return near.faces;
}

template <int D>
void MeshPoints<D>::find(const Bodies<D>& bodies, std::span<const Pose<D>> poses, const Surroundings<D>& around, LookAhead ahead,
                         std::size_t a, std::size_t w, std::vector<TouchingPoint<D>>& points) {
  const MeshSurface<D>& surface = *around.walls[w].geometry.mesh;
  const Pose<D> wall = around.pose_of_wall(w), &body = poses[a];
  const Vec<D> centre = transposed_times(wall.rotation, body.position - wall.position);
  const double radius = bodies.parameters.radius[a];
  const Vec<D>& velocity = bodies.state.velocity[a];
  double margin = ahead.distance;
  if (ahead.time > 0.0) {  // for the fastest points of the surfaces
    const double spin = norm(bodies.state.spin[a]) * (bodies.is_round(a) ? 0.0 : 1.0);
    const double turning = around.walls[w].turning < 0 ? 0.0 : norm(around.surface[w].spin);
    const double speed = norm(velocity - around.wall_velocity(w, body.position)) + radius * (spin + turning);
    margin =
        (margin + ahead.time * speed) / std::max(1e-3, 1.0 - ahead.time * turning);  // points at the end of the margin turn too
  }
  const auto faces = faces_near(surface, walls_[w].near[a], centre, radius + margin, radius);
  if (faces.empty()) return;
  const std::size_t first = points.size();
  add_mesh_points(bodies, a, body, surface.mesh, wall, faces, margin, points);
  if (!(ahead.time > 0.0)) return;
  const auto too_far = [&](const TouchingPoint<D>& t) {
    Vec<D> u = velocity - around.wall_velocity(w, t.point);
    if (!bodies.is_round(a)) u += cross(bodies.state.spin[a], t.point - body.position);
    return !(t.gap <= ahead.distance + ahead.time * std::max(0.0, -dot(u, t.normal)));
  };
  points.erase(std::remove_if(points.begin() + static_cast<std::ptrdiff_t>(first), points.end(), too_far), points.end());
}

template <int D>
std::size_t MeshPoints<D>::bytes() const {
  std::size_t sum = 0;
  for (const OfWall& wall : walls_) {
    sum += wall.near.capacity() * sizeof(Near);
    for (const Near& near : wall.near) sum += near.faces.capacity() * sizeof(std::int32_t);
  }
  return sum;
}

template class MeshPoints<2>;
template class MeshPoints<3>;

}  // namespace moreau::inline contact

#include "moreau/contact/touching_points.hpp"

#include "moreau/contact/mesh_touching.hpp"

namespace moreau::inline contact {

template <int D>
PointFinder<D>::PointFinder() {
  ConvexPart<D> ball;
  ball.vertices.push_back({});
  ball_a_.push_back(ball), ball_b_.push_back(ball);
}

template <int D>
std::span<const ConvexPart<D>> PointFinder<D>::parts_of(const Bodies<D>& bodies, std::size_t i,
                                                        std::vector<ConvexPart<D>>& ball) const {
  if (!bodies.is_round(i)) return bodies.shape(i).parts;
  ball[0].radius = ball[0].reach = bodies.parameters.radius[i];
  return ball;
}

template <int D>
void PointFinder<D>::append(const Manifold<D>& manifold, std::size_t part_a, std::size_t part_b,
                            std::vector<TouchingPoint<D>>& points) const {
  const std::uint64_t parts = (static_cast<std::uint64_t>(part_a) << 48) | (static_cast<std::uint64_t>(part_b) << 32);
  for (int k = 0; k < manifold.count; ++k) {
    const ManifoldPoint<D>& p = manifold.point[k];
    points.push_back({p.point, p.normal, p.gap, parts | p.feature});
  }
}

template <int D>
void PointFinder<D>::find(const Bodies<D>& bodies, std::span<const Pose<D>> poses, const Surroundings<D>& around, std::int32_t a,
                          std::int32_t b, double margin, std::vector<TouchingPoint<D>>& points, const Vec<D>& shift,
                          const Passage<D>* passage) {
  const std::size_t i = static_cast<std::size_t>(a);
  const auto parts_a = parts_of(bodies, i, ball_a_);
  Manifold<D> manifold;
  if (is_wall(b)) {
    const std::size_t w = static_cast<std::size_t>(wall_index(b));
    if (const MeshSurface<D>* surface = around.walls[w].geometry.mesh.get()) {
      const Pose<D> wall = around.pose_of_wall(w);
      std::vector<std::int32_t> faces;
      surface->tree.near(surface->mesh, transposed_times(wall.rotation, poses[i].position - wall.position),
                         bodies.parameters.radius[i] + margin, faces);
      return add_mesh_points(bodies, i, poses[i], surface->mesh, wall, faces, margin, points);
    }
    for (std::size_t p = 0; p < parts_a.size(); ++p) {
      wall_manifold(parts_a[p], poses[i], around.walls[w].geometry, around.shift[w], margin, manifold);
      append(manifold, p, 0, points);
    }
    return;
  }
  const std::size_t j = static_cast<std::size_t>(b);
  const auto parts_b = parts_of(bodies, j, ball_b_);
  const Pose<D> pose_b{poses[j].position + shift, poses[j].rotation};
  for (std::size_t p = 0; p < parts_a.size(); ++p)
    for (std::size_t q = 0; q < parts_b.size(); ++q) {
      part_manifold(parts_a[p], poses[i], parts_b[q], pose_b, margin, manifold);
      if (passage != nullptr) judge_passage(parts_a[p], parts_b[q], *passage, manifold);
      append(manifold, p, q, points);
    }
}

template class PointFinder<2>;
template class PointFinder<3>;

}  // namespace moreau::inline contact

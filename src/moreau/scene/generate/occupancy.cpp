#include "moreau/scene/generate/occupancy.hpp"

#include <algorithm>

namespace moreau::inline scene {
namespace {

template <int D>
std::optional<Obstacle> first_in(const CellGrid<D>& grid, const Vec<D>& centre, double radius, double tolerance) {
  Obstacle found;
  const bool any = grid.any_near(centre, radius, [&](const auto& ball) {
    const double overlap = radius + ball.radius - norm(centre - ball.centre);
    if (!(overlap > tolerance * std::min(radius, ball.radius))) return false;
    found = {ball.body, -1, overlap};
    return true;
  });
  return any ? std::optional(found) : std::nullopt;
}

}  // namespace

template <int D>
Occupancy<D>::Occupancy(const Model<D>& model) {
  for (const auto& wall : model.walls)
    walls_.push_back(
        {wall.geometry, wall.motion < 0 ? Vec<D>{} : displacement(model.motions[static_cast<std::size_t>(wall.motion)], 0.0)});
  // Generated grains are placed inside the cell, so that none overlaps the copies of others beyond its borders.
  model_walls_ = walls_.size();
  cell_ = model.cell.start;
  const Lattice<D>& cell = cell_;
  for (int d = 0; d < D; ++d) {
    if (!cell.periodic[d]) continue;
    Vec<D> inward{}, across{};
    inward[d] = 1.0, across[d] = cell.vectors.row[d][d];
    walls_.push_back({{WallShape::plane, cell.origin, inward, 0.0}, {}});
    walls_.push_back({{WallShape::plane, cell.origin + across, -inward, 0.0}, {}});
  }
}

template <int D>
std::vector<Vec<D>> Occupancy<D>::copies(const Vec<D>& centre, double radius) const {
  std::vector<Vec<D>> all{centre};
  for (int d = 0; d < D; ++d) {
    if (!cell_.periodic[d]) continue;
    const double length = cell_.vectors.row[d][d], from = cell_.origin[d];
    for (std::size_t k = all.size(); k-- > 0;)
      for (const double side : {-1.0, 1.0}) {
        Vec<D> copy = all[k];
        copy[d] += side * length;
        if (copy[d] + radius > from && copy[d] - radius < from + length) all.push_back(copy);
      }
  }
  return all;
}

template <int D>
std::optional<Obstacle> Occupancy<D>::obstacle(const Vec<D>& centre, double radius, double tolerance, CellBorder border) const {
  const std::size_t walls = border == CellBorder::open ? model_walls_ : walls_.size();
  for (std::size_t i = 0; i < walls; ++i) {
    const WallGeometry<D>& wall = walls_[i].geometry;
    double gap = separation(wall, walls_[i].shift, centre, radius).gap;
    if (wall.mesh && gap < 0.0) gap = mesh_gap(*wall.mesh, {wall.point + walls_[i].shift, identity<D>()}, centre, radius, 0.0);
    if (-gap > tolerance * radius) return Obstacle{-1, static_cast<std::int32_t>(i), -gap};
  }
  if (const auto found = free_obstacle(centre, radius, tolerance)) return found;
  for (const Vec<D>& copy : copies(centre, radius)) {
    if (const auto found = first_in(imposed_, copy, radius, tolerance)) return found;
    if (const auto found = block_in(imposed_blocks_, copy, radius, tolerance)) return found;
  }
  return std::nullopt;
}

template <int D>
std::optional<Obstacle> Occupancy<D>::free_obstacle(const Vec<D>& centre, double radius, double tolerance) const {
  for (const Vec<D>& copy : copies(centre, radius)) {
    if (const auto found = first_in(free_, copy, radius, tolerance)) return found;
    if (const auto found = block_in(free_blocks_, copy, radius, tolerance)) return found;
  }
  return std::nullopt;
}

template <int D>
std::optional<Obstacle> Occupancy<D>::block_in(const CellGrid<D>& grid, const Vec<D>& centre, double radius,
                                               double tolerance) const {
  Obstacle found;
  ConvexPart<D> ball;
  ball.vertices.push_back({});
  ball.radius = ball.reach = radius;
  const Pose<D> at{centre, matrix_of(Rotation<D>{})};
  Manifold<D> manifold;
  const bool any = grid.any_near(centre, radius, [&](const auto& near) {
    const Block& block = blocks_[static_cast<std::size_t>(near.body)];
    if (norm(centre - near.centre) > radius + near.radius) return false;
    found = {block.body, -1, 0.0};
    for (const auto& part : block.parts) {
      part_manifold(ball, at, part, block.pose, 0.0, manifold);
      for (int k = 0; k < manifold.count; ++k) found.overlap = std::max(found.overlap, -manifold.point[k].gap);
    }
    return found.overlap > tolerance * std::min(radius, near.radius);
  });
  return any ? std::optional(found) : std::nullopt;
}

template <int D>
void Occupancy<D>::add(std::int32_t body, const Vec<D>& centre, double radius, bool is_free) {
  for (const Vec<D>& copy : copies(centre, radius)) (is_free ? free_ : imposed_).insert({copy, radius, body});
}

template <int D>
void Occupancy<D>::add_block(std::int32_t body, const Shape<D>& shape, const Pose<D>& pose, bool is_free) {
  (is_free ? free_blocks_ : imposed_blocks_).insert({pose.position, shape.reach, static_cast<std::int32_t>(blocks_.size())});
  blocks_.push_back({shape.parts, pose, shape.reach, body});
}

template class Occupancy<2>;
template class Occupancy<3>;

}  // namespace moreau::inline scene

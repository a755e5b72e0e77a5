#include "moreau/scene/occupancy.hpp"

#include <algorithm>

namespace moreau {
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
}

template <int D>
std::optional<Obstacle> Occupancy<D>::obstacle(const Vec<D>& centre, double radius, double tolerance) const {
  for (std::size_t i = 0; i < walls_.size(); ++i) {
    const double gap = separation(walls_[i].geometry, walls_[i].shift, centre, radius).gap;
    if (-gap > tolerance * radius) return Obstacle{-1, static_cast<std::int32_t>(i), -gap};
  }
  if (const auto found = first_in(free_, centre, radius, tolerance)) return found;
  return first_in(imposed_, centre, radius, tolerance);
}

template <int D>
std::optional<Obstacle> Occupancy<D>::free_obstacle(const Vec<D>& centre, double radius, double tolerance) const {
  return first_in(free_, centre, radius, tolerance);
}

template <int D>
void Occupancy<D>::add(std::int32_t body, const Vec<D>& centre, double radius, bool is_free) {
  (is_free ? free_ : imposed_).insert({centre, radius, body});
}

template class Occupancy<2>;
template class Occupancy<3>;

}  // namespace moreau

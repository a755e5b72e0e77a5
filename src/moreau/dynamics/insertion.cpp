// Sources at work: new grains at rest on top of what is already there.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "moreau/dynamics/simulation.hpp"

namespace moreau {

namespace {

// A point at most `spread` from the axis through `centre` along `up`, uniform over the disc (the segment in the plane).
Vec<2> draw_on_line(RandomStream& random, const Vec<2>& centre, const Vec<2>& up, double spread) {
  return centre + (spread * random.uniform(-1.0, 1.0)) * Vec<2>{{-up[1], up[0]}};
}
Vec<3> draw_on_line(RandomStream& random, const Vec<3>& centre, const Vec<3>& up, double spread) {
  const int small = std::abs(up[0]) <= std::abs(up[1]) ? (std::abs(up[0]) <= std::abs(up[2]) ? 0 : 2)
                                                       : (std::abs(up[1]) <= std::abs(up[2]) ? 1 : 2);
  Vec<3> axis{};
  axis[small] = 1.0;
  const Vec<3> first = normalized(cross(up, axis)), second = cross(up, first);
  const double radius = spread * std::sqrt(random.uniform()), angle = 2.0 * std::numbers::pi * random.uniform();
  return centre + (radius * std::cos(angle)) * first + (radius * std::sin(angle)) * second;
}

// Where a ball coming down along `up` through `start` first touches a body or a wall: the largest of the heights at which it rests on
// one of them. Without anything below, `start` itself.
template <int D>
Vec<D> place_on_top(const Model<D>& model, const State<D>& state, const Vec<D>& start, const Vec<D>& up, double radius) {
  double height = -HUGE_VAL;
  const Bodies<D>& bodies = state.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec<D> to_body = bodies.state.position[i] - start;
    const double along = dot(to_body, up), reach = radius + bodies.parameters.radius[i];
    const double lateral_square = dot(to_body, to_body) - along * along;
    if (lateral_square < reach * reach) height = std::max(height, along + std::sqrt(reach * reach - std::max(0.0, lateral_square)));
  }
  for (const Wall<D>& wall : model.walls) {
    if (wall.geometry.shape != WallShape::plane) continue;
    const double facing = dot(wall.geometry.direction, up);
    if (facing <= 1e-9) continue;  // a side wall or a ceiling holds nothing up
    const Vec<D> shift = wall.motion < 0 ? Vec<D>{} : displacement(model.motions[static_cast<std::size_t>(wall.motion)], state.time);
    height = std::max(height, -separation(wall.geometry, shift, start, radius).gap / facing);
  }
  return std::isfinite(height) ? start + height * up : start;
}

}  // namespace

template <int D>
std::size_t Simulation<D>::insert_from_sources() {
  std::size_t inserted = 0;
  for (std::size_t k = 0; k < model_.sources.size(); ++k) {
    const Source<D>& source = model_.sources[k];
    SourceState& progress = state_.sources[k];
    while (progress.emitted < source.count) {
      const double due = source.start + static_cast<double>(progress.emitted) / source.rate;
      if (due > state_.time + 0.5 * model_.time_step || due >= source.end) break;
      const Vec<D> up = normalized(-model_.gravity);
      const double radius = source.sizes.draw(progress.random, progress.emitted);
      const Vec<D> start = draw_on_line(progress.random, source.centre, up, source.spread);
      NewBody<D> grain = homogeneous_ball<D>(place_on_top(model_, state_, start, up, radius), radius, source.density, source.material);
      grain.birth = state_.time;
      state_.bodies.append(grain);
      state_.energy.inserted -= grain.mass * dot(model_.gravity, grain.position);
      ++progress.emitted;
      ++inserted;
    }
  }
  if (inserted > 0) neighbours_.invalidate();
  return inserted;
}

template std::size_t Simulation<2>::insert_from_sources();
template std::size_t Simulation<3>::insert_from_sources();

}  // namespace moreau

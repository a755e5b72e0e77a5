#include "moreau/contact/pair_points.hpp"

#include <algorithm>

#include "moreau/contact/continued_points.hpp"

namespace moreau::inline contact {

namespace {

// Speed of the fastest material point of a body relative to its frame of reference.
template <int D>
double surface_speed(const Bodies<D>& bodies, std::size_t i) {
  return bodies.parameters.radius[i] * norm(bodies.state.spin[i]);
}

}  // namespace

template <int D>
void PairPoints<D>::find(const Bodies<D>& bodies, std::span<const Pose<D>> poses, const Surroundings<D>& around, LookAhead ahead,
                         const Pair& pair, bool is_new) {
  const std::size_t a = static_cast<std::size_t>(pair.a),
                    j = static_cast<std::size_t>(is_wall(pair.b) ? wall_index(pair.b) : pair.b);
  const std::vector<double>& radius = bodies.parameters.radius;
  const std::vector<Vec<D>>& velocity = bodies.state.velocity;
  points.clear();
  if (is_wall(pair.b) && around.walls[j].geometry.shape == WallShape::mesh)
    return meshes_.find(bodies, poses, around, ahead, a, j, points);
  double margin = ahead.distance;
  if (!is_wall(pair.b)) {
    const Vec<D> apart = poses[a].position - poses[j].position - pair.shift;
    if (ahead.time > 0.0)
      margin += ahead.time * (norm(velocity[a] - velocity[j] - pair.drift) + surface_speed(bodies, a) + surface_speed(bodies, j));
    const double touch = radius[a] + radius[j] + margin;
    if (dot(apart, apart) > touch * touch * (1.0 + 1e-12)) return;
  } else if (ahead.time > 0.0) {
    margin += ahead.time * (norm(velocity[a] - around.velocity[j]) + surface_speed(bodies, a));
  }
  Passage<D> passage;
  const bool may_pass = ahead.step > 0.0 && !is_wall(pair.b);
  if (may_pass) {
    const auto mover = [&](std::size_t i, const Vec<D>& shift, const Vec<D>& drift) {
      return Mover<D>{{poses[i].position + shift, poses[i].rotation},
                      bodies.state.orientation[i],
                      velocity[i] + drift,
                      bodies.is_round(i) ? Spin<D>{} : bodies.state.spin[i],
                      is_new && bodies.is_free(i) ? fall_steps * ahead.step * around.fall : Vec<D>{}};
    };
    passage = {mover(a, {}, {}), mover(j, pair.shift, pair.drift), ahead.step, ahead.slack, ahead.time > 0.0};
  }
  finder_.find(bodies, poses, around, pair.a, pair.b, margin, points, pair.shift, may_pass ? &passage : nullptr);
  if (!(ahead.time > 0.0)) return;
  // The margin was for the fastest point; keep those that come near enough themselves.
  const auto velocity_at = [&](std::size_t i, const Vec<D>& point) {
    return velocity[i] + cross(bodies.state.spin[i], point - poses[i].position);
  };
  std::erase_if(points, [&](const TouchingPoint<D>& t) {
    const Vec<D> u =
        velocity_at(a, t.point) - (is_wall(pair.b) ? around.velocity[j] : velocity_at(j, t.point - pair.shift) + pair.drift);
    return !(t.gap <= ahead.distance + ahead.time * std::max(0.0, -dot(u, t.normal)));
  });
}

template <int D>
void PairPoints<D>::recall(const Bodies<D>& bodies, const Pair& pair, const ContactTable<D>& previous, std::uint32_t begin,
                           std::uint32_t end) {
  double reach = bodies.parameters.radius[static_cast<std::size_t>(pair.a)];
  if (!is_wall(pair.b)) reach = std::min(reach, bodies.parameters.radius[static_cast<std::size_t>(pair.b)]);
  recalled.assign(points.size(), -1);
  if (previous.feature.empty()) return;  // a wall became a mesh between two runs
  taken_.assign(end - begin, 0);
  continue_points(points.data(), points.size(), previous.feature.data() + begin, previous.point.data() + begin, end - begin, reach,
                  taken_.data(), recalled.data());
  for (std::int32_t& row : recalled)
    if (row >= 0) row += static_cast<std::int32_t>(begin);
}

template class PairPoints<2>;
template class PairPoints<3>;

}  // namespace moreau::inline contact

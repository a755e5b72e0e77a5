#include "moreau/scene/generate/check_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "moreau/contact/touching_points.hpp"
#include "moreau/scene/generate/cell_grid.hpp"

namespace moreau::inline scene {

template <int D>
std::string words(const Vec<D>& v) {
  std::string text = "(";
  for (int i = 0; i < D; ++i) text += (i == 0 ? "" : ", ") + fmt::format("{}", v[i]);
  return text + ")";
}

template <int D>
Vec<D> start_position(const Scene<D>& scene, std::size_t body) {
  return scene.bodies.parameters.origin[body] + start_shift(scene.model, scene.bodies.parameters.motion[body]);
}

template <int D>
Pose<D> start_pose(const Scene<D>& scene, std::size_t body) {
  return {start_position(scene, body), matrix_of(scene.bodies.state.orientation[body])};
}

template <int D>
std::string body_words(const GrainEntries<D>& entries, const Scene<D>& scene, std::size_t body) {
  const Entry& entry = entries.entry_of(body);
  const std::string at = words(start_position(scene, body));
  for (const NamedBodies& named : scene.named)  // a block that has a name of its own
    if (named.first == body && named.count == 1) return fmt::format("'{}' ({}) at {}", named.name, entry.path, at);
  if (!entry.each.empty()) return fmt::format("{} {} of '{}' at {}", entry.each, body - entry.first_body + 1, entry.path, at);
  if (!scene.bodies.is_round(body)) return fmt::format("'{}' at {}", entry.path, at);
  return fmt::format("'{}' at {} with radius {}", entry.path, at, scene.bodies.parameters.radius[body]);
}

namespace {

template <int D>
class BlockCheck {
 public:
  BlockCheck(const GrainEntries<D>& entries, const Scene<D>& scene, Mistakes& mistakes)
      : entries_(entries), scene_(scene), mistakes_(mistakes) {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      poses_.push_back(start_pose(scene, i));
      grid_.insert({poses_[i].position, scene.bodies.parameters.radius[i], static_cast<std::int32_t>(i)});
    }
    for (const auto& wall : scene.model.walls) shift_.push_back(start_shift(scene.model, wall.motion));
    at_rest_.assign(shift_.size(), {});
  }

  void run() {
    const Bodies<D>& bodies = scene_.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies.is_round(i)) continue;
      if (bodies.is_free(i)) against_walls(i);
      grid_.any_near(poses_[i].position, bodies.parameters.radius[i], [&](const auto& ball) {
        const std::size_t j = static_cast<std::size_t>(ball.body);
        const bool once = bodies.is_round(j) || j < i;
        if (once && j != i && (bodies.is_free(i) || bodies.is_free(j))) against_body(i, j);
        return false;
      });
    }
    mistakes_.refuse_if_any();
  }

 private:
  double deepest(std::size_t i, std::int32_t other) {
    points_.clear();
    finder_.find(scene_.bodies, poses_, {scene_.model.walls, shift_, at_rest_}, static_cast<std::int32_t>(i), other, 0.0,
                 points_);
    double depth = 0.0;
    for (const auto& point : points_) depth = std::max(depth, -point.gap);
    return depth;
  }

  void against_walls(std::size_t i) {
    const double radius = scene_.bodies.parameters.radius[i];
    for (std::size_t w = 0; w < shift_.size(); ++w) {
      const double depth = deepest(i, ~static_cast<std::int32_t>(w));
      if (depth > overlap_tolerance * radius)
        mistakes_.add(entries_.entry_of(i).location,
                      fmt::format("{} overlaps wall '{}' by {:.4g}; accepted: free blocks on the side of the wall's normal, that "
                                  "overlap nothing at the start",
                                  body_words(entries_, scene_, i), scene_.model.walls[w].name, depth));
    }
  }

  void against_body(std::size_t i, std::size_t j) {
    const auto& radius = scene_.bodies.parameters.radius;
    if (norm(poses_[i].position - poses_[j].position) > radius[i] + radius[j]) return;
    const double depth = deepest(i, static_cast<std::int32_t>(j));
    if (!(depth > overlap_tolerance * std::min(radius[i], radius[j]))) return;
    const Location location_i = entries_.entry_of(i).location, location_j = entries_.entry_of(j).location;
    const bool i_later = location_i == location_j ? i > j : location_j < location_i;
    mistakes_.add(
        i_later ? location_i : location_j,
        fmt::format("{} overlaps {} by {:.4g}; accepted: free blocks that overlap nothing at the start",
                    body_words(entries_, scene_, i_later ? i : j), body_words(entries_, scene_, i_later ? j : i), depth));
  }

  const GrainEntries<D>& entries_;
  const Scene<D>& scene_;
  Mistakes& mistakes_;
  std::vector<Pose<D>> poses_;
  std::vector<Vec<D>> shift_, at_rest_;
  CellGrid<D> grid_;
  PointFinder<D> finder_;
  std::vector<TouchingPoint<D>> points_;
};

}  // namespace

template <int D>
void check_blocks(const GrainEntries<D>& entries, const Scene<D>& scene, Mistakes& mistakes) {
  if (!scene.bodies.all_round()) BlockCheck<D>(entries, scene, mistakes).run();
}

#define MOREAU_INSTANTIATE(D)                                                               \
  template std::string words<D>(const Vec<D>&);                                             \
  template std::string body_words<D>(const GrainEntries<D>&, const Scene<D>&, std::size_t); \
  template Vec<D> start_position<D>(const Scene<D>&, std::size_t);                          \
  template Pose<D> start_pose<D>(const Scene<D>&, std::size_t);                             \
  template void check_blocks<D>(const GrainEntries<D>&, const Scene<D>&, Mistakes&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline scene

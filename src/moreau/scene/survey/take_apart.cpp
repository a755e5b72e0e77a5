#include "moreau/scene/survey/take_apart.hpp"

#include <algorithm>

#include "moreau/contact/touching_points.hpp"
#include "moreau/scene/generate/block_builder.hpp"
#include "moreau/scene/generate/cell_grid.hpp"
#include "moreau/scene/generate/check_blocks.hpp"

namespace moreau::inline scene {
namespace {

constexpr int most_sweeps = 60, most_rounds = 12;

struct StonePair {
  std::size_t a;  // a stone of the survey
  std::int32_t b;
};

// The scene with the stones, as they are now.
template <int D>
class SurveySite {
 public:
  SurveySite(const std::vector<StoneCorners<D>>& stones, const Scene<D>& scene) : scene_(scene), bodies_(scene.bodies) {
    first_ = bodies_.size();
    for (const auto& stone : stones) {
      const PlacedShape<D> placed = make_convex_shape<D>(stone.corners);
      const std::int32_t shape = add_shape(bodies_, placed.shape);
      bodies_.append(block_of(bodies_, shape, stone.kind, placed.centre, placed.orientation));
    }
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      poses_.push_back(i < first_ ? start_pose(scene, i)
                                  : Pose<D>{bodies_.state.position[i], matrix_of(bodies_.state.orientation[i])});
    for (const auto& wall : scene.model.walls) shift_.push_back(start_shift(scene.model, wall.motion));
    at_rest_.assign(shift_.size(), {});
  }

  // All pairs that may meet while stones move by `margin`.
  std::vector<StonePair> pairs(double margin) {
    CellGrid<D> grid;
    const auto& radius = bodies_.parameters.radius;
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      grid.insert({poses_[i].position, radius[i] + margin, static_cast<std::int32_t>(i)});
    std::vector<StonePair> list;
    for (std::size_t i = first_; i < bodies_.size(); ++i) {
      if (bodies_.is_free(i))
        for (std::size_t w = 0; w < shift_.size(); ++w) list.push_back({i, ~static_cast<std::int32_t>(w)});
      const std::size_t begin = list.size();
      grid.any_near(poses_[i].position, radius[i] + margin, [&](const auto& ball) {
        const std::size_t j = static_cast<std::size_t>(ball.body);
        const bool once = j < first_ || j < i;
        if (once && j != i && (bodies_.is_free(i) || bodies_.is_free(j))) list.push_back({i, ball.body});
        return false;
      });
      std::sort(list.begin() + static_cast<std::ptrdiff_t>(begin), list.end(),
                [](const StonePair& p, const StonePair& q) { return p.b < q.b; });  // the grid's order is no order to rely on
    }
    return list;
  }

  // Deepest overlap of a pair, and its normal towards a; 0 where there is none that counts.
  double overlap(const StonePair& pair, Vec<D>& normal) {
    points_.clear();
    finder_.find(bodies_, poses_, {scene_.model.walls, shift_, at_rest_}, static_cast<std::int32_t>(pair.a), pair.b, 0.0,
                 points_);
    double depth = 0.0;
    for (const auto& point : points_)
      if (-point.gap > depth) depth = -point.gap, normal = point.normal;
    const double r = bodies_.parameters.radius[pair.a];
    const double size = is_wall(pair.b) ? r : std::min(r, bodies_.parameters.radius[static_cast<std::size_t>(pair.b)]);
    return depth > 0.5 * overlap_tolerance * size ? depth : 0.0;
  }

  bool can_move(std::int32_t body) const {
    return !is_wall(body) && static_cast<std::size_t>(body) >= first_ && bodies_.is_free(static_cast<std::size_t>(body));
  }
  void move(std::int32_t body, const Vec<D>& by) { poses_[static_cast<std::size_t>(body)].position += by; }
  Vec<D> moved(std::size_t stone) const { return poses_[first_ + stone].position - bodies_.state.position[first_ + stone]; }
  std::size_t first() const { return first_; }
  double reach(std::size_t stone) const { return bodies_.parameters.radius[first_ + stone]; }
  const Vec<D>& middle(std::size_t stone) const { return bodies_.state.position[first_ + stone]; }

 private:
  const Scene<D>& scene_;
  Bodies<D> bodies_;
  std::size_t first_ = 0;
  std::vector<Pose<D>> poses_;
  std::vector<Vec<D>> shift_, at_rest_;
  PointFinder<D> finder_;
  std::vector<TouchingPoint<D>> points_;
};

}  // namespace

template <int D>
TakenApart take_apart(std::vector<StoneCorners<D>>& stones, const Scene<D>& scene, double allowed) {
  TakenApart result;
  std::vector<double> factor(stones.size(), 1.0);
  std::vector<Vec<D>> path(stones.size());
  const double farthest = 3.0 * allowed;
  for (int round = 0; round < most_rounds; ++round) {
    SurveySite<D> site(stones, scene);
    const std::vector<StonePair> pairs = site.pairs(2.0 * farthest);
    if (round == 0) {
      for (const StonePair& pair : pairs) {
        Vec<D> normal{};
        const double depth = site.overlap(pair, normal);
        result.deepest = std::max(result.deepest, depth);
        result.overlapping += depth > 0.0 ? 1 : 0;
      }
      result.clean = result.deepest <= allowed;
      if (!result.clean) return result;
    }
    std::vector<double> depth_of(stones.size());  // overlap that is left, by stone
    bool clean = false;
    for (int sweep = 0; sweep < most_sweeps && !clean; ++sweep) {
      clean = true;
      std::ranges::fill(depth_of, 0.0);
      for (const StonePair& pair : pairs) {
        Vec<D> normal{};
        const double depth = site.overlap(pair, normal);
        if (depth == 0.0) continue;
        clean = false;
        const std::int32_t a = static_cast<std::int32_t>(pair.a);
        const bool a_moves = site.can_move(a), b_moves = site.can_move(pair.b);
        const double each = (1.0 + 1e-6) * depth * (a_moves && b_moves ? 0.5 : 1.0);
        for (const auto& [body, sign] : {std::pair{a, a_moves ? 1.0 : 0.0}, std::pair{pair.b, b_moves ? -1.0 : 0.0}}) {
          if (sign == 0.0) continue;
          const std::size_t stone = static_cast<std::size_t>(body) - site.first();
          depth_of[stone] = std::max(depth_of[stone], depth);
          if (norm(path[stone] + site.moved(stone) + sign * each * normal) <= farthest) site.move(body, sign * each * normal);
        }
      }
    }
    for (std::size_t i = 0; i < stones.size(); ++i) {
      const Vec<D> by = site.moved(i);
      const double shrink = clean ? 1.0 : 1.0 - 2.0 * depth_of[i] / site.reach(i);
      for (Vec<D>& corner : stones[i].corners) corner = site.middle(i) + by + shrink * (corner - site.middle(i));
      path[i] += by;
      factor[i] *= shrink;
    }
    result.clean = clean;
    if (clean) break;
  }
  for (std::size_t i = 0; i < stones.size(); ++i) {
    result.moved += norm(path[i]) > 0.0 ? 1 : 0;
    result.farthest = std::max(result.farthest, norm(path[i]));
    result.shrunk += factor[i] < 1.0 ? 1 : 0;
    result.smallest = std::min(result.smallest, factor[i]);
  }
  return result;
}

template TakenApart take_apart(std::vector<StoneCorners<2>>&, const Scene<2>&, double);
template TakenApart take_apart(std::vector<StoneCorners<3>>&, const Scene<3>&, double);

}  // namespace moreau::inline scene

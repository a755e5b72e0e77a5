#include "moreau/scene/generate/place_grains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "moreau/scene/generate/check_blocks.hpp"
#include "moreau/scene/generate/generate.hpp"
#include "moreau/scene/generate/occupancy.hpp"
#include "moreau/scene/generate/pavement.hpp"

namespace moreau::inline scene {
namespace {

// In a periodic cell a grain may be given anywhere: its copy inside is the one that is kept.
template <int D>
void fold_listed(std::size_t listed, Scene<D>& scene) {
  if (!scene.model.cell.start.any()) return;
  Bodies<D>& bodies = scene.bodies;
  for (std::size_t i = 0; i < listed; ++i)
    if (bodies.parameters.motion[i] < 0)
      bodies.state.position[i] = bodies.parameters.origin[i] = scene.model.cell.start.folded(bodies.state.position[i]);
}

// The largest first: a search then meets only balls at least as large as the one sought.
template <int D>
void check_listed(const GrainEntries<D>& entries, const Scene<D>& scene, Occupancy<D>& occupancy, Mistakes& mistakes) {
  const std::vector<Entry>& listed = entries.listed;
  const auto& radius = scene.bodies.parameters.radius;
  std::vector<std::size_t> order(listed.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return radius[a] > radius[b]; });
  for (const std::size_t i : order) {
    const Vec<D> centre = start_position(scene, i);
    const bool is_free = scene.bodies.is_free(i);
    const auto hit = is_free ? occupancy.obstacle(centre, radius[i], overlap_tolerance, CellBorder::open)
                             : occupancy.free_obstacle(centre, radius[i], overlap_tolerance);
    if (hit && hit->wall >= 0) {
      const std::size_t w = static_cast<std::size_t>(hit->wall);
      const std::string ball = body_words(entries, scene, i);
      const std::string& wall = scene.model.walls[w].name;
      if (hit->overlap > radius[i])
        mistakes.add(listed[i].location,
                     fmt::format("{} lies outside wall '{}', its centre {} beyond it; accepted: grains on the side of "
                                 "the wall's normal",
                                 ball, wall, hit->overlap - radius[i]));
      else
        mistakes.add(listed[i].location,
                     fmt::format("{} overlaps wall '{}' by {:.4g}; accepted: grains that overlap nothing at the start", ball,
                                 wall, hit->overlap));
    } else if (hit) {
      const std::size_t j = static_cast<std::size_t>(hit->body), later = std::max(i, j), earlier = std::min(i, j);
      mistakes.add(listed[later].location,
                   fmt::format("{} overlaps {} by {:.4g}; accepted: free grains that overlap nothing at the start",
                               body_words(entries, scene, later), body_words(entries, scene, earlier), hit->overlap));
    }
    occupancy.add(static_cast<std::int32_t>(i), centre, radius[i], is_free);
  }
  mistakes.refuse_if_any();
}

template <int D>
void lay_floor(Floor<D>& floor, RandomStream random, const SceneLimits& limits, const GrainEntries<D>& entries, Scene<D>& scene,
               Occupancy<D>& occupancy, Mistakes& mistakes) {
  const std::uint64_t most = limits.grains - std::min<std::uint64_t>(limits.grains, scene.bodies.size());
  const double across = 2.0 * floor.extent / (2.0 * floor.sizes.largest()) * (D == 2 ? 0.5 : 0.4);
  const double at_least = D == 2 ? across : across * across;  // fewer cannot cover it
  const auto refuse_size = [&] {
    mistakes.refuse(floor.entry.location, fmt::format("'{}' brings the scene to more than {} grains; accepted: a smaller "
                                                      "extent or larger grains",
                                                      floor.entry.path, limits.grains));
  };
  if (at_least > static_cast<double>(most)) refuse_size();
  const auto stones = pave(floor, random, most);
  if (stones.size() > most) refuse_size();
  floor.entry.first_body = scene.bodies.size();
  const Vec<D> shift = start_shift(scene.model, floor.kind.motion);
  for (const auto& stone : stones) {
    if (const auto hit = occupancy.free_obstacle(stone.position + shift, stone.radius, overlap_tolerance)) {
      const auto i = static_cast<std::size_t>(hit->body);
      mistakes.refuse(
          entries.entry_of(i).location,
          fmt::format("{} overlaps a grain of '{}' at {} by {:.4g}; accepted: bodies that overlap nothing at the start",
                      body_words(entries, scene, i), floor.entry.path, words(stone.position + shift), hit->overlap));
    }
    occupancy.add(static_cast<std::int32_t>(scene.bodies.size()), stone.position + shift, stone.radius, false);
    append_grain(scene.bodies, floor.kind, stone.position, stone.radius);
  }
}

// At most so many grains of a source that goes on as long as the run does: as many as its rate brings in phases of known duration, and
// in those that end by a number of bodies alone no more than that number, and one step. Nothing if a phase knows no bound.
template <int D>
std::optional<double> most_of_endless(const Source<D>& source, const Scene<D>& scene) {
  double most = 0.0;
  for (const Phase<D>& phase : scene.phases) {
    if (std::isfinite(phase.duration)) {
      most += source.rate * phase.duration;
      continue;
    }
    EndConditions others = phase.end;
    others.bodies.reset();
    if (!phase.end.bodies || others.any() || !scene.model.sinks.empty()) return std::nullopt;
    most += static_cast<double>(*phase.end.bodies) + source.rate * std::max(phase.model.time_step, phase.end.at_least);
  }
  return most;
}

// Grains known to come from counts, before any is made.
template <int D>
void check_counts(const GrainEntries<D>& entries, const Scene<D>& scene, const SceneNames& names, const SceneLimits& limits,
                  Mistakes& mistakes) {
  double total = static_cast<double>(scene.bodies.size());
  const auto check = [&](Location location, const std::string& path) {
    if (total > static_cast<double>(limits.grains))
      mistakes.refuse(location, fmt::format("'{}' brings the scene to {:.4g} grains; accepted: at most {} in all", path, total,
                                            limits.grains));
  };
  if (!entries.listed.empty()) check(entries.listed.back().location, entries.listed.back().path);
  if (!entries.blocks.empty()) check(entries.blocks.back().location, entries.blocks.back().path);
  for (const auto& group : entries.groups) {
    total += static_cast<double>(group.count.value_or(0));
    check(group.entry.location, group.entry.path);
  }
  for (std::size_t i = 0; i < scene.model.sources.size(); ++i) {
    const Source<D>& source = scene.model.sources[i];
    const double time = std::max(0.0, std::min(source.end, scene.duration) - source.start), count = static_cast<double>(source.count);
    const bool counted = source.count < std::numeric_limits<std::uint64_t>::max();
    if (std::isfinite(time)) {
      total += std::min(count, source.rate * time);
    } else {
      const std::optional<double> most = most_of_endless(source, scene);
      if (!most && !counted)
        mistakes.refuse(names.sources.location(i),
                        fmt::format("the source '{}' goes on without end in a phase that has no duration; accepted: a 'count' or an "
                                    "'end' of the source, or phases that end by 'bodies' alone, without sinks",
                                    source.name));
      total += std::min(count, most.value_or(count));
    }
    check(names.sources.location(i), source.name);
  }
}

// Walls at rest, along gravity or across it: nothing that would push a column over.
template <int D>
bool walls_are_upright(const std::vector<Wall<D>>& walls, int axis) {
  return std::ranges::all_of(walls, [&](const Wall<D>& wall) {
    const double along = std::abs(wall.geometry.direction[axis]);
    const bool upright = wall.geometry.shape == WallShape::plane
                             ? along == 1.0 || along == 0.0
                             : wall.geometry.shape == WallShape::cylinder && D == 3 && along == 1.0;
    return upright && wall.motion < 0 && wall.turning < 0 && wall.surface < 0;
  });
}

// Round bodies on a lattice along gravity, with nothing random, stand on their lowest points and stay there: an equilibrium,
// however high the column.
template <int D>
void foresee_columns(const Group<D>& group, Scene<D>& scene) {
  if (!group.lattice || group.jitter > 0.0 || group.recipe || group.kind.kind != BodyKind::free) return;
  if (group.random_speed > 0.0 || group.rms_speed > 0.0) return;
  const Bodies<D>& bodies = scene.bodies;
  if (std::ranges::any_of(bodies.parameters.kind, [](BodyKind kind) { return kind != BodyKind::free; }))
    return;  // as slopes may be
  const std::size_t first = group.entry.first_body;
  int most = 1;
  for (const Phase<D>& phase : scene.phases) {
    const Vec<D>& gravity = phase.model.gravity;
    for (int axis = 0; axis < D; ++axis) {
      if (phase.model.tilt.acts() || gravity[axis] == 0.0 || std::abs(gravity[axis]) != norm(gravity)) continue;
      if (!walls_are_upright(phase.model.walls, axis)) continue;
      int column = 0;  // of the first body
      for (std::size_t i = first; i < bodies.size(); ++i) {
        Vec<D> aside = bodies.state.position[i] - bodies.state.position[first];
        aside[axis] = 0.0;
        column += norm(aside) == 0.0 ? 1 : 0;
      }
      most = std::max(most, column);
    }
  }
  if (most > 1)
    scene.warnings.add(
        {WarningKind::stacking, static_cast<double>(most), 1.0, fmt::format("the grains of '{}'", group.entry.path)});
}

}  // namespace

template <int D>
void place_grains(GrainEntries<D>& entries, Scene<D>& scene, const SceneNames& names, const SceneLimits& limits,
                  Mistakes& mistakes) {
  check_counts(entries, scene, names, limits, mistakes);
  fold_listed(entries.listed.size(), scene);
  Occupancy<D> occupancy(scene.model);
  check_listed(entries, scene, occupancy, mistakes);
  check_blocks(entries, scene, mistakes);
  for (std::size_t i = entries.listed.size(); i < scene.bodies.size(); ++i)
    occupancy.add_block(static_cast<std::int32_t>(i), scene.bodies.shape(i), start_pose(scene, i), scene.bodies.is_free(i));
  const auto left = [&] { return limits.grains - std::min<std::uint64_t>(limits.grains, scene.bodies.size()); };
  for (std::size_t i = 0; i < entries.floors.size(); ++i)
    lay_floor(entries.floors[i], stream_of(scene.seed, DrawKind::floor, i), limits, entries, scene, occupancy, mistakes);
  std::size_t count[2] = {0, 0};  // groups of grains and of blocks draw from streams of their own
  for (auto& group : entries.groups) {
    group.entry.first_body = scene.bodies.size();
    const DrawKind kind = group.recipe ? DrawKind::block_group : DrawKind::group;
    generate_group(group, stream_of(scene.seed, kind, count[group.recipe ? 1 : 0]++), left(), scene.model, scene.bodies,
                   occupancy, mistakes);
    foresee_columns(group, scene);
  }
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {  // driven bodies start where, and as fast as, their motion says
    const std::int32_t motion = scene.bodies.parameters.motion[i];
    if (motion < 0) continue;
    scene.bodies.state.position[i] = start_position(scene, i);
    const RigidVelocity<D> start = rigid_velocity(scene.model.motions[static_cast<std::size_t>(motion)], 0.0);
    scene.bodies.state.velocity[i] = start.at(scene.bodies.state.position[i]);
    scene.bodies.state.spin[i] = start.spin;
  }
}

template void place_grains<2>(GrainEntries<2>&, Scene<2>&, const SceneNames&, const SceneLimits&, Mistakes&);
template void place_grains<3>(GrainEntries<3>&, Scene<3>&, const SceneNames&, const SceneLimits&, Mistakes&);

}  // namespace moreau::inline scene

#include "moreau/scene/foresee.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "moreau/geometry/mesh_inside.hpp"
#include "moreau/geometry/thickness.hpp"
#include "moreau/scene/generate/source_grains.hpp"

namespace moreau::inline scene {
namespace {

constexpr double stacking_warned = 1.2;  // free falls through a diameter while a source brings a layer
constexpr double most_looks = 1e9;       // at faces of closed meshes, of all bodies together: a second or two
constexpr double right_angle = 1e-9;     // cosine that is taken for zero

double largest_friction(const PairLaw& law) {
  double most = std::max({law.friction, law.static_friction, law.cross_friction});
  for (const double value : law.friction_at_speed.value) most = std::max(most, value);
  return most;
}

template <int D>
void foresee_friction(Scene<D>& scene) {
  const std::vector<Material>& materials = scene.model.materials;
  const std::size_t n = materials.size();
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a; b < n; ++b) {
      double most = 0.0;
      for (const Phase<D>& phase : scene.phases)  // springs have a force for every friction
        if (phase.model.engine != EngineKind::soft) most = std::max(most, largest_friction(phase.model.pair_laws[a * n + b]));
      if (most > friction_warned)
        scene.warnings.add({WarningKind::friction, most, friction_warned,
                            fmt::format("materials '{}' and '{}'", materials[a].name, materials[b].name)});
    }
}

// Two bodies alone bounce exactly under either rule. Of the last phase of Contact Dynamics: one that only stirs what is pressed
// afterwards may lose some energy.
template <int D>
void foresee_bounce(Scene<D>& scene) {
  const std::vector<Material>& materials = scene.model.materials;
  const std::size_t n = materials.size();
  std::size_t free = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) free += scene.bodies.is_free(i) ? 1 : 0;
  if (free < 3 && scene.model.sources.empty()) return;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a; b < n; ++b) {
      double most = 0.0;
      for (const Phase<D>& phase : scene.phases) {
        if (phase.model.engine != EngineKind::rigid) continue;
        most = 0.0;
        if (phase.model.rule != ContactRule::predictive) continue;
        const PairLaw& law = phase.model.pair_laws[a * n + b];
        most = law.normal_restitution;
        for (const double value : law.restitution_at_speed.value) most = std::max(most, value);
      }
      if (most > 0.0)
        scene.warnings.add(
            {WarningKind::bounce, most, 0.0, fmt::format("materials '{}' and '{}'", materials[a].name, materials[b].name)});
    }
}

template <int D>
void foresee_frames(Scene<D>& scene) {
  for (const Phase<D>& phase : scene.phases)
    if (std::isfinite(scene.duration) && phase.output.frame_interval > scene.duration * (1.0 + 1e-9))
      return static_cast<void>(scene.warnings.add({WarningKind::frames, phase.output.frame_interval, scene.duration, "the run"}));
}

// With the speed of the start and what gravity adds in a step; of the first phase of which there is something to say.
template <int D>
void foresee_travel(Scene<D>& scene) {
  const Bodies<D>& bodies = scene.bodies;
  for (std::size_t k = 0; k < scene.phases.size(); ++k) {
    const Model<D>& model = scene.phases[k].model;
    if (model.engine != EngineKind::rigid && model.engine != EngineKind::soft) continue;  // the others know no free fall
    const double h = model.time_step, gained = h * norm(model.gravity);
    Warning worst{WarningKind::travel, 0.0, travel_warned, "", 0, 0.0, 0};
    const auto expect = [&](double speed, double radius, const char* who, std::size_t number) {
      const double path = h * (speed + gained) / radius;
      if (!(path > travel_warned)) return;
      ++worst.count;
      if (path > worst.value) worst.value = path, worst.where = fmt::format("{} {}", who, number);
    };
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (!bodies.is_free(i)) continue;
      const double half = bodies.is_round(i) ? bodies.parameters.radius[i] : 0.5 * thickness(bodies.shape(i));
      const double turning = bodies.is_round(i) ? 0.0 : norm(bodies.state.spin[i]) * bodies.parameters.radius[i];
      expect(k == 0 ? norm(bodies.state.velocity[i]) + turning : 0.0, half, "body", i);
    }
    for (std::size_t s = 0; s < model.sources.size(); ++s)
      expect(0.0, smallest_grain(model.sources[s], bodies), "the smallest grain of source", s + 1);
    if (worst.count == 0) continue;
    scene.warnings.add(worst);
    return;
  }
}

// Gravity meets this wall, no mesh: a plane that faces it, or a cylinder across it.
template <int D>
bool faces_gravity(const Wall<D>& wall, const Vec<D>& down) {
  const Vec<D>& direction = wall.geometry.direction;
  if (wall.geometry.shape == WallShape::plane) return dot(direction, down) < -right_angle;
  return D == 2 || std::abs(dot(direction, down)) < 1.0 - right_angle;
}

// Gravity meets no wall at all.
template <int D>
bool falls_for_ever(const Model<D>& model, const Vec<D>& down) {
  return std::ranges::none_of(
      model.walls, [&](const Wall<D>& wall) { return wall.geometry.shape == WallShape::mesh || faces_gravity(wall, down); });
}

// A body that does not move freely, further along gravity than the tops of the free ones are on average, may be there to catch
// them, or they hang over it.
template <int D>
bool may_be_caught(const Bodies<D>& bodies, const Vec<D>& down) {
  double mean = 0.0, free = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_free(i)) mean += dot(bodies.state.position[i], down) - bodies.parameters.radius[i], free += 1.0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!bodies.is_free(i) && (free == 0.0 || dot(bodies.parameters.origin[i], down) >= mean / free)) return true;
  return false;
}

// The largest body that a source brings: its diameter and its mass.
struct Brought {
  double diameter = 0.0, mass = 0.0;
};
template <int D>
Brought largest_brought(const Source<D>& source, const std::vector<Shape<D>>& shapes) {
  Brought most;
  const auto consider = [&](double radius, double mass) {
    most = {std::max(most.diameter, 2.0 * radius), std::max(most.mass, mass)};
  };
  if (source.mixture.empty()) consider(source.sizes.largest(), ball_mass<D>(source.sizes.largest(), source.density));
  for (const SourceKind& kind : source.mixture)
    if (kind.shape < 0) {
      consider(kind.sizes.largest(), ball_mass<D>(kind.sizes.largest(), kind.density));
    } else {
      const Shape<D>& shape = shapes[static_cast<std::size_t>(kind.shape)];
      consider(shape.reach, kind.density * shape.volume);
    }
  return most;
}

// Grains of a source come at rest on what lies there, and the next ones on them unless they have fallen away. Side by side over
// the spread lie as many as make a layer; while that is brought, a grain should fall through a diameter at least.
template <int D>
void foresee_stacking(Scene<D>& scene) {
  constexpr double packed = D == 2 ? 1.0 : 0.9;  // share of a disc that smaller discs fill
  const Model<D>& model = scene.phases.front().model;
  const double gravity = norm(model.gravity);
  if (!(gravity > 0.0)) return;
  for (const Source<D>& source : model.sources) {
    const auto [diameter, mass] = largest_brought(source, scene.bodies.shapes);
    const double across = (2.0 * source.spread + diameter) / diameter;
    const double layer = std::max(1.0, D == 2 ? across : packed * across * across);  // grains
    // A rate of mass brings at least as many as it would of the largest.
    const double rate = source.mass_rate > 0.0 ? source.mass_rate / mass : source.rate;
    const double fall = std::sqrt(2.0 * diameter / gravity), filled = layer / rate;
    if (static_cast<double>(source.count) <= layer || fall <= stacking_warned * filled) continue;
    scene.warnings.add({WarningKind::stacking, fall / filled, 0.0, fmt::format("source '{}'", source.name)});
  }
}

// Bodies hang on what holds them by cohesion, mortar or a bond, or are clamped by a piston.
template <int D>
bool may_hang(const Model<D>& model) {
  return !model.pistons.empty() || std::ranges::any_of(model.pair_laws, [](const PairLaw& law) { return law.cohesion > 0.0 || law.joint.tension > 0.0; });
}

template <int D>
void foresee_fall(Scene<D>& scene) {
  const Model<D>& model = scene.phases.front().model;
  if (!(norm(model.gravity) > 0.0) || !model.sinks.empty() || scene.warnings.find(WarningKind::gap) || may_hang(model)) return;
  const Vec<D> down = normalized(model.gravity);
  if (!falls_for_ever(model, down) || may_be_caught(scene.bodies, down)) return;
  for (int d = 0; d < D; ++d)  // those that fall out of a periodic cell come back above
    if (model.cell.start.periodic[d] && std::abs(down[d]) > right_angle) return;
  std::size_t free = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) free += scene.bodies.is_free(i) ? 1 : 0;
  const std::string who = free > 0 ? fmt::format("{} free bod{}", free, free == 1 ? "y" : "ies") : "the grains of the sources";
  scene.warnings.add({WarningKind::nothing_below, static_cast<double>(free), 0.0, who});
}

// Grains that were meant to fill a closed mesh and start beyond it. None is meant where no other body is inside, or where
// something else may catch them: another wall, a body that does not move freely, a sink, a cell.
template <int D>
void foresee_outside(Scene<D>& scene) {
  const Model<D>& model = scene.phases.front().model;
  const Bodies<D>& bodies = scene.bodies;
  if (!model.sinks.empty() || model.cell.start.any() || may_hang(model)) return;
  const bool falls = norm(model.gravity) > 0.0;
  const Vec<D> down = falls ? normalized(model.gravity) : Vec<D>{};
  std::vector<const Wall<D>*> closed;
  for (const Wall<D>& wall : model.walls) {
    const bool mesh = wall.geometry.shape == WallShape::mesh;
    if (mesh && borders_of(wall.geometry.mesh->mesh).closed())
      closed.push_back(&wall);
    else if (mesh || !falls || faces_gravity(wall, down))
      return;
  }
  if (closed.empty() || (falls && may_be_caught(bodies, down))) return;
  std::vector<std::uint8_t> is_inside(bodies.size(), 0);
  const Wall<D>* holder = nullptr;
  std::size_t held = 0;
  for (const Wall<D>* wall : closed) {
    const MeshInside<D> mesh(wall->geometry.mesh->mesh);
    if (static_cast<double>(mesh.most_looked_at()) * static_cast<double>(bodies.size()) > most_looks) return;
    const Vec<D> at = wall->geometry.point +
                      (wall->motion >= 0 ? displacement(model.motions[static_cast<std::size_t>(wall->motion)], 0.0) : Vec<D>{});
    std::size_t count = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (bodies.is_free(i) && mesh.holds(bodies.state.position[i] - at)) is_inside[i] = 1, ++count;
    if (count > held) held = count, holder = wall;
  }
  if (!holder) return;
  std::size_t free = 0, out = 0, first = 0;
  for (std::size_t i = bodies.size(); i-- > 0;) {
    if (!bodies.is_free(i)) continue;
    ++free;
    if (!is_inside[i]) ++out, first = i;
  }
  if (out == 0) return;
  std::string place;
  for (int d = 0; d < D; ++d) place += fmt::format("{}{:.4g}", d > 0 ? ", " : "", bodies.state.position[first][d]);
  scene.warnings.add(
      {WarningKind::outside, static_cast<double>(out), static_cast<double>(free),
       fmt::format("'{}', in which others are ({}body {} at ({}))", holder->name, out > 1 ? "the first: " : "", first, place)});
}

template <int D>
void foresee_gap(Scene<D>& scene, const std::vector<OpenSide<D>>& open) {
  const Model<D>& model = scene.phases.front().model;
  if (!(norm(model.gravity) > 0.0) || !model.sinks.empty() || model.cell.start.any()) return;
  const Vec<D> down = normalized(model.gravity);
  if (!falls_for_ever(model, down) || may_be_caught(scene.bodies, down)) return;
  for (const OpenSide<D>& side : open)
    if (const double out = dot(side.outwards, down); out > right_angle)
      scene.warnings.add({WarningKind::gap, out, 0.0, side.name});
}

// A motion that no wall and no body takes does nothing, whatever phases make of it.
template <int D>
void foresee_idle_motions(Scene<D>& scene) {
  const Model<D>& model = scene.model;
  for (std::size_t m = 0; m < model.motions.size(); ++m) {
    const std::int32_t number = static_cast<std::int32_t>(m);
    const bool taken = std::ranges::count(scene.bodies.parameters.motion, number) > 0 ||
                       std::ranges::any_of(model.walls, [&](const Wall<D>& wall) {
                         return wall.motion == number || wall.turning == number || wall.surface == number;
                       });
    if (!taken)
      scene.warnings.add({WarningKind::ignored, 1.0, 3.0, fmt::format("the motion '{}'", model.motions[m].name)});
  }
}

// The middle of a step knows the mean acceleration of the step: what shakes faster is smoothed away.
template <int D>
void foresee_record(Scene<D>& scene) {
  double step = 0.0;
  for (const Phase<D>& phase : scene.phases) step = std::max(step, phase.model.time_step);
  for (const Motion<D>& motion : scene.model.motions) {
    if (motion.kind != MotionKind::accelerogram || motion.times.size() < 2) continue;
    const double apart = (motion.times.back() - motion.times.front()) / static_cast<double>(motion.times.size() - 1);
    if (step > apart * (1.0 + 1e-9))
      scene.warnings.add({WarningKind::record, step, apart, fmt::format("the motion '{}'", motion.name)});
  }
}

template <int D>
void foresee_angle(Scene<D>& scene) {
  const Tilt<D>& tilt = scene.model.tilt;
  const bool last = std::abs(tilt.to) >= std::abs(tilt.from);
  const double angle = last ? tilt.to : tilt.from;
  if (std::abs(angle) > 2.0 * std::numbers::pi * (1.0 + 1e-9))
    scene.warnings.add({WarningKind::angle, angle, 0.0, last ? "tilt.to" : "tilt.from"});
}

}  // namespace

template <int D>
void foresee(Scene<D>& scene, const std::vector<OpenSide<D>>& open) {
  foresee_friction(scene);
  foresee_bounce(scene);
  foresee_frames(scene);
  foresee_travel(scene);
  foresee_idle_motions(scene);
  foresee_record(scene);
  foresee_angle(scene);
  foresee_gap(scene, open);
  foresee_stacking(scene);
  foresee_fall(scene);
  foresee_outside(scene);
}

template void foresee(Scene<2>&, const std::vector<OpenSide<2>>&);
template void foresee(Scene<3>&, const std::vector<OpenSide<3>>&);

}  // namespace moreau::inline scene

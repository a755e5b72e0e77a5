#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "moreau/bodies/body_names.hpp"
#include "moreau/drive/standing.hpp"
#include "moreau/scene/read/read_engines.hpp"

namespace moreau::inline scene {
namespace {

// When something happens: not before, and not after.
struct Between {
  double earliest = 0.0, latest = 0.0;
  Between operator+(const Between& o) const { return {earliest + o.earliest, latest + o.latest}; }
};

template <int D>
Between duration_of(const Phase<D>& phase) {
  return {phase.end.any() ? std::min(phase.end.at_least, phase.duration) : phase.duration, phase.duration};
}

template <int D>
class AtRest {
 public:
  AtRest(const Scene<D>& scene, std::span<const Location> phases, const Mistakes& mistakes)
      : scene_(scene), places_(phases), mistakes_(mistakes), motion_begins_(scene.model.motions.size()) {}

  void check() {
    for (const Phase<D>& phase : scene_.phases) {
      for (const std::int32_t m : phase.new_motions) motion_begins_[static_cast<std::size_t>(m)] = {};
      if (phase.model.engine == EngineKind::quasi_static || phase.model.engine == EngineKind::elastic) look_at(phase);
      const Between lasts = duration_of(phase);
      begins_ = begins_ + lasts;
      for (Between& since : motion_begins_) since = since + lasts;
    }
  }

 private:
  void look_at(const Phase<D>& phase) {
    const Model<D>& model = phase.model;
    for (const Wall<D>& wall : model.walls) {
      look_at_motion(phase, wall.motion, fmt::format("the wall '{}'", wall.name));
      look_at_motion(phase, wall.turning, fmt::format("the wall '{}'", wall.name));
      // Without friction it does not matter how a surface moves within itself.
      if (model.engine == EngineKind::elastic)
        look_at_motion(phase, wall.surface, fmt::format("the surface of the wall '{}'", wall.name));
    }
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
      if (scene_.bodies.parameters.kind[i] == BodyKind::driven) {
        const std::string name = name_of_body(std::span<const NamedBodies>(scene_.named), i);
        look_at_motion(phase, scene_.bodies.parameters.motion[i],
                       name.empty() ? fmt::format("body {}", i) : fmt::format("body {} ('{}')", i, name));
      }
    for (const Piston<D>& piston : model.pistons)
      if (piston.control == PistonControl::velocity && !is_zero(piston.target))
        refuse(phase, fmt::format("the piston '{}' is given a velocity", piston.name),
               "pistons under a force or a stress, or with velocity = 0");
    for (int p = 0; p < D && model.cell.deforms; ++p)
      for (int q = p; q < D; ++q)
        if (!model.cell.component[p][q].stress && !is_zero(model.cell.component[p][q].target))
          refuse(phase, fmt::format("the cell is given a rate of {}{}", "xyz"[p], "xyz"[q]), "cells under stress, or with a rate of 0");
    if (model.engine == EngineKind::elastic && phase.radii != 1.0)
      refuse(phase, fmt::format("'radii' is {}", phase.radii),
             "1: springs know no radii; let the bodies grow in a phase of another engine before it");
    for (const Source<D>& source : model.sources) look_at_source(phase, source);
  }

  void look_at_motion(const Phase<D>& phase, std::int32_t number, const std::string& what) {
    if (number < 0) return;
    const Motion<D>& motion = phase.model.motions[static_cast<std::size_t>(number)];
    const Between& since = motion_begins_[static_cast<std::size_t>(number)];
    // Phases end on steps: half a step more or less.
    const double from = since.earliest + 0.5 * phase.model.time_step, to = since.latest + phase.duration - 0.5 * phase.model.time_step;
    if (stands(motion, from, to)) return;
    refuse(phase, fmt::format("the motion '{}' moves {} while it lasts", motion.name, what),
           fmt::format("motions at rest, as by [[phase.motion]] with name = \"{}\" and kind = \"rest\"", motion.name));
  }

  void look_at_source(const Phase<D>& phase, const Source<D>& source) {
    // Grains that have not found a place are due later on, never earlier.
    const double last = source.start + static_cast<double>(source.count) / source.rate;
    const double end = std::min(source.end, last);
    if (begins_.latest < end && begins_.earliest + duration_of(phase).earliest > source.start)
      refuse(phase, fmt::format("the source '{}' brings grains while it lasts", source.name),
             "sources that have brought all their grains before ('end', 'count') or begin after it ('start')");
  }

  [[noreturn]] void refuse(const Phase<D>& phase, const std::string& what, const std::string& accepted) const {
    const std::size_t number = static_cast<std::size_t>(&phase - scene_.phases.data());
    mistakes_.refuse(number < places_.size() ? places_[number] : Location{1, 1},
                     fmt::format("{} has the engine \"{}\", in which only loads change, but {}; accepted: {}; or the engine "
                                         "\"rigid\", \"soft\" or \"lubricated\"",
                                         phase.name.empty() ? "the scene" : fmt::format("the phase '{}'", phase.name),
                                         engine_names()[static_cast<std::size_t>(phase.model.engine)], what, accepted));
  }

  const Scene<D>& scene_;
  std::span<const Location> places_;  // of the phases in the file
  const Mistakes& mistakes_;
  Between begins_;                      // the present phase
  std::vector<Between> motion_begins_;  // how long before it every motion began
};

}  // namespace

template <int D>
void check_at_rest(const Scene<D>& scene, std::span<const Location> phases, const Mistakes& mistakes) {
  AtRest<D>(scene, phases, mistakes).check();
}

template void check_at_rest(const Scene<2>&, std::span<const Location>, const Mistakes&);
template void check_at_rest(const Scene<3>&, std::span<const Location>, const Mistakes&);

}  // namespace moreau::inline scene

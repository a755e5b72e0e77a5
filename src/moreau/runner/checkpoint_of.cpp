#include "moreau/runner/checkpoint_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "moreau/base/shell_word.hpp"

namespace moreau::inline runner {

namespace {

// Refuses in the name of the scene of a run what its files know and the scene lacks.
class Fit {
 public:
  Fit(const RunFolder& folder, const char* file) : folder_(folder), file_(file) {}

  void demand(const char* what, std::uint64_t needed, std::size_t present) const {
    if (needed <= present) return;
    throw StoreError(
        fmt::format("{}: does not fit the {} of this run, which knows {} {}s where the scene has {}; put the scene back "
                    "as it was when the run began",
                    scene(), file_, needed, what, present));
  }
  void demand_all(const char* what, const std::vector<std::int32_t>& indices, std::size_t present) const {
    if (!indices.empty())
      demand(what, static_cast<std::uint64_t>(std::max<std::int64_t>(0, std::int64_t{*std::ranges::max_element(indices)} + 1)),
             present);
  }
  // Contacts name walls by negative numbers.
  void demand_walls(const std::vector<std::int32_t>& partners, std::size_t present) const {
    if (!partners.empty())
      demand("wall", static_cast<std::uint64_t>(std::max<std::int64_t>(0, -std::int64_t{*std::ranges::min_element(partners)})),
             present);
  }
  [[noreturn]] void changed() const {
    throw StoreError(
        fmt::format("{}: was changed since the {} of this run was computed; put the scene back as it was, or go on with the "
                    "changed one: moreau resume {} --changed",
                    scene(), file_, shell_word(folder_.path().string())));
  }
  std::string scene() const { return (folder_.path() / "scene.toml").string(); }

 private:
  const RunFolder& folder_;
  const char* file_;
};

// The number counted from 0 as a count; none is left as it is instead of running over.
std::uint64_t counted(std::uint64_t number) { return number + (number != UINT64_MAX ? 1 : 0); }

template <int D>
void demand_fit(const Fit& fit, const Frame<D>& frame, const Scene<D>& scene) {
  fit.demand_all("material", frame.parameters.material, scene.model.materials.size());
  fit.demand_all("motion", frame.parameters.motion, scene.model.motions.size());
  fit.demand("wall", frame.walls.size(), scene.model.walls.size());
  fit.demand("phase", counted(frame.phase), scene.phases.size());
  for (const Wall<D>& wall : frame.walls) {
    fit.demand_all("material", {wall.material}, scene.model.materials.size());
    fit.demand_all("motion", {wall.motion}, scene.model.motions.size());
  }
}

}  // namespace

bool is_changed(const RunFolder& folder, const Signature& signature) {
  return !signature.scene.empty() && signature.scene != folder.signature().scene;
}

void demand_unchanged(const RunFolder& folder) {
  if (is_changed(folder, folder.checkpoint_signature())) Fit(folder, "checkpoint").changed();
}

template <int D>
Checkpoint<D> checkpoint_of(const RunFolder& folder, const Scene<D>& scene, SceneChange change) {
  Checkpoint<D> checkpoint = folder.read_checkpoint<D>();
  const State<D>& state = checkpoint.state;
  const BodyParameters<D>& bodies = state.bodies.parameters;
  const Fit fit(folder, "checkpoint");
  fit.demand_all("material", bodies.material, scene.model.materials.size());
  fit.demand_all("motion", bodies.motion, scene.model.motions.size());
  fit.demand("motion", state.motion_starts.size(), scene.model.motions.size());
  fit.demand_walls(state.contacts.b, scene.model.walls.size());
  fit.demand("source", state.sources.size(), scene.model.sources.size());
  fit.demand("phase", counted(state.phase), scene.phases.size());
  fit.demand("piston", state.pistons.size(), scene.model.pistons.size());
  for (const Frame<D>& reference : checkpoint.references) demand_fit(fit, reference, scene);
  const auto demand_known = [&](const char* what, std::size_t known, std::size_t present) {
    if (known < present)
      throw StoreError(
          fmt::format("{}: has {} {}s where the checkpoint of this run knows {}; a {} cannot be added to a run that has begun",
                      fit.scene(), present, what, known, what));
  };
  demand_known("source", state.sources.size(), scene.model.sources.size());
  demand_known("piston", state.pistons.size(), scene.model.pistons.size());
  const bool has_cell = scene.model.cell.start.any();
  const bool had_cell = std::ranges::any_of(state.cell.vectors.row, [](const Vec<D>& side) { return side != Vec<D>{}; });
  if (has_cell != had_cell)
    throw StoreError(fmt::format("{}: has {} periodic cell where the checkpoint of this run has {}; a cell is there from the beginning "
                                 "of a run to its end, or never",
                                 fit.scene(), has_cell ? "a" : "no", has_cell ? "none" : "one"));
  if (has_cell && !(determinant(state.cell.vectors) > 0.0))
    throw StoreError(fmt::format("{}: the periodic cell of its checkpoint has no volume", folder.path().string()));
  if (change == SceneChange::refused && is_changed(folder, checkpoint.signature)) fit.changed();
  return checkpoint;
}

template <int D>
Frame<D> frame_of(const RunFolder& folder, const Scene<D>& scene, std::uint64_t number) {
  Frame<D> frame = folder.read_frame<D>(number);
  const Fit fit(folder, "frames");
  demand_fit(fit, frame, scene);
  give_meshes(frame, scene.model);
  if (is_changed(folder, frame.signature)) {
    const Signature accepted = folder.checkpoint_signature();
    if (accepted.scene.empty() || is_changed(folder, accepted)) fit.changed();
  }
  return frame;
}

template Checkpoint<2> checkpoint_of(const RunFolder&, const Scene<2>&, SceneChange);
template Checkpoint<3> checkpoint_of(const RunFolder&, const Scene<3>&, SceneChange);
template Frame<2> frame_of(const RunFolder&, const Scene<2>&, std::uint64_t);
template Frame<3> frame_of(const RunFolder&, const Scene<3>&, std::uint64_t);

}  // namespace moreau::inline runner

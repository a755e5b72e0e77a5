#include "moreau/runner/checkpoint_of.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace moreau {

template <int D>
Checkpoint<D> checkpoint_of(const RunFolder& folder, const Scene<D>& scene) {
  Checkpoint<D> checkpoint = folder.read_checkpoint<D>();
  const State<D>& state = checkpoint.state;
  const BodyParameters<D>& bodies = state.bodies.parameters;
  const auto demand = [&](const char* what, std::int64_t needed, std::size_t present) {
    if (needed <= static_cast<std::int64_t>(present)) return;
    throw StoreError(
        fmt::format("{}: does not fit the checkpoint of this run, which knows {} {}s where the scene has {}; put the scene back "
                    "as it was when the run began",
                    (folder.path() / "scene.toml").string(), needed, what, present));
  };
  const auto above = [](const std::vector<std::int32_t>& indices) {
    return indices.empty() ? std::int64_t{0} : std::int64_t{*std::ranges::max_element(indices)} + 1;
  };
  demand("material", above(bodies.material), scene.model.materials.size());
  demand("motion", above(bodies.motion), scene.model.motions.size());
  demand("wall", state.contacts.b.empty() ? 0 : -std::int64_t{*std::ranges::min_element(state.contacts.b)},
         scene.model.walls.size());
  demand("source", static_cast<std::int64_t>(state.sources.size()), scene.model.sources.size());
  demand("phase", static_cast<std::int64_t>(state.phase) + 1, scene.phases.size());
  demand("piston", static_cast<std::int64_t>(state.pistons.size()), scene.model.pistons.size());
  if (state.sources.size() < scene.model.sources.size())
    throw StoreError(fmt::format(
        "{}: has {} sources where the checkpoint of this run knows {}; a source cannot be added to a run that has begun",
        (folder.path() / "scene.toml").string(), scene.model.sources.size(), state.sources.size()));
  return checkpoint;
}

template Checkpoint<2> checkpoint_of(const RunFolder&, const Scene<2>&);
template Checkpoint<3> checkpoint_of(const RunFolder&, const Scene<3>&);

}  // namespace moreau

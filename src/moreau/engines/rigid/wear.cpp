#include "moreau/engines/rigid/wear.hpp"

namespace moreau::inline engines {

namespace {

// In the order of the table.
template <int D>
std::vector<WornFace> worn_faces(const StepView<D>& view, const ContactTable<D>& table, const std::vector<std::size_t>& first) {
  const std::vector<Wall<D>>& walls = view.model.walls;
  std::vector<WornFace> worn;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!is_wall(table.b[i])) continue;
    const std::size_t w = static_cast<std::size_t>(wall_index(table.b[i]));
    if (first[w + 1] == first[w]) continue;
    const Vec<D>& n = table.normal[i];
    const Vec<D> tangential = table.impulse[i] - dot(table.impulse[i], n) * n;
    if (tangential == Vec<D>{}) continue;
    const FoundContact& found = view.work.detector.found[i];
    const ContactGeometry<D> geometry = view.solved_geometry(i);
    const Vec<D> u = view.mean_velocity(found, geometry) - view.obstacle_velocity(found.b, geometry);
    const MeshSurface<D>& surface = *walls[w].geometry.mesh;
    Vec<D> point = table.point[i] - walls[w].geometry.point - view.work.apparatus.wall_shift[w];
    if (!view.work.apparatus.wall_turn.empty()) point = transposed_times(view.work.apparatus.wall_turn[w], point);
    const std::int32_t face = surface.tree.nearest(surface.mesh, point);
    worn.push_back({view.work.name_of(table.a[i]), static_cast<std::uint32_t>(first[w]) + static_cast<std::uint32_t>(face),
                    -dot(tangential, u)});
  }
  return worn;
}

}  // namespace

template <int D>
void note_wear(const StepView<D>& view, State<D>& state) {
  const std::vector<std::size_t> first = first_worn_faces<D>(view.model.walls);
  if (first.back() == 0) return;
  state.wear.resize(first.back(), 0.0);
  std::vector<WornFace> worn = worn_faces(view, state.contacts, first);
  if (view.work.together) worn = view.work.together->bring_together(worn);
  for (const WornFace& w : worn) state.wear[w.face] += w.work;
}

template void note_wear(const StepView<2>&, State<2>&);
template void note_wear(const StepView<3>&, State<3>&);

}  // namespace moreau::inline engines

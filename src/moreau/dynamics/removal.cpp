// Sinks at work: bodies whose centre is in one leave the simulation.
#include "moreau/dynamics/body_energy.hpp"
#include "moreau/dynamics/simulation.hpp"

namespace moreau {

// A removed body keeps its number and its place, so that the others keep theirs; its energy leaves with it.
template <int D>
std::size_t Simulation<D>::remove_into_sinks() {
  if (model_.sinks.empty()) return 0;
  Bodies<D>& bodies = state_.bodies;
  const Vec<D> gravity = model_.gravity_at(state_.time);
  std::size_t removed = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.is_free(i)) continue;
    for (const Sink<D>& sink : model_.sinks) {
      if (!sink.contains(bodies.state.position[i])) continue;
      state_.energy.removed += kinetic_energy(bodies, i) + potential_energy(bodies, i, gravity);
      bodies.parameters.kind[i] = BodyKind::removed;
      bodies.state.velocity[i] = {};
      bodies.state.spin[i] = {};
      ++removed;
      break;
    }
  }
  if (removed > 0) neighbours_.invalidate();
  return removed;
}

template std::size_t Simulation<2>::remove_into_sinks();
template std::size_t Simulation<3>::remove_into_sinks();

}  // namespace moreau

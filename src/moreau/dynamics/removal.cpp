// Sinks at work: bodies whose centre is in one leave the simulation.
#include "moreau/dynamics/body_energy.hpp"
#include "moreau/dynamics/exchange.hpp"

namespace moreau {

// A removed body keeps its number and its place, so that the others keep theirs; its energy leaves with it.
template <int D>
std::size_t remove_into_sinks(const Model<D>& model, State<D>& state) {
  if (model.sinks.empty()) return 0;
  Bodies<D>& bodies = state.bodies;
  const Vec<D> gravity = model.gravity_at(state.time);
  std::size_t removed = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.is_free(i)) continue;
    for (const Sink<D>& sink : model.sinks) {
      if (!sink.contains(bodies.state.position[i])) continue;
      state.energy.removed += kinetic_energy(bodies, i) + potential_energy(bodies, i, gravity);
      bodies.parameters.kind[i] = BodyKind::removed;
      bodies.state.velocity[i] = {};
      bodies.state.spin[i] = {};
      ++removed;
      break;
    }
  }
  return removed;
}

template std::size_t remove_into_sinks(const Model<2>&, State<2>&);
template std::size_t remove_into_sinks(const Model<3>&, State<3>&);

}  // namespace moreau

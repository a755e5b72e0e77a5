// Sinks at work: bodies whose centre is in one leave the simulation.
#include "moreau/dynamics/body_energy.hpp"
#include "moreau/dynamics/exchange.hpp"

namespace moreau::inline dynamics {

namespace {

// A removed body keeps its number and its place, so that the others keep theirs; its energy leaves with it. Whether it was one.
template <int D>
bool remove_into_sinks(const Model<D>& model, State<D>& state, std::size_t i, const Vec<D>& gravity) {
  Bodies<D>& bodies = state.bodies;
  if (!bodies.is_free(i)) return false;
  for (const Sink<D>& sink : model.sinks) {
    if (!sink.contains(bodies.state.position[i])) continue;
    state.energy.removed += kinetic_energy(bodies, i) + potential_energy(bodies, i, gravity);
    bodies.parameters.kind[i] = BodyKind::removed;
    bodies.state.velocity[i] = {};
    bodies.state.spin[i] = {};
    return true;
  }
  return false;
}

}  // namespace

template <int D>
std::size_t remove_into_sinks(const Model<D>& model, State<D>& state) {
  if (model.sinks.empty()) return 0;
  const Vec<D> gravity = model.gravity_at(state.time);
  std::size_t removed = 0;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) removed += remove_into_sinks(model, state, i, gravity) ? 1 : 0;
  return removed;
}

template <int D>
std::size_t remove_into_sinks(const Model<D>& model, State<D>& state, std::span<const std::int32_t> among) {
  const Vec<D> gravity = model.gravity_at(state.time);
  std::size_t removed = 0;
  for (const std::int32_t i : among) removed += remove_into_sinks(model, state, static_cast<std::size_t>(i), gravity) ? 1 : 0;
  return removed;
}

template std::size_t remove_into_sinks(const Model<2>&, State<2>&);
template std::size_t remove_into_sinks(const Model<3>&, State<3>&);
template std::size_t remove_into_sinks(const Model<2>&, State<2>&, std::span<const std::int32_t>);
template std::size_t remove_into_sinks(const Model<3>&, State<3>&, std::span<const std::int32_t>);

}  // namespace moreau::inline dynamics

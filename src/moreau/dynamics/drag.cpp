#include "moreau/dynamics/drag.hpp"

#include "moreau/dynamics/body_energy.hpp"

namespace moreau::inline dynamics {

template <int D>
ExactSum<double, 3> damp(const Model<D>& model, State<D>& state, std::span<const std::uint8_t> counted) {
  Bodies<D>& bodies = state.bodies;
  const double factor = drag_factor(model);
  TermSum<3> before;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.is_free(i)) continue;
    if (counted.empty() || counted[i] != 0) before.add(kinetic_energy(bodies, i));
    bodies.state.velocity[i] *= factor, bodies.state.spin[i] *= factor;
  }
  damp_apparatus(model, state);
  return before.sum();
}

template <int D>
void damp_apparatus(const Model<D>& model, State<D>& state) {
  const double factor = drag_factor(model);
  for (PistonState& piston : state.pistons) piston.speed *= factor;
  state.cell.rate = factor * state.cell.rate;
}

template void damp_apparatus(const Model<2>&, State<2>&);
template void damp_apparatus(const Model<3>&, State<3>&);
template ExactSum<double, 3> damp(const Model<2>&, State<2>&, std::span<const std::uint8_t>);
template ExactSum<double, 3> damp(const Model<3>&, State<3>&, std::span<const std::uint8_t>);

}  // namespace moreau::inline dynamics

#include "moreau/dynamics/drag.hpp"

#include "moreau/dynamics/body_energy.hpp"

namespace moreau {

// The drag is taken at the beginning of the step, implicitly: v (1 + c h) = v_i. What it takes is dissipated.
template <int D>
void damp(const Model<D>& model, State<D>& state) {
  Bodies<D>& bodies = state.bodies;
  const double share = 1.0 / (1.0 + model.damping * model.time_step);
  double before = 0.0;  // not that of the ledger: sinks and sources have been at work since
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.is_free(i)) continue;
    before += kinetic_energy(bodies, i);
    bodies.state.velocity[i] *= share, bodies.state.spin[i] *= share;
  }
  for (PistonState& piston : state.pistons) piston.speed *= share;
  state.cell.rate = share * state.cell.rate;
  state.energy.dissipated += (1.0 - share * share) * before;
}

template void damp(const Model<2>&, State<2>&);
template void damp(const Model<3>&, State<3>&);

}  // namespace moreau

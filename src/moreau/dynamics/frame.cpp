#include "moreau/dynamics/frame.hpp"

#include "moreau/dynamics/apparatus.hpp"
#include "moreau/dynamics/contact_records.hpp"

namespace moreau::inline dynamics {

template <int D>
Frame<D> make_frame(const Model<D>& model, const State<D>& state) {
  Frame<D> frame;
  frame.time = state.time;
  frame.step = state.step;
  frame.phase = state.phase;
  frame.parameters = state.bodies.parameters;
  frame.state = state.bodies.state;
  frame.shapes = state.bodies.shapes;
  frame.contacts = contact_records(model, state);
  frame.broken = state.broken;
  frame.wear = state.wear;
  frame.time_step = state.impulse_time_step;
  frame.walls = model.walls;
  frame.wall_shift = wall_shifts(model, state);
  frame.wall_turn = wall_turns(model, state, state.time);
  frame.lattice = lattice_of(model, state);
  return frame;
}

template Frame<2> make_frame(const Model<2>&, const State<2>&);
template Frame<3> make_frame(const Model<3>&, const State<3>&);

}  // namespace moreau::inline dynamics

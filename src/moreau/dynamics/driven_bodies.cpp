#include "moreau/dynamics/driven_bodies.hpp"

#include "moreau/dynamics/apparatus.hpp"

namespace moreau::inline dynamics {

template <int D>
void place_driven_bodies(const Model<D>& model, State<D>& state, double from, double to, double moving) {
  if (model.motions.empty()) return;
  Bodies<D>& bodies = state.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.parameters.kind[i] != BodyKind::driven) continue;
    const std::int32_t number = bodies.parameters.motion[i];
    const Motion<D>& motion = model.motions[static_cast<std::size_t>(number)];
    if (!turns(motion)) {
      bodies.state.position[i] = bodies.parameters.origin[i] + displacement_of(model, state, number, to);
      bodies.state.velocity[i] = velocity_of(model, state, number, moving);
      continue;
    }
    const double begin = motion_time(state, number, from), end = motion_time(state, number, to);
    const double angle = angle_turned(motion, end) - angle_turned(motion, begin);
    const Rotation<D> rotation = turned(Rotation<D>{}, motion.axis, angle);
    bodies.state.position[i] = motion.centre + rotate(rotation, bodies.state.position[i] - motion.centre);
    bodies.state.orientation[i] = turned(bodies.state.orientation[i], motion.axis, angle);
    bodies.state.velocity[i] = rigid_velocity(motion, motion_time(state, number, moving)).at(bodies.state.position[i]);
    bodies.state.spin[i] = spin(motion, motion_time(state, number, moving));
  }
}

template void place_driven_bodies(const Model<2>&, State<2>&, double, double, double);
template void place_driven_bodies(const Model<3>&, State<3>&, double, double, double);

}  // namespace moreau::inline dynamics

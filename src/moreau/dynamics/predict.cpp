// The first half of a step: bodies, walls and apparatus at its middle.
#include "moreau/base/parallel.hpp"
#include "moreau/dynamics/first_moment.hpp"
#include "moreau/dynamics/gyroscopic.hpp"
#include "moreau/dynamics/simulation.hpp"

namespace moreau {

namespace {
constexpr std::size_t body_chunk = 1024;
}

// Turns them by what they turn from time `from` to `to`, and places them where they are then.
template <int D>
void Simulation<D>::place_driven_bodies(double from, double to) {
  if (model_.motions.empty()) return;
  Bodies<D>& bodies = state_.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.parameters.kind[i] != BodyKind::driven) continue;
    const std::int32_t number = bodies.parameters.motion[i];
    const Motion<D>& motion = model_.motions[static_cast<std::size_t>(number)];
    if (!turns(motion)) {
      bodies.state.position[i] = bodies.parameters.origin[i] + displacement_of(model_, state_, number, to);
      bodies.state.velocity[i] = velocity_of(model_, state_, number, to);
      continue;
    }
    const double begin = motion_time(state_, number, from), end = motion_time(state_, number, to);
    const double angle = angle_turned(motion, end) - angle_turned(motion, begin);
    const Rotation<D> rotation = turned(Rotation<D>{}, motion.axis, angle);
    bodies.state.position[i] = motion.centre + rotate(rotation, bodies.state.position[i] - motion.centre);
    bodies.state.orientation[i] = turned(bodies.state.orientation[i], motion.axis, angle);
    bodies.state.velocity[i] = rigid_velocity(motion, end).at(bodies.state.position[i]);
    bodies.state.spin[i] = spin(motion, end);
  }
}

// q_m = q_i + h/2 u_i; driven bodies at t_m = t_i + h/2, with their velocity there. Orientations are advanced too, but
// those of round bodies, for which advance() does both halves.
//
// A block that turns freely changes its spin: this is done here, in the axes of the body, so that what follows (contacts, forces)
// starts from the turned spin. Energy and the size of the angular momentum are kept by it. The axes at the midpoint serve before
// and after, since a rotation about the spin leaves the spin where it is.
template <int D>
void Simulation<D>::predict_bodies() {
  Bodies<D>& bodies = state_.bodies;
  const double half = 0.5 * model_.time_step, t_m = state_.time + half;
  if (model_.tilt.acts()) moment_before_ = first_moment(bodies);
  place_driven_bodies(state_.time, t_m);
  poses_.resize(bodies.all_round() ? 0 : bodies.size());
  for_chunks(bodies.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (bodies.is_free(i)) {
        bodies.state.position[i] += half * bodies.state.velocity[i];
        if (!bodies.is_round(i)) bodies.state.orientation[i] = turned(bodies.state.orientation[i], bodies.state.spin[i], half);
      }
      if (poses_.empty()) continue;
      poses_[i] = {bodies.state.position[i], bodies.is_round(i) ? identity<D>() : matrix_of(bodies.state.orientation[i])};
      if constexpr (D == 3)
        if (bodies.is_free(i) && !bodies.is_round(i)) {
          const Matrix<3>& axes = poses_[i].rotation;
          const Vec<3> own = transposed_times(axes, bodies.state.spin[i]);
          bodies.state.spin[i] = axes * turned_freely(own, bodies.principal_inertia(i), model_.time_step);
        }
    }
  });
  if (model_.cell.deforms) change_gradient(apparatus_.prescribed_change);
}

// Walls, pistons and cell at t_m.
template <int D>
void Simulation<D>::predict_surroundings() {
  const double t_m = state_.time + 0.5 * model_.time_step;
  apparatus_.predict(model_, state_);
  wall_surface_.resize(model_.walls.size());
  for (std::size_t w = 0; w < wall_surface_.size(); ++w)
    wall_surface_[w] = surface_of(model_, state_, w, apparatus_.wall_shift[w], t_m);
}

template void Simulation<2>::place_driven_bodies(double, double);
template void Simulation<3>::place_driven_bodies(double, double);
template void Simulation<2>::predict_bodies();
template void Simulation<3>::predict_bodies();
template void Simulation<2>::predict_surroundings();
template void Simulation<3>::predict_surroundings();

}  // namespace moreau

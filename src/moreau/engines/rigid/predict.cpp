// The first half of a step: bodies, walls and apparatus at its middle.
#include "moreau/base/parallel.hpp"
#include "moreau/dynamics/driven_bodies.hpp"
#include "moreau/dynamics/first_moment.hpp"
#include "moreau/dynamics/gyroscopic.hpp"
#include "moreau/engines/rigid/stages.hpp"

namespace moreau::inline engines {

namespace {
constexpr std::size_t body_chunk = 1024;

}  // namespace

// Prescribed components of the velocity gradient have their value from the beginning of the step on, as the speed of a piston
// has, so that the cell is where its rate puts it and not h/2 behind. The bodies follow: the change is returned.
template <int D>
Matrix<D> begin_prescribed_rates(const Model<D>& model, State<D>& state) {
  const Matrix<D> gradient = state.cell.rate * inverse(state.cell.vectors);
  const double t_m = state.time + 0.5 * model.time_step;
  Matrix<D> change{};
  for (int p = 0; p < D; ++p)
    for (int q = 0; q < D; ++q)
      if (!model.cell.component[p][q].stress)
        change.row[p][q] = model.cell.component[p][q].target.at(t_m - state.phase_start) - gradient.row[p][q];
  state.cell.rate = state.cell.rate + change * state.cell.vectors;
  return change;
}

// q_m = q_i + h/2 u_i, or at the instant of the step where that is not its middle; driven bodies there, with their velocity at
// t_m = t_i + h/2. Orientations are advanced too, but
// those of round bodies, for which advance() does both halves.
//
// A block that turns freely changes its spin: this is done here, in the axes of the body, so that what follows (contacts, forces)
// starts from the turned spin. Energy and the size of the angular momentum are kept by it. The axes at the midpoint serve before
// and after, since a rotation about the spin leaves the spin where it is.
template <int D>
void predict_bodies(const Model<D>& model, State<D>& state, Workspace<D>& work) {
  Bodies<D>& bodies = state.bodies;
  const double t_m = state.time + 0.5 * model.time_step, before = work.instant.before;
  if (model.tilt.acts()) work.moment_before = work.over_ranks(first_moment(bodies, work.own())).value();
  place_driven_bodies(model, state, state.time, work.instant.time, t_m);
  work.poses.resize(bodies.all_round() && !any_mesh<D>(model.walls) ? 0 : bodies.size());
  for_chunks(bodies.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (bodies.is_free(i)) {
        bodies.state.position[i] += before * bodies.state.velocity[i];
        if (!bodies.is_round(i)) bodies.state.orientation[i] = turned(bodies.state.orientation[i], bodies.state.spin[i], before);
      }
      if (work.poses.empty()) continue;
      work.poses[i] = {bodies.state.position[i], bodies.is_round(i) ? identity<D>() : matrix_of(bodies.state.orientation[i])};
      if constexpr (D == 3)
        if (bodies.is_free(i) && !bodies.is_round(i)) {
          const Matrix<3>& axes = work.poses[i].rotation;
          const Vec<3> own = transposed_times(axes, bodies.state.spin[i]);
          bodies.state.spin[i] = axes * turned_freely(own, bodies.principal_inertia(i), model.time_step);
        }
    }
  });
  if (model.cell.deforms) change_gradient(model, state, work, work.apparatus.prescribed_change);
}

// Walls, pistons and cell at the instant of the step, with their velocities of t_m.
template <int D>
void predict_surroundings(const Model<D>& model, State<D>& state, Workspace<D>& work) {
  const double t_m = state.time + 0.5 * model.time_step;
  work.instant = instant_of_step(model, state);
  work.apparatus.predict(model, state, work.instant);
  work.wall_surface.resize(model.walls.size());
  for (std::size_t w = 0; w < work.wall_surface.size(); ++w)
    work.wall_surface[w] = surface_of(model, state, w, work.apparatus.wall_shift[w], t_m);
}

#define MOREAU_INSTANTIATE(D)                                              \
  template void predict_bodies(const Model<D>&, State<D>&, Workspace<D>&); \
  template Matrix<D> begin_prescribed_rates(const Model<D>&, State<D>&);   \
  template void predict_surroundings(const Model<D>&, State<D>&, Workspace<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline engines

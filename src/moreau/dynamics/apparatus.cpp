#include "moreau/dynamics/apparatus.hpp"

#include <algorithm>

#include "moreau/contact/periodic_points.hpp"
#include "moreau/dynamics/cell_volume.hpp"
#include "moreau/dynamics/drag.hpp"

namespace moreau::inline dynamics {

template <int D>
double face_area(const Model<D>& model, const std::vector<Vec<D>>& wall_shift, const Piston<D>& piston) {
  double area = piston.area;
  for (const auto& [low, high] : piston.between) {
    const std::size_t l = static_cast<std::size_t>(low), h = static_cast<std::size_t>(high);
    const Vec<D> across = model.walls[h].geometry.point + wall_shift[h] - model.walls[l].geometry.point - wall_shift[l];
    area *= std::abs(dot(across, model.walls[l].geometry.direction));
  }
  return area;
}

template <int D>
void Apparatus<D>::predict(const Model<D>& model, State<D>& state, const StepInstant& instant) {
  const double h = model.time_step, t_m = state.time + 0.5 * h;
  motions_.clear();
  state.pistons.resize(model.pistons.size());
  move_pistons(model, state, t_m);
  place_walls(model, state, instant, t_m);
  for (std::size_t p = 0; p < model.pistons.size(); ++p) {
    const Piston<D>& piston = model.pistons[p];
    piston_motion_[p] = -1;
    if (piston.control == PistonControl::velocity) continue;
    double force = piston.target.at(t_m - state.phase_start);
    if (piston.control == PistonControl::stress) force *= face_area(model, wall_shift, piston);
    piston_motion_[p] = static_cast<std::int32_t>(motions_.size());
    const PistonState& now = state.pistons[p];
    const double inertia = piston.mass / drag_factor(model) + h * (0.5 * piston.damping + 0.25 * h * piston.stiffness);
    force -= piston.stiffness * (now.displacement + 0.5 * h * now.speed) + piston.damping * now.speed;
    motions_.push_back({1.0 / (inertia * static_cast<double>(piston.walls.size())), h * force / inertia});
    for (const PistonWall<D>& wall : piston.walls)
      side_[static_cast<std::size_t>(wall.wall)] = {piston_motion_[p], -wall.direction};
  }
  place_cell(model, state, instant, t_m);
  change_.assign(motions_.size(), 0.0);
}

template <int D>
void Apparatus<D>::move_pistons(const Model<D>& model, State<D>& state, double t_m) {
  piston_motion_.assign(model.pistons.size(), -1);
  side_.assign(model.walls.size(), {});
  for (std::size_t p = 0; p < model.pistons.size(); ++p)
    if (model.pistons[p].control == PistonControl::velocity)
      state.pistons[p].speed = model.pistons[p].target.at(t_m - state.phase_start);
}

template <int D>
void Apparatus<D>::place_walls(const Model<D>& model, const State<D>& state, const StepInstant& instant, double t_m) {
  wall_shift.assign(model.walls.size(), {});
  wall_velocity.assign(model.walls.size(), {});
  for (std::size_t w = 0; w < model.walls.size(); ++w) {
    if (model.walls[w].motion < 0) continue;
    wall_shift[w] = displacement_of(model, state, model.walls[w].motion, instant.time);
    wall_velocity[w] = velocity_of(model, state, model.walls[w].motion, t_m);
  }
  wall_turn = wall_turns(model, state, instant.time);
  for (std::size_t p = 0; p < model.pistons.size(); ++p)
    for (const PistonWall<D>& wall : model.pistons[p].walls) {
      const std::size_t w = static_cast<std::size_t>(wall.wall);
      wall_shift[w] += (state.pistons[p].displacement + instant.before * state.pistons[p].speed) * wall.direction;
      wall_velocity[w] += state.pistons[p].speed * wall.direction;
    }
}

template <int D>
void Apparatus<D>::place_cell(const Model<D>& model, const State<D>& state, const StepInstant& instant, double t_m) {
  const Cell<D>& cell = model.cell;
  lattice = cell.start;
  cell_motions_.clear();
  gradient = prescribed_change = gradient_change_ = Matrix<D>{};
  if (!cell.deforms) return;
  const double h = model.time_step;
  lattice.vectors = state.cell.vectors + instant.before * state.cell.rate;
  gradient = state.cell.rate * inverse(lattice.vectors);
  const double volume = cell_volume(model, wall_shift, lattice);
  for (int p = 0; p < D; ++p)
    for (int q = 0; q < D; ++q) {
      const double target = cell.component[p][q].target.at(t_m - state.phase_start);
      if (!cell.component[p][q].stress) {
        prescribed_change.row[p][q] = target - gradient.row[p][q];
        gradient.row[p][q] = target;
        continue;
      }
      cell_motions_.push_back({static_cast<std::int32_t>(motions_.size()), p, q});
      const double mass = cell.mass / drag_factor(model);
      motions_.push_back({1.0 / mass, -h * volume * target / mass});
    }
}

template <int D>
void Apparatus<D>::note_changes(std::span<const double> change) {
  change_.assign(change.begin(), change.end());
  for (const CellMotion& m : cell_motions_) gradient_change_.row[m.p][m.q] = change_[static_cast<std::size_t>(m.motion)];
}

// As for the bodies: q_f = q_m + h/2 u_f, or from the instant of the step on.
template <int D>
void Apparatus<D>::update(const Model<D>& model, State<D>& state, const StepInstant& instant) const {
  for (std::size_t p = 0; p < model.pistons.size(); ++p) {
    PistonState& piston = state.pistons[p];
    const double before = piston.speed;
    if (piston_motion_[p] >= 0) piston.speed += change_[static_cast<std::size_t>(piston_motion_[p])];
    piston.displacement += instant.before * before + instant.after * piston.speed;
  }
  if (!model.cell.deforms) return;
  state.cell.rate = (gradient + gradient_change_) * lattice.vectors;
  state.cell.vectors = lattice.vectors + instant.after * state.cell.rate;
}

template <int D>
Vec<D> displacement_of(const Model<D>& model, const State<D>& state, std::int32_t motion, double t) {
  const std::size_t m = static_cast<std::size_t>(motion);
  if (m >= state.motion_starts.size()) return displacement(model.motions[m], t);
  return state.motion_starts[m].offset + displacement(model.motions[m], t - state.motion_starts[m].time);
}

template <int D>
Vec<D> velocity_of(const Model<D>& model, const State<D>& state, std::int32_t motion, double t) {
  const std::size_t m = static_cast<std::size_t>(motion);
  return velocity(model.motions[m], m < state.motion_starts.size() ? t - state.motion_starts[m].time : t);
}

template <int D>
std::vector<Vec<D>> wall_shifts(const Model<D>& model, const State<D>& state) {
  std::vector<Vec<D>> shift(model.walls.size(), Vec<D>{});
  for (std::size_t w = 0; w < shift.size(); ++w)
    if (model.walls[w].motion >= 0) shift[w] = displacement_of(model, state, model.walls[w].motion, state.time);
  for (std::size_t p = 0; p < state.pistons.size(); ++p)
    for (const PistonWall<D>& wall : model.pistons[p].walls)
      shift[static_cast<std::size_t>(wall.wall)] += state.pistons[p].displacement * wall.direction;
  return shift;
}

template <int D>
double angle_of(const Model<D>& model, const State<D>& state, std::int32_t motion, double t) {
  const std::size_t m = static_cast<std::size_t>(motion);
  const double before = m < state.motion_starts.size() ? state.motion_starts[m].angle : 0.0;
  return before + angle_turned(model.motions[m], motion_time(state, motion, t));
}

template <int D>
std::vector<Matrix<D>> wall_turns(const Model<D>& model, const State<D>& state, double t) {
  std::vector<Matrix<D>> turn;
  for (std::size_t w = 0; w < model.walls.size(); ++w) {
    const std::int32_t motion = model.walls[w].turning;
    if (motion < 0) continue;
    turn.resize(model.walls.size(), identity<D>());
    turn[w] =
        matrix_of(turned(Rotation<D>{}, model.motions[static_cast<std::size_t>(motion)].axis, angle_of(model, state, motion, t)));
  }
  return turn;
}

template <int D>
std::vector<Vec<D>> wall_velocities(const Model<D>& model, const State<D>& state, double t) {
  std::vector<Vec<D>> velocities(model.walls.size(), Vec<D>{});
  for (std::size_t w = 0; w < velocities.size(); ++w)
    if (model.walls[w].motion >= 0) velocities[w] = velocity_of(model, state, model.walls[w].motion, t);
  for (std::size_t p = 0; p < state.pistons.size(); ++p)
    for (const PistonWall<D>& wall : model.pistons[p].walls)
      velocities[static_cast<std::size_t>(wall.wall)] += state.pistons[p].speed * wall.direction;
  return velocities;
}

template <int D>
Lattice<D> lattice_of(const Model<D>& model, const State<D>& state) {
  Lattice<D> lattice = model.cell.start;
  if (model.cell.deforms) lattice.vectors = state.cell.vectors;
  return lattice;
}

template <int D>
RigidVelocity<D> surface_of(const Model<D>& model, const State<D>& state, std::size_t wall, const Vec<D>& shift, double time) {
  const std::int32_t motion = model.walls[wall].surface;
  if (motion < 0) return {};
  RigidVelocity<D> surface = rigid_velocity(model.motions[static_cast<std::size_t>(motion)], motion_time(state, motion, time));
  surface.centre += shift;
  return surface;
}

template <int D>
bool cell_holds(const Lattice<D>& lattice, const Bodies<D>& bodies) {
  const std::vector<double>& radius = bodies.parameters.radius;
  const double largest = radius.empty() ? 0.0 : *std::max_element(radius.begin(), radius.end());
  return least_width(lattice) >= 4.0 * largest;
}

#define MOREAU_INSTANTIATE(D)                                                               \
  template class Apparatus<D>;                                                              \
  template double face_area(const Model<D>&, const std::vector<Vec<D>>&, const Piston<D>&); \
  template Vec<D> displacement_of(const Model<D>&, const State<D>&, std::int32_t, double);  \
  template Vec<D> velocity_of(const Model<D>&, const State<D>&, std::int32_t, double);      \
  template double angle_of(const Model<D>&, const State<D>&, std::int32_t, double);         \
  template std::vector<Matrix<D>> wall_turns(const Model<D>&, const State<D>&, double);     \
  template std::vector<Vec<D>> wall_shifts(const Model<D>&, const State<D>&);               \
  template std::vector<Vec<D>> wall_velocities(const Model<D>&, const State<D>&, double);   \
  template bool cell_holds(const Lattice<D>&, const Bodies<D>&);                            \
  template Lattice<D> lattice_of(const Model<D>&, const State<D>&);                         \
  template RigidVelocity<D> surface_of(const Model<D>&, const State<D>&, std::size_t, const Vec<D>&, double);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline dynamics

// The walls, pistons and periodic cell around the bodies during one step: where they are at its middle, how fast they move, and
// how pistons and cell answer to the contacts.
#pragma once

#include <span>
#include <vector>

#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"
#include "moreau/dynamics/step_instant.hpp"
#include "moreau/solver/shared_motion.hpp"

namespace moreau::inline dynamics {

template <int D>
class Apparatus {
 public:
  // Everything at the instant of the step, with the speeds that pistons and cell have at the beginning of the step; speeds that
  // are prescribed take their value of t_m = t + h/2.
  void predict(const Model<D>& model, State<D>& state, const StepInstant& instant);

  std::vector<Vec<D>> wall_shift;     // displacement of every wall
  std::vector<Vec<D>> wall_velocity;  // of every wall
  std::vector<Matrix<D>> wall_turn;   // of every wall; empty if none turns
  Lattice<D> lattice;                 // the cell
  Matrix<D> gradient{};               // L: the image of a body moves with L shift relative to the body
  Matrix<D> prescribed_change{};      // of L, already part of `gradient`, not yet of the velocities of the bodies

  // What the contacts will share. `stress` components of the cell come after the pistons.
  std::span<const SharedMotion> motions() const { return motions_; }
  // Relative velocity at a contact with wall w per unit of speed of its piston, if it has one that yields.
  struct PistonSide {
    std::int32_t motion = -1;
    Vec<D> direction{};
  };
  const PistonSide& side(std::size_t wall) const { return side_[wall]; }
  struct CellMotion {
    std::int32_t motion, p, q;  // component L_pq
  };
  std::span<const CellMotion> cell_motions() const { return cell_motions_; }

  // After the solution: the changes of the speeds over the step.
  void note_changes(std::span<const double> change);
  Vec<D> wall_velocity_change(std::size_t wall) const {
    return side_[wall].motion < 0 ? Vec<D>{} : -change_[static_cast<std::size_t>(side_[wall].motion)] * side_[wall].direction;
  }
  const Matrix<D>& gradient_change() const { return gradient_change_; }
  void update(const Model<D>& model, State<D>& state, const StepInstant& instant) const;

 private:
  void place_walls(const Model<D>& model, const State<D>& state, const StepInstant& instant, double t_m);
  void place_cell(const Model<D>& model, const State<D>& state, const StepInstant& instant, double t_m);
  void move_pistons(const Model<D>& model, State<D>& state, double t_m);

  std::vector<SharedMotion> motions_;
  std::vector<std::int32_t> piston_motion_;  // of every piston, -1 if its speed is prescribed
  std::vector<PistonSide> side_;
  std::vector<CellMotion> cell_motions_;
  std::vector<double> change_;
  Matrix<D> gradient_change_{};
};

// Time of a motion: since the run or, if a phase redefined it, the phase began.
template <int D>
inline double motion_time(const State<D>& state, std::int32_t motion, double t) {
  const std::size_t m = static_cast<std::size_t>(motion);
  return m < state.motion_starts.size() ? t - state.motion_starts[m].time : t;
}

// Displacement and velocity of a motion at time t.
template <int D>
Vec<D> displacement_of(const Model<D>& model, const State<D>& state, std::int32_t motion, double t);
template <int D>
Vec<D> velocity_of(const Model<D>& model, const State<D>& state, std::int32_t motion, double t);

// Angle of a motion that turns, at time t.
template <int D>
double angle_of(const Model<D>& model, const State<D>& state, std::int32_t motion, double t);

// Area of the face on which the stress of a piston acts, with walls displaced so.
template <int D>
double face_area(const Model<D>& model, const std::vector<Vec<D>>& wall_shift, const Piston<D>& piston);

// Displacement of every wall in a state.
template <int D>
std::vector<Vec<D>> wall_shifts(const Model<D>& model, const State<D>& state);
// How every wall has turned at time t; empty if none turns.
template <int D>
std::vector<Matrix<D>> wall_turns(const Model<D>& model, const State<D>& state, double t);
// Their velocities, those of prescribed motions at time t.
template <int D>
std::vector<Vec<D>> wall_velocities(const Model<D>& model, const State<D>& state, double t);

// How the surface of a wall displaced by `shift` moves within itself at `time`.
template <int D>
RigidVelocity<D> surface_of(const Model<D>& model, const State<D>& state, std::size_t wall, const Vec<D>& shift, double time);

// The velocity of the surface of a wall where it is touched. A belt over a mesh runs along its faces: what of its velocity points
// across them is left out.
template <int D>
inline Vec<D> surface_velocity(const Wall<D>& wall, const RigidVelocity<D>& surface, const Vec<D>& point, const Vec<D>& normal) {
  const Vec<D> v = surface.at(point);
  return wall.geometry.shape == WallShape::mesh && wall.turning < 0 ? v - dot(v, normal) * normal : v;
}

// Whether the cell is wide enough for its bodies. Narrower, a body could meet another through two images, or its own.
template <int D>
bool cell_holds(const Lattice<D>& lattice, const Bodies<D>& bodies);

// The cell of a state.
template <int D>
Lattice<D> lattice_of(const Model<D>& model, const State<D>& state);

}  // namespace moreau::inline dynamics

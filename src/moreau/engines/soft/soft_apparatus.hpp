// Walls, pistons and periodic cell around bodies whose forces are integrated in time: where they are at the end of the step, and
// how pistons and cell answer to the forces there (drive/piston.hpp, drive/cell.hpp).
#pragma once

#include <span>
#include <vector>

#include "moreau/contact/surroundings.hpp"
#include "moreau/dynamics/apparatus.hpp"
#include "moreau/engines/soft/scheme.hpp"

namespace moreau::soft {

template <int D>
class SoftApparatus {
 public:
  // Takes pistons and cell to their predicted state at t + h; gives walls their place there.
  void predict(const Model<D>& model, State<D>& state, const Scheme& scheme);
  // As they are in the state.
  void place(const Model<D>& model, State<D>& state, double time);

  std::vector<Vec<D>> wall_shift, wall_velocity;
  std::vector<RigidVelocity<D>> wall_surface;  // velocity of the surface of every wall within itself, to be added
  std::vector<std::int32_t> piston_of;         // the piston that the contacts of a wall push, -1: none
  Lattice<D> lattice;
  Vec<D> shift_of(Image image) const;           // with the digits that its vectors alone do not hold
  Matrix<D> gradient{};                         // L
  Matrix<D> prescribed_change{};                // of L in this step, at once; bodies follow it
  bool yields() const { return cell_yields_; }  // some component of the cell is under stress

  // Accelerations from the force of the contacts: `push` along the direction of each piston, `moment` = sum of f_p l_q (f on a, l
  // from b to a).
  void accelerate(const Model<D>& model, State<D>& state, std::span<const double> push, const Matrix<D>& moment);
  const Matrix<D>& gradient_rate() const { return rate_; }
  // Ends the step, or (`begin`) only takes over the accelerations.
  void correct(const Model<D>& model, State<D>& state, const Scheme& scheme);
  void begin(State<D>& state, const Scheme& scheme) const;

 private:
  void predict_cell(const Model<D>& model, State<D>& state, double time);
  void place_cell(const Model<D>& model, const State<D>& state);

  double time_ = 0.0;
  bool cell_yields_ = false;
  std::vector<double> acceleration_;  // of the pistons
  Matrix<D> rate_{}, cell_remainder_{};
};

}  // namespace moreau::soft

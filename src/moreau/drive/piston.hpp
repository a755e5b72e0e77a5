// A piston: one wall, or two that move as mirror images, with one degree of freedom that is given a velocity, a force or a
// stress.
//
// The coordinate is the displacement of each wall along its direction (by default its normal: towards the bodies). With two walls
// the degree of freedom has the mass and the force of both: 2 M dv/dt = 2 F - sum of what the contacts push back.
//
// Soil is a piston held by a spring and a dashpot, F - k x - c v. Both are taken by the trapezoidal rule, with the means of x and
// v over the step, which is stable for any step and exact for the energy of the spring:
//   (M + h c / 2 + h^2 k / 4) (v_f - v_i) = h (F - k (x_i + h/2 v_i) - c v_i) - contacts
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "moreau/drive/signal.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::inline drive {

enum class PistonControl {
  velocity,  // of each wall along its direction, whatever the forces
  force,     // on each wall
  stress,    // force on each wall = stress x area of its face, as large as it is at the moment
};

template <int D>
struct PistonWall {
  std::int32_t wall = -1;
  Vec<D> direction{};  // unit
};

template <int D>
struct Piston {
  std::string name;
  std::vector<PistonWall<D>> walls;  // one or two
  PistonControl control = PistonControl::velocity;
  Signal target;                          // velocity, force or stress, over the time since the phase began
  double mass = 0.0;                      // of each wall
  double stiffness = 0.0, damping = 0.0;  // of a spring and a dashpot behind each wall, that hold it where it was in the scene
  // Area of the face: this number times the distances between these pairs of facing walls.
  double area = 1.0;
  std::vector<std::array<std::int32_t, 2>> between;
};

struct PistonState {
  double displacement = 0.0, speed = 0.0;
  double phase_displacement = 0.0;  // when the phase began: strains are counted from there
};

}  // namespace moreau::inline drive

// All that evolves. A copy of this struct is a snapshot; a run continued from it is bit-identical to one that never stopped.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "moreau/bodies/bodies.hpp"
#include "moreau/contact/contact_table.hpp"
#include "moreau/drive/cell.hpp"
#include "moreau/drive/piston.hpp"
#include "moreau/drive/source.hpp"
#include "moreau/dynamics/integration.hpp"

namespace moreau::inline dynamics {

// Running sums of the discrete energy balance (Moreau 2004, eq. 48-50):
//   kinetic + potential + elastic = initial + inserted - removed + wall_work + gravity_work - dissipated
// For rigid contacts it is exact, to rounding, at every step; for contacts that yield its error is that of the integration.
struct EnergyLedger {
  double kinetic = 0.0;
  double potential = 0.0;     // - m g . x over free bodies
  double elastic = 0.0;       // in the springs of contacts that yield
  double initial = 0.0;       // kinetic + potential when the run began
  double inserted = 0.0;      // energy of grains brought by sources
  double wall_work = 0.0;     // sum of P . (velocity of the wall, driven body or cell), and of what moves the content of a cell
  double gravity_work = 0.0;  // what tilting adds to the potential energy
  double removed = 0.0;       // energy of bodies that left through sinks
  double dissipated = 0.0;    // - sum of (U_i + U_f)/2 . P, by rigid contacts; negative values are energy created (unequal
                              // restitution coefficients)
  double error() const {
    return kinetic + potential + elastic - initial - inserted + removed - wall_work - gravity_work + dissipated;
  }
};

// A motion redefined by a phase goes on from where it was: displacement(t) = offset + that of the motion at t - time, and so the
// angle of one that turns.
template <int D>
struct MotionStart {
  double time = 0.0;
  Vec<D> offset{};
  double angle = 0.0;
};

// Joints that have broken, in the order of time; within a step in that of the table of contacts, those that were lost last.
enum class JointBreak : std::uint8_t { opened = 0, slid = 1, lost = 2 };  // lost: the surfaces have parted, or moved on
template <int D>
struct BrokenJoints {
  std::vector<double> time;        // end of the step
  std::vector<std::int32_t> a, b;  // as in the table of contacts
  std::vector<Vec<D>> point;       // where the contact was
  std::vector<JointBreak> how;
  std::size_t size() const { return time.size(); }
};

template <int D>
struct State {
  double time = 0.0;
  std::uint64_t step = 0;
  double impulse_time_step = 0.0;  // the h with which the impulses below were computed; recalled impulses scale with h
  Bodies<D> bodies;
  ContactTable<D> contacts;
  BrokenJoints<D> broken;
  std::vector<double> wear;  // work of friction on the faces of the walls that wear (drive/wall.hpp); empty if none does
  std::vector<std::int32_t>
      order;  // bodies along a space-filling curve, renewed now and then: the order in which contacts are solved
  std::vector<SourceState> sources;           // one per source of the model
  std::vector<MotionStart<D>> motion_starts;  // one per motion of the model, or none: all from time 0
  std::vector<PistonState> pistons;           // one per piston of the model
  CellState<D> cell;                          // of a cell that deforms
  std::uint64_t phase = 0;                    // of the scene
  double phase_start = 0.0;                   // time at which it began
  double travelled = 0.0;                     // mean path of the free bodies since then [length]
  // Largest overlap [length] that contacts had when the rigid engine followed one in which they yield: overlaps up to it are left
  // as they are (ShiftRule), for what a spring has pushed together slowly would be thrown apart in a few steps.
  double left_overlap = 0.0;
  EnergyLedger energy;
  Integration<D> integration;
  // The finishing solver, where it failed (simulation.cpp): how often in a row, and until which step it leaves large parts alone.
  std::uint64_t finishing_failures = 0, finishing_rests_until = 0;
};

// 128 bits over every byte of the state, as 32 hexadecimal digits: equal if and only if the states are bit-identical
// (up to a collision of probability 2^-128).
template <int D>
std::string state_hash(const State<D>& state);

}  // namespace moreau::inline dynamics

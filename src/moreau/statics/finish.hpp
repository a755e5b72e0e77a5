// Brings a packing of round bodies without friction, nearly at rest under its loads, to an exact equilibrium: sequential linear
// programs (motion_program.hpp), each with the normals of the place where the one before led, until the forces are those of an
// isostatic list; then Newton's method makes its contacts touch. Tangential motion only opens the gaps of discs and balls, so
// that steps along linearised constraints never overlap (Combe 2001 does this by lubricated dynamics, sec. 1.3).
#pragma once

#include <cmath>
#include <string>

#include "moreau/statics/isostatic_list.hpp"

namespace moreau::statics {

struct FinishSettings {
  int most_programs = 500;
  double reach = 0.02;  // longest displacement per program, in mean diameters; up to five times more far from the end
  double farthest = HUGE_VAL;  // no body that carries, nor piston, is moved further, in mean diameters
  double descent = HUGE_VAL;   // the load does no more work, over that of work_along_diameter
};

struct Finish {
  bool isostatic = false;
  std::string reason;  // if not
  int programs = 0, pivots = 0;
  int contacts = 0, freedoms = 0;  // of the list; equal if isostatic
  double residual = 0.0;           // largest resultant on any freedom of a body, over the mean force
  double largest_gap = 0.0;        // of the list [length]
  double least_force = 0.0;        // over the mean
  std::size_t loose = 0;           // free bodies that carry nothing
  double farthest = 0.0;           // way of the body that carries, or piston, that was moved most, in mean diameters
  double descent = 0.0;            // work of the load on the way, over that of work_along_diameter
};

// What the load would do if everything moved along it by a mean diameter [energy]: what energies are compared with where it is
// asked whether a packing is near rest.
template <int D>
double work_along_diameter(const Model<D>& model, const State<D>& state, const Load<D>& load);

// Why the bodies of a model are not those of frictionless statics, in words; empty if they are.
template <int D>
std::string not_frictionless(const Model<D>& model, const Bodies<D>& bodies);

// Contacts that carry less freedoms of what they hold, if all of them touch and nothing moves: 0 in a state that was finished.
// Large if they do not touch.
template <int D>
int surplus_at_rest(const Model<D>& model, const State<D>& state, const Load<D>& load);

// The state is moved, its contact table replaced. Loads are those of `load`.
template <int D>
Finish finish(const Model<D>& model, State<D>& state, const Load<D>& load, const FinishSettings& settings = {});

}  // namespace moreau::statics

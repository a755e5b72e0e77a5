// What may move in a problem of statics, as columns of a matrix: the chosen bodies one after the other (velocity, then spin times
// radius where bodies turn), then the pistons that answer to forces, then the components of the velocity gradient of the cell
// that do.
#pragma once

#include <utility>
#include <vector>

#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau::statics {

template <int D>
struct Freedoms {
  static constexpr int elsewhere = -1, held = -2;
  std::vector<int> place;         // of every body among those that move; elsewhere: it takes no part; held: it does, in its place
  std::vector<std::size_t> body;  // those that move
  bool spins = false;
  std::vector<std::size_t> piston;            // of the model, those that answer to forces
  std::vector<int> wall_piston;               // of every wall, its place among these; -1: none
  std::vector<Vec<D>> wall_direction;         // along which its piston moves it
  std::vector<std::pair<int, int>> gradient;  // components (p, q) of the cell

  int each() const { return D + (spins ? spin_dimension<D> : 0); }
  bool takes_part(std::size_t i) const { return place[i] != elsewhere; }
  int column_of_body(std::size_t i) const { return place[i] < 0 ? -1 : each() * place[i]; }
  int column_of_piston(int k) const { return each() * static_cast<int>(body.size()) + k; }
  int column_of_gradient(int k) const { return column_of_piston(static_cast<int>(piston.size())) + k; }
  int size() const { return column_of_gradient(static_cast<int>(gradient.size())); }
};

// `bodies`: those that move; all others stand still.
template <int D>
Freedoms<D> freedoms_of(const Model<D>& model, std::size_t all_bodies, std::vector<std::size_t> bodies, bool spins);

// All free bodies.
template <int D>
Freedoms<D> freedoms_of(const Model<D>& model, const Bodies<D>& bodies, bool spins);

}  // namespace moreau::statics

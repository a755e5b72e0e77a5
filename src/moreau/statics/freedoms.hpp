// What may move in a problem of statics, as columns of a matrix: the chosen bodies one after the other (velocity, then spin times
// radius where bodies turn), then the pistons that answer to forces, then the components of the velocity gradient of the cell
// that do. Components of velocities may be held: motions that nothing opposes and no load drives have no columns.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau::statics {

template <int D>
struct Freedoms {
  static constexpr int elsewhere = -1;
  std::vector<int> place;                 // of every body among those that take part; elsewhere: it does not
  std::vector<std::size_t> body;          // those that do
  std::vector<std::pair<int, int>> held;  // (place, direction) of components that stay 0, in order
  bool spins = false;
  std::vector<std::size_t> piston;            // of the model, those that answer to forces
  std::vector<int> wall_piston;               // of every wall, its place among these; -1: none
  std::vector<Vec<D>> wall_direction;         // along which its piston moves it
  std::vector<std::pair<int, int>> gradient;  // components (p, q) of the cell

  int each() const { return D + (spins ? spin_dimension<D> : 0); }
  bool takes_part(std::size_t i) const { return place[i] != elsewhere; }
  // Of component d of the velocity of body i; -1: it is not free.
  int column(std::size_t i, int d) const {
    if (place[i] < 0) return -1;
    const auto before = std::lower_bound(held.begin(), held.end(), std::pair(place[i], d));
    if (before != held.end() && *before == std::pair(place[i], d)) return -1;
    return each() * place[i] + d - static_cast<int>(before - held.begin());
  }
  int column_of_spin(std::size_t i, int s) const {
    const auto before = std::lower_bound(held.begin(), held.end(), std::pair(place[i], D));
    return place[i] < 0 ? -1 : each() * place[i] + D + s - static_cast<int>(before - held.begin());
  }
  int column_of_piston(int k) const { return each() * static_cast<int>(body.size()) - static_cast<int>(held.size()) + k; }
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

// The films of a state: all pairs of round bodies, or of a body and a wall, that are near. Their thicknesses and forces are state
// (ContactTable::apart, impulse); pairs that come near begin with the gap that they have.
#pragma once

#include <string>
#include <vector>

#include "moreau/dynamics/body_sizes.hpp"
#include "moreau/engines/lubricated/film.hpp"
#include "moreau/statics/placement.hpp"

namespace moreau::lubricated {

template <int D>
struct Films {
  std::vector<statics::Contact<D>> contact;  // `gap`: thickness of the film
  std::vector<Film> film;
  Eigen::VectorXd force;  // as last known, 0 of new ones
};

// Pairs at most so far apart have a film.
template <int D>
double reach_of(const Model<D>& model, const Bodies<D>& bodies);

// Thinnest film that new pairs may have, in mean diameters.
inline constexpr double thinnest_new = 1e-9;

template <int D>
Films<D> films_of(const Model<D>& model, const State<D>& state, Neighbours<D>& neighbours);

// Moves bodies, pistons and cell by as little as it takes for all gaps to be at least `thinnest_new`: a linear program. Empty if
// that is done or not needed, else why it cannot be.
template <int D>
std::string part(const Model<D>& model, State<D>& state, Neighbours<D>& neighbours);

// Why the engine cannot take a model and its bodies; empty if it can.
template <int D>
std::string refusal(const Model<D>& model, const Bodies<D>& bodies);

}  // namespace moreau::lubricated

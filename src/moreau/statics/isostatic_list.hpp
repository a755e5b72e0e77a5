// A list of contacts with as many normal forces as freedoms, and what follows from it alone: forces, and the place where all its
// contacts touch exactly (Combe 2001, sec. 3.4; his "mise en conformite", sec. 3.6).
#pragma once

#include <span>
#include <vector>

#include "moreau/statics/list_factor.hpp"
#include "moreau/statics/load.hpp"
#include "moreau/statics/placement.hpp"

namespace moreau::statics {

template <int D>
struct IsostaticList {
  std::vector<Pair> pairs;
  Freedoms<D> freedoms;  // of the bodies that take part, of pistons and cell

  bool square() const { return static_cast<int>(pairs.size()) == freedoms.size(); }
};

// The bodies that take part are those of the contacts, and those that are loaded themselves. Bodies that are round and free of
// friction do not turn.
template <int D>
Freedoms<D> freedoms_of_pairs(const Model<D>& model, const State<D>& state, std::span<const Pair> pairs, const Load<D>& load);

// Motions that nothing opposes are held: of everything together along periodic directions, where no wall or fixed body stands in
// the way (the first body is held), and of loaded bodies along the plane walls on which they lie alone.
template <int D>
IsostaticList<D> list_of(const Model<D>& model, const State<D>& state, std::vector<Pair> pairs, const Load<D>& load);

template <int D>
SparseRows matrix_of(const Model<D>& model, const State<D>& state, const IsostaticList<D>& list);

// Freedoms are known by body and direction, piston, and component of the cell, whoever else takes part.
template <int D>
ListNames names_of(const Freedoms<D>& freedoms, std::vector<Pair> pairs);
template <int D>
ListNames names_of(const IsostaticList<D>& list) {
  return names_of(list.freedoms, list.pairs);
}

// Newton's method on the gaps: moves the bodies until every contact of the list has the gap asked for, to `tolerance` [length].
// False if it does not get there within `most` steps, none of them longer than `longest`.
template <int D>
bool close_gaps(const Model<D>& model, State<D>& state, const IsostaticList<D>& list, ListFactor& factor, double tolerance,
                double longest);

// f with Gt f + F = 0, the rows of the factor being those of the list.
bool balancing_forces(ListFactor& factor, const Eigen::VectorXd& F, Eigen::VectorXd& f);

// |Gt f + F|, largest component; of the list with the components that are held, where only a load that does not work on them
// leaves 0.
template <int D>
double imbalance(const Model<D>& model, const State<D>& state, const IsostaticList<D>& list, const Eigen::VectorXd& f,
                 const Load<D>& load);
double imbalance(const SparseRows& G, const Eigen::VectorXd& f, const Eigen::VectorXd& F);

// The contact table of a state at rest: these contacts with these forces, impulse = force x time step; nothing moves.
template <int D>
void put_at_rest(const Model<D>& model, State<D>& state, std::span<const Pair> pairs, const Eigen::VectorXd& force);

// What a contact of an isostatic list is said to carry that carries nothing, over the mean force: it belongs to the list all the
// same, and pushing_pairs is to find it.
inline constexpr double least_told = 2e-9;

// The pairs of the table that push by more than `threshold` times the mean.
template <int D>
std::vector<Pair> pushing_pairs(const State<D>& state, double threshold = 1e-9);

}  // namespace moreau::statics

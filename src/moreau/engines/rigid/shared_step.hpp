// What a step that several ranks make together asks of them besides its solution (solver/partners.hpp).
#pragma once

#include "moreau/contact/neighbours.hpp"
#include "moreau/dynamics/state.hpp"
#include "moreau/solver/partners.hpp"

namespace moreau::inline engines {

// Work of friction on a face of a wall that wears, by a contact of the body with that name in the whole.
struct WornFace {
  std::int32_t body;
  std::uint32_t face;
  double work;
};

template <int D>
class SharedStep : public Partners<D> {
 public:
  virtual double mean_radius() const = 0;  // of all bodies
  // As renew_order() of one process: the order of the bodies here is that of all bodies, with those elsewhere left out.
  virtual void renew_order(State<D>& state, bool due) = 0;
  // Whether every body that may touch one of ours is here, with bodies where and as fast as they are now, in the cell of now.
  // Ends the attempt at the step on all ranks if it is not so on one of them, by an exception.
  virtual void demand_reach(const LookAhead& ahead, const Lattice<D>& lattice, const Matrix<D>& gradient) = 0;
  // What all ranks have, in the order of the table of one process, on the rank that keeps the wear; nothing on the others.
  virtual std::vector<WornFace> bring_together(const std::vector<WornFace>& worn) = 0;
  // A cell that deforms is still wide enough for all bodies.
  virtual bool holds(const Lattice<D>& lattice) const = 0;
};

// The step is begun again, with more ghosts, or with bodies owned by other ranks.
struct ShareMissing {};

}  // namespace moreau::inline engines

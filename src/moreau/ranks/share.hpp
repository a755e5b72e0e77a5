// What one rank has of the bodies and contacts: its own bodies, ghosts, and the contacts whose first body is its own. Bodies are
// numbered here by increasing name, so that all that goes by body numbers goes in the same order as on one process.
#pragma once

#include <vector>

#include "moreau/contact/neighbours.hpp"
#include "moreau/dynamics/model.hpp"
#include "moreau/ranks/halo.hpp"
#include "moreau/ranks/records.hpp"

namespace moreau::ranks {

template <int D>
struct Share {
  State<D> state;
  std::vector<std::int32_t> name;  // by body
  std::vector<std::uint8_t> own;   // by body: it is no ghost
  std::vector<std::uint64_t> key;  // by body: its place along the curve that orders the bodies
  Halo halo;

  std::vector<BodyRecord<D>> own_bodies() const;
  std::vector<ContactRecord<D>> contacts() const;  // by names, in the order of the table
};

// How far bodies may go, and how fast they may become, before ghosts are chosen anew; by body of ours.
template <int D>
struct Reach {
  std::vector<Vec<D>> position;
  std::vector<double> margin, allowed_speed;
  LookAhead ahead;
  Matrix<D> vectors;   // of a periodic cell
  double drift = 0.0;  // by which its images may come nearer
  bool holds(const Share<D>& share, const LookAhead& now, const Lattice<D>& lattice, const Matrix<D>& gradient) const;
};

inline constexpr double contact_weight = 0.5;  // of the work that a contact makes, that of its body being 1

// Who is to own which bodies.
struct Division {
  bool anew = true;                     // by Zoltan; else as before
  double rate = 1.0;                    // weight of the bodies here, which are slower or faster to compute than others
  std::span<const std::int32_t> crowd;  // bodies that one rank must own; names, increasing
};

// (all) The share of this rank, from bodies and contacts of its own: these go first to the ranks that are to own them, then
// ghosts are chosen. `margin`: a factor, 1 or more, for margins.
template <int D>
void divide(Communicator& ranks, const Model<D>& model, const LookAhead& ahead, const Division& division, double margin,
            Share<D>& share, Reach<D>& reach);

}  // namespace moreau::ranks

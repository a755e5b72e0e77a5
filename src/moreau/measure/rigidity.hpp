// Degrees of hyperstaticity and hypostaticity of the force-carrying structure (Combe 2001, sec. 3.2; Moukarzel 1998, Roux 2000).
//
//   dv = G v         relative velocities at the contacts from the velocities of the bodies; G^T turns contact forces into
//   resultants h = dim ker G^T  independent sets of contact forces in balance with nothing (self-stresses) k = dim ker G
//   independent motions that no contact opposes (mechanisms, rigid motions included) N + k = N_f + h  N forces, N_f freedoms:
//   both follow from the rank of G, found by sparse QR (SuiteSparseQR)
#pragma once

#include <Eigen/SparseCore>

#include "moreau/measure/sample.hpp"

namespace moreau::measure {

enum class ContactForces {
  normal,    // frictionless: one force per contact
  mobile,    // with friction: all components where the contact sticks, the normal one where it slides (the tangent is then known)
  complete,  // all components everywhere
};

// The contacts that carry and whose bodies are no rattlers, and these bodies.
struct Structure {
  std::vector<std::size_t> contacts, bodies;
};
template <int D>
Structure force_carrying_structure(const Sample<D>& sample, double threshold = 1e-6);

// Rows: contact forces, contact by contact, normal first. Columns: per body of the structure its velocity and its spin times
// radius, then the freedoms of pistons and cell that yield. Spins are left out when no force turns a body (round bodies without
// friction).
template <int D>
Eigen::SparseMatrix<double> contact_operator(const Sample<D>& sample, const Structure& structure, ContactForces forces);

int rank_of(const Eigen::SparseMatrix<double>& matrix, double tolerance = 1e-9);

struct Rigidity {
  std::size_t bodies = 0, contacts = 0;  // of the structure
  int forces = 0, freedoms = 0, rank = 0;
  int hyperstatic() const { return forces - rank; }   // h
  int hypostatic() const { return freedoms - rank; }  // k
};
template <int D>
Rigidity rigidity(const Sample<D>& sample, const Structure& structure, ContactForces forces);

}  // namespace moreau::measure

// Rank of a contact operator, and all forces that balance without a load. By sparse QR (SuiteSparseQR).
//
//   h = dim ker Gt   degree of hyperstaticity: independent self-stresses
//   k = dim ker G    degree of hypostaticity: independent motions that no contact opposes, rigid motions included
//   forces + k = freedoms + h                                                            (Combe 2001, eq. 3.12-3.16)
#pragma once

#include <Eigen/Dense>

#include "moreau/statics/contact_matrix.hpp"

namespace moreau::statics {

struct Degrees {
  int forces = 0, freedoms = 0, rank = 0;
  int hyperstatic() const { return forces - rank; }   // h
  int hypostatic() const { return freedoms - rank; }  // k
};

// Columns of R shorter than `tolerance` count as zero; the entries of a contact operator are of order 1.
int rank_of(const Sparse& matrix, double tolerance = 1e-9);
Degrees degrees_of(const SparseRows& G);

// An orthonormal basis of the self-stresses, one per column: Gt s = 0.
Eigen::MatrixXd self_stresses(const SparseRows& G, double tolerance = 1e-9);

}  // namespace moreau::statics

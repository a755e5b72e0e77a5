// A sparse matrix as a group of an FCLIB file: m, n, nzmax, nz, p, i, x.
//
//   nz >= 0   triplets: entry k is (row i[k], column p[k], x[k]), nz of them; equal places add up
//   nz = -1   compressed columns: column j has the rows i[p[j]] .. i[p[j+1] - 1]
//   nz = -2   compressed rows: row j has the columns i[p[j]] .. i[p[j+1] - 1]
// Arrays may be longer than what is used.
#pragma once

#include <Eigen/SparseCore>

#include "moreau/store/hdf5.hpp"

namespace moreau::fclib {

enum class Storage { triplets, columns, rows };

// What the vectors of the problem say about a matrix. It is compared with m and n before memory is taken for them.
struct MatrixSize {
  Eigen::Index rows = 0, columns = 0;
  const char* why = "";  // the vectors
};

Eigen::SparseMatrix<double> read_matrix(const hdf5::Group& parent, const std::string& name, const MatrixSize& size);
void write_matrix(hdf5::Group& parent, const std::string& name, const Eigen::SparseMatrix<double>& matrix, Storage storage);

}  // namespace moreau::fclib

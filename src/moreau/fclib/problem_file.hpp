// Frictional contact problems and their solutions in the HDF5 form of the FCLIB collection.
//
//   fclib_local   W (n x n), vectors/q, vectors/mu, spacedim; optional bilateral part V, R, vectors/s
//   fclib_global  M, H, vectors/f, vectors/w, vectors/mu, spacedim; optional G, vectors/b
//   solution      r, u; v for the global form; l if there is a bilateral part
//
// Every file is checked here once; whatever is wrong becomes one StoreError naming the file, the place and the value.
#pragma once

#include <filesystem>
#include <string>
#include <variant>

#include "moreau/fclib/matrix_group.hpp"
#include "moreau/solver/given/global_problem.hpp"

namespace moreau::fclib {

struct Problem {
  std::variant<MixedProblem, GlobalProblem> form;
  std::string title, description, math_info;

  bool global() const { return std::holds_alternative<GlobalProblem>(form); }
};

struct Solution {
  Eigen::VectorXd r, u, v, l;  // v, l may be empty
};

Problem read_problem(const std::filesystem::path& path);
Solution read_solution(const std::filesystem::path& path);

void write_problem(const std::filesystem::path& path, const Problem& problem, Storage storage = Storage::columns);
void put_problem(hdf5::Group& root, const Problem& problem, Storage storage);  // the same into an open file
// All that is in `problem_path`, its solution (if any) replaced by this one, written to `path`. The two may be the same file.
void write_solution(const std::filesystem::path& path, const std::filesystem::path& problem_path, const Solution& solution);

ReducedProblem reduce_problem(const Problem& problem, const std::filesystem::path& path);  // StoreError if a matrix is singular

}  // namespace moreau::fclib

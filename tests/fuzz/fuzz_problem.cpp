// A problem file of the FCLIB form edited at will: it is refused with StoreError, or read, reduced and written again.
#include "fuzz/hdf5_edits.hpp"
#include "moreau/fclib/problem_file.hpp"
#include "moreau/store/store_error.hpp"

using namespace moreau;

namespace {

// Two contacts of one body in space.
fclib::Problem sample() {
  MixedProblem problem;
  problem.dimension = 3;
  problem.W = Eigen::MatrixXd::Identity(6, 6).sparseView();
  problem.q = Eigen::VectorXd::LinSpaced(6, -1.0, 1.0);
  problem.friction = {0.5, 0.5};
  return {problem, "sample", "", ""};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::fs::path file = fuzz::scratch() / "problem.hdf5";
  static const std::string valid = (fclib::write_problem(file, sample()), fuzz::bytes_in(file));
  static const fuzz::Contents contents(file);
  fuzz::Dice dice(data, size);
  fuzz::write_edited(file, valid, contents, dice);
  try {
    const fclib::Problem problem = fclib::read_problem(file);
    fclib::reduce_problem(problem, file);
    fclib::write_problem(fuzz::scratch() / "again.hdf5", problem);
  } catch (const StoreError&) {
  }
  return 0;
}

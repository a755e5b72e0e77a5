// Problems and solutions written and read back, and files that are wrong in one place each.
#include "moreau/fclib/problem_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "moreau/solver/given/local_solver.hpp"
#include "moreau/store/disk.hpp"
#include "moreau/store/store_error.hpp"
#include "solver/local_problems.hpp"

namespace moreau::fclib {
namespace {

namespace fs = std::filesystem;

class ProblemFile : public testing::Test {
 protected:
  ProblemFile() : folder_(fs::temp_directory_path() / ("moreau-fclib-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~ProblemFile() override { fs::remove_all(folder_); }
  fs::path path(const char* name = "p.hdf5") const { return folder_ / name; }

  // The sentence with which a file is refused.
  std::string refusal(const fs::path& file) const {
    try {
      reduce_problem(read_problem(file), file);
    } catch (const StoreError& e) {
      return e.what();
    }
    return "accepted";
  }

  fs::path folder_;
};

Problem local_example() {
  RandomStream random(91);
  const DenseProblem dense = coupled_contacts(random, 3, 4, 0.5);
  MixedProblem m;
  Eigen::MatrixXd W = dense.delassus;
  W.block(0, 6, 3, 3).setZero();  // some places stay empty
  m.W = W.sparseView(), m.q = dense.free, m.friction = dense.friction;
  return {m, "a title", "some words", ""};
}

Problem global_example(bool constrained) {
  RandomStream random(92);
  GlobalProblem g;
  g.dimension = 2;
  g.M = Eigen::MatrixXd(Eigen::VectorXd::LinSpaced(6, 1, 6).asDiagonal()).sparseView();
  g.H = random_entries(random, 6, 4).sparseView();
  g.f = random_entries(random, 6, 1), g.w = random_entries(random, 4, 1);
  g.friction = {0.2, 0.0};
  if (constrained) g.G = random_entries(random, 6, 1).sparseView(), g.b = random_entries(random, 1, 1);
  return {g, "", "", ""};
}

bool same(const Eigen::SparseMatrix<double>& a, const Eigen::SparseMatrix<double>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && (Eigen::MatrixXd(a) - Eigen::MatrixXd(b)).norm() == 0.0;
}

TEST_F(ProblemFile, every_storage_brings_the_same_problem_back) {
  for (const Storage storage : {Storage::triplets, Storage::columns, Storage::rows}) {
    const Problem local = local_example();
    write_problem(path(), local, storage);
    const Problem read = read_problem(path());
    const auto &a = std::get<MixedProblem>(local.form), &b = std::get<MixedProblem>(read.form);
    EXPECT_TRUE(same(a.W, b.W));
    EXPECT_EQ((a.q - b.q).norm(), 0.0);
    EXPECT_EQ(a.friction, b.friction);
    EXPECT_EQ(b.dimension, 3);
    EXPECT_EQ(read.title, "a title");
    EXPECT_EQ(read.description, "some words");
    EXPECT_EQ(read.math_info, "");
    for (const bool constrained : {false, true}) {
      const Problem global = global_example(constrained);
      write_problem(path(), global, storage);
      const Problem again = read_problem(path());
      const auto &c = std::get<GlobalProblem>(global.form), &d = std::get<GlobalProblem>(again.form);
      EXPECT_TRUE(same(c.M, d.M) && same(c.H, d.H) && same(c.G, d.G));
      EXPECT_EQ((c.f - d.f).norm() + (c.w - d.w).norm(), 0.0);
      EXPECT_EQ(d.b.size(), constrained ? 1 : 0);
    }
  }
}

TEST_F(ProblemFile, bilateral_part_of_the_local_form_comes_back) {
  Problem p = local_example();
  auto& m = std::get<MixedProblem>(p.form);
  RandomStream random(93);
  m.V = random_entries(random, 12, 2).sparseView();
  m.R = Eigen::MatrixXd(3.0 * Eigen::MatrixXd::Identity(2, 2)).sparseView();
  m.s = random_entries(random, 2, 1);
  write_problem(path(), p);
  const Problem back = read_problem(path());
  const auto& read = std::get<MixedProblem>(back.form);
  EXPECT_TRUE(same(m.V, read.V) && same(m.R, read.R));
  EXPECT_EQ((m.s - read.s).norm(), 0.0);
}

TEST_F(ProblemFile, solution_is_put_beside_the_problem_and_replaced) {
  write_problem(path(), local_example());
  const auto reduced = reduce_problem(read_problem(path()), path());
  const LocalResult r = solve_automatic(reduced.local, {});
  write_solution(path(), path(), {r.impulse, r.velocity, {}, {}});
  write_solution(path("other.hdf5"), path(), {2.0 * r.impulse, r.velocity, {}, {}});
  EXPECT_EQ((read_solution(path()).r - r.impulse).norm(), 0.0);
  EXPECT_EQ((read_solution(path("other.hdf5")).r - 2.0 * r.impulse).norm(), 0.0);
  EXPECT_EQ((read_solution(path()).u - r.velocity).norm(), 0.0);
  EXPECT_EQ(read_problem(path("other.hdf5")).title, "a title");
}

TEST_F(ProblemFile, mistakes_get_a_sentence) {
  EXPECT_NE(refusal(path("absent.hdf5")).find("does not exist"), std::string::npos);
  std::ofstream(path("text.hdf5")) << "not HDF5";
  EXPECT_NE(refusal(path("text.hdf5")).find("cannot be read"), std::string::npos);
  {
    hdf5::Writer empty(path("empty.hdf5"));
    write_whole(path("empty.hdf5"), empty.finish(), Sync::later);
  }
  EXPECT_NE(refusal(path("empty.hdf5")).find("neither a group 'fclib_local' nor 'fclib_global'"), std::string::npos);

  const auto spoiled = [&](const auto& spoil) {
    Problem p = local_example();
    spoil(std::get<MixedProblem>(p.form));
    write_problem(path(), p);
    return refusal(path());
  };
  EXPECT_EQ(spoiled([](MixedProblem&) {}), "accepted");
  EXPECT_NE(spoiled([](MixedProblem& m) { m.friction[2] = -0.1; }).find("friction coefficient of contact 2 is -0.1"),
            std::string::npos);
  EXPECT_NE(spoiled([](MixedProblem& m) { m.q[5] = std::nan(""); }).find("vector 'q' is not a finite number at place 5"),
            std::string::npos);
  EXPECT_NE(spoiled([](MixedProblem& m) { m.q.conservativeResize(11); }).find("matrix 'W' is 12 x 12 where 11 x 11 is expected"),
            std::string::npos);
  EXPECT_NE(spoiled([](MixedProblem& m) { m.friction.pop_back(); }).find("'mu' has 3 numbers where 4"), std::string::npos);
  EXPECT_NE(spoiled([](MixedProblem& m) { m.W.coeffRef(1, 1) = HUGE_VAL; }).find("'W/x' is not a finite number"),
            std::string::npos);
  EXPECT_NE(spoiled([](MixedProblem& m) { m.W.conservativeResize(12, 11); }).find("matrix 'W' is 12 x 11"), std::string::npos);
  EXPECT_NE(spoiled([](MixedProblem& m) { m.dimension = 4; }).find("'spacedim' is 4"), std::string::npos);
  EXPECT_NE(spoiled([](MixedProblem& m) {
              m.dimension = 2, m.friction.resize(6), m.W.conservativeResize(11, 11), m.q.conservativeResize(11);
            }).find("no multiple of the dimension"),
            std::string::npos);
}

// The collection itself, where it is at hand: every problem to 1e-8.
TEST(Collection, every_problem_is_solved_to_1e_8) {
  const char* folder = std::getenv("MOREAU_FCLIB");
  if (folder == nullptr || !fs::is_directory(folder)) GTEST_SKIP() << "set MOREAU_FCLIB to a folder of FCLIB files";
  const char* longest = std::getenv("MOREAU_FCLIB_TIME");
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  std::ranges::sort(files);
  ASSERT_FALSE(files.empty());
  for (const fs::path& file : files) {
    const LocalProblem p = reduce_problem(read_problem(file), file).local;
    const LocalResult r = solve_automatic(p, {.tolerance = 1e-8, .max_time = longest ? std::atof(longest) : 60.0});
    EXPECT_TRUE(r.converged) << file << ": " << r.certificate.error << " after " << r.time << " s";
    EXPECT_LE(r.certificate.relative_violation(), 1e-6) << file;
  }
}

}  // namespace
}  // namespace moreau::fclib

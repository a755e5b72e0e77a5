#include "moreau/fclib/problem_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "moreau/store/disk.hpp"
#include "moreau/store/output_file.hpp"
#include "moreau/store/store_error.hpp"

namespace moreau::fclib {
namespace {

// The vectors come first: their numbers are in the file, and tell how large the matrices may be.
Eigen::VectorXd read_vector(const hdf5::Group& group, const std::string& name) {
  if (!group.has(name)) group.damaged(fmt::format("vector '{}' is missing", name));
  std::vector<double> values;
  group.read(name, values);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k])) group.damaged(fmt::format("vector '{}' is not a finite number at place {}", name, k));
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

std::vector<double> read_friction(const hdf5::Group& vectors, Eigen::Index contacts) {
  const Eigen::VectorXd mu = read_vector(vectors, "mu");
  if (mu.size() != contacts)
    vectors.damaged(fmt::format("vector 'mu' has {} numbers where {} are expected (one per contact)", mu.size(), contacts));
  for (Eigen::Index a = 0; a < contacts; ++a)
    if (mu[a] < 0.0) vectors.damaged(fmt::format("the friction coefficient of contact {} is {}; it must be 0 or more", a, mu[a]));
  return {mu.begin(), mu.end()};
}

Eigen::SparseMatrix<double> required_matrix(const hdf5::Group& group, const char* name, const MatrixSize& size) {
  if (!group.has(name)) group.damaged(fmt::format("matrix '{}' is missing", name));
  return read_matrix(group, name, size);
}

hdf5::Group vectors_of(const hdf5::Group& group) {
  if (!group.has("vectors")) group.damaged("group 'vectors' is missing");
  return group.open("vectors");
}

int read_dimension(const hdf5::Group& group) {
  if (!group.has("spacedim")) group.damaged("'spacedim' is missing");
  std::vector<std::int32_t> value;
  group.read("spacedim", value);
  if (value.size() != 1 || (value[0] != 2 && value[0] != 3))
    group.damaged(fmt::format("'spacedim' is {}; accepted are 2 and 3", value.empty() ? "empty" : std::to_string(value[0])));
  return value[0];
}

Eigen::Index contacts_of(const hdf5::Group& group, const char* name, Eigen::Index components, int dimension) {
  if (components % dimension != 0)
    group.damaged(
        fmt::format("matrix '{}' has {} columns, which is no multiple of the dimension {}", name, components, dimension));
  return components / dimension;
}

MixedProblem read_mixed(const hdf5::Group& group) {
  MixedProblem p;
  p.dimension = read_dimension(group);
  const hdf5::Group vectors = vectors_of(group);
  p.q = read_vector(vectors, "q");
  p.W = required_matrix(group, "W", {p.q.size(), p.q.size(), "q"});
  const Eigen::Index contacts = contacts_of(group, "W", p.W.cols(), p.dimension);
  p.friction = read_friction(vectors, contacts);
  if (!group.has("V")) return p;
  p.s = read_vector(vectors, "s");
  p.V = read_matrix(group, "V", {p.q.size(), p.s.size(), "q and s"});
  p.R = required_matrix(group, "R", {p.s.size(), p.s.size(), "s"});
  return p;
}

GlobalProblem read_global(const hdf5::Group& group) {
  GlobalProblem p;
  p.dimension = read_dimension(group);
  const hdf5::Group vectors = vectors_of(group);
  p.f = read_vector(vectors, "f"), p.w = read_vector(vectors, "w");
  p.M = required_matrix(group, "M", {p.f.size(), p.f.size(), "f"});
  p.H = required_matrix(group, "H", {p.f.size(), p.w.size(), "f and w"});
  const Eigen::Index contacts = contacts_of(group, "H", p.H.cols(), p.dimension);
  p.friction = read_friction(vectors, contacts);
  if (!group.has("G")) return p;
  p.b = read_vector(vectors, "b");
  p.G = read_matrix(group, "G", {p.f.size(), p.b.size(), "f and b"});
  return p;
}

void write_vector(hdf5::Group& group, const std::string& name, const Eigen::VectorXd& values) {
  group.write(name, std::vector<double>(values.begin(), values.end()));
}

void write_form(hdf5::Group& group, const MixedProblem& p, Storage storage) {
  write_matrix(group, "W", p.W, storage);
  hdf5::Group vectors = group.create("vectors");
  write_vector(vectors, "q", p.q);
  vectors.write("mu", p.friction);
  if (p.V.cols() == 0) return;
  write_matrix(group, "V", p.V, storage);
  write_matrix(group, "R", p.R, storage);
  write_vector(vectors, "s", p.s);
}

void write_form(hdf5::Group& group, const GlobalProblem& p, Storage storage) {
  write_matrix(group, "M", p.M, storage);
  write_matrix(group, "H", p.H, storage);
  hdf5::Group vectors = group.create("vectors");
  write_vector(vectors, "f", p.f);
  write_vector(vectors, "w", p.w);
  vectors.write("mu", p.friction);
  if (p.G.cols() == 0) return;
  write_matrix(group, "G", p.G, storage);
  write_vector(vectors, "b", p.b);
}

// Terminated by a zero, as the readers of the collection expect.
void write_line(hdf5::Group& group, const std::string& name, const std::string& text) {
  group.write(name, std::vector<std::string>{text + '\0'});
}

}  // namespace

Problem read_problem(const std::filesystem::path& path) {
  const hdf5::Reader file(path);
  const bool local = file.root().has("fclib_local"), global = file.root().has("fclib_global");
  if (!local && !global)
    file.root().damaged("holds neither a group 'fclib_local' nor 'fclib_global': not a problem of the FCLIB form");
  const hdf5::Group group = file.root().open(local ? "fclib_local" : "fclib_global");
  Problem problem;
  if (local)
    problem.form = read_mixed(group);
  else
    problem.form = read_global(group);
  if (group.has("info")) {  // free text for people: whatever cannot be read is left empty
    const hdf5::Group info = group.open("info");
    problem.title = info.text("title"), problem.description = info.text("description"),
    problem.math_info = info.text("math_info");
  }
  return problem;
}

Solution read_solution(const std::filesystem::path& path) {
  const hdf5::Reader file(path);
  if (!file.root().has("solution")) file.root().damaged("holds no group 'solution'");
  const hdf5::Group group = file.root().open("solution");
  Solution s;
  const auto read = [&](const char* name, Eigen::VectorXd& to) {
    std::vector<double> values;
    if (group.has(name)) group.read(name, values);
    to = Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  };
  read("r", s.r), read("u", s.u), read("v", s.v), read("l", s.l);
  return s;
}

void put_problem(hdf5::Group& root, const Problem& problem, Storage storage) {
  hdf5::Group group = root.create(problem.global() ? "fclib_global" : "fclib_local");
  std::visit(
      [&](const auto& form) {
        group.write("spacedim", std::vector<std::int32_t>{form.dimension});
        write_form(group, form, storage);
      },
      problem.form);
  hdf5::Group info = group.create("info");
  write_line(info, "title", problem.title);
  write_line(info, "description", problem.description);
  write_line(info, "math_info", problem.math_info);
}

void write_problem(const std::filesystem::path& path, const Problem& problem, Storage storage) {
  hdf5::Writer file(path);
  put_problem(file.root(), problem, storage);
  write_whole(path, file.finish(), Sync::now);
}

void write_solution(const std::filesystem::path& path, const std::filesystem::path& problem_path, const Solution& solution) {
  hdf5::Writer file(path);
  {
    const hdf5::Reader source(problem_path);
    for (const std::string& name : source.root().names())
      if (name != "solution") file.root().copy(name, source.root());
    hdf5::Group group = file.root().create("solution");
    write_vector(group, "r", solution.r);
    write_vector(group, "u", solution.u);
    if (solution.v.size() > 0) write_vector(group, "v", solution.v);
    if (solution.l.size() > 0) write_vector(group, "l", solution.l);
  }
  write_output(path, file.finish());
}

namespace {

// W is what impulses do to velocities: positive, but for digits that were cut and a gyroscopic part. Every entry of such a matrix
// is bounded by the diagonal, |W_ij|^2 <= W_ii W_jj; solvers would search for long where it is not.
std::string not_positive(const BlockMatrix& W) {
  const int D = W.dimension;
  std::vector<double> diagonal;
  double largest = 0.0;
  for (int a = 0; a < W.rows(); ++a)
    for (int i = 0; i < D; ++i)
      diagonal.push_back(W.block(W.diagonal[a])[D * i + i]), largest = std::max(largest, std::abs(diagonal.back()));
  const double slack = 1e-6 * largest;
  const auto place = [&](int a, int i) { return static_cast<std::size_t>(D * a + i); };
  for (std::size_t k = 0; k < diagonal.size(); ++k)
    if (diagonal[k] < -slack)
      return fmt::format("W has {:g} at ({}, {}); accepted: numbers >= 0 on its diagonal", diagonal[k], k + 1, k + 1);
  for (int a = 0; a < W.rows(); ++a)
    for (int p = W.start[a]; p < W.start[a + 1]; ++p)
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) {
          const std::size_t row = place(a, i), column = place(W.column[p], j);
          const double entry = W.block(p)[D * i + j];
          const double bound = std::sqrt(std::max(0.0, diagonal[row])) * std::sqrt(std::max(0.0, diagonal[column]));
          if (std::abs(entry) > 2.0 * bound + slack)
            return fmt::format("W has {:g} at ({}, {}), where its diagonal allows {:g} at most; accepted: a positive matrix",
                               entry, row + 1, column + 1, bound);
        }
  return {};
}

}  // namespace

ReducedProblem reduce_problem(const Problem& problem, const std::filesystem::path& path) {
  auto reduced = std::visit([](const auto& form) { return reduce(form); }, problem.form);
  if (!reduced)
    throw StoreError(fmt::format("{}: {} is singular, so that the problem cannot be brought to local form", path.string(),
                                 problem.global() ? "the matrix M (with the constraints G, if any)" : "the matrix R"));
  const std::vector<double>& W = reduced->local.delassus.value;
  if (!reduced->local.free.allFinite() || !std::ranges::all_of(W, [](double x) { return std::isfinite(x); }))
    throw StoreError(fmt::format("{}: numbers are so large that W or q of the local form are infinite", path.string()));
  if (const std::string why = not_positive(reduced->local.delassus); !why.empty())
    throw StoreError(fmt::format("{}: {}", path.string(), why));
  return std::move(*reduced);
}

}  // namespace moreau::fclib

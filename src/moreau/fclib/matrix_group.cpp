#include "moreau/fclib/matrix_group.hpp"

#include <fmt/format.h>

#include <cmath>

namespace moreau::fclib {
namespace {

// The arrays of the file, checked: every place that will be used lies in the matrix and holds a number.
struct Arrays {
  int m = 0, n = 0, nz = 0;
  std::vector<std::int32_t> p, i;
  std::vector<double> x;
};

int read_integer(const hdf5::Group& group, const std::string& matrix, const std::string& name) {
  std::vector<std::int32_t> value;
  if (!group.has(name)) group.damaged(fmt::format("matrix '{}' has no '{}'", matrix, name));
  group.read(name, value);
  if (value.size() != 1) group.damaged(fmt::format("'{}/{}' has {} numbers where 1 is expected", matrix, name, value.size()));
  return value[0];
}

void check_starts(const hdf5::Group& group, const std::string& matrix, const Arrays& a, int lines) {
  if (a.p.size() < static_cast<std::size_t>(lines) + 1)
    group.damaged(
        fmt::format("'{}/p' has {} numbers where {} are needed", matrix, a.p.size(), static_cast<std::size_t>(lines) + 1));
  if (a.p[0] != 0) group.damaged(fmt::format("'{}/p' begins with {}, not with 0", matrix, a.p[0]));
  for (int j = 0; j < lines; ++j)
    if (a.p[j + 1] < a.p[j])
      group.damaged(fmt::format("'{}/p' falls from {} to {} at place {}", matrix, a.p[j], a.p[j + 1], j + 1));
}

void check_index(const hdf5::Group& group, const std::string& matrix, const char* name, const std::vector<std::int32_t>& index,
                 std::size_t used, int size) {
  for (std::size_t k = 0; k < used; ++k)
    if (index[k] < 0 || index[k] >= size)
      group.damaged(fmt::format("'{}/{}' has {} at place {}, outside 0 .. {}", matrix, name, index[k], k, size - 1));
}

Arrays read_arrays(const hdf5::Group& group, const std::string& matrix, const MatrixSize& size) {
  Arrays a;
  a.m = read_integer(group, matrix, "m"), a.n = read_integer(group, matrix, "n"), a.nz = read_integer(group, matrix, "nz");
  if (a.m < 0 || a.n < 0) group.damaged(fmt::format("matrix '{}' has {} rows and {} columns", matrix, a.m, a.n));
  if (a.m != size.rows || a.n != size.columns)
    group.damaged(fmt::format("matrix '{}' is {} x {} where {} x {} is expected (the length of {})", matrix, a.m, a.n, size.rows,
                              size.columns, size.why));
  if (a.nz < -2)
    group.damaged(fmt::format("'{}/nz' is {}; accepted are -2 (rows), -1 (columns) and 0 or more (triplets)", matrix, a.nz));
  for (const char* name : {"p", "i", "x"})
    if (!group.has(name)) group.damaged(fmt::format("matrix '{}' has no '{}'", matrix, name));
  group.read("p", a.p), group.read("i", a.i), group.read("x", a.x);
  const int lines = a.nz == -1 ? a.n : a.m;
  if (a.nz < 0) check_starts(group, matrix, a, lines);
  const std::size_t used = a.nz >= 0 ? a.nz : a.p[lines];
  if (a.i.size() < used || a.x.size() < used || (a.nz >= 0 && a.p.size() < used))
    group.damaged(fmt::format("matrix '{}' should have {} entries, but its arrays are shorter", matrix, used));
  check_index(group, matrix, "i", a.i, used, a.nz == -2 ? a.n : a.m);
  if (a.nz >= 0) check_index(group, matrix, "p", a.p, used, a.n);
  for (std::size_t k = 0; k < used; ++k)
    if (!std::isfinite(a.x[k])) group.damaged(fmt::format("'{}/x' is not a finite number at place {}", matrix, k));
  a.x.resize(used);
  return a;
}

void write_integer(hdf5::Group& group, const std::string& name, std::int64_t value) {
  group.write(name, std::vector<std::int32_t>{static_cast<std::int32_t>(value)});
}

}  // namespace

Eigen::SparseMatrix<double> read_matrix(const hdf5::Group& parent, const std::string& name, const MatrixSize& size) {
  const hdf5::Group group = parent.open(name);
  const Arrays a = read_arrays(group, name, size);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(a.x.size());
  if (a.nz >= 0)
    for (int k = 0; k < a.nz; ++k) entries.emplace_back(a.i[k], a.p[k], a.x[k]);
  else
    for (int j = 0; j < (a.nz == -1 ? a.n : a.m); ++j)
      for (int k = a.p[j]; k < a.p[j + 1]; ++k) entries.emplace_back(a.nz == -1 ? a.i[k] : j, a.nz == -1 ? j : a.i[k], a.x[k]);
  Eigen::SparseMatrix<double> matrix(a.m, a.n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

void write_matrix(hdf5::Group& parent, const std::string& name, const Eigen::SparseMatrix<double>& matrix, Storage storage) {
  hdf5::Group group = parent.create(name);
  std::vector<std::int32_t> p, i;
  std::vector<double> x;
  const auto entries = matrix.nonZeros();
  write_integer(group, "m", matrix.rows());
  write_integer(group, "n", matrix.cols());
  write_integer(group, "nzmax", entries);
  write_integer(group, "nz", storage == Storage::triplets ? entries : storage == Storage::columns ? -1 : -2);
  const auto put = [&](const auto& sorted) {
    for (int line = 0; line < sorted.outerSize(); ++line) {
      if (storage != Storage::triplets) p.push_back(static_cast<std::int32_t>(x.size()));
      for (typename std::decay_t<decltype(sorted)>::InnerIterator e(sorted, line); e; ++e) {
        if (storage == Storage::triplets) p.push_back(static_cast<std::int32_t>(e.col()));
        i.push_back(static_cast<std::int32_t>(storage == Storage::rows ? e.col() : e.row()));
        x.push_back(e.value());
      }
    }
    if (storage != Storage::triplets) p.push_back(static_cast<std::int32_t>(x.size()));
  };
  if (storage == Storage::rows)
    put(Eigen::SparseMatrix<double, Eigen::RowMajor>(matrix));
  else
    put(matrix);
  group.write("p", p), group.write("i", i), group.write("x", x);
}

}  // namespace moreau::fclib

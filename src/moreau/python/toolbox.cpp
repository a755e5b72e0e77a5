// Tools for studies: the random numbers of the library, and Gauss-Seidel on a problem written out in full.
#include <fmt/format.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <variant>

#include "moreau/base/random.hpp"
#include "moreau/python/parts.hpp"
#include "moreau/solver/given/dense_gauss_seidel.hpp"

namespace moreau::python {

namespace {

void check(const DenseProblem& p, const DenseSettings& s, const Eigen::VectorXd& start) {
  const auto refuse = [](const std::string& sentence) { throw py::value_error(sentence); };
  const Eigen::Index rows = static_cast<Eigen::Index>(p.dimension) * p.contacts();
  if (p.dimension != 2 && p.dimension != 3) refuse(fmt::format("dimension is {}; accepted: 2, 3", p.dimension));
  if (p.delassus.rows() != rows || p.delassus.cols() != rows || p.free.size() != rows)
    refuse(fmt::format("{} contacts in {} dimensions need a matrix of {} rows and columns, and as many free velocities",
                       p.contacts(), p.dimension, rows));
  if (!p.delassus.allFinite() || !p.free.allFinite() || !start.allFinite())
    refuse("the matrix, the free velocities or the start hold a number that is not finite; accepted: finite numbers");
  // What masses make: to rounding no direction in which a push answers with its opposite, and every contact gives way.
  const Eigen::MatrixXd symmetric = 0.5 * (p.delassus + p.delassus.transpose());
  const double largest = rows > 0 ? symmetric.diagonal().cwiseAbs().maxCoeff() : 0.0;
  for (int a = 0; a < p.contacts(); ++a) {
    const Eigen::LDLT<Eigen::MatrixXd> block(symmetric.block(p.dimension * a, p.dimension * a, p.dimension, p.dimension));
    if (!block.isPositive() || !(block.vectorD().minCoeff() > 1e-14 * block.vectorD().maxCoeff()))
      refuse(fmt::format("the block of contact {} on the diagonal of the matrix is not positive definite; accepted: a matrix as "
                         "masses make it, positive semi-definite, with such blocks",
                         a));
  }
  const Eigen::LDLT<Eigen::MatrixXd> whole(symmetric + Eigen::MatrixXd::Identity(rows, rows) * (1e-9 * largest));
  if (rows > 0 && !whole.isPositive())
    refuse("the matrix is not positive semi-definite; accepted: one as masses make it, P.(W P) >= 0 for all impulses");
  if (start.size() != 0 && start.size() != rows)
    refuse(fmt::format("start has {} numbers; accepted: {}, or none", start.size(), rows));
  for (const double mu : p.friction)
    if (!(mu >= 0.0 && mu <= 1e30)) refuse(fmt::format("friction is {}; accepted: finite numbers >= 0", mu));
  if (!(s.tolerance > 0.0) || s.max_sweeps < 1) refuse("tolerance must be > 0 and max_sweeps >= 1");
  std::vector<int> sorted = s.order;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i] != static_cast<int>(i) || sorted.size() != p.friction.size()) refuse("order must name every contact once");
}

py::dict gauss_seidel(Eigen::MatrixXd delassus, Eigen::VectorXd free, std::variant<double, std::vector<double>> coefficients, int dimension,
                      double tolerance, int max_sweeps, const Eigen::VectorXd& start, std::vector<int> order) {
  const auto contacts = static_cast<std::size_t>(free.size() / std::max(1, dimension));
  std::vector<double> friction = std::holds_alternative<double>(coefficients) ? std::vector<double>(contacts, std::get<double>(coefficients))
                                                                               : std::get<std::vector<double>>(std::move(coefficients));
  const DenseProblem problem{dimension, std::move(delassus), std::move(free), std::move(friction)};
  DenseSettings settings;
  settings.tolerance = tolerance, settings.max_sweeps = max_sweeps, settings.order = std::move(order);
  check(problem, settings, start);
  DenseResult r;
  {
    py::gil_scoped_release released;
    r = solve_dense_gauss_seidel(problem, settings, start);
  }
  py::dict result;
  result["impulse"] = r.impulse, result["velocity"] = r.velocity, result["residual"] = r.residual;
  result["sweeps"] = r.sweeps, result["converged"] = r.converged, result["unbounded"] = r.unbounded;
  return result;
}

}  // namespace

void add_toolbox(py::module_& m) {
  py::class_<RandomStream>(m, "Random", "The random numbers of the library: the same on every machine.")
      .def(py::init([](const py::int_& seed) {
             const std::uint64_t value = PyLong_AsUnsignedLongLong(seed.ptr());
             if (PyErr_Occurred()) {
               PyErr_Clear();
               throw py::value_error(
                   fmt::format("seed is {}; accepted: an integer from 0 to 2^64 - 1", std::string(py::repr(seed))));
             }
             return RandomStream(value);
           }),
           py::arg("seed") = 0)
      .def(
          "uniform", [](RandomStream& stream, double low, double high) { return stream.uniform(low, high); },
          py::arg("low") = 0.0, py::arg("high") = 1.0, "a number in [low, high)");
  m.def("gauss_seidel", &gauss_seidel, py::arg("delassus"), py::arg("free"), py::arg("friction"), py::arg("dimension") = 2,
        py::arg("tolerance") = 1e-12, py::arg("max_sweeps") = 10000, py::arg("start") = Eigen::VectorXd(),
        py::arg("order") = std::vector<int>());
}

}  // namespace moreau::python

// Contact problems from files, and the one-step test of equilibrium.
#include <fmt/format.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "moreau/base/nearest.hpp"
#include "moreau/course/phases.hpp"
#include "moreau/engines/equilibrium.hpp"
#include "moreau/fclib/problem_file.hpp"
#include "moreau/python/arrays.hpp"
#include "moreau/python/held.hpp"
#include "moreau/solver/given/local_solver.hpp"

namespace moreau::python {

namespace {

const NamedSolver& solver_named(const std::string& name) {
  std::vector<std::string> names;
  for (const NamedSolver& s : local_solvers()) {
    if (name == s.name) return s;
    names.emplace_back(s.name);
  }
  throw py::value_error(fmt::format("there is no solver '{}'; {}", name, suggestion(name, names)));
}

py::dict solve(const std::filesystem::path& path, const std::string& name, double tolerance, double max_time,
               int max_iterations) {
  const NamedSolver& solver = solver_named(name);
  if (!(tolerance > 0.0) || !(max_time > 0.0) || max_iterations < 0)
    throw py::value_error("tolerance and max_time must be > 0, max_iterations >= 0");
  LocalSettings settings;
  settings.tolerance = tolerance, settings.max_time = max_time, settings.max_iterations = max_iterations;
  LocalResult r;
  int contacts = 0, dimension = 0;
  {
    py::gil_scoped_release free;
    const fclib::Problem problem = fclib::read_problem(path);
    const ReducedProblem reduced = fclib::reduce_problem(problem, path);
    contacts = reduced.local.contacts(), dimension = reduced.local.dimension();
    r = solver.solve(reduced.local, settings);
  }
  const LocalCertificate& c = r.certificate;
  const std::vector<py::ssize_t> shape{contacts, dimension};
  py::dict result;
  result["solver"] = r.solver, result["converged"] = r.converged, result["iterations"] = r.iterations;
  result["time"] = r.time;
  result["impulse"] = py::array_t<double>(shape, r.impulse.data());
  result["velocity"] = py::array_t<double>(shape, r.velocity.data());
  result["error"] = c.error, result["violation"] = c.violation, result["relative_violation"] = c.relative_violation();
  result["open"] = c.open, result["stick"] = c.stick, result["slide"] = c.slide;
  result["no_solution"] = r.squeeze.has_value();
  return result;
}

template <int D>
py::dict described(EquilibriumReport<D> report) {
  py::dict result;
  result["possible"] = report.step.certificate.converged ? py::object(py::bool_(report.possible)) : py::object(py::none());
  result["max_speed"] = report.max_speed, result["velocity_scale"] = report.velocity_scale;
  result["passes"] = report.passes;
  result["unjudged"] = report.unjudged.empty() ? py::object(py::none()) : py::object(py::str(report.unjudged));
  result["solver"] = report.solver;
  result["report"] = report.step;
  auto* kept = new ContactRecords<D>(std::move(report.forces));
  const py::capsule owner(kept, [](void* p) { delete static_cast<ContactRecords<D>*>(p); });
  result["a"] = view_of(kept->a, owner), result["b"] = view_of(kept->b, owner);
  result["point"] = view_of(kept->point, owner), result["normal"] = view_of(kept->normal, owner);
  result["force"] = view_of(kept->force, owner);
  result["status"] = view_of(kept->status, owner);
  return result;
}

void check_tolerance(double tolerance) {
  if (!(tolerance >= 1e-12 && tolerance <= 1.0))
    throw py::value_error(fmt::format("tolerance is {}; accepted: 1e-12 to 1", tolerance));
}

template <int D>
py::dict tested(const Model<D>& model, State<D> state, double tolerance) {
  EquilibriumReport<D> report;
  {
    py::gil_scoped_release free;
    report = test_equilibrium(model, std::move(state), tolerance);
  }
  return described(std::move(report));
}

}  // namespace

void add_solve(py::module_& m) {
  m.def("solve", &solve, py::arg("problem"), py::arg("solver") = "auto", py::arg("tolerance") = 1e-8, py::arg("max_time") = 60.0,
        py::arg("max_iterations") = 0);
  m.def("solvers", [] {
    py::dict all;
    for (const NamedSolver& s : local_solvers()) all[s.name] = s.purpose;
    return all;
  });
  m.def("equilibrium", [](const HeldScene& held, double tolerance) {
    check_tolerance(tolerance);
    return held.visit([&]<int D>(const Scene<D>& scene) {
      return tested(scene.model, Simulation<D>(scene.model, bodies_of_first_phase(scene), scene.seed).state(), tolerance);
    });
  });
  m.def("equilibrium", [](const HeldCourse& held, double tolerance) {
    check_tolerance(tolerance);
    return held.visit([&](const auto& course) { return tested(course.model(), course.state(), tolerance); });
  });
}

}  // namespace moreau::python

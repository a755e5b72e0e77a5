// The parts of the extension, one file each, in the order in which they are added.
#pragma once

#include <pybind11/pybind11.h>

namespace moreau::python {

namespace py = pybind11;

void add_errors(py::module_& m);
void add_reports(py::module_& m);
void add_scene(py::module_& m);
void add_frame(py::module_& m);
void add_course(py::module_& m);
void add_run(py::module_& m);
void add_save(py::module_& m);
void add_measure(py::module_& m);
void add_solve(py::module_& m);
void add_toolbox(py::module_& m);

}  // namespace moreau::python

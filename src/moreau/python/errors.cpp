// Failures of the library as Python exceptions, with the sentence that the command line would say.
#include "moreau/python/errors.hpp"

#include "moreau/python/parts.hpp"
#include "moreau/scene/scene.hpp"
#include "moreau/store/store_error.hpp"

namespace moreau::python {

void add_errors(py::module_& m) {
  const py::object base = py::register_exception<CourseError>(m, "CourseError", PyExc_RuntimeError);
  py::register_exception<NotConverged>(m, "NotConverged", base.ptr());
  py::register_exception<NotFinite>(m, "NotFinite", base.ptr());
  py::register_exception<CellCollapsed>(m, "CellCollapsed", base.ptr());
  py::register_exception<CourseBusy>(m, "CourseBusy", base.ptr());
  py::register_exception<SceneError>(m, "SceneError", PyExc_ValueError);
  py::register_exception<StoreError>(m, "StoreError", PyExc_OSError);
  py::register_exception<StaleView>(m, "StaleView", PyExc_ReferenceError);
}

}  // namespace moreau::python

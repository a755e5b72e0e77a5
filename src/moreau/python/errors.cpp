// Failures of the library as Python exceptions, with the sentence that the command line would say.
#include "moreau/python/errors.hpp"

#include "moreau/python/parts.hpp"
#include "moreau/scene/scene.hpp"
#include "moreau/store/store_error.hpp"

namespace moreau::python {

namespace {

template <class Error>
py::object add_error(py::module_& m, const char* name, py::handle base, const char* meaning) {
  const py::object error = py::register_exception<Error>(m, name, base);
  error.attr("__doc__") = meaning;
  return error;
}

}  // namespace

void add_errors(py::module_& m) {
  const py::object base = add_error<CourseError>(m, "CourseError", PyExc_RuntimeError, "A course cannot go on, and why.");
  add_error<NotConverged>(m, "NotConverged", base, "A step did not converge, and the scene says on_limit = \"stop\".");
  add_error<NotFinite>(m, "NotFinite", base, "Velocities, positions or energies are no longer numbers.");
  add_error<CellCollapsed>(m, "CellCollapsed", base, "The periodic cell has become narrower than two of the largest bodies.");
  add_error<CourseBusy>(m, "CourseBusy", base, "Another thread steps the course.");
  add_error<SceneError>(m, "SceneError", PyExc_ValueError, "A mistake in a scene: place, key, value, and what is accepted.");
  add_error<StoreError>(m, "StoreError", PyExc_OSError, "A file of a run cannot be read or written.");
  add_error<StaleView>(m, "StaleView", PyExc_ReferenceError,
                       "An array of bodies that was taken before a source brought more: take it anew.");
}

}  // namespace moreau::python

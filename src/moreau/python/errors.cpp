// Failures of the library as Python exceptions, with the sentence that the command line would say.
#include "moreau/python/errors.hpp"

#include <string_view>

#include "moreau/engines/refusal.hpp"
#include "moreau/python/parts.hpp"
#include "moreau/scene/scene.hpp"
#include "moreau/store/store_error.hpp"

namespace moreau::python {

namespace {

// From here on this failure is an exception of that type. A sentence may name a file whose name is no text; Python writes such
// bytes as surrogates.
template <class E>
void raise_as(py::object of_type) {
  static PyObject* type = nullptr;  // there as long as the module is
  type = of_type.release().ptr();
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const E& error) {
      const std::string_view sentence = error.what();
      const auto text = py::reinterpret_steal<py::object>(
          PyUnicode_DecodeUTF8(sentence.data(), static_cast<Py_ssize_t>(sentence.size()), "surrogateescape"));
      PyErr_SetObject(type, text.ptr());
    }
  });
}

template <class E>
py::object add_error(py::module_& m, const char* name, py::handle base, const char* meaning) {
  py::exception<E> made(m, name, base);
  made.attr("__doc__") = meaning;
  raise_as<E>(made);
  return made;
}

}  // namespace

void add_errors(py::module_& m) {
  const py::object base = add_error<CourseError>(m, "CourseError", PyExc_RuntimeError, "A course cannot go on, and why.");
  raise_as<EngineRefusal>(base);  // found on the way: no contacts that carry, grains that arrive
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

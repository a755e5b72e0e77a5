// The extension `_core` of the Python module `moreau`. What a user imports is src/python/moreau; here are the doors to the rooms.
#include "moreau/base/instruction_set.hpp"
#include "moreau/base/version.hpp"
#include "moreau/python/parts.hpp"

PYBIND11_MODULE(_core, m) {
  m.doc() = "The rooms of moreau as Python sees them; import moreau instead.";
  if (const std::string_view why = moreau::why_not_here(); !why.empty()) throw pybind11::import_error(std::string(why));
  m.attr("__version__") = MOREAU_VERSION;
  moreau::python::add_errors(m);
  moreau::python::add_reports(m);
  moreau::python::add_scene(m);
  moreau::python::add_frame(m);
  moreau::python::add_course(m);
  moreau::python::add_run(m);
  moreau::python::add_save(m);
  moreau::python::add_measure(m);
  moreau::python::add_solve(m);
  moreau::python::add_toolbox(m);
}

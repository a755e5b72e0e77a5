// One instant: bodies and contacts as arrays.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "moreau/course/phases.hpp"
#include "moreau/python/arrays.hpp"
#include "moreau/python/body_arrays.hpp"
#include "moreau/python/held.hpp"

namespace moreau::python {

HeldFrame frame_of_course(const HeldCourse& held) {
  return held.visit([&]<int D>(const Course<D>& course) {
    return HeldFrame{held.scene, make_frame(course.model(), course.state())};
  });
}

namespace {

py::dict contacts_of(const HeldFrame& held, py::handle owner) {
  py::dict arrays;
  std::visit(
      [&](const auto& frame) {
        const auto& c = frame.contacts;
        arrays["a"] = view_of(c.a, owner), arrays["b"] = view_of(c.b, owner);
        arrays["point"] = view_of(c.point, owner), arrays["normal"] = view_of(c.normal, owner);
        arrays["gap"] = view_of(c.gap, owner);
        arrays["impulse"] = view_of(c.impulse, owner), arrays["force"] = view_of(c.force, owner);
        arrays["relative_velocity"] = view_of(c.relative_velocity, owner);
        arrays["status"] = view_of(c.status, owner);
        if (!c.shift.empty()) arrays["shift"] = view_of(c.shift, owner);
        if (!c.joint.empty()) arrays["joint"] = view_of(c.joint, owner);
        if (!c.couple.empty()) arrays["couple"] = view_of(c.couple, owner), arrays["relative_spin"] = view_of(c.relative_spin, owner);
      },
      held.frame);
  return arrays;
}

template <class F>
auto of_frame(F member) {
  return [member](const HeldFrame& f) { return std::visit([&](const auto& frame) { return member(frame); }, f.frame); };
}

}  // namespace

void add_frame(py::module_& m) {
  py::class_<HeldFrame, std::shared_ptr<HeldFrame>>(m, "Frame", "One instant of a course or a run, complete in itself.")
      .def_property_readonly("dimension", of_frame([]<int D>(const Frame<D>&) { return D; }))
      .def_property_readonly("time", of_frame([](const auto& f) { return f.time; }))
      .def_property_readonly("step", of_frame([](const auto& f) { return f.step; }))
      .def_property_readonly("phase", of_frame([](const auto& f) { return f.phase; }), "its number in the scene, from 0")
      .def_property_readonly("cell", of_frame([](const auto& f) { return vectors_of(f.lattice); }), "vectors of the periodic cell")
      .def("__len__", of_frame([](const auto& f) { return f.state.size(); }), "number of bodies, with those removed")
      .def("body_array",
           [](py::object self, const std::string& name) {
             return std::visit([&](const auto& f) { return body_array(f.parameters, f.state, name, self, false); },
                               self.cast<const HeldFrame&>().frame);
           })
      .def("contact_arrays", [](py::object self) { return contacts_of(self.cast<const HeldFrame&>(), self); })
      .def_property_readonly("wall_names", of_frame([](const auto& f) {
                               std::vector<std::string> names;
                               for (const auto& wall : f.walls) names.push_back(wall.name);
                               return names;
                             }))
      .def_property_readonly(
          "wall_shift",
          [](py::object self) {
            return std::visit([&](const auto& f) { return view_of(f.wall_shift, self); }, self.cast<const HeldFrame&>().frame);
          },
          "displacement of every wall since the start")
      .def("__repr__", of_frame([](const auto& f) {
             return fmt::format("<Frame at step {}, time {:.6g}: {} bodies, {} contacts>", f.step, f.time, f.state.size(),
                                f.contacts.size());
           }));
}

}  // namespace moreau::python

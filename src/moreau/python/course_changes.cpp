#include "moreau/python/course_changes.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <array>

#include "moreau/base/nearest.hpp"
#include "moreau/python/arrays.hpp"

namespace moreau::python {

namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw py::value_error(sentence); }

// The entry with this name, among entries that have one.
template <class Entries>
auto& named(Entries& entries, const std::string& name, const char* what) {
  std::vector<std::string> names;
  for (auto& entry : entries) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  refuse(fmt::format("the scene has no {} '{}'; {}", what, name, names.empty() ? "it has none" : suggestion(name, names)));
}

struct LawField {
  const char* name;
  double PairLaw::*member;
  double most;
};
constexpr LawField law_fields[] = {{"friction", &PairLaw::friction, 1e30},
                                   {"normal_restitution", &PairLaw::normal_restitution, 1.0},
                                   {"tangential_restitution", &PairLaw::tangential_restitution, 1.0},
                                   {"rolling", &PairLaw::rolling, 1e30},
                                   {"pivoting", &PairLaw::pivoting, 1e30},
                                   {"cohesion", &PairLaw::cohesion, 1e30}};

template <int D>
std::pair<std::size_t, std::size_t> pair_of(const Model<D>& model, const std::string& a, const std::string& b) {
  const auto index = [&](const std::string& name) {
    return static_cast<std::size_t>(&named(model.materials, name, "material") - model.materials.data());
  };
  return {index(a), index(b)};
}

py::dict law(const HeldCourse& held, const std::string& a, const std::string& b) {
  return held.visit([&](const auto& course) {
    const auto [i, j] = pair_of(course.model(), a, b);
    const PairLaw& law = course.model().law(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j));
    py::dict values;
    for (const LawField& field : law_fields) values[field.name] = law.*(field.member);
    return values;
  });
}

void set_law(HeldCourse& held, const std::string& a, const std::string& b, const std::map<std::string, double>& values) {
  std::vector<std::string> names;
  for (const LawField& field : law_fields) names.emplace_back(field.name);
  held.change([&](auto& course) {
    auto& model = course.mutable_simulation().mutable_model();
    const auto [i, j] = pair_of(model, a, b);
    PairLaw changed = model.pair_laws[i * model.materials.size() + j];
    for (const auto& [name, value] : values) {
      const auto* field = std::ranges::find(law_fields, name, &LawField::name);
      if (field == std::end(law_fields)) refuse(fmt::format("a law has no '{}' to change; {}", name, suggestion(name, names)));
      if (!(value >= 0.0 && value <= field->most))
        refuse(fmt::format("{} is {}; accepted: a number in [0, {:g}]", name, value, field->most));
      changed.*(field->member) = value;
    }
    model.pair_laws[i * model.materials.size() + j] = model.pair_laws[j * model.materials.size() + i] = changed;
  });
  held.changed = true;
}

double checked(double value, const std::string& what) {
  if (!(std::abs(value) <= 1e30)) refuse(fmt::format("{} is {}; accepted: a finite number", what, value));
  return value;
}

template <int D>
Vec<D> vector_of(const std::vector<double>& values, const std::string& what) {
  if (values.size() != D) refuse(fmt::format("{} has {} components; accepted: {}", what, values.size(), D));
  Vec<D> v{};
  for (int d = 0; d < D; ++d) v[d] = checked(values[static_cast<std::size_t>(d)], what);
  return v;
}

void set_gravity(HeldCourse& held, const std::vector<double>& value) {
  held.change(
      [&]<int D>(Course<D>& course) { course.mutable_simulation().mutable_model().gravity = vector_of<D>(value, "gravity"); });
  held.changed = true;
}

constexpr std::array<const char*, 3> piston_controls{"velocity", "force", "stress"};  // in the order of PistonControl

py::dict pistons(const HeldCourse& held) {
  return held.visit([&](const auto& course) {
    py::dict all;
    const auto& state = course.state();
    for (std::size_t k = 0; k < course.model().pistons.size(); ++k) {
      const auto& piston = course.model().pistons[k];
      py::dict values;
      values["control"] = piston_controls[static_cast<std::size_t>(piston.control)];
      values["target"] = piston.target.at(state.time - state.phase_start);
      values["mass"] = piston.mass;
      values["displacement"] = state.pistons[k].displacement, values["speed"] = state.pistons[k].speed;
      all[py::str(piston.name)] = values;
    }
    return all;
  });
}

// `control` is what is asked of it from now on, empty: what is asked already.
void set_piston(HeldCourse& held, const std::string& name, double target, const std::string& control) {
  checked(target, "the target of piston '" + name + "'");
  held.change([&](auto& course) {
    auto& piston = named(course.mutable_simulation().mutable_model().pistons, name, "piston");
    if (!control.empty()) {
      const auto asked = static_cast<PistonControl>(std::ranges::find(piston_controls, control) - piston_controls.begin());
      const bool has_face = piston.control == PistonControl::stress || !piston.between.empty() || piston.area != 1.0;
      if (asked == PistonControl::stress && !has_face)
        refuse(
            fmt::format("piston '{}' was never asked for a stress, so that its face is not known; accepted: a force, or a stress "
                        "where the scene gives it an 'area' or asks for a stress itself",
                        name));
      piston.control = asked;
    }
    piston.target = Signal{target, 0.0, 0.0, {}, {}};
  });
}

}  // namespace

void add_course_changes(py::class_<HeldCourse, std::shared_ptr<HeldCourse>>& course) {
  course.def("law", &law, py::arg("a"), py::arg("b"))
      .def("set_law", &set_law, py::arg("a"), py::arg("b"), py::arg("values"))
      .def("materials",
           [](const HeldCourse& held) {
             return held.visit([](const auto& c) {
               std::vector<std::string> names;
               for (const auto& material : c.model().materials) names.push_back(material.name);
               return names;
             });
           })
      .def_property(
          "gravity",
          [](const HeldCourse& held) {
            return held.visit([](const auto& c) { return tuple_of(c.model().gravity_at(c.state().time)); });
          },
          &set_gravity)
      .def("pistons", &pistons)
      .def("set_piston", &set_piston, py::arg("name"), py::arg("target"), py::arg("control") = "")
      .def("touch", [](HeldCourse& held) { held.change([&](auto&) { held.changed = true; }); });
}

}  // namespace moreau::python

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "moreau/python/held.hpp"
#include "moreau/scene/read/settings.hpp"

namespace moreau::python {

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;  // keys, and values as TOML

std::vector<Setting> settings_of(const Pairs& pairs) {
  std::vector<Setting> settings;
  for (const auto& [key, value] : pairs) settings.push_back({key, value});
  return settings;
}

HeldScene held(AnyScene scene) { return {std::make_shared<const AnyScene>(std::move(scene))}; }

std::vector<std::string> sentences(const Warnings& warnings) {
  std::vector<std::string> all;
  for (const Warning& warning : warnings.all()) all.push_back(sentence_of(warning));
  return all;
}

}  // namespace

void add_scene(py::module_& m) {
  py::class_<HeldScene>(m, "Scene", "A scene, checked and ready to run. Made by load() and parse().")
      .def_property_readonly("dimension", [](const HeldScene& s) { return s.visit([]<int D>(const Scene<D>&) { return D; }); })
      .def_property_readonly("title", [](const HeldScene& s) { return s.visit([](const auto& x) { return x.title; }); })
      .def_property_readonly(
          "text", [](const HeldScene& s) { return s.visit([](const auto& x) { return x.text; }); },
          "the scene as TOML, with the content of the files it names: all that is needed to run it again")
      .def_property_readonly("seed", [](const HeldScene& s) { return s.visit([](const auto& x) { return x.seed; }); })
      .def_property_readonly(
          "duration", [](const HeldScene& s) { return s.visit([](const auto& x) { return x.duration; }); },
          "of all phases together; infinite if one ends by a condition alone")
      .def_property_readonly("time_step",
                             [](const HeldScene& s) { return s.visit([](const auto& x) { return x.model.time_step; }); })
      .def_property_readonly("phases",
                             [](const HeldScene& s) {
                               return s.visit([](const auto& x) {
                                 std::vector<std::string> names;
                                 for (const auto& phase : x.phases) names.push_back(phase.name);
                                 return names;
                               });
                             })
      .def_property_readonly("measures",
                             [](const HeldScene& s) {
                               return s.visit([](const auto& x) {
                                 std::vector<std::string> names;
                                 for (const auto& entry : x.measures) names.push_back(entry.name);
                                 return names;
                               });
                             })
      .def_property_readonly(
          "named",
          [](const HeldScene& s) {
            return s.visit([](const auto& x) {
              std::vector<std::tuple<std::string, std::size_t, std::size_t>> all;
              for (const NamedBodies& named : x.named) all.emplace_back(named.name, named.first, named.count);
              return all;
            });
          },
          "name, first body, number of bodies")
      .def_property_readonly(
          "warnings", [](const HeldScene& s) { return s.visit([](const auto& x) { return sentences(x.warnings); }); },
          "what can be foreseen, one sentence each")
      .def(
          "__len__", [](const HeldScene& s) { return s.visit([](const auto& x) { return x.bodies.size(); }); },
          "number of bodies at the start")
      .def("__repr__", [](const HeldScene& s) {
        return s.visit([]<int D>(const Scene<D>& x) {
          return fmt::format("<Scene '{}' in {} dimensions: {} bodies, {} phase{}>", x.title, D, x.bodies.size(), x.phases.size(),
                             x.phases.size() == 1 ? "" : "s");
        });
      });
  m.def(
      "load",
      [](const std::filesystem::path& file, const Pairs& settings) {
        py::gil_scoped_release free;
        return held(read_scene(file, settings_of(settings)));
      },
      py::arg("file"), py::arg("settings"));
  m.def(
      "parse",
      [](const std::string& text, const std::string& name, const std::filesystem::path& folder, const Pairs& settings) {
        py::gil_scoped_release free;
        return held(parse_scene(text, name, folder, settings_of(settings)));
      },
      py::arg("text"), py::arg("name"), py::arg("folder"), py::arg("settings"));
}

}  // namespace moreau::python

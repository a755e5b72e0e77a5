// The folder of a run: its scene and its frames. What is text there (series, measures, summary) is read in Python.
#include <fmt/format.h>
#include <pybind11/stl/filesystem.h>

#include "moreau/python/held.hpp"
#include "moreau/runner/checkpoint_of.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau::python {

namespace {

struct HeldRun {
  RunFolder folder;
  std::shared_ptr<const AnyScene> scene;
};

HeldRun open_run(const std::filesystem::path& path) {
  RunFolder folder = RunFolder::open(path);
  auto scene =
      std::make_shared<const AnyScene>(parse_scene(folder.scene_text(), (folder.path() / "scene.toml").string(), folder.path()));
  return {std::move(folder), std::move(scene)};
}

std::shared_ptr<HeldFrame> frame(const HeldRun& run, std::uint64_t number) {
  return std::visit(
      [&](const auto& scene) {
        return std::make_shared<HeldFrame>(HeldFrame{run.scene, frame_of(run.folder, scene, number)});
      },
      *run.scene);
}

// From the newest checkpoint on, without files: the run itself is left as it is. With its own scene, or with another one of the
// same bodies.
std::shared_ptr<HeldCourse> course_of(const HeldRun& run, int threads, const HeldScene* other) {
  auto held = std::make_shared<HeldCourse>();
  held->scene = other ? other->scene : run.scene;
  if (held->scene->index() != run.scene->index()) throw py::value_error("the scene is not of the dimension of the run");
  std::visit(
      [&]<int D>(const Scene<D>& scene) {
        const Checkpoint<D> from = checkpoint_of(run.folder, scene, other ? SceneChange::accepted : SceneChange::refused);
        const bool compares = compares_with_start(scene);
        held->course = std::make_unique<Course<D>>(scene, from.state, from, from.references,
                                                   compares ? run.folder.read_frame<D>(0) : Frame<D>{}, threads);
      },
      *held->scene);
  return held;
}

}  // namespace

void add_run(py::module_& m) {
  py::class_<HeldRun>(m, "Run", "The folder of a run.")
      .def_property_readonly("path", [](const HeldRun& run) { return run.folder.path(); })
      .def_property_readonly("scene", [](const HeldRun& run) { return HeldScene{run.scene}; })
      .def_property_readonly("frame_count", [](const HeldRun& run) { return run.folder.frame_count(); })
      .def("demand_unchanged", [](const HeldRun& run) { demand_unchanged(run.folder); },
           "StoreError if scene.toml was changed since the newest checkpoint was computed")
      .def("frame", &frame, py::arg("number"))
      .def("course", &course_of, py::arg("threads"), py::arg("scene") = nullptr);
  m.def("open", &open_run, py::arg("path"));
}

}  // namespace moreau::python

// A course written as the folder of a run, which can be drawn, viewed, measured and resumed.
#include <pybind11/stl/filesystem.h>

#include "moreau/base/version.hpp"
#include "moreau/dynamics/traffic.hpp"
#include "moreau/python/held.hpp"
#include "moreau/runner/summary.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau::python {

namespace {

template <int D>
void save(const Course<D>& course, const std::filesystem::path& path, bool force) {
  const Scene<D>& scene = course.scene();
  RunFolder folder = RunFolder::create(path, scene.text, {MOREAU_VERSION, MOREAU_COMMIT, scene.seed, 1}, force);
  Checkpoint<D> checkpoint;
  checkpoint.state = course.state();
  checkpoint.references = course.references();
  static_cast<CourseRecord&>(checkpoint) = course.record();
  checkpoint.frames = 0;
  if (compares_with_start(scene)) folder.write_frame(checkpoint.frames++, course.start());
  folder.write_frame(checkpoint.frames++, make_frame(course.model(), course.state()));
  folder.append_series(checkpoint.report, course.phase().name, traffic(course.state()));
  folder.write_checkpoint(checkpoint);
  nlohmann::ordered_json j = summary(checkpoint, scene, folder.provenance());
  j["outcome"] = "finished";
  folder.write_summary(j.dump(2) + "\n");
  folder.log("saved from a course of a script");
}

}  // namespace

void add_save(py::module_& m) {
  m.def(
      "save",
      [](const HeldCourse& held, const std::filesystem::path& folder, bool force) {
        held.visit([&](const auto& course) { save(course, folder, force); });
      },
      py::arg("course"), py::arg("folder"), py::arg("force") = false);
}

}  // namespace moreau::python

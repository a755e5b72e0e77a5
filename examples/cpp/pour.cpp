// Steps a scene from C++ and tells how it stands: pour SCENE.toml UNTIL
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <variant>

#include "moreau/course/course.hpp"
#include "moreau/scene/scene.hpp"

int main(int count, char** words) {
  if (count != 3) return std::fprintf(stderr, "usage: pour SCENE.toml UNTIL\n"), 2;
  try {
    const moreau::AnyScene scene = moreau::read_scene(words[1]);
    const double until = std::atof(words[2]);
    std::visit(
        [&]<int D>(const moreau::Scene<D>& s) {
          moreau::Course<D> course(s, 1);
          while (!course.has_reached(until) && course.step() == moreau::Standing::running) {
          }
          const moreau::StepReport& report = course.record().report;
          std::printf("step %llu, time %g: %zu bodies, %zu contacts, relative residual %.1e, state %s\n",
                      static_cast<unsigned long long>(report.step), report.time, report.bodies, report.contacts,
                      report.certificate.relative_residual(), moreau::state_hash(course.state()).c_str());
        },
        scene);
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "pour: %s\n", error.what()), 1;
  }
  return 0;
}

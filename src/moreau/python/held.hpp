// Scenes, instants and courses as Python holds them: of either dimension behind one name, kept alive by whoever looks at them.
#pragma once

#include <memory>
#include <variant>

#include "moreau/course/course.hpp"
#include "moreau/python/parts.hpp"
#include "moreau/scene/scene.hpp"

namespace moreau::python {

struct HeldScene {
  std::shared_ptr<const AnyScene> scene;

  template <class F>
  auto visit(F&& f) const {
    return std::visit(std::forward<F>(f), *scene);
  }
};

// One instant, complete in itself.
struct HeldFrame {
  std::shared_ptr<const AnyScene> scene;
  std::variant<Frame<2>, Frame<3>> frame;
};

// What arrays of a course hold on to: as long as one of them is there, the memory they look at is.
struct HeldCourse;
struct Lease {
  std::shared_ptr<const HeldCourse> course;
  std::vector<std::shared_ptr<void>> kept;  // memory that the course has left
  std::string stale;                        // why the arrays may no longer be used; empty while they may
  void check() const;                       // StaleView
};

struct HeldCourse : std::enable_shared_from_this<HeldCourse> {
  template <int D>
  using Owned = std::unique_ptr<Course<D>>;
  std::shared_ptr<const AnyScene> scene;
  std::variant<Owned<2>, Owned<3>> course;
  std::weak_ptr<Lease> lease, writer;  // of the bodies as they now are: of arrays to read, and of arrays to write
  bool changed = false;                // by hand since the last step

  template <class F>
  auto visit(F&& f) const {
    return std::visit([&](const auto& owned) { return f(*owned); }, course);
  }
};

HeldFrame frame_of_course(const HeldCourse& course);

}  // namespace moreau::python

// Scenes, instants and courses as Python holds them: of either dimension behind one name, kept alive by whoever looks at them.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
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
  std::string why;                          // written once, before `stale`
  std::atomic<bool> stale = false;          // the arrays may no longer be used
  explicit Lease(std::shared_ptr<const HeldCourse> c) : course(std::move(c)) {}
  void check() const;  // StaleView
};

struct HeldCourse : std::enable_shared_from_this<HeldCourse> {
  template <int D>
  using Owned = std::unique_ptr<Course<D>>;
  std::shared_ptr<const AnyScene> scene;
  std::variant<Owned<2>, Owned<3>> course;
  std::weak_ptr<Lease> lease, writer;  // of the bodies as they now are: of arrays to read, and of arrays to write
  bool changed = false;                // by hand since the last step

  // Threads of Python: one of them steps, and nobody else steps or changes the course meanwhile; all may look, between two steps.
  std::atomic<bool> stepping = false;
  mutable std::atomic<int> waiting = 0;
  mutable std::recursive_mutex turn;  // never waited for with the interpreter's lock in hand

  // Held by whoever looks at the course, from the end of one step to the beginning of the next.
  struct Turn {
    std::unique_lock<std::recursive_mutex> lock;
    explicit Turn(const HeldCourse& held) : lock(held.turn, std::try_to_lock) {
      if (lock) return;
      ++held.waiting;
      py::gil_scoped_release free;
      lock.lock();
      --held.waiting;
    }
  };

  template <class F>
  auto visit(F&& f) const {
    const Turn turn_of_this(*this);
    return std::visit([&](const auto& owned) { return f(*owned); }, course);
  }

  // CourseBusy while a thread steps.
  template <class F>
  void change(F&& f) {
    refuse_if_stepping("changed");
    const Turn turn_of_this(*this);
    std::visit([&](auto& owned) { f(*owned); }, course);
  }

  void refuse_if_stepping(const char* what) const;
};

HeldFrame frame_of_course(const HeldCourse& course);

}  // namespace moreau::python

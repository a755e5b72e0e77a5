// A course in Python: steps without the interpreter's lock, arrays that look at its memory, changes between steps.
#include "moreau/course/course.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <chrono>
#include <cmath>
#include <optional>
#include <thread>

#include "moreau/dynamics/apparatus.hpp"
#include "moreau/dynamics/exchange.hpp"
#include "moreau/python/arrays.hpp"
#include "moreau/python/body_arrays.hpp"
#include "moreau/python/course_changes.hpp"
#include "moreau/python/errors.hpp"
#include "moreau/python/held.hpp"
#include "moreau/python/leases.hpp"

namespace moreau::python {

void Lease::check() const {
  if (stale) throw StaleView(why);
}

void HeldCourse::refuse_if_stepping(const char* what) const {
  if (stepping)
    throw CourseBusy(
        fmt::format("the course is being stepped, by another thread or below this call, and cannot be {} meanwhile; "
                    "let one thread step a course, or give each thread a course of its own",
                    what));
}

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds signal_period{50};  // between looks at whether the user wants to stop

std::shared_ptr<HeldCourse> make_course(const HeldScene& scene, int threads) {
  auto held = std::make_shared<HeldCourse>();
  held->scene = scene.scene;
  py::gil_scoped_release free;
  std::visit([&]<int D>(const Scene<D>& s) { held->course = std::make_unique<Course<D>>(s, threads); }, *held->scene);
  return held;
}

void raise_end(Standing standing, const std::string& why) {
  switch (standing) {
    case Standing::unconverged:
      throw NotConverged(why);
    case Standing::cell_collapsed:
      throw CellCollapsed(why);
    case Standing::not_finite:
      throw NotFinite(why);
    case Standing::running:
    case Standing::over:
      break;
  }
}

void end_lease(std::weak_ptr<Lease>& lease, const std::string& why) {
  if (const auto held = lease.lock()) held->why = why, held->stale = true;
  lease.reset();
}

double magnitude(const Rotation<2>& r) { return std::abs(r.angle); }
double magnitude(const Rotation<3>& r) { return std::sqrt(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z); }

// What a person wrote into the arrays of the bodies. Squares of larger numbers are no numbers any more.
template <int D>
void check_numbers(const BodyState<D>& bodies) {
  static constexpr double largest = 1e100;
  const auto check = [](const char* what, const auto& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (const double size = norm(values[i]); !(size <= largest))
        throw NotFinite(fmt::format("the {} of body {} has the magnitude {}; accepted: at most {}", what, i, size, largest));
  };
  check("position", bodies.position), check("velocity", bodies.velocity), check("spin", bodies.spin);
  for (std::size_t i = 0; i < bodies.orientation.size(); ++i)
    if (const double size = magnitude(bodies.orientation[i]); !(size <= largest))
      throw NotFinite(fmt::format("the orientation of body {} has the magnitude {}; accepted: at most {}", i, size, largest));
}

// One step, with what it means for the arrays that are about.
template <int D>
Standing make_step(HeldCourse& held, Course<D>& course) {
  const auto reader = held.lease.lock(), writer = held.writer.lock();
  if (held.changed || writer) {
    check_numbers(course.state().bodies.state);
    course.mutable_simulation().changed_by_hand();
  }
  held.changed = false;
  // A course that is told to go on may first begin another phase, with other time steps.
  const auto grows = [&] {
    return insertion_is_due(course.model(), course.state()) ||
           (course.standing() == Standing::unconverged && !course.model().sources.empty());
  };
  if ((reader || writer) && grows()) {
    const std::string why =
        fmt::format("this array is of {} bodies, and a source brings more in step {}; take the array anew",
                    course.state().bodies.size(), course.state().step + 1);
    leave_memory(course.mutable_simulation().mutable_state().bodies, {reader.get(), writer.get()});
    end_lease(held.lease, why), end_lease(held.writer, why);
  }
  return course.step();
}

// Marks a course as being stepped, for as long as this is there.
struct Stepping {
  HeldCourse& held;
  explicit Stepping(HeldCourse& h) : held(h) {
    held.refuse_if_stepping("stepped");
    held.stepping = true;  // under the interpreter's lock, as the look at it
  }
  ~Stepping() { held.stepping = false; }
};

// One step in the turn of this thread; those who wait to look at the course come first.
template <int D>
Standing step_in_turn(HeldCourse& held, Course<D>& course) {
  while (held.waiting > 0) std::this_thread::sleep_for(std::chrono::microseconds(20));
  const std::lock_guard turn(held.turn);
  return make_step(held, course);
}

// Steps until the time is reached, so many are made, or the course is over. Returns how many were made.
std::uint64_t advance(HeldCourse& held, std::optional<double> until, std::uint64_t most) {
  std::uint64_t made = 0;
  Standing standing = Standing::running;
  std::string why;
  if (until && std::isnan(*until)) throw py::value_error("until is nan; accepted: a time");
  const Stepping stepping(held);
  {
    py::gil_scoped_release free;
    std::visit(
        [&](auto& owned) {
          auto& course = *owned;
          standing = course.standing();
          if (standing == Standing::unconverged) standing = Standing::running;  // asked to go on all the same
          Clock::time_point looked = Clock::now();
          while (made < most && standing == Standing::running && !(until && course.has_reached(*until))) {
            standing = step_in_turn(held, course);
            ++made;
            if (!until && most == ~std::uint64_t{0})
              if (why = course.why_endless(); !why.empty()) break;
            if (Clock::now() - looked < signal_period) continue;
            looked = Clock::now();
            py::gil_scoped_acquire lock;
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
          }
          if (why.empty()) why = course.why();
        },
        held.course);
  }
  if (standing == Standing::running && !why.empty()) throw CourseError(why);
  raise_end(standing, why);
  return made;
}

py::object leased(const std::shared_ptr<HeldCourse>& held, std::weak_ptr<Lease>& kind) {
  auto lease = kind.lock();
  if (!lease) kind = lease = std::make_shared<Lease>(held);
  return py::cast(lease);
}

py::tuple array_of(const std::shared_ptr<HeldCourse>& held, const std::string& name, bool writable) {
  if (writable) held->refuse_if_stepping("changed");
  const HeldCourse::Turn turn(*held);
  py::object lease = leased(held, writable ? held->writer : held->lease);
  if (writable) held->changed = true;
  return held->visit([&](const auto& course) {
    const auto& bodies = course.state().bodies;
    return py::make_tuple(body_array(bodies.parameters, bodies.state, name, lease, writable), lease);
  });
}

template <class F>
auto of_course(F member) {
  return [member](const HeldCourse& held) { return held.visit([&](const auto& course) { return member(course); }); };
}

}  // namespace

void add_course(py::module_& m) {
  py::class_<Lease, std::shared_ptr<Lease>>(m, "Lease", "What an array of a course holds on to.")
      .def("check", &Lease::check, "StaleView if the array may no longer be used")
      .def_property_readonly("stale", [](const Lease& lease) { return lease.stale.load(); });
  py::class_<HeldCourse, std::shared_ptr<HeldCourse>> course(m, "Course", "A scene on its way, step by step, without files.");
  course
      .def(py::init([](const HeldScene& scene, int threads) {
             if (threads == 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
             if (threads < 0 || threads > 1024)
               throw py::value_error(fmt::format("threads is {}; accepted: 1 to 1024, or 0 for all cores", threads));
             return make_course(scene, threads);
           }),
           py::arg("scene"), py::arg("threads") = 0)
      .def("advance", &advance, py::arg("until") = std::nullopt, py::arg("most") = ~std::uint64_t{0})
      .def("array", &array_of, py::arg("name"), py::arg("writable") = false)
      .def("frame", [](const HeldCourse& held) { return std::make_shared<HeldFrame>(frame_of_course(held)); })
      .def_property_readonly("dimension", of_course([]<int D>(const Course<D>&) { return D; }))
      .def_property_readonly("time", of_course([](const auto& c) { return c.state().time; }))
      .def_property_readonly("time_step", of_course([](const auto& c) { return c.model().time_step; }))
      .def_property_readonly("step_number", of_course([](const auto& c) { return c.state().step; }))
      .def_property_readonly("over", of_course([](const auto& c) { return c.standing() == Standing::over; }))
      .def_property_readonly("phase", of_course([](const auto& c) { return c.phase().name; }), "name of the present phase")
      .def_property_readonly("phase_number", of_course([](const auto& c) { return c.state().phase; }))
      .def_property_readonly("hash", of_course([](const auto& c) { return state_hash(c.state()); }),
                             "128 bits over the whole state, the same as `moreau info` tells of a run")
      .def_property_readonly("report", of_course([](const auto& c) { return c.record().report; }), "of the last step")
      .def_property_readonly("unconverged", of_course([](const auto& c) { return c.record().totals.unconverged_steps; }),
                             "steps so far that did not converge")
      .def_property_readonly("worst_penetration", of_course([](const auto& c) { return c.record().totals.worst_penetration; }),
                             "deepest overlap of any step so far, over the diameter of the smaller grain")
      .def_property_readonly("warnings", of_course([](const auto& c) {
                               std::vector<std::string> all;
                               for (const Warning& warning : c.record().warnings.all()) all.push_back(sentence_of(warning));
                               return all;
                             }))
      .def_property_readonly("cell", of_course([](const auto& c) { return vectors_of(lattice_of(c.model(), c.state())); }),
                             "vectors of the periodic cell")
      .def("check_numbers", of_course([](const auto& c) { check_numbers(c.state().bodies.state); }),
           "NotFinite if a body has a number that is none, or too large")
      .def("bodies_count", of_course([](const auto& c) { return c.state().bodies.size(); }));
  add_course_changes(course);
  add_course_contacts(course);
}

}  // namespace moreau::python

// Contacts of a course between steps: what their laws remember, and impulses given by hand as a step before would have left them.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "moreau/python/arrays.hpp"
#include "moreau/python/course_changes.hpp"

namespace moreau::python {

namespace {

using Rows = py::array_t<double, py::array::c_style | py::array::forcecast>;

[[noreturn]] void refuse(const std::string& sentence) { throw py::value_error(sentence); }

template <int D>
std::vector<Vec<D>> vectors_of(const Rows& rows, std::size_t count, const char* what) {
  if (rows.ndim() != 2 || rows.shape(0) != static_cast<py::ssize_t>(count) || rows.shape(1) != D)
    refuse(fmt::format("{} must have {} rows of {} numbers", what, count, D));
  std::vector<Vec<D>> vectors(count);
  for (std::size_t i = 0; i < count; ++i)
    for (int d = 0; d < D; ++d) {
      vectors[i][d] = rows.at(i, d);
      if (!(std::abs(vectors[i][d]) <= 1e30)) refuse(fmt::format("{} holds {}; accepted: finite numbers", what, vectors[i][d]));
    }
  return vectors;
}

// Impulses of the contacts there are, in their order.
void set_impulses(HeldCourse& held, const Rows& impulses) {
  held.change([&]<int D>(Course<D>& course) {
    State<D>& state = course.mutable_simulation().mutable_state();
    state.contacts.impulse = vectors_of<D>(impulses, state.contacts.size(), "impulses");
  });
  held.changed = true;
}

// Contacts between round bodies, or of them with walls, that the next step will remember; they replace those there are.
void set_contacts(HeldCourse& held, const std::vector<std::pair<std::int32_t, std::int32_t>>& pairs, const Rows& normals,
                  const Rows& impulses) {
  held.change([&]<int D>(Course<D>& course) {
    State<D>& state = course.mutable_simulation().mutable_state();
    const auto bodies = static_cast<std::int32_t>(state.bodies.size());
    const auto walls = static_cast<std::int32_t>(course.model().walls.size());
    for (const auto& [a, b] : pairs)
      if (a < 0 || a == b || a >= bodies || b >= bodies || ~b >= walls || !state.bodies.is_free(static_cast<std::size_t>(a)) ||
          !state.bodies.is_round(static_cast<std::size_t>(a)) || (b >= 0 && !state.bodies.is_round(static_cast<std::size_t>(b))))
        refuse(
            fmt::format("({}, {}) is no pair of round bodies, or of one and a wall written as ~wall; the first must be free, and "
                        "no body touches "
                        "itself",
                        a, b));
    if (!std::ranges::is_sorted(pairs)) refuse("pairs must be in increasing order");
    if (const auto twice = std::ranges::adjacent_find(pairs); twice != pairs.end())
      refuse(fmt::format("({}, {}) is given twice; accepted: each pair once", twice->first, twice->second));
    ContactTable<D> table;
    table.resize(pairs.size(), !state.contacts.point.empty(), !state.contacts.image.empty());
    table.resize_law_rows(!state.contacts.condition.empty(), !state.contacts.couple.empty());
    for (std::size_t i = 0; i < pairs.size(); ++i) table.a[i] = pairs[i].first, table.b[i] = pairs[i].second, table.gap[i] = 0.0;
    table.normal = vectors_of<D>(normals, pairs.size(), "normals");
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (!(std::abs(norm(table.normal[i]) - 1.0) <= 1e-6))
        refuse(fmt::format("the normal of ({}, {}) has the length {:.6g}; accepted: 1", pairs[i].first, pairs[i].second,
                           norm(table.normal[i])));
    table.impulse = vectors_of<D>(impulses, pairs.size(), "impulses");
    state.contacts = std::move(table);
    state.impulse_time_step = course.model().time_step;
  });
  held.changed = true;
}

template <class T>
py::array copied(const std::vector<T>& values) {
  auto* kept = new std::vector<T>(values);
  return view_of(*kept, py::capsule(kept, [](void* p) { delete static_cast<std::vector<T>*>(p); }));
}

// What the law of each contact remembers, as far as laws of the scene remember anything.
py::dict law_state(const HeldCourse& held) {
  py::dict arrays;
  held.visit([&](const auto& course) {
    const auto& table = course.state().contacts;
    if (!table.feature.empty()) arrays["feature"] = copied(table.feature);
    if (!table.spring.empty()) arrays["spring"] = copied(table.spring);
    if (!table.deepest.empty()) arrays["deepest"] = copied(table.deepest);
    if (!table.condition.empty()) {
      std::vector<std::uint8_t> bonded;
      for (const ContactCondition& condition : table.condition) bonded.push_back(condition.bonded() ? 1 : 0);
      arrays["bonded"] = copied(bonded);
    }
  });
  return arrays;
}

py::dict totals(const HeldCourse& held) {
  return held.visit([](const auto& course) {
    const RunTotals& t = course.record().totals;
    py::dict values;
    values["computing_seconds"] = t.computing_seconds;
    values["unconverged_steps"] = t.unconverged_steps, values["unbounded_steps"] = t.unbounded_steps;
    values["worst_residual"] = t.worst_residual, values["worst_unbalanced"] = t.worst_unbalanced;
    const auto looked_at = [](double error) { return error < 0.0 ? py::object(py::none()) : py::object(py::float_(error)); };
    values["worst_error"] = looked_at(t.worst_error), values["worst_body_error"] = looked_at(t.worst_body_error);
    values["worst_penetration"] = t.worst_penetration, values["card_steps"] = t.card_steps;
    values["card_swept_steps"] = t.card_swept_steps;
    values["fast_steps"] = t.fast_steps;
    return values;
  });
}

}  // namespace

void add_course_contacts(py::class_<HeldCourse, std::shared_ptr<HeldCourse>>& course) {
  course.def("set_impulses", &set_impulses, py::arg("impulses"))
      .def("set_contacts", &set_contacts, py::arg("pairs"), py::arg("normals"), py::arg("impulses"))
      .def("law_state", &law_state)
      .def("totals", &totals);
}

}  // namespace moreau::python

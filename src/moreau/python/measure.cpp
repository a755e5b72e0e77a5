// Quantities by name, of an instant of a course or a run.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "moreau/course/phases.hpp"
#include "moreau/measure/column_unit.hpp"
#include "moreau/python/arrays.hpp"
#include "moreau/python/held.hpp"
#include "moreau/scene/read/asked_measure.hpp"

namespace moreau::python {

namespace {

using measure::Choices;
using measure::Table;

template <int D>
measure::Sample<D> sample_of_frame(const AnyScene& scene, const Frame<D>& frame) {
  const Scene<D>& of = std::get<Scene<D>>(scene);
  measure::Sample<D> sample = measure::sample_of(model_of(of, frame), frame.shapes, frame.time, frame.parameters, frame.state,
                                                 frame.contacts, frame.wall_shift, frame.lattice);
  sample.named = of.named, sample.broken = &frame.broken, sample.wear = &frame.wear;
  return sample;
}

// Columns by name: arrays of numbers, lists of texts.
py::dict columns_of(const Table& table) {
  py::dict columns;
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    const bool text = !table.rows.empty() && std::holds_alternative<std::string>(table.rows[0][k]);
    const bool whole =
        std::ranges::all_of(table.rows, [&](const auto& row) { return std::holds_alternative<std::int64_t>(row[k]); });
    const auto name = py::str(table.columns[k]);
    const auto rows = static_cast<py::ssize_t>(table.rows.size());
    if (text) {
      py::list values;
      for (const auto& row : table.rows) values.append(std::get<std::string>(row[k]));
      columns[name] = values;
    } else if (whole) {
      py::array_t<std::int64_t> values(rows);
      for (py::ssize_t i = 0; i < rows; ++i)
        values.mutable_at(i) = std::get<std::int64_t>(table.rows[static_cast<std::size_t>(i)][k]);
      columns[name] = values;
    } else {
      py::array_t<double> values(rows);
      for (py::ssize_t i = 0; i < rows; ++i) {
        const auto& cell = table.rows[static_cast<std::size_t>(i)][k];
        values.mutable_at(i) =
            std::holds_alternative<double>(cell) ? std::get<double>(cell) : static_cast<double>(std::get<std::int64_t>(cell));
      }
      columns[name] = values;
    }
  }
  return columns;
}

// The choices of `moreau measure`, under the same names.
Choices choices_of(const py::kwargs& given, int dimension) {
  Choices choices;
  const auto texts = [](py::handle value) {
    return py::isinstance<py::str>(value) ? std::vector<std::string>{value.cast<std::string>()}
                                          : value.cast<std::vector<std::string>>();
  };
  const auto two = [](py::handle value, double(&numbers)[2]) {
    const auto pair = value.cast<std::pair<double, double>>();
    numbers[0] = pair.first, numbers[1] = pair.second;
  };
  const auto positive = [](const std::string& name, py::handle value) {
    const double number = value.cast<double>();
    if (!(number > 0.0 && number < 1e30)) throw py::value_error(fmt::format("{} is {}; accepted: a number > 0", name, number));
    return number;
  };
  const auto count = [](const std::string& name, py::handle value, int most) {
    const int number = value.cast<int>();
    if (number < 2 || number > most) throw py::value_error(fmt::format("{} is {}; accepted: 2 to {}", name, number, most));
    return number;
  };
  for (const auto& [key, value] : given) {
    const std::string name = key.cast<std::string>();
    try {
      if (name == "region")
        add_regions(choices, texts(value), dimension);
      else if (name == "strips")
        add_strips(choices, texts(value), dimension);
      else if (name == "kinetic")
        choices.kinetic = value.cast<bool>();
      else if (name == "walls")
        choices.walls = value.cast<bool>();
      else if (name == "axis")
        two(value, choices.axis);
      else if (name == "born")
        two(value, choices.born);
      else if (name == "width")
        choices.width = positive(name, value);
      else if (name == "slice")
        choices.slice = positive(name, value);
      else if (name == "threshold")
        choices.threshold = positive(name, value);
      else if (name == "classes")
        choices.classes = count(name, value, 10000);
      else if (name == "sectors")
        choices.sectors = count(name, value, 360);
      else if (name == "contacts")
        choices.contacts = value.cast<std::vector<std::size_t>>();
      else
        throw py::type_error(
            fmt::format("measure has no option '{}'; accepted: region, strips, kinetic, walls, axis, born, width, slice, "
                        "threshold, classes, sectors, contacts",
                        name));
    } catch (const py::cast_error&) {
      throw py::type_error(
          fmt::format("measure: option '{}' has a value of the wrong kind: {}", name, py::repr(value).cast<std::string>()));
    }
  }
  return choices;
}

py::dict measure_frame(const HeldFrame& now, const std::string& name, const HeldFrame* before, const py::kwargs& given) {
  return std::visit(
      [&]<int D>(const Frame<D>& frame) {
        const auto wanted = [&] {
          try {
            return std::pair(&quantity_named<D>(name), choices_of(given, D));
          } catch (const std::runtime_error& error) {  // a name, a region or a strip that cannot be: a wrong value
            if (dynamic_cast<const py::builtin_exception*>(&error)) throw;
            throw py::value_error(error.what());
          }
        }();
        const measure::Quantity<D>& quantity = *wanted.first;
        const Choices& choices = wanted.second;
        if (quantity.needs == measure::Needs::two && !before)
          throw py::value_error(fmt::format("{} compares two instants; give the earlier one as `since`", name));
        if (before && !std::holds_alternative<Frame<D>>(before->frame))
          throw py::value_error("the two instants are not of the same dimension");
        Table table;
        {
          py::gil_scoped_release free;
          const measure::Sample<D> sample = sample_of_frame(*now.scene, frame);
          if (const auto* empty = empty_region(sample, choices))
            throw std::runtime_error(empty_region_sentence(*empty, frame.time));
          if (before)
            table = quantity.measure(sample, sample_of_frame(*before->scene, std::get<Frame<D>>(before->frame)), choices);
          else
            table = quantity.measure(sample, sample, choices);
        }
        if (!table.refusal.empty()) throw std::runtime_error(fmt::format("{}: {}", name, table.refusal));
        return columns_of(table);
      },
      now.frame);
}

}  // namespace

void add_measure(py::module_& m) {
  m.def("measure", [](const HeldFrame& frame, const std::string& name, const HeldFrame* before, const py::kwargs& given) {
    return measure_frame(frame, name, before, given);
  });
  m.def(
      "compares_two",
      [](const std::string& name, int dimension) {
        const auto compares = [&](const auto& list) {
          for (const auto& quantity : list)
            if (quantity.name == name) return quantity.needs == measure::Needs::two;
          return false;
        };
        return dimension == 2 ? compares(measure::quantities<2>()) : compares(measure::quantities<3>());
      },
      py::arg("name"), py::arg("dimension"), "whether a quantity compares two instants");
  m.def("unit_of_column", &measure::unit_of_column, py::arg("column"), py::arg("dimension"),
        "what a column of a measure or of the series is measured in, in L, M and T; empty if it is a plain number or not known");
  m.def("quantities", [](int dimension) {
    py::dict all;
    const auto add = [&](const auto& list) {
      for (const auto& quantity : list) all[py::str(quantity.name)] = quantity.what;
    };
    dimension == 2 ? add(measure::quantities<2>()) : add(measure::quantities<3>());
    return all;
  });
}

}  // namespace moreau::python

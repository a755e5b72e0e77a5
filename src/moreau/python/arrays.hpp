// Numbers of the library as numpy arrays that look at its memory: nothing is copied, and the memory lives as long as they do.
#pragma once

#include <pybind11/numpy.h>

#include <type_traits>
#include <vector>

#include "moreau/geometry/lattice.hpp"
#include "moreau/geometry/rotation.hpp"
#include "moreau/python/parts.hpp"

namespace moreau::python {

// Of what a row consists: numbers of one kind, so many of them (0: the row is the number itself).
template <class T>
struct RowOf {
  using Number = T;
  static constexpr py::ssize_t width = 0;
};
template <class T>
requires std::is_enum_v<T>
struct RowOf<T> {
  using Number = std::underlying_type_t<T>;
  static constexpr py::ssize_t width = 0;
};
template <int D>
struct RowOf<Vec<D>> {
  using Number = double;
  static constexpr py::ssize_t width = D;
};
template <>
struct RowOf<Vec<1>> {  // a spin in the plane is a number
  using Number = double;
  static constexpr py::ssize_t width = 0;
};
template <>
struct RowOf<Rotation<2>> {
  using Number = double;
  static constexpr py::ssize_t width = 0;
};
template <>
struct RowOf<Rotation<3>> {
  using Number = double;
  static constexpr py::ssize_t width = 4;
};

// `owner` holds the memory.
template <class T>
py::array view_of(const std::vector<T>& values, py::handle owner, bool writable = false) {
  using Row = RowOf<T>;
  using Number = typename Row::Number;
  static_assert(sizeof(T) == sizeof(Number) * (Row::width > 0 ? Row::width : 1));
  std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(values.size())};
  if (Row::width > 0) shape.push_back(Row::width);
  py::array_t<Number> array(shape, reinterpret_cast<const Number*>(values.data()), owner);
  if (!writable) py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

template <int D>
py::tuple tuple_of(const Vec<D>& v) {
  py::tuple t(D);
  for (int d = 0; d < D; ++d) t[static_cast<std::size_t>(d)] = v[d];
  return t;
}

// The vectors of a periodic cell, of the directions that are periodic.
template <int D>
py::list vectors_of(const Lattice<D>& lattice) {
  py::list all;
  for (int d = 0; d < D; ++d) {
    Vec<D> v{};
    for (int k = 0; k < D; ++k) v[k] = lattice.vectors.row[k][d];
    if (lattice.periodic[d]) all.append(tuple_of(v));
  }
  return all;
}

}  // namespace moreau::python

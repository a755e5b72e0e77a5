// The arrays of the bodies by name.
#pragma once

#include <fmt/format.h>

#include <optional>

#include "moreau/base/nearest.hpp"
#include "moreau/bodies/fields.hpp"
#include "moreau/python/arrays.hpp"

namespace moreau::python {

template <int D>
py::array body_array(const BodyParameters<D>& p, const BodyState<D>& s, const std::string& name, py::handle owner,
                     bool writable) {
  std::optional<py::array> found;
  std::vector<std::string> names;
  const auto look = [&](bool evolves) {
    return [&, evolves](const char* column, const auto& values) {
      names.push_back(column);
      if (name == column && (evolves || !writable)) found = view_of(values, owner, writable);
    };
  };
  fields::body_state(s, look(true));
  const std::vector<std::string> evolving = names;
  fields::body_parameters(p, look(false));
  if (found) return *found;
  if (writable) throw py::attribute_error(fmt::format("'{}' cannot be written; accepted: {}", name, quoted_list(evolving)));
  throw py::attribute_error(fmt::format("bodies have no '{}'; {}", name, suggestion(name, names)));
}

}  // namespace moreau::python

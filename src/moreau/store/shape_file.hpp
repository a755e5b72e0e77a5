// The shapes of bodies that are not round, as arrays in the group `shapes` of a frame or checkpoint (docs/run-folder.md).
#pragma once

#include "moreau/store/hdf5.hpp"

namespace moreau::inline store {

// The group is there only if there are shapes: files of round bodies have none.
template <int D>
void write_shapes(hdf5::Group& parent, const std::vector<Shape<D>>& shapes);

// Bit for bit what was written. StoreError if the arrays contradict each other, or an entry of `shape_of_body` names none of
// them: the engine and the pictures use these numbers without further checks.
template <int D>
std::vector<Shape<D>> read_shapes(const hdf5::Group& parent, const std::vector<std::int32_t>& shape_of_body);

// Visitor for fields::body_parameters. Files from before there were blocks do not have `shape`: all their bodies are round.
inline auto reads_parameters(const hdf5::Group& bodies, std::size_t rows) {
  return [&bodies, rows]<class T>(const char* name, std::vector<T>& values) {
    if constexpr (std::same_as<T, std::int32_t>)
      if (std::string_view(name) == "shape" && !bodies.has(name)) return values.assign(rows, -1);
    bodies.read(name, values, rows);
  };
}

}  // namespace moreau::inline store

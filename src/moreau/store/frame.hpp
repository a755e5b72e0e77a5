// One saved instant: everything pictures and measurements need, without the solver.
#pragma once

#include <string>
#include <vector>

#include "moreau/contact/contact_record.hpp"
#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"
#include "moreau/geometry/pose.hpp"

namespace moreau {

template <int D>
struct Frame {
  double time = 0.0;
  std::uint64_t step = 0;
  BodyParameters<D> parameters;
  BodyState<D> state;
  std::vector<Shape<D>> shapes;  // of the bodies that are not round
  ContactRecords<D> contacts;
  std::vector<Wall<D>> walls;      // geometry as in the scene
  std::vector<Vec<D>> wall_shift;  // their displacement at `time`
  Lattice<D> lattice;              // the periodic cell at `time`

  bool is_block(std::size_t body) const { return parameters.shape[body] >= 0; }
  const Shape<D>& shape_of(std::size_t body) const { return shapes[static_cast<std::size_t>(parameters.shape[body])]; }
  Pose<D> pose_of(std::size_t body) const { return {state.position[body], matrix_of(state.orientation[body])}; }
};

}  // namespace moreau

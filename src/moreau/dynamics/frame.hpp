// One saved instant: everything pictures and measurements need, without the solver.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "moreau/base/signature.hpp"
#include "moreau/contact/contact_record.hpp"
#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"
#include "moreau/geometry/pose.hpp"
#include "moreau/geometry/reduced_lattice.hpp"

namespace moreau::inline dynamics {

template <int D>
struct Frame {
  double time = 0.0;
  std::uint64_t step = 0;
  std::uint64_t phase = 0;  // of the scene
  BodyParameters<D> parameters;
  BodyState<D> state;
  std::vector<Shape<D>> shapes;  // of the bodies that are not round
  ContactRecords<D> contacts;
  BrokenJoints<D> broken;             // so far
  double time_step = 0.0;             // of the impulses
  std::vector<double> wear;           // as in the state
  std::vector<Wall<D>> walls;         // geometry as in the scene
  std::vector<Vec<D>> wall_shift;     // their displacement at `time`
  std::vector<Matrix<D>> wall_turn;   // and how they have turned; empty if none turns
  Lattice<D> lattice;                 // the periodic cell at `time`
  Signature signature;                // of the file it was read from
  std::vector<std::string> left_out;  // fields that the file does not have (output.fields): zero here

  bool is_block(std::size_t body) const { return parameters.shape[body] >= 0; }
  const Shape<D>& shape_of(std::size_t body) const { return shapes[static_cast<std::size_t>(parameters.shape[body])]; }
  // Of a wall that is a mesh.
  Pose<D> pose_of_wall(std::size_t wall) const {
    return {walls[wall].geometry.point + wall_shift[wall], wall_turn.empty() ? identity<D>() : wall_turn[wall]};
  }
  Pose<D> pose_of(std::size_t body) const { return {state.position[body], matrix_of(state.orientation[body])}; }
  // Centre of the image of body b that touches in contact c.
  Vec<D> touching_centre(std::size_t c) const {
    const Vec<D>& centre = state.position[static_cast<std::size_t>(contacts.b[c])];
    return contacts.shift.empty() ? centre : centre + contacts.shift[c];
  }
};

// The instant that a state has reached.
template <int D>
Frame<D> make_frame(const Model<D>& model, const State<D>& state);

// A frame that was read knows which walls are meshes; the meshes themselves are in the scene.
template <int D>
inline void give_meshes(Frame<D>& frame, const Model<D>& model) {
  for (std::size_t w = 0; w < std::min(frame.walls.size(), model.walls.size()); ++w)
    if (frame.walls[w].geometry.shape == WallShape::mesh)
      frame.walls[w].geometry.mesh = model.walls[w].geometry.mesh, frame.walls[w].wears = model.walls[w].wears;
  if (first_worn_faces<D>(frame.walls).back() != frame.wear.size()) frame.wear.clear();  // none yet, or not of these meshes
}

// With every body in the periodic cell, and every contact at its body a: what a picture shows.
template <int D>
inline Frame<D> folded(Frame<D> frame) {
  if (!frame.lattice.any()) return frame;
  const Lattice<D> cell = compact(frame.lattice);
  std::vector<Vec<D>> moved(frame.state.size());
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const Vec<D> inside = cell.folded(frame.state.position[i]);
    moved[i] = inside - frame.state.position[i];
    frame.state.position[i] = inside;
  }
  for (std::size_t c = 0; c < frame.contacts.size(); ++c) {
    const Vec<D>& by = moved[static_cast<std::size_t>(frame.contacts.a[c])];
    frame.contacts.point[c] += by;
    if (!is_wall(frame.contacts.b[c])) frame.contacts.shift[c] += by - moved[static_cast<std::size_t>(frame.contacts.b[c])];
  }
  return frame;
}

}  // namespace moreau::inline dynamics

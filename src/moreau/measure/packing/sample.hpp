// What every measure looks at: one instant of a simulation, live or read from a frame, as plain data.
//
// Forces, normals and contact points belong to the middle of the step, so the centres do too (`middle`): the arms from a centre
// to its contact points are then those of the balance that the solver closed. Bodies may have any shape.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "moreau/bodies/bodies.hpp"
#include "moreau/bodies/named_bodies.hpp"
#include "moreau/contact/contact_record.hpp"
#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau::measure {

template <int D>
struct MotionAxis {
  std::string name;
  Vec<D> centre{};  // a point of the axis of a motion that turns
};

template <int D>
struct Sample {
  double time = 0.0;
  double step = 0.0;                              // h: force = impulse / h
  Vec<D> gravity{};                               // at the middle of the step
  const BodyParameters<D>* parameters = nullptr;  // looked at, not owned
  const BodyState<D>* state = nullptr;
  const ContactRecords<D>* contacts = nullptr;
  const std::vector<Shape<D>>* shapes = nullptr;  // of the bodies that are not round
  std::vector<Sink<D>> sinks;
  std::vector<MotionAxis<D>> motions;  // of walls and driven bodies, by number
  std::vector<Wall<D>> walls;
  std::vector<Vec<D>> wall_shift;                  // displacement of every wall
  Lattice<D> lattice;                              // the periodic cell, if there is one
  std::vector<Piston<D>> yielding;                 // pistons that answer to forces
  std::vector<std::pair<int, int>> cell_freedoms;  // components (p, q) of the velocity gradient of the cell that do
  std::vector<Vec<D>> middle;                      // centres at the middle of the step
  std::vector<double> volume;                      // of the matter of every body (2-D: area)
  std::vector<double> friction;                    // Coulomb's coefficient of every contact
  const BrokenJoints<D>* broken = nullptr;         // for who asks, else null
  const std::vector<double>* wear = nullptr;       // the same
  std::vector<std::string> materials;              // their names, by number
  std::vector<NamedBodies> named;                  // bodies of the scene that have a name; for who asks, else empty

  std::size_t bodies() const { return parameters->size(); }
  bool is_free(std::size_t i) const { return parameters->kind[i] == BodyKind::free; }
  bool is_present(std::size_t i) const { return parameters->kind[i] != BodyKind::removed; }
  // A contact with a wall, or with a body whose motion does not depend on the force.
  bool at_obstacle(std::size_t c) const {
    const std::int32_t b = contacts->b[c];
    return is_wall(b) || !is_free(static_cast<std::size_t>(b));
  }
  std::size_t a(std::size_t c) const { return static_cast<std::size_t>(contacts->a[c]); }
  std::size_t b(std::size_t c) const { return static_cast<std::size_t>(contacts->b[c]); }  // a body, not a wall
  // From the centre of body b (not a wall) to that of its image at the contact.
  Vec<D> shift(std::size_t c) const { return contacts->shift.empty() ? Vec<D>{} : contacts->shift[c]; }
  // The centre of the image of body b that touches.
  Vec<D> middle_b(std::size_t c) const { return middle[b(c)] + shift(c); }
  double normal_force(std::size_t c) const { return dot(contacts->force[c], contacts->normal[c]); }
  // On body a by body b, beside the moment of the force: of laws that resist rolling.
  Spin<D> couple(std::size_t c) const { return contacts->couple.empty() ? Spin<D>{} : contacts->couple[c]; }
  Vec<D> tangential_force(std::size_t c) const { return contacts->force[c] - normal_force(c) * contacts->normal[c]; }
};

// `shapes` are those of the bodies that are not round; empty if all are.
template <int D>
Sample<D> sample_of(const Model<D>& model, const std::vector<Shape<D>>& shapes, double time, const BodyParameters<D>& parameters,
                    const BodyState<D>& state, const ContactRecords<D>& contacts, const std::vector<Vec<D>>& wall_shift,
                    const Lattice<D>& lattice = {});

// Contacts whose normal force exceeds `threshold` times the mean normal force of all that push: the force-carrying ones.
template <int D>
std::vector<bool> carrying_contacts(const Sample<D>& sample, double threshold = 1e-6);

template <int D>
double mean_normal_force(const Sample<D>& sample);  // over contacts that push; 0 if there are none

// Distance from the vertical axis through `centre`: |x| in the plane, sqrt(x^2 + y^2) in space.
template <int D>
inline double distance_to_axis(const Vec<D>& x, const Vec<D>& centre) {
  if constexpr (D == 2) return std::abs(x[0] - centre[0]);
  return std::hypot(x[0] - centre[0], x[1] - centre[1]);
}

}  // namespace moreau::measure

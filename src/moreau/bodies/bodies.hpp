// The bodies of a simulation: what is constant (parameters) and what evolves (state), as structs of arrays.
// A body is named by its index, which never changes: bodies are appended (by sources), not moved.
#pragma once

#include <cstdint>
#include <numbers>
#include <vector>

#include "moreau/geometry/rotation.hpp"
#include "moreau/geometry/shape.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::inline bodies {

enum class BodyKind : std::uint8_t {
  free,     // moves by the laws of dynamics
  fixed,    // never moves
  driven,   // moves as its motion prescribes, whatever the forces
  removed,  // has left through a sink: keeps its number and its last place, touches nothing and counts for nothing
};

template <int D>
struct BodyParameters {
  std::vector<double> radius;   // of the body, or of the ball about its centre that holds its shape
  std::vector<double> mass;     // of the matter, also for fixed and driven bodies
  std::vector<double> inertia;  // about the centre: m r^2 / 2 (disc), 2 m r^2 / 5 (ball) when homogeneous; of a block in space
                                // the mean of its principal moments, which follow from its mass and shape
  std::vector<std::int32_t> shape;  // index into the shapes, -1 for a round body
  std::vector<std::int32_t> material;
  std::vector<std::int32_t> motion;  // index of the prescribed motion of a driven body, else -1
  std::vector<BodyKind> kind;
  std::vector<double> birth;   // time at which the body appeared
  std::vector<Vec<D>> origin;  // position at birth; a driven body is at origin + displacement(t)

  std::size_t size() const { return radius.size(); }
};

template <int D>
struct BodyState {
  std::vector<Vec<D>> position;
  std::vector<Rotation<D>> orientation;
  std::vector<Vec<D>> velocity;
  std::vector<Spin<D>> spin;

  std::size_t size() const { return position.size(); }
};

template <int D>
struct NewBody {
  double radius = 0.0;
  double mass = 0.0;
  double inertia = 0.0;
  std::int32_t shape = -1;
  std::int32_t material = 0;
  std::int32_t motion = -1;
  BodyKind kind = BodyKind::free;
  double birth = 0.0;
  Vec<D> position{};
  Rotation<D> orientation{};
  Vec<D> velocity{};
  Spin<D> spin{};
};

template <int D>
inline double ball_mass(double radius, double density) {
  const double area = std::numbers::pi * radius * radius;  // in the plane density is per unit area
  return D == 2 ? density * area : density * area * radius * 4.0 / 3.0;
}

template <int D>
inline double ball_inertia(double radius, double mass) {
  return (D == 2 ? 0.5 : 0.4) * mass * radius * radius;
}

template <int D>
inline NewBody<D> homogeneous_ball(const Vec<D>& position, double radius, double density, std::int32_t material = 0) {
  NewBody<D> body;
  body.radius = radius;
  body.mass = ball_mass<D>(radius, density);
  body.inertia = ball_inertia<D>(radius, body.mass);
  body.material = material;
  body.position = position;
  return body;
}

// A homogeneous body of the given shape, number `index` of the shapes of the bodies it will belong to.
template <int D>
inline NewBody<D> homogeneous_block(const Shape<D>& shape, std::int32_t index, const Vec<D>& position,
                                    const Rotation<D>& orientation, double density, std::int32_t material = 0) {
  NewBody<D> body;
  body.radius = shape.reach;
  body.mass = density * shape.volume;
  for (int d = 0; d < spin_dimension<D>; ++d) body.inertia += body.mass * shape.gyration[d] / spin_dimension<D>;
  body.shape = index;
  body.material = material;
  body.position = position;
  body.orientation = orientation;
  return body;
}

template <int D>
struct Bodies {
  BodyParameters<D> parameters;
  BodyState<D> state;
  std::vector<Shape<D>> shapes;  // of the bodies that are not round; several bodies may share one

  std::size_t size() const { return parameters.size(); }
  bool is_free(std::size_t i) const { return parameters.kind[i] == BodyKind::free; }
  bool is_present(std::size_t i) const { return parameters.kind[i] != BodyKind::removed; }
  bool is_round(std::size_t i) const { return parameters.shape[i] < 0; }
  bool all_round() const { return shapes.empty(); }
  const Shape<D>& shape(std::size_t i) const { return shapes[static_cast<std::size_t>(parameters.shape[i])]; }

  // Moments of inertia about the principal axes of the body.
  Spin<D> principal_inertia(std::size_t i) const {
    if (!is_round(i)) return parameters.mass[i] * shape(i).gyration;
    Spin<D> same;
    for (int d = 0; d < spin_dimension<D>; ++d) same[d] = parameters.inertia[i];
    return same;
  }

  // Gives back the room kept for bodies to come.
  void shrink_to_fit() {
    const auto shrink = [](auto&... v) { (v.shrink_to_fit(), ...); };
    auto& p = parameters;
    shrink(p.radius, p.mass, p.inertia, p.shape, p.material, p.motion, p.kind, p.birth, p.origin);
    shrink(state.position, state.orientation, state.velocity, state.spin);
  }

  void append(const NewBody<D>& b) {
    parameters.radius.push_back(b.radius);
    parameters.mass.push_back(b.mass);
    parameters.inertia.push_back(b.inertia);
    parameters.shape.push_back(b.shape);
    parameters.material.push_back(b.material);
    parameters.motion.push_back(b.motion);
    parameters.kind.push_back(b.kind);
    parameters.birth.push_back(b.birth);
    parameters.origin.push_back(b.position);
    state.position.push_back(b.position);
    state.orientation.push_back(b.orientation);
    state.velocity.push_back(b.velocity);
    state.spin.push_back(b.spin);
  }
};

}  // namespace moreau::inline bodies

// Prescribed motion of walls and of driven bodies: a displacement from the place given in the scene, and its velocity; or a
// rotation about an axis that stays in place.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "moreau/geometry/rotation.hpp"

namespace moreau::inline drive {

enum class MotionKind { rest, constant, sinusoid, table, accelerogram, rotation, swing };

template <int D>
struct Motion {
  MotionKind kind = MotionKind::rest;
  std::string name;
  Vec<D> velocity{};          // constant: displacement = velocity t
  Vec<D> amplitude{};         // sinusoid: displacement = amplitude sin(2 pi frequency t + phase); half the peak-to-peak stroke
  double frequency = 0.0;     // [1/time] of sinusoid and swing
  double phase = 0.0;         // [rad]; -pi/2 starts at the lowest point
  std::vector<double> times;  // table: increasing; piecewise linear between, at rest before the first and after the last
  std::vector<Vec<D>> positions;      // table, accelerogram: displacements at `times`
  std::vector<Vec<D>> accelerations;  // accelerogram: at `times`, linear between; at rest before, uniform motion after
  std::vector<Vec<D>> velocities;     // accelerogram: at `times`
  Vec<D> centre{};                    // rotation, swing: a point of the axis
  Spin<D> axis{};                     // rotation, swing: unit vector of the axis; in the plane 1, anticlockwise
  double rate = 0.0;                  // rotation: angle = rate t [rad]
  double angle = 0.0;                 // swing: angle = angle (sin(2 pi frequency t + phase) - sin phase) [rad]
};

template <int D>
inline bool turns(const Motion<D>& m) {
  return m.kind == MotionKind::rotation || m.kind == MotionKind::swing;
}

// What happens between two points of an accelerogram, as a function of the time since the first of them.
template <int D>
struct Piece {
  Vec<D> position, start_velocity, acceleration, jerk;
  Vec<D> velocity(double s) const { return start_velocity + s * (acceleration + (0.5 * s) * jerk); }
  Vec<D> displacement(double s) const { return position + s * (start_velocity + (0.5 * s) * (acceleration + (s / 3.0) * jerk)); }
};
template <int D>
inline Piece<D> piece_of(const Motion<D>& m, std::size_t i) {
  if (i + 1 == m.times.size()) return {m.positions[i], m.velocities[i], {}, {}};
  const Vec<D> jerk = (1.0 / (m.times[i + 1] - m.times[i])) * (m.accelerations[i + 1] - m.accelerations[i]);
  return {m.positions[i], m.velocities[i], m.accelerations[i], jerk};
}

// Index of the last of `times` not after t; t is not before the first.
template <int D>
inline std::size_t last_before(const Motion<D>& m, double t) {
  return static_cast<std::size_t>(std::upper_bound(m.times.begin(), m.times.end(), t) - m.times.begin()) - 1;
}

// Displacement of all points alike; none of a rotation, which leaves its axis in place.
template <int D>
inline Vec<D> displacement(const Motion<D>& m, double t) {
  switch (m.kind) {
    case MotionKind::rest:
    case MotionKind::rotation:
    case MotionKind::swing:
      break;
    case MotionKind::constant:
      return t * m.velocity;
    case MotionKind::sinusoid:
      return sine(2.0 * std::numbers::pi * m.frequency * t + m.phase) * m.amplitude;
    case MotionKind::table: {
      if (t <= m.times.front()) return m.positions.front();
      if (t >= m.times.back()) return m.positions.back();
      const std::size_t i = static_cast<std::size_t>(std::upper_bound(m.times.begin(), m.times.end(), t) - m.times.begin());
      const double s = (t - m.times[i - 1]) / (m.times[i] - m.times[i - 1]);
      return (1.0 - s) * m.positions[i - 1] + s * m.positions[i];
    }
    case MotionKind::accelerogram: {
      if (t < m.times.front()) return {};
      const std::size_t i = last_before(m, t);
      return piece_of(m, i).displacement(t - m.times[i]);
    }
  }
  return {};
}

template <int D>
inline Vec<D> velocity(const Motion<D>& m, double t) {
  switch (m.kind) {
    case MotionKind::rest:
    case MotionKind::rotation:
    case MotionKind::swing:
      break;
    case MotionKind::constant:
      return m.velocity;
    case MotionKind::sinusoid: {
      const double pulsation = 2.0 * std::numbers::pi * m.frequency;
      return (pulsation * cosine(pulsation * t + m.phase)) * m.amplitude;
    }
    case MotionKind::table: {
      if (t < m.times.front() || t >= m.times.back()) return {};
      const std::size_t i = static_cast<std::size_t>(std::upper_bound(m.times.begin(), m.times.end(), t) - m.times.begin());
      return (1.0 / (m.times[i] - m.times[i - 1])) * (m.positions[i] - m.positions[i - 1]);
    }
    case MotionKind::accelerogram: {
      if (t < m.times.front()) return {};
      const std::size_t i = last_before(m, t);
      return piece_of(m, i).velocity(t - m.times[i]);
    }
  }
  return {};
}

// Angle turned since time 0.
template <int D>
inline double angle_turned(const Motion<D>& m, double t) {
  if (m.kind == MotionKind::rotation) return m.rate * t;
  if (m.kind != MotionKind::swing) return 0.0;
  return m.angle * (sine(2.0 * std::numbers::pi * m.frequency * t + m.phase) - sine(m.phase));
}

// Its rate, along the axis.
template <int D>
inline Spin<D> spin(const Motion<D>& m, double t) {
  if (m.kind == MotionKind::rotation) return m.rate * m.axis;
  if (m.kind != MotionKind::swing) return {};
  const double pulsation = 2.0 * std::numbers::pi * m.frequency;
  return (m.angle * pulsation * cosine(pulsation * t + m.phase)) * m.axis;
}

// Where a point is that was at `origin` in the scene.
template <int D>
inline Vec<D> moved(const Motion<D>& m, const Vec<D>& origin, double t) {
  if (!turns(m)) return origin + displacement(m, t);
  return m.centre + rotate(turned(Rotation<D>{}, m.axis, angle_turned(m, t)), origin - m.centre);
}

// The velocities of the points of a body that moves so, at one instant.
template <int D>
struct RigidVelocity {
  Vec<D> velocity{};  // at `centre`
  Spin<D> spin{};
  Vec<D> centre{};
  MOREAU_BOTH Vec<D> at(const Vec<D>& point) const { return velocity + cross(spin, point - centre); }
};
template <int D>
inline RigidVelocity<D> rigid_velocity(const Motion<D>& m, double t) {
  return {velocity(m, t), spin(m, t), m.centre};
}

}  // namespace moreau::inline drive

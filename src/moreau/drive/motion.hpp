// Prescribed motion of walls and of driven bodies: a displacement from the place given in the scene, and its velocity.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "moreau/geometry/vec.hpp"

namespace moreau {

enum class MotionKind { rest, constant, sinusoid, table };

template <int D>
struct Motion {
  MotionKind kind = MotionKind::rest;
  std::string name;
  Vec<D> velocity{};          // constant: displacement = velocity t
  Vec<D> amplitude{};         // sinusoid: displacement = amplitude sin(2 pi frequency t + phase); half the peak-to-peak stroke
  double frequency = 0.0;     // [1/time]
  double phase = 0.0;         // [rad]; -pi/2 starts at the lowest point
  std::vector<double> times;  // table: increasing; piecewise linear between, at rest before the first and after the last
  std::vector<Vec<D>> positions;  // table: displacements at `times`
};

template <int D>
inline Vec<D> displacement(const Motion<D>& m, double t) {
  switch (m.kind) {
    case MotionKind::rest:
      break;
    case MotionKind::constant:
      return t * m.velocity;
    case MotionKind::sinusoid:
      return std::sin(2.0 * std::numbers::pi * m.frequency * t + m.phase) * m.amplitude;
    case MotionKind::table: {
      if (t <= m.times.front()) return m.positions.front();
      if (t >= m.times.back()) return m.positions.back();
      const std::size_t i = static_cast<std::size_t>(std::upper_bound(m.times.begin(), m.times.end(), t) - m.times.begin());
      const double s = (t - m.times[i - 1]) / (m.times[i] - m.times[i - 1]);
      return (1.0 - s) * m.positions[i - 1] + s * m.positions[i];
    }
  }
  return {};
}

template <int D>
inline Vec<D> velocity(const Motion<D>& m, double t) {
  switch (m.kind) {
    case MotionKind::rest:
      break;
    case MotionKind::constant:
      return m.velocity;
    case MotionKind::sinusoid: {
      const double pulsation = 2.0 * std::numbers::pi * m.frequency;
      return (pulsation * std::cos(pulsation * t + m.phase)) * m.amplitude;
    }
    case MotionKind::table: {
      if (t < m.times.front() || t >= m.times.back()) return {};
      const std::size_t i = static_cast<std::size_t>(std::upper_bound(m.times.begin(), m.times.end(), t) - m.times.begin());
      return (1.0 / (m.times[i] - m.times[i - 1])) * (m.positions[i] - m.positions[i - 1]);
    }
  }
  return {};
}

}  // namespace moreau

// Whether what is prescribed moves anything.
#pragma once

#include <algorithm>

#include "moreau/drive/motion.hpp"
#include "moreau/drive/signal.hpp"

namespace moreau::inline drive {

// Zero at all times.
inline bool is_zero(const Signal& s) {
  return s.mean == 0.0 && s.amplitude == 0.0 && std::ranges::all_of(s.values, [](double value) { return value == 0.0; });
}

// Nothing moves by it between two of its times. What rounding leaves at the end of an accelerogram is no motion.
template <int D>
inline bool stands(const Motion<D>& m, double from, double to) {
  switch (m.kind) {
    case MotionKind::rest:
      break;
    case MotionKind::constant:
      return norm(m.velocity) == 0.0;
    case MotionKind::sinusoid:
      return norm(m.amplitude) == 0.0;
    case MotionKind::rotation:
      return m.rate == 0.0;
    case MotionKind::swing:
      return m.angle == 0.0;
    case MotionKind::table:
      for (std::size_t i = 1; i < m.times.size(); ++i)
        if (m.times[i] > from && m.times[i - 1] < to && !(m.positions[i] == m.positions[i - 1])) return false;
      break;
    case MotionKind::accelerogram: {
      constexpr double rounding = 1e-9;
      double fastest = 0.0, strongest = 0.0;
      for (const Vec<D>& v : m.velocities) fastest = std::max(fastest, norm(v));
      for (const Vec<D>& a : m.accelerations) strongest = std::max(strongest, norm(a));
      for (std::size_t i = 0; i < m.times.size(); ++i) {
        const bool last = i + 1 == m.times.size();  // uniform motion from there on
        if (m.times[i] >= to || (!last && m.times[i + 1] <= from)) continue;
        if (norm(m.velocities[i]) > rounding * fastest) return false;
        if (!last && (norm(m.accelerations[i]) > rounding * strongest || norm(m.accelerations[i + 1]) > rounding * strongest)) return false;
      }
      break;
    }
  }
  return true;
}

}  // namespace moreau::inline drive

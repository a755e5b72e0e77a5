// Motions that many contacts share, pistons pressed by a force, on a card (solver/shared_motion.hpp).
#pragma once

#include "moreau/gpu/loops.hpp"

namespace moreau::gpu {

struct MotionRow {
  double inverse_mass, free_change;
  double change = 0.0, last = 0.0, snapshot = 0.0, left = 0.0;  // of its speed; as SharedMotions keeps them
  double step = 0.0;                                            // what biases gain, in units of the iterate

  MOREAU_INLINE void change_to(double changed, double unit_of_velocity) {
    step = (changed - change) / unit_of_velocity, change = changed;
  }
};

// A contact that takes part: where it is, and the relative velocity there per unit of speed of the motion.
template <int D>
struct SharedPlace {
  std::uint32_t place;
  Vec<D> direction;
};

struct Gained {
  ExactSum<double, 3> impulse;
  MOREAU_INLINE Gained& operator+=(const Gained& o) { return impulse += o.impulse, *this; }
};
template <int D, class Real, class Rows>
struct SumGained {
  const SharedPlace<D>* shared;
  Rows rows;
  MOREAU_INLINE void operator()(std::size_t i, Gained& sum) const {
    const Real* const impulse = rows.at(shared[i].place).impulse;
    for (int d = 0; d < D; ++d)
      sum.impulse.add(shared[i].direction[d] * static_cast<double>(read_through(impulse + d * lanes_of<Real>)));
  }
};
// After that sum.
struct RenewSpeed {
  MotionRow* motion;
  double unit_of_impulse, unit_of_velocity;
  MOREAU_INLINE void operator()(const Gained& total) const {
    motion->change_to(motion->free_change + motion->inverse_mass * (unit_of_impulse * total.impulse.value()), unit_of_velocity);
  }
};

// s <- s + extrapolation (s - s_last), s_last <- s.
struct ExtrapolateSpeed {
  MotionRow* motion;
  const Pace* pace;
  double unit_of_velocity;
  MOREAU_INLINE void operator()(std::size_t m) const {
    MotionRow row = motion[m];
    const double now = row.change, last = row.last;
    row.last = now;
    row.change_to(now + pace->extrapolation * (now - last), unit_of_velocity);
    motion[m] = row;
  }
};

// The contacts feel the change.
template <int D, class Real, class Rows>
struct FeelChange {
  const SharedPlace<D>* shared;
  const MotionRow* motion;
  Rows rows;
  MOREAU_INLINE void operator()(std::size_t i) const {
    Real* const bias = rows.at(shared[i].place).bias;
    for (int d = 0; d < D; ++d) bias[d * lanes_of<Real>] += static_cast<Real>(motion->step * shared[i].direction[d]);
  }
};

enum class Keep { last, snapshot, left, come_back };
struct KeepSpeed {
  MotionRow* motion;
  Keep what;
  MOREAU_INLINE void operator()(std::size_t m) const {
    MotionRow& row = motion[m];
    if (what == Keep::last) row.last = row.change;
    if (what == Keep::snapshot) row.snapshot = row.change;
    if (what == Keep::left) row.left = row.change;
    if (what == Keep::come_back) row.change = row.left;
  }
};

}  // namespace moreau::gpu

// Bodies at the beginning, in the middle and at the end of a step on a card (engines/rigid/predict.cpp, conclude.cpp).
#pragma once

#include "moreau/base/exact_sum.hpp"
#include "moreau/dynamics/gyroscopic.hpp"
#include "moreau/gpu/card_rows.hpp"
#include "moreau/gpu/loops.hpp"
#include "moreau/gpu/resident.hpp"
#include "moreau/solver/touched_bodies.hpp"

namespace moreau::gpu {

// q_m = q_i + h/2 u_i of free bodies; the others are where they were put. Those that are not round turn with their spin, which
// they then change as they do without contacts.
template <int D>
struct Predict {
  BodyRows<D> bodies;
  double time_step, half;
  MOREAU_INLINE void operator()(std::size_t i) const {
    Vec<D> x = bodies.position[i];
    if (bodies.is_free(i)) x += half * bodies.velocity[i];
    bodies.middle[i] = x;
    if (bodies.shape != nullptr) turn(i);
  }

 private:
  MOREAU_INLINE void turn(std::size_t i) const {
    Matrix<D>& axes = bodies.axes[i];
    if (bodies.is_round(i)) {
      axes = Matrix<D>{};
      for (int d = 0; d < D; ++d) axes.row[d][d] = 1.0;
      return;
    }
    Rotation<D>& orientation = bodies.half_turned[i];
    orientation = bodies.orientation[i];
    if (bodies.is_free(i)) orientation = turned(orientation, bodies.spin[i], half);
    axes = matrix_of(orientation);
    if constexpr (D == 3)
      if (bodies.is_free(i)) {
        const Vec<3> own = transposed_times(axes, bodies.spin[i]);
        bodies.spin[i] = axes * turned_freely(own, bodies.principal_inertia(i), time_step);
      }
  }
};

// As dynamics/drag.cpp.
struct EnergyBefore {
  ExactSum<double, 3> kinetic;
  MOREAU_INLINE EnergyBefore& operator+=(const EnergyBefore& o) { return kinetic += o.kinetic, *this; }
};
template <int D>
struct Damp {
  BodyRows<D> bodies;
  double factor;
  MOREAU_INLINE void operator()(std::size_t i, EnergyBefore& sum) const {
    if (!bodies.is_free(i)) return;
    const Vec<D> v = bodies.velocity[i];
    const Spin<D> spin = bodies.spin[i];
    sum.kinetic.add(0.5 * (bodies.mass[i] * dot(v, v) + bodies.turning_square(i, spin)));
    bodies.velocity[i] *= factor, bodies.spin[i] *= factor;
  }
};
template <int D>
struct CopyVelocities {
  const Vec<D>* velocity;
  const Spin<D>* spin;
  Vec<D>* to_velocity;
  Spin<D>* to_spin;
  MOREAU_INLINE void operator()(std::size_t i) const { to_velocity[i] = velocity[i], to_spin[i] = spin[i]; }
};

// As dynamics/first_moment.hpp.
template <int D>
struct Moment {
  BodyRows<D> bodies;
  MOREAU_INLINE void operator()(std::size_t i, FirstMoment<D>& sum) const {
    if (!bodies.is_free(i)) return;
    for (int d = 0; d < D; ++d) sum.along[d].add(bodies.mass[i] * bodies.position[i][d]);
  }
};

// A row of the solver (solver/contact_problem.cpp, set_bodies), and the velocity without contacts.
template <int D>
struct SetBody {
  BodyRows<D> bodies;
  const std::int32_t* order;
  Row<double>* row;
  double* free;
  Vec<D> gained;
  double kept;

  MOREAU_INLINE void operator()(std::size_t s) const {
    constexpr int n = velocity_dimension<D>;
    const std::size_t i = static_cast<std::size_t>(order[s]);
    Row<double> r{};
    double* const without = free + n * s;
    for (int d = 0; d < n; ++d) without[d] = 0.0;
    if (bodies.is_free(i)) {
      const double length = bodies.length(i);
      r.c[n] = kept * (1.0 / bodies.mass[i]);
      if (D == 2 || bodies.is_round(i)) r.c[n + 1] = kept * (length * length / bodies.inertia[i]);
      for (int d = 0; d < D; ++d) r.c[d] = bodies.velocity[i][d] + 0.0, without[d] = bodies.velocity[i][d] + gained[d];
      for (int d = 0; d < spin_dimension<D>; ++d) r.c[D + d] = without[D + d] = length * bodies.spin[i][d];
    }
    row[s] = r;
  }
};

struct PutSlots {
  const std::int32_t* order;
  std::uint32_t* slot;
  MOREAU_INLINE void operator()(std::size_t s) const { slot[order[s]] = static_cast<std::uint32_t>(s); }
};

// What the solver asks of the masses (solver/gauss_seidel.cpp).
struct Masses {
  ExactSum<double> total;
  std::uint64_t free = 0;
  TouchedBodies touched;
  Heaviness heaviness;  // of those
  MOREAU_INLINE Masses& operator+=(const Masses& o) {
    total += o.total, free += o.free, touched += o.touched, heaviness += o.heaviness;
    return *this;
  }
};
template <int D>
struct Weigh {
  const Row<double>* row;
  const std::uint64_t* used;
  MOREAU_INLINE void operator()(std::size_t s, Masses& sum) const {
    const double inverse = row[s].c[velocity_dimension<D>];
    if (!(inverse > 0.0)) return;
    sum.total.add(1.0 / inverse), ++sum.free;
    if (used[s] != 0) sum.touched.add(inverse, used[s]), sum.heaviness.add(inverse, used[s]);
  }
};

// The largest change of velocity that a step brings, and the smallest body (engines/rigid/missed_contacts.cpp).
struct Extent {
  double smallest = 1e300, change = 0.0;
  MOREAU_INLINE Extent& operator+=(const Extent& o) {
    smallest = o.smallest < smallest ? o.smallest : smallest, change = change < o.change ? o.change : change;
    return *this;
  }
};
template <int D>
struct MeasureChange {
  BodyRows<D> bodies;
  const Row<double>* row;
  DeformingCell<D> cell;
  Vec<D>* end;  // velocities at the end of the step, of those that are not free as they are
  Spin<D>* end_spin;  // likewise; null where all bodies are round
  MOREAU_INLINE void operator()(std::size_t i, Extent& sum) const {
    sum.smallest = bodies.radius[i] < sum.smallest ? bodies.radius[i] : sum.smallest;
    end[i] = bodies.velocity[i];
    if (end_spin != nullptr) end_spin[i] = bodies.spin[i];
    if (!bodies.is_free(i)) return;
    for (int d = 0; d < D; ++d) end[i][d] = row[bodies.slot[i]].c[d];
    if (cell.motions > 0) end[i] += cell.affine(cell.change, bodies.middle[i]);
    double change = norm(end[i] - bodies.velocity[i]);
    if (end_spin != nullptr) {
      for (int d = 0; d < spin_dimension<D>; ++d) end_spin[i][d] = row[bodies.slot[i]].c[D + d] / bodies.length(i);
      if (!bodies.is_round(i)) change += bodies.radius[i] * norm(end_spin[i] - bodies.spin[i]);
    }
    sum.change = sum.change < change ? change : sum.change;
  }
};

// q_f = q_m + h/2 u_f; the solver's row is left with the mean of the velocities at both ends.
template <int D>
struct Advance {
  BodyRows<D> bodies;
  Row<double>* row;
  double half;
  Vec<D> gravity;  // at the end of the step
  DeformingCell<D> cell;

  MOREAU_INLINE void operator()(std::size_t i, BodyTotals& sum) const {
    sum.present += bodies.kind[i] != BodyKind::removed ? 1 : 0;
    if (!bodies.is_free(i)) {
      bodies.position[i] = bodies.middle[i];
      return;
    }
    Row<double>& r = row[bodies.slot[i]];
    const double length = bodies.length(i), mass = bodies.mass[i];
    const Vec<D> before = bodies.velocity[i];
    const Spin<D> spin_before = bodies.spin[i];
    Vec<D> solved, more{};
    Spin<D> spin;
    for (int d = 0; d < D; ++d) solved[d] = r.c[d];
    for (int d = 0; d < spin_dimension<D>; ++d) spin[d] = r.c[D + d] / length;
    Vec<D> v = solved;
    if (cell.motions > 0) {
      more = cell.affine(cell.change, bodies.middle[i]), v += more;
      sum.cell_work.add(0.5 * mass * dot(more, before + v));
    }
    if (!is_finite(v) || !is_finite(spin)) ++sum.not_finite;
    sum.resultant.add(mass * norm(solved - before));
    sum.mass.add(mass);
    const double speed = norm(v);
    sum.fastest = sum.fastest < speed ? speed : sum.fastest;
    const double surface = bodies.is_round(i) ? speed : speed + norm(spin) * bodies.radius[i];
    sum.fastest_surface = sum.fastest_surface < surface ? surface : sum.fastest_surface;
    sum.speeds.add(speed);
    ++sum.free;
    for (int d = 0; d < D; ++d) r.c[d] = 0.5 * (r.c[d] + (before[d] + more[d]));
    for (int d = 0; d < spin_dimension<D>; ++d) r.c[D + d] = 0.5 * (r.c[D + d] + length * spin_before[d]);
    bodies.orientation[i] = bodies.is_round(i) ? turned(turned(bodies.orientation[i], spin_before, half), spin, half)
                                               : turned(bodies.half_turned[i], spin, half);
    bodies.velocity[i] = v;
    bodies.spin[i] = spin;
    Vec<D> x = bodies.middle[i];
    x += half * v;
    bodies.position[i] = x;
    sum.kinetic.add(0.5 * (mass * dot(v, v) + bodies.turning_square(i, spin)));
    sum.potential.add(-mass * dot(gravity, x));
  }
};

// Bodies whose motion is prescribed.
template <int D>
struct PlaceDriven {
  BodyRows<D> bodies;
  const DrivenRow<D>* driven;
  bool midpoint;
  MOREAU_INLINE void operator()(std::size_t k) const {
    const DrivenRow<D>& r = driven[k];
    (midpoint ? bodies.middle : bodies.position)[r.body] = r.position;
    bodies.velocity[r.body] = r.velocity, bodies.spin[r.body] = r.spin;
    if (!midpoint) bodies.orientation[r.body] = r.orientation;
    if (midpoint && !bodies.is_round(r.body))
      bodies.half_turned[r.body] = r.orientation, bodies.axes[r.body] = matrix_of(r.orientation);
  }
};

}  // namespace moreau::gpu

// A periodic cell that deforms, on a card (drive/cell.hpp): what it gives to bodies and contacts, and the components of its velocity
// gradient that answer to the contacts (engines/rigid/loading.cpp, solver/shared_motion.hpp).
#pragma once

#include "moreau/gpu/card_rows.hpp"
#include "moreau/gpu/shared_loops.hpp"

namespace moreau::gpu {

template <int D>
inline constexpr int most_cell_motions = D * (D + 1) / 2;

// Component L_pq under a stress is one of the shared motions: all contacts take part, with the q-th component of their branch
// along axis p.
struct CellComponentRow {
  std::int32_t p, q;
  double sharing_sum, inverse_mass;
};
template <int D>
struct DeformingCell {
  bool deforms = false;
  Matrix<D> gradient{};  // L: the image of a body moves with L shift relative to it
  Vec<D> centre{};       // of mass
  Matrix<D> change{};    // of L over the step
  int motions = 0;
  CellComponentRow motion[most_cell_motions<D>]{};

  // What an affine field gives to a point.
  MOREAU_INLINE Vec<D> affine(const Matrix<D>& field, const Vec<D>& point) const { return field * (point - centre); }
};

// Sum of mass times position, and of masses, of the bodies that are present.
template <int D>
struct MassMoment {
  ExactSum<double, 3> along[D], mass;
  MOREAU_INLINE MassMoment& operator+=(const MassMoment& o) {
    for (int d = 0; d < D; ++d) along[d] += o.along[d];
    return mass += o.mass, *this;
  }
};
template <int D>
struct SumMassMoment {
  BodyRows<D> bodies;
  const Vec<D>* at;
  MOREAU_INLINE void operator()(std::size_t i, MassMoment<D>& sum) const {
    if (bodies.kind[i] == BodyKind::removed) return;
    for (int d = 0; d < D; ++d) sum.along[d].add(bodies.mass[i] * at[i][d]);
    sum.mass.add(bodies.mass[i]);
  }
};

// The bodies follow a change of the gradient; the work that this takes.
struct GivenWork {
  ExactSum<double, 3> work;
  MOREAU_INLINE GivenWork& operator+=(const GivenWork& o) { return work += o.work, *this; }
};
template <int D>
struct FollowGradient {
  BodyRows<D> bodies;
  const Vec<D>* at;
  Matrix<D> change;
  Vec<D> centre;
  MOREAU_INLINE void operator()(std::size_t i, GivenWork& sum) const {
    if (bodies.kind[i] == BodyKind::removed) return;
    const Vec<D> gained = change * (at[i] - centre);
    sum.work.add(bodies.mass[i] * dot(gained, bodies.velocity[i] + 0.5 * gained));
    bodies.velocity[i] += gained;
  }
};

// Of all components, in one go: what the contacts give to each, by place.
template <int D>
struct CellGained {
  ExactSum<double, 3> impulse[most_cell_motions<D>];
  MOREAU_INLINE CellGained& operator+=(const CellGained& o) {
    for (int m = 0; m < most_cell_motions<D>; ++m) impulse[m] += o.impulse[m];
    return *this;
  }
};
template <int D>
struct CellAxes {
  int motions = 0;
  std::int32_t p[most_cell_motions<D>] = {}, q[most_cell_motions<D>] = {};
};
template <int D, class Real, class Rows>
struct SumCellGained {
  CellAxes<D> axes;
  const Vec<D>* branch;  // by place
  Rows rows;
  MOREAU_INLINE void operator()(std::size_t place, CellGained<D>& sum) const {
    const Real* const lane = rows.at(place).impulse;
    const Vec<D> l = branch[place];
    Vec<D> impulse;
    for (int d = 0; d < D; ++d) impulse[d] = static_cast<double>(read_through(lane + d * lanes_of<Real>));
    for (int m = 0; m < most_cell_motions<D>; ++m)  // no index that is not known to the compiler
      if (m < axes.motions) sum.impulse[m].add(pick(l, axes.q[m]) * pick(impulse, axes.p[m]));
  }
  MOREAU_INLINE static double pick(const Vec<D>& v, std::int32_t axis) {
    double x = v[0];
    for (int d = 1; d < D; ++d) x = axis == d ? v[d] : x;
    return x;
  }
};
// After that sum.
template <int D>
struct RenewCell {
  MotionRow* motion;  // the first of the cell's
  int motions;
  double unit_of_impulse, unit_of_velocity;
  MOREAU_INLINE void operator()(const CellGained<D>& total) const {
    for (int m = 0; m < most_cell_motions<D>; ++m)
      if (m < motions) RenewSpeed{motion + m, unit_of_impulse, unit_of_velocity}(Gained{total.impulse[m]});
  }
};
// The contacts feel the changes, one after the other.
template <int D, class Real, class Rows>
struct FeelCell {
  CellAxes<D> axes;
  const Vec<D>* branch;
  const MotionRow* motion;
  Rows rows;
  MOREAU_INLINE void operator()(std::size_t place) const {
    Real* const lane = rows.at(place).bias;
    const Vec<D> l = branch[place];
    Vec<D, Real> bias;
    for (int d = 0; d < D; ++d) bias[d] = lane[d * lanes_of<Real>];
    for (int m = 0; m < axes.motions; ++m) {
      const double along = SumCellGained<D, Real, Rows>::pick(l, axes.q[m]), step = motion[m].step;
      for (int d = 0; d < D; ++d) bias[d] += static_cast<Real>(step * (d == axes.p[m] ? along : 0.0));
    }
    for (int d = 0; d < D; ++d) lane[d * lanes_of<Real>] = bias[d];
  }
};

// From the centre of the image of b, or the point where a wall is touched, to the centre of a.
template <int D>
struct FindBranches {
  BodyRows<D> bodies;
  ContactRows<D> now;
  Lattice<D> lattice;
  const WallRow<D>* walls;
  Vec<D>* branch;  // by contact
  MOREAU_INLINE void operator()(std::size_t i) const {
    const std::int32_t a = now.a[i], b = now.b[i];
    if (b < 0) {
      const Separation<D> s = separation(walls[-b - 1], walls[-b - 1].shift, bodies.middle[a], bodies.radius[a]);
      const Vec<D> arm = -bodies.radius[a] * s.normal;
      branch[i] = bodies.middle[a] - (bodies.middle[a] + arm);
    } else {
      const Vec<D> shift = now.image != nullptr ? lattice.shift(now.image[i]) : Vec<D>{};
      branch[i] = bodies.middle[a] - bodies.middle[b] - shift;
    }
  }
};
template <int D>
struct SumCellSharing {
  const Vec<D>* branch;  // by contact
  std::int32_t p, q;
  template <class Sum>
  MOREAU_INLINE void operator()(std::size_t i, Sum& sum) const {
    Vec<D> direction{};
    direction[p] = branch[i][q];
    sum.lengths.add(norm(direction));
  }
};

}  // namespace moreau::gpu

// The arithmetic of the contacts of one pack (eight, in single precision sixteen), for each kind of contact; sweep.cpp loops
// over them.
//
// A kernel reads the bodies and the contacts of a pack, solves the one-contact problems, and pushes the bodies with the change.
#pragma once

#include "moreau/law/coulomb_round.hpp"
#include "moreau/solver/measured.hpp"
#include "moreau/solver/round_arithmetic.hpp"
#include "moreau/solver/shaped_arithmetic.hpp"
#include "moreau/solver/sweep.hpp"

namespace moreau::inline solver {

// The bodies of a pack: row r of `m` is number r of each of them, eight in all.
template <class Real>
struct LineOf;

template <>
struct LineOf<double> {
  Lanes m[8];

  template <class Body>
  MOREAU_INLINE void read(const Body* bodies, const std::int32_t* index) {
    for (int l = 0; l < 8; ++l) m[l] = load(reinterpret_cast<const double*>(bodies + index[l]));
    transpose(m);
  }
  template <class Body>
  MOREAU_INLINE void write(Body* bodies, const std::int32_t* index, std::int32_t none) {
    transpose(m);
    for (int l = 0; l < 8; ++l)
      if (index[l] != none) store(reinterpret_cast<double*>(bodies + index[l]), m[l]);
  }
  // Adds to the bodies one after the other: a body may occur several times.
  template <class Body>
  MOREAU_INLINE void add(Body* bodies, const std::int32_t* index, std::int32_t none) {
    transpose(m);
    for (int l = 0; l < 8; ++l) {
      double* const body = reinterpret_cast<double*>(bodies + index[l]);
      if (index[l] != none) store(body, load(body) + m[l]);
    }
  }
};
using Line = LineOf<double>;

template <>
struct LineOf<float> {
  typedef float Half __attribute__((vector_size(lane_bytes / 2)));  // the eight numbers of one body
  SingleLanes m[8];

  template <class Body>
  MOREAU_INLINE void read(const Body* bodies, const std::int32_t* index) {
    take([&](int l) { return *reinterpret_cast<const Half*>(bodies + index[l]); });
  }
  // body(l): the eight numbers of body l
  template <class Body>
  MOREAU_INLINE void take(Body&& body) {
    for (int i = 0; i < 8; ++i) {
      const int l = i < 4 ? i : i + 4;
      m[i] = __builtin_shufflevector(body(l), body(l + 4), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }
    transpose_squares(m), transpose_squares(m + 4);
    for (int r = 0; r < 4; ++r) {
      const SingleLanes first = m[r], second = m[r + 4];  // numbers r and r + 4 of bodies 0 to 7 and 8 to 15
      m[r] = __builtin_shufflevector(first, second, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
      m[r + 4] = __builtin_shufflevector(first, second, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    }
  }
  template <class Body>
  MOREAU_INLINE void write(Body* bodies, const std::int32_t* index, std::int32_t none) {
    give_back([&](int l, const Half& body) {
      if (index[l] != none) *reinterpret_cast<Half*>(bodies + index[l]) = body;
    });
  }
  template <class Body>
  MOREAU_INLINE void add(Body* bodies, const std::int32_t* index, std::int32_t none) {
    give_back([&](int l, const Half& body) {
      if (index[l] != none) *reinterpret_cast<Half*>(bodies + index[l]) += body;
    });
  }

 private:
  // put(l, the eight numbers of body l)
  template <class Put>
  MOREAU_INLINE void give_back(Put&& put) {
    transpose_squares(m), transpose_squares(m + 4);
    for (int i = 0; i < 4; ++i)
      for (int half = 0; half < 2; ++half) {
        const SingleLanes two =
            half == 0 ? __builtin_shufflevector(m[i], m[i + 4], 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23)
                      : __builtin_shufflevector(m[i], m[i + 4], 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        put(8 * half + i, __builtin_shufflevector(two, two, 0, 1, 2, 3, 4, 5, 6, 7));
        put(8 * half + i + 4, __builtin_shufflevector(two, two, 8, 9, 10, 11, 12, 13, 14, 15));
      }
  }
};

// The first D rows.
template <int D, class Real, std::size_t rows, std::size_t n>
MOREAU_INLINE Vec<D, LanesOf<Real>> load_vector(const Real (&p)[rows][n]) {
  Vec<D, LanesOf<Real>> v;
  for (int d = 0; d < D; ++d) v[d] = load(p[d]);
  return v;
}

// The terms of some packs, gathered before they are added.
template <class Real>
class LaneSums {
 public:
  using Many = LanesOf<Real>;

  MOREAU_INLINE void add(const Many& residual_square, const Many& inverse_normal, const Many& normal_impulse) {
    const Many weight = normal_impulse / inverse_normal;
    squares_[count_] = residual_square;
    largest_ = residual_square > largest_ ? residual_square : largest_;
    impulse_squares_[count_] = weight * weight;
    impulses_[count_] = weight;
  }
  MOREAU_INLINE void add_energy(const Many& energy) { energies_[count_] = energy; }

  // After each pack.
  MOREAU_INLINE void next(MeasuredSums<Real>& sums, bool measured, bool carried) {
    if (++count_ == most_packs) settle(sums, measured, carried);
  }
  MOREAU_INLINE void finish(MeasuredSums<Real>& sums, bool measured, bool carried) {
    settle(sums, measured, carried);
    if (measured)
      for (int l = 0; l < lanes_of<Real>; ++l) sums.largest_square = maximum(largest_[l], sums.largest_square);
  }

 private:
  static constexpr std::size_t most_packs = 16;

  MOREAU_INLINE void settle(MeasuredSums<Real>& sums, bool measured, bool carried) {
    if (measured) {
      sums.residual_squares.add(squares_, count_);
      sums.impulse_squares.add(impulse_squares_, count_);
      sums.impulses.add(impulses_, count_);
    }
    if (carried) sums.energies.add(energies_, count_);
    count_ = 0;
  }

  Many squares_[most_packs], impulse_squares_[most_packs], impulses_[most_packs], energies_[most_packs];  // up to count_
  Many largest_{};
  std::size_t count_ = 0;
};

// Inverse inertia of bodies of any shape.
template <int D, class Real>
struct InertiaLanes : InverseInertia<D, LanesOf<Real>> {
  MOREAU_INLINE void read(const SweptBodies<D, Real>& bodies, const std::int32_t* index, const LineOf<Real>& line) {
    if constexpr (D == 2) {
      this->i[0] = line.m[velocity_dimension<D> + 1];
    } else {
      LineOf<Real> turning;
      turning.read(bodies.turning, index);
      for (int k = 0; k < 6; ++k) this->i[k] = turning.m[k];
    }
  }
};

template <int D, class Real, class Pack>
MOREAU_INLINE FrameOperator<D, Real> delassus(const Pack& pack) {
  FrameOperator<D, Real> H;
  H.inverse_normal = load(pack.inverse_normal);
  for (int i = 0; i < D - 1; ++i) H.coupling[i] = load(pack.coupling[i]), H.schur[i] = load(pack.schur[i]);
  return H;
}

template <class Kind, class Real>
struct Kernel;

template <int D, class Real>
struct Kernel<Round<D>, Real> {
  using Many = LanesOf<Real>;
  using Pack = RoundPack<D, Real>;
  LineOf<Real> a, b;
  Vec<D, Many> normal, impulse;

  MOREAU_INLINE Kernel(const SweptBodies<D, Real>& bodies, const Pack& pack) {
    a.read(bodies.body, pack.a), b.read(bodies.body, pack.b);
    normal = load_vector<D>(pack.normal), impulse = load_vector<D>(pack.impulse);
  }

  MOREAU_INLINE Vec<D, Many> solve(const Pack& pack, Real relaxation) const {
    return coulomb_round(normal, round_velocity(load_vector<D>(pack.bias), a.m, b.m, normal), impulse, load(pack.inverse_normal),
                         load(pack.inverse_tangent), load(pack.friction), relaxation);
  }

  MOREAU_INLINE void measure(const Pack& pack, const Vec<D, Many>& solved, LaneSums<Real>& sums) const {
    const Many in = load(pack.inverse_normal);
    sums.add(round_residual(solved - impulse, normal, in, load(pack.inverse_tangent)), in, dot(normal, impulse));
  }

  MOREAU_INLINE void push(const Pack&, const Vec<D, Many>& change) { push_round(a.m, b.m, normal, change); }
};

// In the frame of the contact: normal first.
template <int D, class Real>
struct Kernel<Shaped<D>, Real> {
  using Many = LanesOf<Real>;
  using Pack = ShapedPack<D, Real>;
  LineOf<Real> a, b;
  InertiaLanes<D, Real> inertia_a, inertia_b;
  ShapedFrame<D, Many> frame;
  Vec<D, Many> impulse;

  MOREAU_INLINE Kernel(const SweptBodies<D, Real>& bodies, const Pack& pack) {
    a.read(bodies.body, pack.a), b.read(bodies.body, pack.b);
    inertia_a.read(bodies, pack.a, a), inertia_b.read(bodies, pack.b, b);
    frame.normal = load_vector<D>(pack.normal), frame.arm_a = load_vector<D>(pack.arm_a), frame.arm_b = load_vector<D>(pack.arm_b);
    if constexpr (D == 3)
      frame.tangent = load_vector<D>(pack.tangent);
    else
      frame.tangent[0] = -frame.normal[1], frame.tangent[1] = frame.normal[0];
    impulse = load_vector<D>(pack.impulse);
  }

  MOREAU_INLINE Vec<D, Many> solve(const Pack& pack, Real relaxation) const {
    return solved_shaped<D, Many>(frame, delassus<D, Real>(pack), load(pack.friction), load_vector<D>(pack.bias), a.m, b.m, impulse,
                                  relaxation);
  }

  MOREAU_INLINE void measure(const Pack& pack, const Vec<D, Many>& solved, LaneSums<Real>& sums) const {
    const Vec<D, Many> residual = delassus<D, Real>(pack) * (solved - impulse);
    sums.add(dot(residual, residual), load(pack.inverse_normal), impulse[0]);
  }

  MOREAU_INLINE void push(const Pack&, const Vec<D, Many>& change) { frame.push(a.m, b.m, inertia_a, inertia_b, change); }
};

}  // namespace moreau::inline solver

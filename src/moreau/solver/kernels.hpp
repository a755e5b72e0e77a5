// The arithmetic of the contacts of one block (eight, in single precision sixteen), for each kind of problem; sweep.cpp loops
// over them.
//
// A kernel reads the bodies and the contacts of a block, solves the one-contact problems, and pushes the bodies with the change.
#pragma once

#include "moreau/law/coulomb_frame.hpp"
#include "moreau/law/coulomb_round.hpp"
#include "moreau/solver/contact_problem.hpp"

namespace moreau {

// The bodies of a block: row r of `m` is number r of each of them, eight in all.
template <class Real>
struct LineOf;

template <>
struct LineOf<double> {
  Lanes m[8];

  template <class Body>
  MOREAU_INLINE void read(const Body* bodies, const std::int32_t* index, int line = 0) {
    for (int l = 0; l < 8; ++l) m[l] = load(reinterpret_cast<const double*>(bodies + index[l]) + line * 8);
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

template <int D, class Real, std::size_t n>
MOREAU_INLINE Vec<D, LanesOf<Real>> load_vector(const Real (&p)[D][n]) {
  Vec<D, LanesOf<Real>> v;
  for (int d = 0; d < D; ++d) v[d] = load(p[d]);
  return v;
}

// Running sums and maxima; lanes are combined at the end, in order.
template <class Real>
struct LaneSums {
  using Many = LanesOf<Real>;
  Many squares{}, largest{}, impulse_squares{}, impulses{}, energies{};

  MOREAU_INLINE void add(const Many& residual_square, const Many& inverse_normal, const Many& normal_impulse) {
    const Many weight = normal_impulse / inverse_normal;
    squares += residual_square;
    largest = residual_square > largest ? residual_square : largest;
    impulse_squares += weight * weight;
    impulses += weight;
  }
  MOREAU_INLINE void put(Measured& measured) const {
    double largest_square = 0.0;
    for (int l = 0; l < lanes_of<Real>; ++l) {
      measured.residual_squares += static_cast<double>(squares[l]);
      largest_square = std::max(largest_square, static_cast<double>(largest[l]));
      measured.impulse_squares += static_cast<double>(impulse_squares[l]);
      measured.impulse_sum += static_cast<double>(impulses[l]);
      measured.correction_energy += static_cast<double>(energies[l]);
    }
    measured.residual_max = std::max(measured.residual_max, std::sqrt(largest_square));
  }
};

template <class Kind>
struct Kernel;

template <int D, class Real>
struct RoundKernel {
  using Many = LanesOf<Real>;
  using Block = RoundBlock<D, Real>;
  LineOf<Real> a, b;
  Vec<D, Many> normal, impulse;

  MOREAU_INLINE RoundKernel(const RoundBody<D, Real>* bodies, const Block& block) {
    a.read(bodies, block.a), b.read(bodies, block.b);
    normal = load_vector<D>(block.normal), impulse = load_vector<D>(block.impulse);
  }

  MOREAU_INLINE Vec<D, Many> solve(const Block& block, Real relaxation) const {
    Vec<D, Many> u = load_vector<D>(block.bias);
    for (int d = 0; d < D; ++d) u[d] = u[d] + a.m[d] - b.m[d];
    Spin<D, Many> rim;
    for (int d = 0; d < spin_dimension<D>; ++d) rim[d] = a.m[D + d] + b.m[D + d];
    u -= cross(rim, normal);
    return coulomb_round(normal, u, impulse, load(block.inverse_normal), load(block.inverse_tangent), load(block.friction),
                         relaxation);
  }

  MOREAU_INLINE void measure(const Block& block, const Vec<D, Many>& solved, LaneSums<Real>& sums) const {
    const Vec<D, Many> change = solved - impulse;
    const Many change_n = dot(normal, change);
    const Vec<D, Many> change_t = change - change_n * normal;
    const Many in = load(block.inverse_normal), it = load(block.inverse_tangent);
    sums.add((change_n * change_n) / (in * in) + dot(change_t, change_t) / (it * it), in, dot(normal, impulse));
  }

  // The moment at the rim is -n x impulse for both bodies.
  MOREAU_INLINE void push(const Block&, const Vec<D, Many>& change) {
    const Spin<D, Many> turn = moment(normal, change);
    constexpr int mass = velocity_dimension<D>, rolling = mass + 1;
    for (int d = 0; d < D; ++d) a.m[d] += a.m[mass] * change[d], b.m[d] -= b.m[mass] * change[d];
    for (int d = 0; d < spin_dimension<D>; ++d) a.m[D + d] -= a.m[rolling] * turn[d], b.m[D + d] -= b.m[rolling] * turn[d];
  }
};

template <int D>
struct Kernel<Round<D>> : RoundKernel<D, double> {
  using RoundKernel<D, double>::RoundKernel;
};
template <int D>
struct Kernel<SingleRound<D>> : RoundKernel<D, float> {
  using RoundKernel<D, float>::RoundKernel;
};

// In the frame of the contact: normal first.
template <int D>
struct Kernel<Rigid<D>> {
  static constexpr int mass = velocity_dimension<D>;
  Line a, b;
  Lanes inertia_a[D == 3 ? 6 : 1], inertia_b[D == 3 ? 6 : 1];  // inverse
  Vec<D, Lanes> normal, tangent, arm_a, arm_b, impulse;

  MOREAU_INLINE Kernel(const RigidBody<D>* bodies, const RigidBlock<D>& block) {
    a.read(bodies, block.a), b.read(bodies, block.b);
    if constexpr (D == 2) {
      inertia_a[0] = a.m[mass + 1], inertia_b[0] = b.m[mass + 1];
    } else {
      Line second;
      second.read(bodies, block.a, 1);
      for (int i = 0; i < 6; ++i) inertia_a[i] = second.m[i];
      second.read(bodies, block.b, 1);
      for (int i = 0; i < 6; ++i) inertia_b[i] = second.m[i];
    }
    normal = load_vector<D>(block.normal), arm_a = load_vector<D>(block.arm_a), arm_b = load_vector<D>(block.arm_b);
    if constexpr (D == 3)
      tangent = load_vector<D>(block.tangent);
    else
      tangent[0] = -normal[1], tangent[1] = normal[0];
    impulse = load_vector<D>(block.impulse);
  }

  MOREAU_INLINE Vec<D, Lanes> to_frame(const Vec<D, Lanes>& v) const {
    Vec<D, Lanes> r;
    r[0] = dot(normal, v), r[1] = dot(tangent, v);
    if constexpr (D == 3) r[2] = dot(cross(normal, tangent), v);
    return r;
  }
  MOREAU_INLINE Vec<D, Lanes> from_frame(const Vec<D, Lanes>& v) const {
    Vec<D, Lanes> r = v[0] * normal + v[1] * tangent;
    if constexpr (D == 3) r += v[2] * cross(normal, tangent);
    return r;
  }
  MOREAU_INLINE static Vec<D, Lanes> velocity_at(const Line& body, const Vec<D, Lanes>& arm) {
    Vec<D, Lanes> v;
    Spin<D, Lanes> spin;
    for (int d = 0; d < D; ++d) v[d] = body.m[d];
    for (int d = 0; d < spin_dimension<D>; ++d) spin[d] = body.m[D + d];
    return v + cross(spin, arm);
  }
  MOREAU_INLINE static FrameOperator<D> delassus(const RigidBlock<D>& block) {
    FrameOperator<D> H;
    H.inverse_normal = load(block.inverse_normal);
    for (int i = 0; i < D - 1; ++i) H.coupling[i] = load(block.coupling[i]), H.schur[i] = load(block.schur[i]);
    return H;
  }

  MOREAU_INLINE Vec<D, Lanes> solve(const RigidBlock<D>& block, double relaxation) const {
    const FrameOperator<D> H = delassus(block);
    const Lanes friction = load(block.friction);
    const Vec<D, Lanes> u = load_vector<D>(block.bias) + to_frame(velocity_at(a, arm_a) - velocity_at(b, arm_b));
    Vec<D, Lanes> p = coulomb_frame(u - H * impulse, H, friction, impulse);
    if (relaxation != 1.0) {  // beyond the solution, but not out of the cone
      p = impulse + (Lanes{} + relaxation) * (p - impulse);
      p[0] = maximum(p[0], 0.0);
      Lanes square = p[1] * p[1];
      if constexpr (D == 3) square += p[2] * p[2];
      const Lanes limit = friction * p[0], one = Lanes{} + 1.0;
      const LaneMask beyond = square > limit * limit;
      const Lanes scale = beyond ? limit / square_root(beyond ? square : one) : one;
      for (int d = 1; d < D; ++d) p[d] *= scale;
    }
    return p;
  }

  MOREAU_INLINE void measure(const RigidBlock<D>& block, const Vec<D, Lanes>& solved, LaneSums<double>& sums) const {
    const Vec<D, Lanes> residual = delassus(block) * (solved - impulse);
    sums.add(dot(residual, residual), load(block.inverse_normal), impulse[0]);
  }

  MOREAU_INLINE void push(const RigidBlock<D>&, const Vec<D, Lanes>& change) {
    const Vec<D, Lanes> p = from_frame(change);
    const Spin<D, Lanes> turn_a = spin_gained(inertia_a, moment(arm_a, p)), turn_b = spin_gained(inertia_b, moment(arm_b, p));
    for (int d = 0; d < D; ++d) a.m[d] += a.m[mass] * p[d], b.m[d] -= b.m[mass] * p[d];
    for (int d = 0; d < spin_dimension<D>; ++d) a.m[D + d] += turn_a[d], b.m[D + d] -= turn_b[d];
  }
  MOREAU_INLINE static Spin<D, Lanes> spin_gained(const Lanes* i, const Spin<D, Lanes>& m) {
    if constexpr (D == 2)
      return {{i[0] * m[0]}};
    else
      return {{i[0] * m[0] + i[3] * m[1] + i[4] * m[2], i[3] * m[0] + i[1] * m[1] + i[5] * m[2],
               i[4] * m[0] + i[5] * m[1] + i[2] * m[2]}};
  }
};

}  // namespace moreau

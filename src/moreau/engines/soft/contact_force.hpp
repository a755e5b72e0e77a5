// The force of one contact that yields, or of eight side by side (law/soft_law.hpp), and what becomes of energy there.
//
// The tangential spring obeys s' = - k_t u_t. Under Verlet's scheme it is extended by the mean velocity of the step, which is the
// path of the contact and makes it a spring like any other; what is remembered is the spring at the end of the step. Under Gear's
// the trapezoidal rule is used: the half of the beginning was added when the step before ended, and what is remembered is the
// spring half a step ahead.
#pragma once

#include "moreau/base/lanes.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::soft {

// How much of the tangential law some contact needs.
enum class Tangential { none, spring, spring_and_dashpot };

template <class Real>
struct Coefficients {
  Real stiffness, unloading, ratio, compliance;  // k_n, k_2, k_n/k_2, 1/k_2; Kelvin-Voigt: k_2 = k_n
  Real damping;                                  // g_n
  Real tangential, tangential_compliance;        // k_t, 1/k_t (0 without a spring)
  Real tangential_damping;                       // g_t
  Real friction;
};

// Times of a step, as numbers that multiply.
template <class Real>
struct Pace {
  Real passed,
      ahead;  // by which springs are extended: of the step that ends here (0 where no time passes), and of the one to come
  Real rate;  // 1/h (0 where no time passes)
  Real pull;  // 1: dashpots may make the normal force negative; 0: they may not
};

template <int D, class Real>
struct ContactForce {
  Vec<D, Real> force;           // on a
  Vec<D, Real> spring;          // to be remembered
  Real deepest;                 // to be remembered
  Real normal, elastic, power;  // normal force, energy of the springs, what dashpots and sliding dissipate per time
  Real slides;                  // 1 or 0
};

// Of a comparison: whether it holds anywhere, everywhere.
MOREAU_INLINE bool any_of(bool holds) { return holds; }
template <class Mask>
MOREAU_INLINE unsigned long long bits_of(const Mask& holds) {
  typedef signed char EightBytes __attribute__((vector_size(8)));
  const EightBytes narrow = __builtin_convertvector(holds, EightBytes);
  unsigned long long bits;
  __builtin_memcpy(&bits, &narrow, sizeof(bits));
  return bits;
}
template <class Mask>
MOREAU_INLINE bool any_of(const Mask& holds) {
  return bits_of(holds) != 0;
}
template <class Mask>
MOREAU_INLINE bool all_of(const Mask& holds) {
  return bits_of(holds) == ~0ull;
}

MOREAU_INLINE double larger(double x, double y) { return x > y ? x : y; }
MOREAU_INLINE double smaller(double x, double y) { return x < y ? x : y; }
MOREAU_INLINE Lanes larger(const Lanes& x, const Lanes& y) { return x > y ? x : y; }
MOREAU_INLINE Lanes smaller(const Lanes& x, const Lanes& y) { return x < y ? x : y; }

// `overlap` >= 0; `u`: velocity of a relative to b at the contact; `lag`: u less the velocity by which the spring is extended.
template <int D, class Real, Tangential tangential>
MOREAU_INLINE ContactForce<D, Real> contact_force(const Coefficients<Real>& c, const Pace<Real>& pace, const Real& overlap,
                                                  const Vec<D, Real>& n, const Vec<D, Real>& u, const Vec<D, Real>& lag,
                                                  const Vec<D, Real>& remembered, const Real& deepest) {
  const Real zero{}, one = zero + 1.0;
  ContactForce<D, Real> out;
  const Real u_n = dot(u, n);
  out.deepest = larger(deepest, overlap);
  const Real end = out.deepest * (one - c.ratio);  // overlap at which unloading ends
  const Real elastic = smaller(c.stiffness * overlap, larger(c.unloading * (overlap - end), zero));
  const Real wanted = elastic - c.damping * u_n;
  out.normal = larger(wanted, smaller(zero, pace.pull * wanted));
  out.elastic = 0.5 * elastic * elastic * c.compliance;
  // Of - f_n u_n, what does not go into the spring: the energy f^2 / 2 k_2 takes up all on the slope k_2, the share k_n/k_2 on
  // the slope k_n.
  const Real stored = overlap < out.deepest ? one : c.ratio;
  out.power = (elastic * stored - out.normal) * u_n;
  out.force = out.normal * n;
  out.spring = {};
  out.slides = zero;
  if constexpr (tangential != Tangential::none) {
    const Vec<D, Real> u_t = u - u_n * n;
    const Real bound = c.friction * larger(out.normal, zero);
    const Vec<D, Real> lag_t = lag - dot(lag, n) * n;
    Vec<D, Real> spring = remembered - dot(remembered, n) * n - (pace.passed * c.tangential) * (u_t - lag_t);
    Real square = dot(spring, spring);
    if (const auto sliding = square > bound * bound; any_of(sliding)) {
      const Real trial = square_root(square);
      spring *= sliding ? bound / (sliding ? trial : one) : one;
      out.slides = sliding ? one : zero;
      out.power += sliding ? bound * (trial - bound) * c.tangential_compliance * pace.rate : zero;
      square = sliding ? bound * bound : square;
    }
    out.elastic += 0.5 * square * c.tangential_compliance;
    Vec<D, Real> total = spring;
    if constexpr (tangential == Tangential::spring_and_dashpot) {
      total -= c.tangential_damping * u_t;
      const Real size = dot(total, total);
      if (const auto beyond = size > bound * bound; any_of(beyond))
        total *= beyond ? bound / square_root(beyond ? size : one) : one;
      out.power -= dot(total - spring, u_t);
    }
    out.force += total;
    out.spring = spring - (pace.ahead * c.tangential) * u_t;
  }
  return out;
}

}  // namespace moreau::soft

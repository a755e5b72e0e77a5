// Kinetic norms on a card.
#pragma once

#include <cstddef>
#include <cstdint>

#include "moreau/gpu/loops.hpp"

namespace moreau::gpu {

enum class Against { nothing, snapshot, free };

// m |w|^2 + I |spin|^2 of the velocity w of a body minus another; a snapshot is renewed.
template <int D, class Real, Against against>
struct KineticTerm {
  const Row<double>* masses;  // of the bodies, in double precision
  const Row<Real>* bodies;
  double* other;  // velocity_dimension<D> numbers for each body
  double unit;    // of velocity
  const Row<double>* turnings;  // of the bodies, null where all are round

  MOREAU_INLINE void operator()(std::size_t i, ExactSum<double>& sum) const {
    constexpr int n = velocity_dimension<D>;
    double squares[8] = {}, spin[3] = {};
    for (int d = 0; d < n; ++d) {
      const double now =
          sizeof(Real) == sizeof(double) ? static_cast<double>(bodies[i].c[d]) : unit * static_cast<double>(bodies[i].c[d]);
      double difference = now - 0.0;
      if constexpr (against != Against::nothing) {
        double& then = other[n * i + static_cast<std::size_t>(d)];
        difference = now - then;
        if constexpr (against == Against::snapshot) then = now;
      }
      squares[d] = difference * difference;
      if (d >= D) spin[d - D] = difference;
    }
    squares[n] = masses[i].c[n], squares[n + 1] = masses[i].c[n + 1];
    sum.add(kinetic_term<D>(squares));
    if constexpr (D == 3)
      if (turnings != nullptr && !(squares[n + 1] > 0.0) && squares[n] != 0.0) sum.add(turning_square(turnings[i].c, spin));
  }
};

template <int D, class Real>
struct TakeSnapshot {
  const Row<Real>* bodies;
  double* to;
  double unit;
  MOREAU_INLINE void operator()(std::size_t i) const {
    constexpr int n = velocity_dimension<D>;
    for (int d = 0; d < n; ++d)
      to[n * i + static_cast<std::size_t>(d)] =
          sizeof(Real) == sizeof(double) ? static_cast<double>(bodies[i].c[d]) : unit * static_cast<double>(bodies[i].c[d]);
  }
};

// Squares of the norms of what the contacts changed, and of the velocities themselves.
struct Norms {
  ExactSum<double> brought, all;
  MOREAU_INLINE Norms& operator+=(const Norms& o) { return brought += o.brought, all += o.all, *this; }
};
template <int D, class Real>
struct MeasureNorms {
  const Row<double>* masses;
  const Row<Real>* bodies;
  double* free;
  double unit;
  const Row<double>* turnings;
  MOREAU_INLINE void operator()(std::size_t i, Norms& sum) const {
    KineticTerm<D, Real, Against::free>{masses, bodies, free, unit, turnings}(i, sum.brought);
    KineticTerm<D, Real, Against::nothing>{masses, bodies, free, unit, turnings}(i, sum.all);
  }
};

// Of the touched bodies in single precision, against what they were; renewed. What bodies turn that are not round is added apart.
struct SingleChange {
  ExactSum<float> moved;
  ExactSum<double> turned;
  MOREAU_INLINE SingleChange& operator+=(const SingleChange& o) { return moved += o.moved, turned += o.turned, *this; }
};
template <int D>
struct KineticChange {
  const Row<float>* bodies;
  const std::uint64_t* used;
  Row<float>* then;
  const Row<float>* turnings;

  MOREAU_INLINE void operator()(std::size_t i, SingleChange& sum) const {
    if (used[i] == 0) return;
    constexpr int n = velocity_dimension<D>;
    const Row<float> now = bodies[i], before = then[i];
    float squares[8] = {};
    double spin[3] = {};
    for (int d = 0; d < n; ++d) {
      const float difference = now.c[d] - before.c[d];
      squares[d] = difference * difference;
      if (d >= D) spin[d - D] = static_cast<double>(difference);
    }
    squares[n] = now.c[n], squares[n + 1] = now.c[n + 1];
    then[i] = now;
    sum.moved.add(kinetic_term<D>(squares));
    if constexpr (D == 3)
      if (turnings != nullptr && !(squares[n + 1] > 0.0f) && squares[n] != 0.0f) sum.turned.add(turning_square(turnings[i].c, spin));
  }
};

template <class Real>
struct ChangeSum;
template <>
struct ChangeSum<double> {
  using Type = ExactSum<double>;
};
template <>
struct ChangeSum<float> {
  using Type = SingleChange;
};

}  // namespace moreau::gpu

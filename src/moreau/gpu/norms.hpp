// Kinetic norms on a card: a term for each body.
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
  double* term;

  MOREAU_INLINE void operator()(std::size_t i) const {
    constexpr int n = velocity_dimension<D>;
    double squares[8] = {};
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
    }
    squares[n] = masses[i].c[n], squares[n + 1] = masses[i].c[n + 1];
    term[i] = kinetic_term<D>(squares);
  }
};

template <class Real>
struct SumNorms {
  const Real* term;
  ExactSum<Real>* sums;
  std::size_t count;

  MOREAU_INLINE void operator()(std::size_t group) const {
    const std::size_t begin = group * sum_group, end = begin + sum_group < count ? begin + sum_group : count;
    ExactSum<Real> sum;
    for (std::size_t i = begin; i < end; ++i) sum.add(term[i]);
    sums[group] = sum;
  }
};

// Of the touched bodies in single precision, against what they were; renewed.
template <int D>
struct KineticChange {
  const Row<float>* bodies;
  const std::uint32_t* touched;
  Row<float>* then;
  float* term;

  MOREAU_INLINE void operator()(std::size_t i) const {
    constexpr int n = velocity_dimension<D>;
    const Row<float> now = bodies[touched[i]];
    float squares[8] = {};
    for (int d = 0; d < n; ++d) {
      const float difference = now.c[d] - then[i].c[d];
      squares[d] = difference * difference;
    }
    squares[n] = now.c[n], squares[n + 1] = now.c[n + 1];
    then[i] = now;
    term[i] = kinetic_term<D>(squares);
  }
};

}  // namespace moreau::gpu

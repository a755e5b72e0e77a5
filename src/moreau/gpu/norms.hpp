// Kinetic norms on a card: a term for each body, added in the order of the solver's own sums (solver/contact_problem.cpp,
// sweep.cpp): some rows at a time lane by lane, then the lanes, then the chunks.
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
      const double now = sizeof(Real) == sizeof(double) ? static_cast<double>(bodies[i].c[d])
                                                        : unit * static_cast<double>(bodies[i].c[d]);
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

// `rows` bodies at a time, lane by lane, then the lanes in order.
struct SumRows {
  static constexpr std::size_t rows = 32;
  const double* term;
  double* sum;
  std::size_t count;

  MOREAU_INLINE void operator()(std::size_t group) const {
    const std::size_t begin = group * rows, end = begin + rows < count ? begin + rows : count;
    double lane[8] = {};
    for (std::size_t i = begin; i < end; ++i) lane[(i - begin) % 8] += term[i];
    double total = 0.0;
    for (int l = 0; l < 8; ++l) total += lane[l];
    sum[group] = total;
  }
};

// The groups of a chunk, or all chunks, in order.
struct SumGroups {
  const double* part;
  double* sum;
  std::size_t count, chunk;

  MOREAU_INLINE void operator()(std::size_t k) const {
    const std::size_t begin = k * chunk, end = begin + chunk < count ? begin + chunk : count;
    double total = 0.0;
    for (std::size_t i = begin; i < end; ++i) total += part[i];
    sum[k] = total;
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

// A chunk of them: sixteen at a time lane by lane, the lanes in order, then those left over.
struct SumChanges {
  const float* term;
  double* sum;
  std::size_t count, chunk;

  MOREAU_INLINE void operator()(std::size_t k) const {
    std::size_t i = k * chunk;
    const std::size_t end = i + chunk < count ? i + chunk : count;
    float lane[16] = {};
    for (; i + 16 <= end; i += 16)
      for (int l = 0; l < 16; ++l) lane[l] += term[i + static_cast<std::size_t>(l)];
    double total = 0.0;
    for (int l = 0; l < 16; ++l) total += static_cast<double>(lane[l]);
    for (; i < end; ++i) total += static_cast<double>(term[i]);
    sum[k] = total;
  }
};

}  // namespace moreau::gpu

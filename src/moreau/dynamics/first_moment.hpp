// Sum of mass times position of the free bodies.
#pragma once

#include <span>

#include "moreau/base/exact_sum.hpp"
#include "moreau/base/parallel.hpp"
#include "moreau/bodies/bodies.hpp"

namespace moreau::inline dynamics {

template <int D>
struct FirstMoment {
  ExactSum<double, 3> along[D];
  MOREAU_INLINE FirstMoment& operator+=(const FirstMoment& o) {
    for (int d = 0; d < D; ++d) along[d] += o.along[d];
    return *this;
  }
  Vec<D> value() const {
    Vec<D> sum;
    for (int d = 0; d < D; ++d) sum[d] = along[d].value();
    return sum;
  }
};

#ifndef __CUDACC__
// Of those that are `counted`; empty: of all.
template <int D>
FirstMoment<D> first_moment(const Bodies<D>& bodies, std::span<const std::uint8_t> counted = {}) {
  return sum_chunks<FirstMoment<D>>(bodies.size(), 1024, [&](std::size_t begin, std::size_t end, FirstMoment<D>& mine) {
    for (int d = 0; d < D; ++d) {
      TermSum<3> terms;
      for (std::size_t i = begin; i < end; ++i)
        if (bodies.is_free(i) && (counted.empty() || counted[i] != 0))
          terms.add(bodies.parameters.mass[i] * bodies.state.position[i][d]);
      mine.along[d] += terms.sum();
    }
  });
}
#endif

}  // namespace moreau::inline dynamics

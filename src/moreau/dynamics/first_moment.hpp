// Sum of mass times position of the free bodies.
#pragma once

#include "moreau/base/exact_sum.hpp"
#include "moreau/base/parallel.hpp"
#include "moreau/bodies/bodies.hpp"

namespace moreau {

template <int D>
Vec<D> first_moment(const Bodies<D>& bodies) {
  struct Moment {
    ExactSum<double, 3> along[D];
    Moment& operator+=(const Moment& o) {
      for (int d = 0; d < D; ++d) along[d] += o.along[d];
      return *this;
    }
  };
  const Moment moment = sum_chunks<Moment>(bodies.size(), 1024, [&](std::size_t begin, std::size_t end, Moment& mine) {
    for (int d = 0; d < D; ++d) {
      TermSum<3> terms;
      for (std::size_t i = begin; i < end; ++i)
        if (bodies.is_free(i)) terms.add(bodies.parameters.mass[i] * bodies.state.position[i][d]);
      mine.along[d] += terms.sum();
    }
  });
  Vec<D> sum;
  for (int d = 0; d < D; ++d) sum[d] = moment.along[d].value();
  return sum;
}

}  // namespace moreau

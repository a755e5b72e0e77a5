// Sum of mass times position of the free bodies.
#pragma once

#include "moreau/base/parallel.hpp"
#include "moreau/bodies/bodies.hpp"

namespace moreau {

template <int D>
Vec<D> first_moment(const Bodies<D>& bodies) {
  return reduce_chunks<Vec<D>>(bodies.size(), 1024, [&](std::size_t begin, std::size_t end) {
    Vec<D> sum{};
    for (std::size_t i = begin; i < end; ++i)
      if (bodies.is_free(i)) sum += bodies.parameters.mass[i] * bodies.state.position[i];
    return sum;
  });
}

}  // namespace moreau

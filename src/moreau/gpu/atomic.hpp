// What several threads of a card write at once. On the processor loops are made by one thread.
#pragma once

#include <cstdint>

#include "moreau/base/inline.hpp"

namespace moreau::gpu {

// A number of its own for each caller, counted from what `counter` is.
MOREAU_INLINE std::uint32_t next_number(std::uint32_t* counter) {
#ifdef __CUDA_ARCH__
  const unsigned here = __activemask(), lane = threadIdx.x & 31u;  // one for all that come together
  unsigned first = 0;
  const int leader = __ffs(static_cast<int>(here)) - 1;
  if (static_cast<int>(lane) == leader) first = atomicAdd(counter, static_cast<unsigned>(__popc(here)));
  first = __shfl_sync(here, first, leader);
  return first + static_cast<unsigned>(__popc(here & ((1u << lane) - 1u)));
#else
  return (*counter)++;
#endif
}

// So many numbers, one after the other; the first of them.
MOREAU_INLINE std::uint32_t next_numbers(std::uint32_t* counter, std::uint32_t many) {
#ifdef __CUDA_ARCH__
  return atomicAdd(counter, many);
#else
  const std::uint32_t first = *counter;
  *counter += many;
  return first;
#endif
}

// Sets bits and returns which were set.
MOREAU_INLINE std::uint64_t set_bits(std::uint64_t* word, std::uint64_t bits) {
#ifdef __CUDA_ARCH__
  return atomicOr(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(bits));
#else
  const std::uint64_t before = *word;
  *word |= bits;
  return before;
#endif
}

// What another loop wrote while this one was already under way, past the memory nearest to the thread.
template <class Real>
MOREAU_INLINE Real read_through(const Real* from) {
#ifdef __CUDA_ARCH__
  return __ldcg(from);
#else
  return *from;
#endif
}

MOREAU_INLINE void lower_to(std::uint64_t* word, std::uint64_t value) {
#ifdef __CUDA_ARCH__
  atomicMin(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(value));
#else
  if (value < *word) *word = value;
#endif
}

}  // namespace moreau::gpu

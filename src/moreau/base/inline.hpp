// Kernels are compiled for several instruction sets; everything they call must be inlined into them.
#pragma once

#define MOREAU_INLINE __attribute__((always_inline)) inline

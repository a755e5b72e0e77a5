// Kernels are compiled for several instruction sets, and for graphics cards; everything they call must be inlined into them.
#pragma once

#ifdef __CUDACC__
#define MOREAU_INLINE __host__ __device__ __forceinline__
#else
#define MOREAU_INLINE __attribute__((always_inline)) inline
#endif

// Of functions that graphics cards run too.
#ifdef __CUDACC__
#define MOREAU_BOTH __host__ __device__
#else
#define MOREAU_BOTH
#endif

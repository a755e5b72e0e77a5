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

// Of large functions that graphics cards run too, which are called and not inlined: function templates.
#ifdef __CUDACC__
#define MOREAU_CALLED __host__ __device__ __noinline__
#else
#define MOREAU_CALLED __attribute__((noinline))
#endif

// The stages of a step on a graphics card. Compile with -fmad=false: fused operations would change bits.
#include "moreau/base/inline.hpp"
//
#include "moreau/gpu/card_step.hpp"
#include "moreau/gpu/cuda_machine.cuh"
#include "moreau/gpu/plugin.hpp"

extern "C" const moreau::gpu::Plugin* moreau_gpu_step(const char** why) {
  using namespace moreau::gpu;
  static std::string reason, name;
  int count = 0;
  cudaDeviceProp card;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) error = cudaGetDeviceProperties(&card, 0);
  if (error != cudaSuccess || count == 0) {
    reason = error == cudaSuccess ? "there is none on this machine" : cudaGetErrorString(error);
    *why = reason.c_str();
    return nullptr;
  }
  name = card.name;
  static const Plugin plugin = {name.c_str(), []() -> Resident<2>* { return new CardStep<2, CudaMachine>; },
                                []() -> Resident<3>* { return new CardStep<3, CudaMachine>; }};
  return &plugin;
}

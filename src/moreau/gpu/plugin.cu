// The loops of gpu/loops.hpp on a graphics card. Compile with -fmad=false: fused operations would change bits.
#include <stdexcept>
#include <string>

#include "moreau/gpu/plugin.hpp"
#include "moreau/gpu/sweeps.hpp"

namespace moreau::gpu {

namespace {

void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::string sentence = std::string("the graphics card failed while ") + what + ": " + cudaGetErrorString(error);
  std::size_t free = 0, all = 0;
  if (error == cudaErrorMemoryAllocation && cudaMemGetInfo(&free, &all) == cudaSuccess)
    sentence += "; it has " + std::to_string(all >> 20) + " MiB, of which " + std::to_string(free >> 20) +
                " are free, and a ball with its contacts needs about 1 kB (--device cpu does without)";
  throw std::runtime_error(sentence);
}

template <class Loop>
__global__ void run_loop(std::size_t count, Loop body) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) body(i);
}

class CudaMachine {
 public:
  static constexpr std::size_t fewest_contacts = 10000;
  static std::string name();

  static void* allocate(std::size_t bytes) {
    void* memory = nullptr;
    require(cudaMalloc(&memory, bytes), "memory was asked for");
    return memory;
  }
  static void release(void* memory) { cudaFree(memory); }
  static void upload(void* to, const void* from, std::size_t bytes) {
    require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice), "a problem was sent to it");
  }
  static void download(void* to, const void* from, std::size_t bytes) {
    require(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "a result was fetched");
  }
  static void upload_pieces(void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t count) {
    require(cudaMemcpy2DAsync(to, stride, from, stride, bytes, count, cudaMemcpyHostToDevice), "impulses were sent to it");
  }
  static void download_pieces(void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t count) {
    require(cudaMemcpy2D(to, stride, from, stride, bytes, count, cudaMemcpyDeviceToHost), "impulses were fetched");
  }

  template <class Loop>
  static void run(std::size_t count, const Loop& body) {
    if (count == 0) return;
    constexpr unsigned threads = 128;
    run_loop<<<static_cast<unsigned>((count + threads - 1) / threads), threads>>>(count, body);
    require(cudaGetLastError(), "a loop was started");
  }
};

std::string& card_name() {
  static std::string name;
  return name;
}
std::string CudaMachine::name() { return card_name(); }

}  // namespace

}  // namespace moreau::gpu

extern "C" const moreau::gpu::Plugin* moreau_gpu(const char** why) {
  using namespace moreau::gpu;
  static std::string reason;
  int count = 0;
  cudaDeviceProp card;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) error = cudaGetDeviceProperties(&card, 0);
  if (error != cudaSuccess || count == 0) {
    reason = error == cudaSuccess ? "there is none on this machine" : cudaGetErrorString(error);
    *why = reason.c_str();
    return nullptr;
  }
  card_name() = card.name;
  static const Plugin plugin = {card_name().c_str(), []() -> moreau::Accelerator<2>* { return new Sweeps<2, CudaMachine>; },
                                []() -> moreau::Accelerator<3>* { return new Sweeps<3, CudaMachine>; }};
  return &plugin;
}

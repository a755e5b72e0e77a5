// A machine that is a graphics card: loops of one thread for each index, sorts and sums of CUDA's library.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "moreau/gpu/loops.hpp"

namespace moreau::gpu {

inline void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::string sentence = std::string("the graphics card failed while ") + what + ": " + cudaGetErrorString(error);
  std::size_t free = 0, all = 0;
  if (error == cudaErrorMemoryAllocation && cudaMemGetInfo(&free, &all) == cudaSuccess)
    sentence += "; it has " + std::to_string(all >> 20) + " MiB, of which " + std::to_string(free >> 20) +
                " are free, and a ball with its contacts needs about 2 kB: about " + std::to_string(all / 2000000000 * 1000000) +
                " fit if nothing else uses it (--device cpu does without)";
  throw std::runtime_error(sentence);
}

// Kernels say how many threads their blocks have (__launch_bounds__): else one that needs many registers could not be started.
inline constexpr unsigned threads_of_block = 128;

// A loop may start when all blocks of the loop before have, which then has everything before it behind itself: starting it costs
// no time of its own. What is not its own it reads once the loop before has ended.
template <class Loop>
__global__ void __launch_bounds__(threads_of_block) run_loop(std::size_t count, Loop body) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if constexpr (requires { body.early; }) {
    if (body.early) {
      const std::size_t mine = i < count ? i : count - 1;
      const typename Loop::Own own = body.own(mine);
      cudaGridDependencySynchronize();
      cudaTriggerProgrammaticLaunchCompletion();
      if (i < count) body(i, own);
      return;
    }
  }
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
  if (i < count) body(i);
}

// Loops one after the other in one block: colours of few contacts.
template <class Loop>
struct Turns {
  static constexpr int most = 8;
  Loop loop[most];
  std::uint32_t count[most];
  int loops = 0;
};
inline constexpr unsigned threads_of_turns = 512;
template <class Loop>
__global__ void __launch_bounds__(threads_of_turns) run_turns(const __grid_constant__ Turns<Loop> turns) {
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
  for (int k = 0; k < turns.loops; ++k) {
    for (unsigned i = threadIdx.x; i < turns.count[k]; i += blockDim.x) turns.loop[k](i);
    __syncthreads();
  }
}

// What the thread `by` further on in its warp has.
template <class T>
__device__ T further_on(const T& mine, unsigned by) {
  constexpr std::size_t words = sizeof(T) / sizeof(unsigned);
  static_assert(words * sizeof(unsigned) == sizeof(T));
  unsigned word[words];
  T theirs;
  std::memcpy(word, &mine, sizeof(T));
  for (std::size_t k = 0; k < words; ++k) word[k] = __shfl_down_sync(~0u, word[k], by);
  std::memcpy(&theirs, word, sizeof(T));
  return theirs;
}
// The sums of all threads of a block, in its first one.
template <class Sum>
__device__ Sum add_block(Sum mine, Sum* of_warp) {
  for (unsigned by = 16; by > 0; by /= 2) mine += further_on(mine, by);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x == 0)
    for (unsigned w = 1; w < threads_of_block / 32; ++w) mine += of_warp[w];
  return mine;
}
// A sum for each block, of what body(i, sum) adds; the last block to come adds those of all.
template <class Sum, class Loop, class Then>
__global__ void __launch_bounds__(threads_of_block) reduce_loop(std::size_t count, Loop body, Sum* part, unsigned* arrived,
                                                                Sum* total, Then then) {
  __shared__ alignas(16) unsigned char memory[threads_of_block / 32 * sizeof(Sum)];
  __shared__ bool last;
  Sum* const of_warp = reinterpret_cast<Sum*>(memory);
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
  Sum mine;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
    body(i, mine);
  mine = add_block(mine, of_warp);
  if (threadIdx.x == 0) {
    part[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(arrived, 1u) + 1 == gridDim.x;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  Sum all;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) all += part[i];
  all = add_block(all, of_warp);
  if (threadIdx.x > 0) return;
  *arrived = 0;  // for the next sum
  *total = all;
  then(all);
}

// A crew on a card (chains.hpp): the blocks of one cluster, which wait for one another without the help of the card's memory.
// Work is dealt out by warps, so that few contacts occupy all blocks. While it waits a thread reads what is its own of the next
// loop.
inline constexpr unsigned threads_of_crew = 512, blocks_of_crew = 16;
class Crew {
 public:
  // `parts`: memory for a sum of each block.
  MOREAU_INLINE Crew(void* parts, unsigned char* of_warps) : parts_(parts), of_warps_(of_warps) {
#ifdef __CUDA_ARCH__
    rank_ = (threadIdx.x / 32 * gridDim.x + blockIdx.x) * 32 + threadIdx.x % 32, size_ = gridDim.x * blockDim.x;
#endif
  }
  template <class Loop>
  MOREAU_INLINE void each(std::size_t count, const Loop& loop) {
    if constexpr (requires { loop.early; }) {
      if (loop.early) {
        const typename Loop::Own own = loop.own(rank_ < count ? rank_ : count - 1);
        wait();
        if (rank_ < count) loop(rank_, own);
        for (std::size_t i = rank_ + size_; i < count; i += size_) loop(i);
        return arrive();
      }
    }
    wait();
    for (std::size_t i = rank_; i < count; i += size_) loop(i);
    arrive();
  }
  template <class Sum, class Loop, class Then>
  MOREAU_INLINE void sum(std::size_t count, const Loop& loop, Sum* total, const Then& then) {
#ifdef __CUDA_ARCH__
    wait();
    Sum mine;
    for (std::size_t i = rank_; i < count; i += size_) loop(i, mine);
    for (unsigned by = 16; by > 0; by /= 2) mine += further_on(mine, by);
    Sum* const of_warp = reinterpret_cast<Sum*>(of_warps_);
    Sum* const part = static_cast<Sum*>(parts_);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
      Sum block;
      if (threadIdx.x < threads_of_crew / 32) block = of_warp[threadIdx.x];
      for (unsigned by = 16; by > 0; by /= 2) block += further_on(block, by);
      if (threadIdx.x == 0) part[blockIdx.x] = block;
    }
    arrive();
    wait();
    if (blockIdx.x == 0 && threadIdx.x < 32) {
      Sum all;
      if (threadIdx.x < gridDim.x) all = part[threadIdx.x];
      for (unsigned by = 16; by > 0; by /= 2) all += further_on(all, by);
      if (threadIdx.x == 0) *total = all, then(all);
    }
    arrive();
#endif
  }
  MOREAU_INLINE void wait() {
#ifdef __CUDA_ARCH__
    if (arrived_) asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#endif
    arrived_ = false;
  }

 private:
  // What a block has written, one of its threads makes seen by all.
  MOREAU_INLINE void arrive() {
#ifdef __CUDA_ARCH__
    __syncthreads();
    if (threadIdx.x == 0) asm volatile("fence.acq_rel.cluster;" ::: "memory");
    asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
#endif
    arrived_ = true;
  }
  void* parts_;
  unsigned char* of_warps_;
  std::size_t rank_ = 0, size_ = 1;
  bool arrived_ = false;  // and not waited yet
};
template <class Chain>
__global__ void __launch_bounds__(threads_of_crew, 1) run_chain(const __grid_constant__ Chain chain, void* parts) {
  __shared__ alignas(16) unsigned char of_warps[threads_of_crew / 32 * 256];
  cudaGridDependencySynchronize();
  Crew crew(parts, of_warps);
  chain(crew);
  crew.wait();
}

class CudaMachine {
 public:
  CudaMachine() {
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "it was opened");
    require(cudaMallocHost(&landing_, landing_bytes), "memory was asked for");
    arrived_ = static_cast<unsigned*>(allocate(sizeof(unsigned)));
    require(cudaMemsetAsync(arrived_, 0, sizeof(unsigned), stream_), "it was opened");
  }
  ~CudaMachine() {
    for (Graph& graph : graphs_)
      if (graph.ready != nullptr) cudaGraphExecDestroy(graph.ready);
    for (void* memory : {static_cast<void*>(arrived_), parts_.at, keys_.at, values_.at, room_.at}) cudaFree(memory);
    cudaFreeHost(landing_);
    cudaStreamDestroy(stream_);
  }
  CudaMachine(const CudaMachine&) = delete;
  CudaMachine& operator=(const CudaMachine&) = delete;

  static void* allocate(std::size_t bytes) {
    void* memory = nullptr;
    require(cudaMalloc(&memory, bytes), "memory was asked for");
    return memory;
  }
  static void release(void* memory) { cudaFree(memory); }
  void upload(void* to, const void* from, std::size_t bytes) {
    require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_), "data were sent to it");
  }
  void download(void* to, const void* from, std::size_t bytes) {
    const bool small = bytes <= landing_bytes;
    require(cudaMemcpyAsync(small ? landing_ : to, from, bytes, cudaMemcpyDeviceToHost, stream_), "a result was fetched");
    require(cudaStreamSynchronize(stream_), "a result was fetched");
    if (small) std::memcpy(to, landing_, bytes);
  }
  void copy(void* to, const void* from, std::size_t bytes) {
    require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_), "memory grew");
  }
  void upload_pieces(void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t count) {
    require(cudaMemcpy2DAsync(to, stride, from, stride, bytes, count, cudaMemcpyHostToDevice, stream_),
            "impulses were sent to it");
  }
  void download_pieces(void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t count) {
    require(cudaMemcpy2DAsync(to, stride, from, stride, bytes, count, cudaMemcpyDeviceToHost, stream_), "impulses were fetched");
    require(cudaStreamSynchronize(stream_), "impulses were fetched");
  }

  template <class Loop>
  void run(std::size_t count, const Loop& body) {
    if (count > 0) start("a loop was started", blocks(count), run_loop<Loop>, count, body);
  }
  template <class Loop>
  void run_in_turn(const std::vector<std::pair<std::size_t, Loop>>& loops) {
    for (std::size_t k = 0; k < loops.size();) {
      Turns<Loop> turns;
      for (; k < loops.size() && turns.loops < Turns<Loop>::most; ++k, ++turns.loops)
        turns.count[turns.loops] = static_cast<std::uint32_t>(loops[k].first), turns.loop[turns.loops] = loops[k].second;
      start_with("loops were started", 1, threads_of_turns, run_turns<Loop>, turns);
    }
  }
  template <class Sum, class Loop, class Then = Nothing>
  void reduce(std::size_t count, const Loop& body, Sum* total, const Then& then = {}) {
    static_assert(sizeof(Sum) <= most_sum);
    Sum* const part = static_cast<Sum*>(room(parts_, most_blocks * most_sum));
    const unsigned few = count <= few_terms ? blocks(count) : (blocks(count) + terms_of_thread - 1) / terms_of_thread;
    start("a sum was started", std::max(1u, std::min(few, most_blocks)), reduce_loop<Sum, Loop, Then>, count, body, part,
          arrived_, total, then);
  }

  static constexpr std::size_t most_places_of_crew = 32768;  // above, one loop after the other is faster
  template <class Chain>
  void run_together(const Chain& chain) {
    static bool known = false;
    if (!known)
      require(cudaFuncSetAttribute(run_chain<Chain>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "a crew was asked for");
    known = true;
    void* const parts = room(parts_, most_blocks * most_sum);
    cudaLaunchAttribute how_to[2];
    how_to[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    how_to[0].val.programmaticStreamSerializationAllowed = 1;
    how_to[1].id = cudaLaunchAttributeClusterDimension;
    how_to[1].val.clusterDim.x = blocks_of_crew, how_to[1].val.clusterDim.y = how_to[1].val.clusterDim.z = 1;
    cudaLaunchConfig_t how{};
    how.gridDim = dim3(blocks_of_crew), how.blockDim = dim3(threads_of_crew), how.stream = stream_;
    how.attrs = how_to, how.numAttrs = 2;
    require(cudaLaunchKernelEx(&how, run_chain<Chain>, chain, parts), "sweeps were started");
  }

  void sort(std::uint64_t* keys, std::size_t count, int bits) {
    if (count == 0) return;
    cub::DoubleBuffer<std::uint64_t> buffer(keys, static_cast<std::uint64_t*>(room(keys_, count * sizeof(*keys))));
    in_room("pairs were sorted", [&](void* at, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(at, bytes, buffer, static_cast<int>(count), 0, bits, stream_);
    });
    bring_back(keys, buffer, count);
  }
  template <class Key>
  void sort_with(Key* keys, std::uint32_t* values, std::size_t count, int bits) {
    if (count == 0) return;
    cub::DoubleBuffer<Key> buffer(keys, static_cast<Key*>(room(keys_, count * sizeof(Key))));
    cub::DoubleBuffer<std::uint32_t> with(values, static_cast<std::uint32_t*>(room(values_, count * sizeof(*values))));
    in_room("numbers were sorted", [&](void* at, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(at, bytes, buffer, with, static_cast<int>(count), 0, bits, stream_);
    });
    bring_back(keys, buffer, count), bring_back(values, with, count);
  }
  void sum_before(std::uint32_t* number, std::size_t count) {
    if (count == 0) return;
    in_room("numbers were added", [&](void* at, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveSum(at, bytes, number, static_cast<int>(count), stream_);
    });
  }

  // The loops of f as one graph from the third time on: a loop of few contacts takes no longer than its start.
  template <class F>
  void repeat(int which, F&& f) {
    Graph& graph = graphs_[which];
    if (!graph.valid && graph.calls++ < 2) return f();
    if (!graph.valid) {
      cudaGraph_t loops;
      require(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "loops were gathered");
      f();
      require(cudaStreamEndCapture(stream_, &loops), "loops were gathered");
      cudaGraphExecUpdateResultInfo info;
      if (graph.ready == nullptr || cudaGraphExecUpdate(graph.ready, loops, &info) != cudaSuccess) {
        cudaGetLastError();  // another number of loops than before
        if (graph.ready != nullptr) cudaGraphExecDestroy(graph.ready);
        require(cudaGraphInstantiate(&graph.ready, loops, 0), "loops were gathered");
      }
      cudaGraphDestroy(loops);
      graph.valid = true;
    }
    require(cudaGraphLaunch(graph.ready, stream_), "loops were started");
  }
  void forget() {
    for (Graph& graph : graphs_) graph.valid = false, graph.calls = 0;
  }

 private:
  static constexpr unsigned most_blocks = 132 * 8, terms_of_thread = 4;
  static constexpr std::size_t most_sum = 256, landing_bytes = 4096, few_terms = 65536;
  struct Graph {
    cudaGraphExec_t ready = nullptr;
    bool valid = false;
    int calls = 0;
  };
  struct Room {
    void* at = nullptr;
    std::size_t bytes = 0;
  };

  template <class... P, class... A>
  void start(const char* what, unsigned blocks, void (*loop)(P...), const A&... given) {
    start_with(what, blocks, threads_of_block, loop, given...);
  }
  template <class... P, class... A>
  void start_with(const char* what, unsigned blocks, unsigned threads, void (*loop)(P...), const A&... given) {
    cudaLaunchAttribute early;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t how{};
    how.gridDim = dim3(blocks), how.blockDim = dim3(threads), how.stream = stream_;
    how.attrs = &early, how.numAttrs = 1;
    require(cudaLaunchKernelEx(&how, loop, P(given)...), what);
  }
  static unsigned blocks(std::size_t count) { return static_cast<unsigned>((count + threads_of_block - 1) / threads_of_block); }
  static void* room(Room& r, std::size_t bytes) {
    if (bytes > r.bytes) {
      cudaFree(r.at);
      r.at = nullptr, r.bytes = 0;
      r.at = allocate(bytes + bytes / 8);
      r.bytes = bytes + bytes / 8;
    }
    return r.at;
  }
  template <class F>
  void in_room(const char* what, F&& f) {
    std::size_t bytes = 0;
    require(f(nullptr, bytes), what);
    require(f(room(room_, std::max<std::size_t>(bytes, 1)), bytes), what);
  }
  template <class T>
  void bring_back(T* to, cub::DoubleBuffer<T>& buffer, std::size_t count) {
    if (buffer.Current() != to)
      require(cudaMemcpyAsync(to, buffer.Current(), count * sizeof(T), cudaMemcpyDeviceToDevice, stream_), "numbers were sorted");
  }

  cudaStream_t stream_ = nullptr;
  void* landing_ = nullptr;      // pinned: where small results arrive
  unsigned* arrived_ = nullptr;  // blocks of the sum that is being made
  Room parts_, keys_, values_, room_;
  Graph graphs_[3];
};

}  // namespace moreau::gpu

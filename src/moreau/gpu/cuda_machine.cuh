// A machine that is a graphics card: loops of one thread for each index, sorts and sums of CUDA's library.
#pragma once

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

namespace moreau::gpu {

inline void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::string sentence = std::string("the graphics card failed while ") + what + ": " + cudaGetErrorString(error);
  std::size_t free = 0, all = 0;
  if (error == cudaErrorMemoryAllocation && cudaMemGetInfo(&free, &all) == cudaSuccess)
    sentence += "; it has " + std::to_string(all >> 20) + " MiB, of which " + std::to_string(free >> 20) +
                " are free, and a ball with its contacts needs about 2 kB (--device cpu does without)";
  throw std::runtime_error(sentence);
}

inline constexpr unsigned threads_of_block = 128;

template <class Loop>
__global__ void run_loop(std::size_t count, Loop body) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) body(i);
}

// A sum for each block, of what body(i, sum) adds.
template <class Sum, class Loop>
__global__ void reduce_loop(std::size_t count, Loop body, Sum* part) {
  __shared__ alignas(16) unsigned char memory[threads_of_block * sizeof(Sum)];
  Sum* const sum = reinterpret_cast<Sum*>(memory);
  Sum mine;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
    body(i, mine);
  sum[threadIdx.x] = mine;
  for (unsigned half = threads_of_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sum[threadIdx.x] += sum[threadIdx.x + half];
  }
  if (threadIdx.x == 0) part[blockIdx.x] = sum[0];
}
template <class Sum>
struct AddParts {
  const Sum* part;
  MOREAU_INLINE void operator()(std::size_t i, Sum& sum) const { sum += part[i]; }
};

class CudaMachine {
 public:
  static constexpr std::size_t fewest_contacts = 10000;

  CudaMachine() {
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "it was opened");
    require(cudaMallocHost(&landing_, landing_bytes), "memory was asked for");
  }
  ~CudaMachine() {
    for (Graph& graph : graphs_)
      if (graph.ready != nullptr) cudaGraphExecDestroy(graph.ready);
    for (void* memory : {parts_.at, keys_.at, values_.at, room_.at}) cudaFree(memory);
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
  void upload_pieces(void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t count) {
    require(cudaMemcpy2DAsync(to, stride, from, stride, bytes, count, cudaMemcpyHostToDevice, stream_), "impulses were sent to it");
  }
  void download_pieces(void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t count) {
    require(cudaMemcpy2DAsync(to, stride, from, stride, bytes, count, cudaMemcpyDeviceToHost, stream_), "impulses were fetched");
    require(cudaStreamSynchronize(stream_), "impulses were fetched");
  }

  template <class Loop>
  void run(std::size_t count, const Loop& body) {
    if (count == 0) return;
    run_loop<<<blocks(count), threads_of_block, 0, stream_>>>(count, body);
    require(cudaGetLastError(), "a loop was started");
  }
  template <class Sum, class Loop>
  void reduce(std::size_t count, const Loop& body, Sum* total) {
    static_assert(sizeof(Sum) <= most_sum);
    const unsigned most = std::max(1u, std::min(blocks(count), most_blocks));
    Sum* const part = static_cast<Sum*>(room(parts_, most_blocks * most_sum));
    reduce_loop<<<most, threads_of_block, 0, stream_>>>(count, body, part);
    reduce_loop<<<1, threads_of_block, 0, stream_>>>(most, AddParts<Sum>{part}, total);
    require(cudaGetLastError(), "a sum was started");
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
  static constexpr unsigned most_blocks = 132 * 8;
  static constexpr std::size_t most_sum = 256, landing_bytes = 4096;
  struct Graph {
    cudaGraphExec_t ready = nullptr;
    bool valid = false;
    int calls = 0;
  };
  struct Room {
    void* at = nullptr;
    std::size_t bytes = 0;
  };

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
  void* landing_ = nullptr;  // pinned: where small results arrive
  Room parts_, keys_, values_, room_;
  Graph graphs_[3];
};

}  // namespace moreau::gpu

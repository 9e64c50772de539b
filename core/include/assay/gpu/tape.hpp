#pragma once
// Memory for the tapes of launches, which the host allocates once.
//
//   __global__ void gradient(const float *x, float *dx, float *y, float *dy, int n, assay::Tapes tapes) {
//     assay::autodiff_deferred<assay::Reverse>(tapes, body, assay::Duplicated{x, dx}, assay::Duplicated{y, dy},
//                                              assay::Const{n});
//   }
//   assay::TapeMemory memory;
//   for (...)
//     gradient<<<grid, block>>>(x, dx, y, dy, n, memory.reserve(grid, block));
//
// The first launch takes its tapes from the device's heap and says how many bytes would have been enough for a thread;
// later ones have that. `reserve(grid, block, bytes)` gives the first one memory, too. What the lanes of a warp access
// at the same time lies together. Launches that use the same memory follow one another, as those in one stream do.

#include "assay/gpu/device.hpp"
#include <algorithm>

namespace assay {

namespace detail::gpu {

inline constexpr unsigned lanes = 32; ///< Threads whose words alternate.
inline constexpr unsigned word_bytes = 8;

/// The tape memory of one thread (core/engine/emit/tape_memory.hpp).
struct ThreadTapes {
  struct Part {
    char *memory;
    unsigned long long bytes, used, wanted;
  } piece, words;
};

/// The number of the thread among all of the launch.
__device__ __forceinline__ unsigned long long thread_of_launch() {
  const unsigned long long block =
      (blockIdx.z * static_cast<unsigned long long>(gridDim.y) + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned in_block = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  return block * (blockDim.x * blockDim.y * blockDim.z) + in_block;
}

__device__ __forceinline__ ThreadTapes tapes_of_thread(const Tapes &tapes) {
  const unsigned long long thread = thread_of_launch(), lane = thread % lanes;
  return {{tapes.pieces + thread * tapes.piece_bytes, tapes.piece_bytes, 0, 0},
          {tapes.memory + (thread - lane) * tapes.bytes + lane * word_bytes, tapes.bytes, 0, 0}};
}

__device__ __forceinline__ void count(unsigned long long *most, unsigned long long wanted) {
  if (wanted > 0 && wanted > *static_cast<volatile unsigned long long *>(most)) // Code without tapes reads nothing.
    atomicMax(most, wanted);
}

/// Counts when the call has ended.
struct CountedTapes {
  const Tapes &launch;
  ThreadTapes thread;
  __device__ __forceinline__ explicit CountedTapes(const Tapes &tapes)
      : launch(tapes), thread(tapes_of_thread(tapes)) {}
  __device__ __forceinline__ ~CountedTapes() {
    if (!launch.wanted)
      return;
    count(launch.wanted, thread.words.wanted);
    count(launch.wanted + 1, thread.piece.wanted);
  }
};

} // namespace detail::gpu

/// The same with the memory for the tapes of the launch; reverse mode.
template <auto M, class F, class... A>
__device__ __forceinline__ auto autodiff_deferred(const Tapes &tapes, F &&function, A &&...arguments) {
  using ModeType = std::remove_cv_t<decltype(M)>;
  static_assert((Annotation<A> && ...),
                "assay: every argument needs an annotation: Const{x}, Active{x}, Duplicated{x, dx} or BatchDuplicated");
  static_assert(ModeType::direction == Direction::reverse, "assay: only gradients have tapes");
  detail::gpu::CountedTapes counted(tapes);
  return detail::gpu::reverse<ModeType>(&counted.thread, function, arguments...);
}

class TapeMemory {
public:
  TapeMemory() = default;
  TapeMemory(const TapeMemory &) = delete;
  TapeMemory &operator=(const TapeMemory &) = delete;
  ~TapeMemory() {
    ::cudaFree(memory_);
    ::cudaFree(wanted_);
  }

  /// For a launch with this grid and these blocks: `bytes` for each thread, or the bytes that earlier launches wanted
  /// where that is more. Waits for these. Until a launch has counted how they divide, there are as many for what has to
  /// be contiguous. Where the device has not so much memory, there is none, and tapes are on its heap.
  Tapes reserve(dim3 grid, dim3 block, std::size_t bytes = 0) {
    const Wanted wanted = counted();
    const std::size_t words = round_up(std::max<std::size_t>(bytes, wanted.words), alignment),
                      piece = round_up(wanted.sum() > 0 ? wanted.piece : bytes, alignment);
    const std::size_t threads = std::size_t(grid.x) * grid.y * grid.z * block.x * block.y * block.z,
                      all_words = round_up(threads, detail::gpu::lanes) * words, size = all_words + threads * piece;
    if (size > size_ && !allocate(size))
      return {nullptr, 0, counter(), nullptr, 0};
    return {memory_, words, counter(), memory_ + all_words, piece};
  }

  /// Bytes that would have been enough for each thread of all launches so far. Waits for them.
  std::size_t wanted() const { return counted().sum(); }
  /// Of all threads.
  std::size_t size() const { return size_; }

private:
  static constexpr std::size_t alignment = 16;
  struct Wanted {
    unsigned long long words = 0, piece = 0;
    std::size_t sum() const { return words + piece; }
  };

  static std::size_t round_up(std::size_t number, std::size_t unit) { return (number + unit - 1) / unit * unit; }
  Wanted counted() const {
    Wanted wanted;
    if (wanted_)
      ::cudaMemcpy(&wanted, wanted_, sizeof wanted, cudaMemcpyDeviceToHost);
    return wanted;
  }
  bool allocate(std::size_t size) {
    ::cudaFree(memory_);
    memory_ = nullptr;
    size_ = ::cudaMalloc(reinterpret_cast<void **>(&memory_), size) == cudaSuccess ? size : 0;
    if (size_ == 0)
      ::cudaGetLastError(); // nobody else's error
    return size_ != 0;
  }
  unsigned long long *counter() {
    const Wanted none;
    if (!wanted_ && ::cudaMalloc(reinterpret_cast<void **>(&wanted_), sizeof none) == cudaSuccess)
      ::cudaMemcpy(wanted_, &none, sizeof none, cudaMemcpyHostToDevice);
    return wanted_;
  }

  char *memory_ = nullptr;
  std::size_t size_ = 0;
  unsigned long long *wanted_ = nullptr;
};

} // namespace assay

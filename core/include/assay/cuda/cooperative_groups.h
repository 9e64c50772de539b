#pragma once
// A stand-in for the toolkit's header: blocks, tiles of a warp, the threads that run together, and grids that do not
// wait.
#include "cuda_runtime.h"

namespace cooperative_groups {

class thread_block {
public:
  static __device__ void sync() { __syncthreads(); }
  static __device__ unsigned thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  static __device__ unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static __device__ unsigned size() { return num_threads(); }
  static __device__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __device__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static __device__ dim3 dim_threads() { return group_dim(); }
};

static __inline__ __device__ thread_block this_thread_block() {
  return {};
}

class grid_group {
public:
  static __device__ unsigned long long block_rank() {
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) * (blockIdx.y + gridDim.y * blockIdx.z);
  }
  static __device__ unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static __device__ unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  static __device__ unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
  static __device__ unsigned long long size() { return num_threads(); }
  static __device__ void sync()
      __attribute__((unavailable("blocks of an emulated launch do not wait for one another")));
};

static __inline__ __device__ grid_group this_grid() {
  return {};
}

struct cluster_group {};
__device__ cluster_group this_cluster()
    __attribute__((unavailable("clusters of blocks, and the shared memory of other blocks, are not emulated")));

/// Neighbouring threads of a warp, a power of two.
template <unsigned Size, class Parent = void>
class thread_block_tile {
  static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0);

public:
  static __device__ unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  static constexpr __device__ unsigned num_threads() { return Size; }
  static constexpr __device__ unsigned size() { return Size; }
  static __device__ unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  static __device__ unsigned meta_group_size() { return (thread_block::num_threads() + Size - 1) / Size; }
  static __device__ void sync() { __syncwarp(mask()); }
  template <class T>
  static __device__ T shfl(T value, int rank) {
    return __shfl_sync(mask(), value, rank, Size);
  }
  template <class T>
  static __device__ T shfl_up(T value, unsigned distance) {
    return __shfl_up_sync(mask(), value, distance, Size);
  }
  template <class T>
  static __device__ T shfl_down(T value, unsigned distance) {
    return __shfl_down_sync(mask(), value, distance, Size);
  }
  template <class T>
  static __device__ T shfl_xor(T value, unsigned lanes) {
    return __shfl_xor_sync(mask(), value, lanes, Size);
  }
  static __device__ int any(int predicate) { return ballot(predicate) != 0; }
  static __device__ int all(int predicate) { return ballot(predicate) == whole; }
  static __device__ unsigned ballot(int predicate) {
    return (__ballot_sync(mask(), predicate) >> first_lane()) & whole;
  }
  template <class T>
  static __device__ unsigned match_any(T value) {
    return (__match_any_sync(mask(), value) >> first_lane()) & whole;
  }

private:
  static constexpr unsigned whole = Size == 32 ? ~0U : (1U << Size) - 1;
  static __device__ unsigned first_lane() { return thread_block::thread_rank() % 32 / Size * Size; }
  static __device__ unsigned mask() { return whole << first_lane(); }
};

template <unsigned Size, class Parent>
static __inline__ __device__ thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return {};
}

/// The threads of a warp that have come here together.
class coalesced_group {
public:
  explicit __device__ coalesced_group(unsigned mask) : mask_(mask) {}
  __device__ unsigned thread_rank() const { return __popc(mask_ & ((1U << lane()) - 1)); }
  __device__ unsigned num_threads() const { return __popc(mask_); }
  __device__ unsigned size() const { return num_threads(); }
  __device__ void sync() const { __syncwarp(mask_); }
  template <class T>
  __device__ T shfl(T value, int rank) const {
    return __shfl_sync(mask_, value, lane_of(rank), 32);
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned distance) const {
    const unsigned from = thread_rank() + distance;
    return __shfl_sync(mask_, value, from < num_threads() ? lane_of(from) : lane(), 32);
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned distance) const {
    const unsigned rank = thread_rank();
    return __shfl_sync(mask_, value, rank >= distance ? lane_of(rank - distance) : lane(), 32);
  }
  __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
  __device__ unsigned mask() const { return mask_; } ///< Of lanes; the toolkit's has none.

private:
  static __device__ unsigned lane() { return thread_block::thread_rank() % 32; }
  /// The lane of the thread of that rank.
  __device__ unsigned lane_of(unsigned rank) const {
    unsigned rest = mask_;
    for (; rank > 0; --rank)
      rest &= rest - 1;
    return __ffs(static_cast<int>(rest)) - 1;
  }
  unsigned mask_;
};

static __inline__ __device__ coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

/// The threads of the group that have the same label.
template <class Label>
static __inline__ __device__ coalesced_group labeled_partition(const coalesced_group &group, Label label) {
  return coalesced_group(__match_any_sync(group.mask(), label));
}
template <unsigned Size, class Parent, class Label>
static __inline__ __device__ coalesced_group labeled_partition(const thread_block_tile<Size, Parent> &tile,
                                                               Label label) {
  const unsigned first = thread_block::thread_rank() % 32 / Size * Size;
  return coalesced_group(tile.match_any(label) << first);
}
template <class Group>
static __inline__ __device__ coalesced_group binary_partition(const Group &group, bool predicate) {
  return labeled_partition(group, static_cast<int>(predicate));
}

template <class Group>
static __inline__ __device__ void sync(const Group &group) {
  group.sync();
}
template <class Group>
static __inline__ __device__ auto thread_rank(const Group &group) {
  return group.thread_rank();
}
template <class Group>
static __inline__ __device__ auto group_size(const Group &group) {
  return group.size();
}

} // namespace cooperative_groups

#pragma once
// A stand-in for the toolkit's header: reductions over a tile, or over the threads that run together.
#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T>
struct plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  __device__ T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  __device__ T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  __device__ T operator()(T a, T b) const { return a ^ b; }
};

/// In all threads of the tile.
template <unsigned Size, class Parent, class T, class Operation>
static __inline__ __device__ T reduce(const thread_block_tile<Size, Parent> &tile, T value, Operation operation) {
  for (unsigned distance = Size / 2; distance > 0; distance /= 2)
    value = operation(value, tile.shfl_xor(value, distance));
  return value;
}

/// By a tree over the ranks, of any number.
template <class T, class Operation>
static __inline__ __device__ T reduce(const coalesced_group &group, T value, Operation operation) {
  const unsigned rank = group.thread_rank(), count = group.num_threads();
  for (unsigned distance = 1; distance < count; distance *= 2) {
    const T other = group.shfl_down(value, distance);
    if (rank % (2 * distance) == 0 && rank + distance < count)
      value = operation(value, other);
  }
  return group.shfl(value, 0);
}

} // namespace cooperative_groups

#pragma once
// A stand-in for the toolkit's header: prefixes over a tile.
#include "reduce.h"

namespace cooperative_groups {

template <unsigned Size, class Parent, class T, class Operation = plus<T>>
static __inline__ __device__ T inclusive_scan(const thread_block_tile<Size, Parent> &tile, T value,
                                              Operation operation = {}) {
  for (unsigned distance = 1; distance < Size; distance *= 2) {
    const T before = tile.shfl_up(value, distance);
    if (tile.thread_rank() >= distance)
      value = operation(before, value);
  }
  return value;
}

/// The first thread gets a number of zero, as for sums.
template <unsigned Size, class Parent, class T, class Operation = plus<T>>
static __inline__ __device__ T exclusive_scan(const thread_block_tile<Size, Parent> &tile, T value,
                                              Operation operation = {}) {
  const T before = tile.shfl_up(inclusive_scan(tile, value, operation), 1);
  return tile.thread_rank() == 0 ? T(0) : before;
}

} // namespace cooperative_groups

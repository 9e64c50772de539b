#pragma once
// A stand-in for the toolkit's header: prefixes over a tile, or over the threads that run together.
#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Operation = plus<T>>
static __inline__ __device__ T inclusive_scan(const Group &group, T value, Operation operation = {}) {
  for (unsigned distance = 1; distance < group.num_threads(); distance *= 2) {
    const T before = group.shfl_up(value, distance);
    if (group.thread_rank() >= distance)
      value = operation(before, value);
  }
  return value;
}

/// The first thread gets a number of zero, as for sums.
template <class Group, class T, class Operation = plus<T>>
static __inline__ __device__ T exclusive_scan(const Group &group, T value, Operation operation = {}) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T(0) : before;
}

} // namespace cooperative_groups

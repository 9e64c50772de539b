#pragma once
// A stand-in for the toolkit's header: copies by all threads of a group, which take place at once. Nobody may look
// before they are waited for.
#include "../cooperative_groups.h"

namespace cooperative_groups {

/// `bytes` is a number or a `cuda::aligned_size_t`.
template <class Group, class T, class Size>
static __inline__ __device__ void memcpy_async(const Group &group, T *to, const T *from, const Size &bytes) {
  const size_t count = static_cast<size_t>(bytes) / sizeof(T);
  for (size_t index = group.thread_rank(); index < count; index += group.num_threads())
    to[index] = from[index];
}

/// The smaller of two numbers of elements.
template <class Group, class T, class ToSize, class FromSize>
static __inline__ __device__ void memcpy_async(const Group &group, T *to, const ToSize &room, const T *from,
                                               const FromSize &count) {
  const size_t elements =
      static_cast<size_t>(room) < static_cast<size_t>(count) ? static_cast<size_t>(room) : static_cast<size_t>(count);
  memcpy_async(group, to, from, elements * sizeof(T));
}

template <class Group>
static __inline__ __device__ void wait(const Group &group) {
  group.sync();
}
template <unsigned Stages, class Group>
static __inline__ __device__ void wait_prior(const Group &group) {
  group.sync();
}

} // namespace cooperative_groups

#pragma once
// Functions of kernels beside mathematics and atomics: read-only loads, time, sleep.

template <class T>
static __inline__ __device__ T __ldcg(const T *address) {
  return *address;
}

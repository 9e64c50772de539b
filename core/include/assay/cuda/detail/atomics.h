#pragma once
// Atomic operations, as clang's scoped atomics. Those without a scope in their name have the device's; `_block` and
// `_system` follow CUDA's names.

#pragma push_macro("ASSAY_ATOMIC")
#pragma push_macro("ASSAY_ATOMIC_SCOPES")
#define ASSAY_ATOMIC(type, name, builtin, scope)                                                                       \
  static __inline__ __device__ type name(type *address, type value) {                                                  \
    return builtin(address, value, __ATOMIC_RELAXED, scope);                                                           \
  }
#define ASSAY_ATOMIC_SCOPES(type, name, builtin)                                                                       \
  ASSAY_ATOMIC(type, name, builtin, __MEMORY_SCOPE_DEVICE)                                                             \
  ASSAY_ATOMIC(type, name##_block, builtin, __MEMORY_SCOPE_WRKGRP)                                                     \
  ASSAY_ATOMIC(type, name##_system, builtin, __MEMORY_SCOPE_SYSTEM)

ASSAY_ATOMIC_SCOPES(int, atomicAdd, __scoped_atomic_fetch_add)
ASSAY_ATOMIC_SCOPES(unsigned int, atomicAdd, __scoped_atomic_fetch_add)
ASSAY_ATOMIC_SCOPES(unsigned long long, atomicAdd, __scoped_atomic_fetch_add)
ASSAY_ATOMIC_SCOPES(float, atomicAdd, __scoped_atomic_fetch_add)
ASSAY_ATOMIC_SCOPES(double, atomicAdd, __scoped_atomic_fetch_add)
ASSAY_ATOMIC_SCOPES(int, atomicSub, __scoped_atomic_fetch_sub)
ASSAY_ATOMIC_SCOPES(unsigned int, atomicSub, __scoped_atomic_fetch_sub)
ASSAY_ATOMIC_SCOPES(int, atomicMin, __scoped_atomic_fetch_min)
ASSAY_ATOMIC_SCOPES(unsigned int, atomicMin, __scoped_atomic_fetch_min)
ASSAY_ATOMIC_SCOPES(unsigned long long, atomicMin, __scoped_atomic_fetch_min)
ASSAY_ATOMIC_SCOPES(long long, atomicMin, __scoped_atomic_fetch_min)
ASSAY_ATOMIC_SCOPES(int, atomicMax, __scoped_atomic_fetch_max)
ASSAY_ATOMIC_SCOPES(unsigned int, atomicMax, __scoped_atomic_fetch_max)
ASSAY_ATOMIC_SCOPES(unsigned long long, atomicMax, __scoped_atomic_fetch_max)
ASSAY_ATOMIC_SCOPES(long long, atomicMax, __scoped_atomic_fetch_max)
ASSAY_ATOMIC_SCOPES(int, atomicAnd, __scoped_atomic_fetch_and)
ASSAY_ATOMIC_SCOPES(unsigned int, atomicAnd, __scoped_atomic_fetch_and)
ASSAY_ATOMIC_SCOPES(unsigned long long, atomicAnd, __scoped_atomic_fetch_and)
ASSAY_ATOMIC_SCOPES(int, atomicOr, __scoped_atomic_fetch_or)
ASSAY_ATOMIC_SCOPES(unsigned int, atomicOr, __scoped_atomic_fetch_or)
ASSAY_ATOMIC_SCOPES(unsigned long long, atomicOr, __scoped_atomic_fetch_or)
ASSAY_ATOMIC_SCOPES(int, atomicXor, __scoped_atomic_fetch_xor)
ASSAY_ATOMIC_SCOPES(unsigned int, atomicXor, __scoped_atomic_fetch_xor)
ASSAY_ATOMIC_SCOPES(unsigned long long, atomicXor, __scoped_atomic_fetch_xor)
ASSAY_ATOMIC_SCOPES(int, atomicExch, __scoped_atomic_exchange_n)
ASSAY_ATOMIC_SCOPES(unsigned int, atomicExch, __scoped_atomic_exchange_n)
ASSAY_ATOMIC_SCOPES(unsigned long long, atomicExch, __scoped_atomic_exchange_n)

#define ASSAY_COMPARE_AND_SWAP(type, name, scope)                                                                      \
  static __inline__ __device__ type name(type *address, type expected, type desired) {                                 \
    __scoped_atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope); \
    return expected;                                                                                                   \
  }
ASSAY_COMPARE_AND_SWAP(int, atomicCAS, __MEMORY_SCOPE_DEVICE)
ASSAY_COMPARE_AND_SWAP(int, atomicCAS_block, __MEMORY_SCOPE_WRKGRP)
ASSAY_COMPARE_AND_SWAP(int, atomicCAS_system, __MEMORY_SCOPE_SYSTEM)
ASSAY_COMPARE_AND_SWAP(unsigned int, atomicCAS, __MEMORY_SCOPE_DEVICE)
ASSAY_COMPARE_AND_SWAP(unsigned int, atomicCAS_block, __MEMORY_SCOPE_WRKGRP)
ASSAY_COMPARE_AND_SWAP(unsigned int, atomicCAS_system, __MEMORY_SCOPE_SYSTEM)
ASSAY_COMPARE_AND_SWAP(unsigned long long, atomicCAS, __MEMORY_SCOPE_DEVICE)
ASSAY_COMPARE_AND_SWAP(unsigned long long, atomicCAS_block, __MEMORY_SCOPE_WRKGRP)
ASSAY_COMPARE_AND_SWAP(unsigned long long, atomicCAS_system, __MEMORY_SCOPE_SYSTEM)
ASSAY_COMPARE_AND_SWAP(unsigned short, atomicCAS, __MEMORY_SCOPE_DEVICE)
ASSAY_COMPARE_AND_SWAP(unsigned short, atomicCAS_block, __MEMORY_SCOPE_WRKGRP)
ASSAY_COMPARE_AND_SWAP(unsigned short, atomicCAS_system, __MEMORY_SCOPE_SYSTEM)
#undef ASSAY_COMPARE_AND_SWAP
#pragma pop_macro("ASSAY_ATOMIC_SCOPES")
#pragma pop_macro("ASSAY_ATOMIC")

static __inline__ __device__ float atomicExch(float *address, float value) {
  return __int_as_float(atomicExch(reinterpret_cast<int *>(address), __float_as_int(value)));
}
static __inline__ __device__ float atomicExch_block(float *address, float value) {
  return __int_as_float(atomicExch_block(reinterpret_cast<int *>(address), __float_as_int(value)));
}

/// Counts up to `limit` and starts again at 0.
static __inline__ __device__ unsigned int atomicInc(unsigned int *address, unsigned int limit) {
  unsigned int seen = __scoped_atomic_load_n(address, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE), expected;
  do {
    expected = seen;
    seen = atomicCAS(address, expected, expected >= limit ? 0U : expected + 1U);
  } while (seen != expected);
  return seen;
}
/// Counts down and starts again at `limit`.
static __inline__ __device__ unsigned int atomicDec(unsigned int *address, unsigned int limit) {
  unsigned int seen = __scoped_atomic_load_n(address, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE), expected;
  do {
    expected = seen;
    seen = atomicCAS(address, expected, expected == 0U || expected > limit ? limit : expected - 1U);
  } while (seen != expected);
  return seen;
}

#pragma once
// In place of the toolkit, for <__clang_cuda_intrinsics.h>: matches within a warp, for integers.

#pragma push_macro("ASSAY_MATCHES")
#define ASSAY_MATCHES(type, as, bits)                                                                                  \
  static __inline__ __device__ unsigned int __match_any_sync(unsigned int mask, type value) {                          \
    return __match##bits##_any_sync(mask, as(value));                                                                  \
  }                                                                                                                    \
  static __inline__ __device__ unsigned int __match_all_sync(unsigned int mask, type value, int *all) {                \
    return __match##bits##_all_sync(mask, as(value), all);                                                             \
  }
ASSAY_MATCHES(unsigned int, static_cast<unsigned int>, 32)
ASSAY_MATCHES(int, static_cast<unsigned int>, 32)
ASSAY_MATCHES(unsigned long, static_cast<unsigned long long>, 64)
ASSAY_MATCHES(long, static_cast<unsigned long long>, 64)
ASSAY_MATCHES(unsigned long long, static_cast<unsigned long long>, 64)
ASSAY_MATCHES(long long, static_cast<unsigned long long>, 64)
#pragma pop_macro("ASSAY_MATCHES")

typedef std::uint32_t cuuint32_t;
typedef std::uint64_t cuuint64_t;

#pragma once
// CUDA 13's types of four numbers of 8 bytes whose names say how they are aligned.

#define ASSAY_ALIGNED_VECTOR_TYPE(name, number, alignment)                                                             \
  struct __align__(alignment) name {                                                                                   \
    number x, y, z, w;                                                                                                 \
  };                                                                                                                   \
  static __inline__ __host__ __device__ name make_##name(number x, number y, number z, number w) {                     \
    return name{x, y, z, w};                                                                                           \
  }
ASSAY_ALIGNED_VECTOR_TYPE(long4_16a, long, 16)
ASSAY_ALIGNED_VECTOR_TYPE(long4_32a, long, 32)
ASSAY_ALIGNED_VECTOR_TYPE(ulong4_16a, unsigned long, 16)
ASSAY_ALIGNED_VECTOR_TYPE(ulong4_32a, unsigned long, 32)
ASSAY_ALIGNED_VECTOR_TYPE(longlong4_16a, long long, 16)
ASSAY_ALIGNED_VECTOR_TYPE(longlong4_32a, long long, 32)
ASSAY_ALIGNED_VECTOR_TYPE(ulonglong4_16a, unsigned long long, 16)
ASSAY_ALIGNED_VECTOR_TYPE(ulonglong4_32a, unsigned long long, 32)
ASSAY_ALIGNED_VECTOR_TYPE(double4_16a, double, 16)
ASSAY_ALIGNED_VECTOR_TYPE(double4_32a, double, 32)
#undef ASSAY_ALIGNED_VECTOR_TYPE

#pragma once
// A stand-in for the toolkit's header: __half and __half2.
#include "cuda_runtime.h"
#include "detail/half_comparisons.h"
#include "detail/half_types.h"

ASSAY_HALF_TYPE(__half, __half2, _Float16)
ASSAY_HALF_CONVERSIONS(__half, __half2, half, half2)
ASSAY_HALF_ALL_FURTHER(__half, __half2, half, half2)
ASSAY_HALF_INLINE __half2 __halves2half2(__half a, __half b) {
  return __half2(a, b);
}
using half = __half;
using half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;

#define CUDART_INF_FP16 __ushort_as_half(0x7c00U)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fffU)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00U)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bffU)

#pragma once
// A stand-in for the toolkit's header: __half and __half2.
#include "cuda_runtime.h"
#include "detail/half_types.h"

ASSAY_HALF_TYPE(__half, __half2, _Float16)
ASSAY_HALF_CONVERSIONS(__half, __half2, half, half2)
ASSAY_HALF_INLINE __half2 __halves2half2(__half a, __half b) {
  return __half2(a, b);
}
using half = __half;
using half2 = __half2;

#pragma once
// A stand-in for the toolkit's header: __nv_bfloat16 and __nv_bfloat162.
#include "cuda_runtime.h"
#include "detail/half_comparisons.h"
#include "detail/half_types.h"

ASSAY_HALF_TYPE(__nv_bfloat16, __nv_bfloat162, __bf16)
ASSAY_HALF_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)
ASSAY_HALF_ALL_FURTHER(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)
ASSAY_HALF_INLINE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

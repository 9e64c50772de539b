#pragma once
// CUB's own header, seen with half precision. Without it, which is how the emulation compiles CUB, sums of four and
// more numbers of any type take the way of pairs of halves, and end at an assertion.
#include "../../cuda_fp16.h"
#include <cub/detail/array_utils.cuh>
#include <cub/detail/type_traits.cuh>
#include <cub/thread/thread_load.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/util_namespace.cuh>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/cassert>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#pragma push_macro("_CCCL_HAS_NVFP16")
#undef _CCCL_HAS_NVFP16
#define _CCCL_HAS_NVFP16() 1
#include_next <cub/thread/thread_reduce.cuh>
#pragma pop_macro("_CCCL_HAS_NVFP16")

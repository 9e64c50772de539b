#pragma once
// A stand-in for the CUDA toolkit's <cuda_runtime.h>: with it clang compiles CUDA programs, for emulation on the CPU,
// on a machine without a toolkit.
//
//   clang++-22 -x cuda -nocudainc -nocudalib -isystem .../assay/cuda -include cuda_runtime.h ...
//
// It has to come before all other headers: functions of the mathematical library become overloads for the device.
// Arithmetic, shuffles and special registers are those of the headers that clang itself has.

#ifndef __CUDA__
#error "this header is for compilation as CUDA: -x cuda"
#endif

#define __CUDA_RUNTIME_H__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define CUDA_VERSION 13000
#define CUDART_VERSION 13000

// clang-format off: each needs those before it.
#include "detail/attributes.h"

#include <__clang_cuda_math_forward_declares.h>

// Device code's `operator new`, which the headers below include, calls them; `using` in namespace std takes them along.
extern "C" __device__ void *malloc(__SIZE_TYPE__) __attribute((nothrow)) __attribute__((malloc));
extern "C" __device__ void free(void *) __attribute((nothrow));

#define __CUDACC__
#include <cassert>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <math.h>
#include <stdlib.h>

#include <__clang_cuda_builtin_vars.h>

#include "detail/vector_types.h"

#include "detail/aligned_vector_types.h"

#include <__clang_cuda_libdevice_declares.h>

#include "detail/builtin_functions.h"

#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 9999
#endif
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include <__clang_cuda_intrinsics.h>
#include <__clang_cuda_cmath.h>
#pragma pop_macro("__CUDA_ARCH__")

#include "detail/math_constants.h"
#include "detail/math_overloads.h"
#include "detail/atomics.h"
#include "detail/device_library.h"
#include "detail/runtime_api.h"

#include "detail/launch_configuration.h"
#include "detail/textures.h"
// clang-format on

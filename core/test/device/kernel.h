// What the kernels of these tests need of CUDA, without a toolkit, and the three kernels that each test has: `prim`
// runs the function `body`, `fwd` its tangents, `grad` its adjoints.
#pragma once
#include <stdlib.h>

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))

#define tid_x __nvvm_read_ptx_sreg_tid_x()
#define ntid_x __nvvm_read_ptx_sreg_ntid_x()
#define ctaid_x __nvvm_read_ptx_sreg_ctaid_x()
#define nctaid_x __nvvm_read_ptx_sreg_nctaid_x()
#define GI (tid_x + ntid_x * ctaid_x)

extern "C" __device__ void *malloc(size_t) noexcept;
extern "C" __device__ void free(void *) noexcept;
extern "C" __device__ int vprintf(const char *, const char *);
extern "C" __device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t);
extern "C" __device__ double __nv_sin(double);
extern "C" __device__ double __nv_fabs(double);
extern "C" __device__ double __nv_pow(double, double);
extern "C" __device__ float __nv_sinf(float);

extern __device__ int enzyme_dup, enzyme_const, enzyme_width, enzyme_runtime_activity;
template <class R, class... A>
__device__ R __enzyme_autodiff(void *, A...);
template <class R, class... A>
__device__ R __enzyme_fwddiff(void *, A...);
template <class R, class... A>
__device__ R __enzyme_augmentfwd(void *, A...);
template <class R, class... A>
__device__ R __enzyme_reverse(void *, A...);

#define KERNELS(T)                                                                                                     \
  extern "C" __global__ void prim(const T *x, T *y, int n) {                                                           \
    body(x, y, n);                                                                                                     \
  }                                                                                                                    \
  extern "C" __global__ void grad(const T *x, T *dx, T *y, T *dy, int n) {                                             \
    __enzyme_autodiff<void>((void *)body, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);                      \
  }                                                                                                                    \
  extern "C" __global__ void fwd(const T *x, T *dx, T *y, T *dy, int n) {                                              \
    __enzyme_fwddiff<void>((void *)body, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);                       \
  }

#pragma once
// A part of cuBLAS: vectors and matrices of float and double. Names and numbers are the library's.
#ifndef ASSAY_CUDA_RUNTIME_IS_THERE // the emulation itself
#include "cuda_runtime.h"
#endif

extern "C" {

typedef struct cublasContext *cublasHandle_t;

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15
} cublasStatus_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;

__host__ cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
__host__ cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
__host__ cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
__host__ cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream);
__host__ cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
__host__ cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode);

#define ASSAY_CUBLAS(L, T)                                                                                             \
  __host__ cublasStatus_t cublas##L##dot_v2(cublasHandle_t, int n, const T *x, int incx, const T *y, int incy,         \
                                            T *result);                                                                \
  __host__ cublasStatus_t cublas##L##nrm2_v2(cublasHandle_t, int n, const T *x, int incx, T *result);                  \
  __host__ cublasStatus_t cublas##L##asum_v2(cublasHandle_t, int n, const T *x, int incx, T *result);                  \
  __host__ cublasStatus_t cublas##L##axpy_v2(cublasHandle_t, int n, const T *alpha, const T *x, int incx, T *y,        \
                                             int incy);                                                                \
  __host__ cublasStatus_t cublas##L##scal_v2(cublasHandle_t, int n, const T *alpha, T *x, int incx);                   \
  __host__ cublasStatus_t cublas##L##copy_v2(cublasHandle_t, int n, const T *x, int incx, T *y, int incy);             \
  __host__ cublasStatus_t cublas##L##ger_v2(cublasHandle_t, int m, int n, const T *alpha, const T *x, int incx,        \
                                            const T *y, int incy, T *a, int lda);                                      \
  __host__ cublasStatus_t cublas##L##gemv_v2(cublasHandle_t, cublasOperation_t operation, int m, int n,                \
                                             const T *alpha, const T *a, int lda, const T *x, int incx, const T *beta, \
                                             T *y, int incy);                                                          \
  __host__ cublasStatus_t cublas##L##gemm_v2(cublasHandle_t, cublasOperation_t operation_a,                            \
                                             cublasOperation_t operation_b, int m, int n, int k, const T *alpha,       \
                                             const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc);  \
  __host__ cublasStatus_t cublas##L##gemmStridedBatched(                                                               \
      cublasHandle_t, cublasOperation_t operation_a, cublasOperation_t operation_b, int m, int n, int k,               \
      const T *alpha, const T *a, int lda, long long step_a, const T *b, int ldb, long long step_b, const T *beta,     \
      T *c, int ldc, long long step_c, int products);                                                                  \
  __host__ cublasStatus_t cublas##L##gemmBatched(cublasHandle_t, cublasOperation_t operation_a,                        \
                                                 cublasOperation_t operation_b, int m, int n, int k, const T *alpha,   \
                                                 const T *const a[], int lda, const T *const b[], int ldb,             \
                                                 const T *beta, T *const c[], int ldc, int products);
ASSAY_CUBLAS(S, float)
ASSAY_CUBLAS(D, double)
#undef ASSAY_CUBLAS
}

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSdot cublasSdot_v2
#define cublasDdot cublasDdot_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasSasum cublasSasum_v2
#define cublasDasum cublasDasum_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasSscal cublasSscal_v2
#define cublasDscal cublasDscal_v2
#define cublasScopy cublasScopy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasSger cublasSger_v2
#define cublasDger cublasDger_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2

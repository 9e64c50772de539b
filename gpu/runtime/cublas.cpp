// cuBLAS for emulated programs: the functions of <assay/cuda/cublas_v2.h> in loops. Memory of the device is memory of
// the host, and each call has ended when it returns.

#include <cmath>
#include <cstddef>

struct dim3 {
  unsigned int x = 1, y = 1, z = 1;
};
#define __host__
#include <assay/cuda/detail/runtime_api.h>
#define ASSAY_CUDA_RUNTIME_IS_THERE
#include <assay/cuda/cublas_v2.h>

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
};

namespace {

/// A vector of `count` numbers; a negative step goes through it from its end.
template <class T>
class Vector {
public:
  Vector(T *numbers, int count, int step)
      : numbers_(numbers + (step < 0 ? static_cast<std::ptrdiff_t>(1 - count) * step : 0)), step_(step) {}
  T &operator[](int index) const { return numbers_[static_cast<std::ptrdiff_t>(index) * step_]; }

private:
  T *numbers_;
  int step_;
};

/// A matrix by columns, or its transpose.
template <class T>
class Matrix {
public:
  Matrix(T *numbers, int leading, cublasOperation_t operation = CUBLAS_OP_N)
      : numbers_(numbers), leading_(leading), is_turned_(operation != CUBLAS_OP_N) {}
  T &operator()(int row, int column) const {
    return is_turned_ ? numbers_[column + row * leading_] : numbers_[row + column * leading_];
  }

private:
  T *numbers_;
  std::ptrdiff_t leading_;
  bool is_turned_;
};

cublasStatus_t status_of(cublasHandle_t handle, bool is_valid = true) {
  if (handle == nullptr)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  return is_valid ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

template <class T>
T dot(int count, Vector<const T> x, Vector<const T> y) {
  T sum = 0;
  for (int i = 0; i < count; ++i)
    sum += x[i] * y[i];
  return sum;
}

template <class T>
void multiply(int m, int n, int k, T alpha, Matrix<const T> a, Matrix<const T> b, T beta, Matrix<T> c) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      T sum = 0;
      for (int l = 0; alpha != 0 && l < k; ++l)
        sum += a(i, l) * b(l, j);
      c(i, j) = (alpha != 0 ? alpha * sum : 0) + (beta != 0 ? beta * c(i, j) : 0);
    }
}

template <class T>
void multiply(cublasOperation_t operation, int m, int n, T alpha, const T *a, int lda, const T *x, int incx, T beta,
              T *y, int incy) {
  const int rows = operation == CUBLAS_OP_N ? m : n, columns = operation == CUBLAS_OP_N ? n : m;
  const Matrix<const T> matrix(a, lda, operation);
  const Vector<const T> from(x, columns, incx);
  const Vector<T> to(y, rows, incy);
  for (int i = 0; i < rows; ++i) {
    T sum = 0;
    for (int j = 0; alpha != 0 && j < columns; ++j)
      sum += matrix(i, j) * from[j];
    to[i] = (alpha != 0 ? alpha * sum : 0) + (beta != 0 ? beta * to[i] : 0);
  }
}

} // namespace

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  const cublasStatus_t status = status_of(handle);
  delete handle;
  return status;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  if (handle)
    handle->stream = stream;
  return status_of(handle);
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream) {
  if (handle)
    *stream = handle->stream;
  return status_of(handle);
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (handle)
    handle->mode = mode;
  return status_of(handle);
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode) {
  if (handle)
    *mode = handle->mode;
  return status_of(handle);
}

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type.
#define ASSAY_CUBLAS(L, T)                                                                                             \
  cublasStatus_t cublas##L##dot_v2(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy,           \
                                   T *result) {                                                                        \
    if (handle)                                                                                                        \
      *result = dot<T>(n, Vector<const T>(x, n, incx), Vector<const T>(y, n, incy));                                   \
    return status_of(handle);                                                                                          \
  }                                                                                                                    \
  cublasStatus_t cublas##L##nrm2_v2(cublasHandle_t handle, int n, const T *x, int incx, T *result) {                   \
    if (handle)                                                                                                        \
      *result = std::sqrt(dot<T>(n, Vector<const T>(x, n, incx), Vector<const T>(x, n, incx)));                        \
    return status_of(handle);                                                                                          \
  }                                                                                                                    \
  cublasStatus_t cublas##L##asum_v2(cublasHandle_t handle, int n, const T *x, int incx, T *result) {                   \
    T sum = 0;                                                                                                         \
    for (int i = 0; i < n; ++i)                                                                                        \
      sum += std::abs(Vector<const T>(x, n, incx)[i]);                                                                 \
    *result = sum;                                                                                                     \
    return status_of(handle);                                                                                          \
  }                                                                                                                    \
  cublasStatus_t cublas##L##axpy_v2(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *y,          \
                                    int incy) {                                                                        \
    for (int i = 0; handle && i < n; ++i)                                                                              \
      Vector<T>(y, n, incy)[i] += *alpha * Vector<const T>(x, n, incx)[i];                                             \
    return status_of(handle);                                                                                          \
  }                                                                                                                    \
  cublasStatus_t cublas##L##scal_v2(cublasHandle_t handle, int n, const T *alpha, T *x, int incx) {                    \
    for (int i = 0; handle && i < n; ++i)                                                                              \
      Vector<T>(x, n, incx)[i] *= *alpha;                                                                              \
    return status_of(handle);                                                                                          \
  }                                                                                                                    \
  cublasStatus_t cublas##L##copy_v2(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy) {              \
    for (int i = 0; handle && i < n; ++i)                                                                              \
      Vector<T>(y, n, incy)[i] = Vector<const T>(x, n, incx)[i];                                                       \
    return status_of(handle);                                                                                          \
  }                                                                                                                    \
  cublasStatus_t cublas##L##ger_v2(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx,          \
                                   const T *y, int incy, T *a, int lda) {                                              \
    for (int j = 0; handle && j < n; ++j)                                                                              \
      for (int i = 0; i < m; ++i)                                                                                      \
        Matrix<T>(a, lda)(i, j) += *alpha * Vector<const T>(x, m, incx)[i] * Vector<const T>(y, n, incy)[j];           \
    return status_of(handle, lda >= m);                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##L##gemv_v2(cublasHandle_t handle, cublasOperation_t operation, int m, int n, const T *alpha,  \
                                    const T *a, int lda, const T *x, int incx, const T *beta, T *y, int incy) {        \
    if (handle && lda >= m)                                                                                            \
      multiply<T>(operation, m, n, *alpha, a, lda, x, incx, *beta, y, incy);                                           \
    return status_of(handle, lda >= m);                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##L##gemm_v2(cublasHandle_t handle, cublasOperation_t operation_a,                              \
                                    cublasOperation_t operation_b, int m, int n, int k, const T *alpha, const T *a,    \
                                    int lda, const T *b, int ldb, const T *beta, T *c, int ldc) {                      \
    if (handle && ldc >= m)                                                                                            \
      multiply<T>(m, n, k, *alpha, Matrix<const T>(a, lda, operation_a), Matrix<const T>(b, ldb, operation_b), *beta,  \
                  Matrix<T>(c, ldc));                                                                                  \
    return status_of(handle, ldc >= m);                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##L##gemmStridedBatched(                                                                        \
      cublasHandle_t handle, cublasOperation_t operation_a, cublasOperation_t operation_b, int m, int n, int k,        \
      const T *alpha, const T *a, int lda, long long step_a, const T *b, int ldb, long long step_b, const T *beta,     \
      T *c, int ldc, long long step_c, int products) {                                                                 \
    cublasStatus_t status = status_of(handle);                                                                         \
    for (int i = 0; status == CUBLAS_STATUS_SUCCESS && i < products; ++i)                                              \
      status = cublas##L##gemm_v2(handle, operation_a, operation_b, m, n, k, alpha, a + i * step_a, lda,               \
                                  b + i * step_b, ldb, beta, c + i * step_c, ldc);                                     \
    return status;                                                                                                     \
  }                                                                                                                    \
  cublasStatus_t cublas##L##gemmBatched(cublasHandle_t handle, cublasOperation_t operation_a,                          \
                                        cublasOperation_t operation_b, int m, int n, int k, const T *alpha,            \
                                        const T *const a[], int lda, const T *const b[], int ldb, const T *beta,       \
                                        T *const c[], int ldc, int products) {                                         \
    cublasStatus_t status = status_of(handle);                                                                         \
    for (int i = 0; status == CUBLAS_STATUS_SUCCESS && i < products; ++i)                                              \
      status =                                                                                                         \
          cublas##L##gemm_v2(handle, operation_a, operation_b, m, n, k, alpha, a[i], lda, b[i], ldb, beta, c[i], ldc); \
    return status;                                                                                                     \
  }
// NOLINTEND(bugprone-macro-parentheses)
ASSAY_CUBLAS(S, float)
ASSAY_CUBLAS(D, double)
#undef ASSAY_CUBLAS
}

#pragma once
// The common part of the rules of cuBLAS: calls of the library for either type of numbers, and copies on the device of
// numbers that are overwritten.

#include "assay/detail/gpu/device_numbers.hpp"
#include "assay/gpu/host.hpp"
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>

namespace assay::rules::gpu {

// ---- the library, for either type of numbers

template <class T>
struct Blas;
#define ASSAY_DETAIL_BLAS(L, T)                                                                                        \
  template <>                                                                                                          \
  struct Blas<T> {                                                                                                     \
    static constexpr auto dot = &::cublas##L##dot_v2;                                                                  \
    static constexpr auto nrm2 = &::cublas##L##nrm2_v2;                                                                \
    static constexpr auto axpy = &::cublas##L##axpy_v2;                                                                \
    static constexpr auto scal = &::cublas##L##scal_v2;                                                                \
    static constexpr auto copy = &::cublas##L##copy_v2;                                                                \
    static constexpr auto ger = &::cublas##L##ger_v2;                                                                  \
    static constexpr auto gemv = &::cublas##L##gemv_v2;                                                                \
    static constexpr auto gemm_of_rows = &::cublas##L##gemmStridedBatched;                                             \
    static constexpr auto gemm_of_list = &::cublas##L##gemmBatched;                                                    \
    static constexpr auto gemm = &::cublas##L##gemm_v2;                                                                \
  }
ASSAY_DETAIL_BLAS(S, float);
ASSAY_DETAIL_BLAS(D, double);
#undef ASSAY_DETAIL_BLAS

/// Calls with factors of the host's, for the derivatives' own products.
template <class T>
struct BlasCalls {
  cublasHandle_t handle;

  T dot(int n, const T *x, int incx, const T *y, int incy) const {
    T result = 0;
    Blas<T>::dot(handle, n, x, incx, y, incy, &result);
    return result;
  }
  /// Numbers that a factor of zero leaves out may not be written yet.
  void add(int n, T factor, const T *x, int incx, T *y, int incy) const {
    if (factor != 0)
      Blas<T>::axpy(handle, n, &factor, x, incx, y, incy);
  }
  void scale(int n, T factor, T *x, int incx) const { Blas<T>::scal(handle, n, &factor, x, incx); }
  void copy(int n, const T *x, int incx, T *y, int incy) const { Blas<T>::copy(handle, n, x, incx, y, incy); }
  void add_outer(int m, int n, T factor, const T *x, int incx, const T *y, int incy, T *a, int lda) const {
    Blas<T>::ger(handle, m, n, &factor, x, incx, y, incy, a, lda);
  }
  void multiply(cublasOperation_t operation, int m, int n, T alpha, const T *a, int lda, const T *x, int incx, T beta,
                T *y, int incy) const {
    Blas<T>::gemv(handle, operation, m, n, &alpha, a, lda, x, incx, &beta, y, incy);
  }
  void multiply(cublasOperation_t a_turned, cublasOperation_t b_turned, int m, int n, int k, T alpha, const T *a,
                int lda, const T *b, int ldb, T beta, T *c, int ldc) const {
    Blas<T>::gemm(handle, a_turned, b_turned, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
  }
};

/// For the reverse sweep: the program may have destroyed its own by then. It lives as long as the thread's program.
inline cublasHandle_t handle_of_reverse_sweep() {
  static thread_local const cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    ::cublasCreate_v2(&made);
    return made;
  }();
  return handle;
}

inline void require_factors_of_host(cublasHandle_t handle) {
  cublasPointerMode_t mode{};
  ::cublasGetPointerMode_v2(handle, &mode);
  if (mode != CUBLAS_POINTER_MODE_HOST) {
    std::fputs("assay: cuBLAS with CUBLAS_POINTER_MODE_DEVICE has no derivative; set CUBLAS_POINTER_MODE_HOST around "
               "what is differentiated\n",
               stderr);
    std::abort();
  }
}

inline cublasOperation_t turned(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
}

// ---- kept numbers

inline std::size_t extent(int count, int step) {
  return count > 0 ? 1 + static_cast<std::size_t>(count - 1) * static_cast<std::size_t>(step < 0 ? -step : step) : 0;
}
inline std::size_t extent_of_columns(int rows, int columns, int leading) {
  return columns > 0 ? static_cast<std::size_t>(columns - 1) * static_cast<std::size_t>(leading) +
                           static_cast<std::size_t>(rows)
                     : 0;
}

/// A copy of `count` numbers, in the order of the handle's stream.
template <class T>
DeviceNumbers<T> kept(cublasHandle_t handle, const T *numbers, std::size_t count) {
  DeviceNumbers<T> copy(count);
  cudaStream_t stream = nullptr;
  ::cublasGetStream_v2(handle, &stream);
  ::cudaMemcpyAsync(static_cast<void *>(copy.get()), static_cast<const void *>(numbers), count * sizeof(T),
                    cudaMemcpyDeviceToDevice, stream);
  return copy;
}
template <class T>
DeviceNumbers<T> kept_where(bool needed, cublasHandle_t handle, const T *numbers, std::size_t count) {
  return needed ? kept(handle, numbers, count) : DeviceNumbers<T>();
}

/// The numbers that a call reads, and its factors, as they were.
template <class T>
struct KeptOperands {
  DeviceNumbers<T> a, x, before; ///< `before`: the overwritten numbers.
  T alpha = 0, beta = 0;
};

template <class T>
T *writable(const T *shadow) {
  return const_cast<T *>(shadow);
}

} // namespace assay::rules::gpu
